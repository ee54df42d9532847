# The columns of a table as a kernel reads them.

from dissensus._core._typedefs cimport float64_t, int32_t, intp_t, uint8_t

cdef struct Columns:
    intp_t n
    const char** start        # first cell of each column
    intp_t* stride            # bytes from one cell to the next
    uint8_t* is_nominal       # int32 codes, else float64 numbers

cdef void* start_of(object array) except? NULL
cdef int open_columns(Columns* columns, list arrays) except -1
cdef void close_columns(Columns* columns) noexcept
