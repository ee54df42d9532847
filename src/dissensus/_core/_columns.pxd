# The columns of a table as a kernel reads them.

from libc.math cimport NAN

from dissensus._core._typedefs cimport float64_t, int32_t, intp_t, uint8_t

cdef struct Columns:
    intp_t n
    const char** start        # first cell of each column
    intp_t* stride            # bytes from one cell to the next
    uint8_t* is_nominal       # int32 codes, else float64 numbers

cdef int open_columns(Columns* columns, list arrays) except -1
cdef void close_columns(Columns* columns) noexcept


cdef inline float64_t number_at(
    const Columns* columns, intp_t attribute, intp_t row
) noexcept nogil:
    """Return a number, or a code as a number; NaN if missing or not declared."""
    cdef const char* cell = columns.start[attribute] + row * columns.stride[attribute]
    cdef int32_t code
    if columns.is_nominal[attribute]:
        code = (<const int32_t*>cell)[0]
        return <float64_t>code if code >= 0 else NAN
    return (<const float64_t*>cell)[0]
