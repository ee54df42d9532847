# Arrays as a kernel reads them, checked once when they are opened.

from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t, uint8_t

# What an array must hold.
cdef enum Item:
    FLOAT64
    INT32
    UINT8       # or bool
    INTP
    CODES       # unsigned, of 1, 2 or 4 bytes

cdef struct Columns:
    intp_t n
    const char** start        # first cell of each column
    intp_t* stride            # bytes from one cell to the next
    uint8_t* is_nominal       # int32 codes, else float64 numbers

cdef void* start_of(object array, Item item, intp_t least) except? NULL
cdef void* room_of(object array, Item item, intp_t least) except? NULL
cdef int open_columns(Columns* columns, list arrays, intp_t n_rows) except -1
cdef void close_columns(Columns* columns) noexcept nogil
