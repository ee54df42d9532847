"""The columns of a table as a kernel reads them: where each begins, and its step."""

from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from dissensus._core._memory cimport grab


cdef int open_columns(Columns* columns, list arrays) except -1:
    """Point to float64 or int32 arrays, which must outlive the columns."""
    cdef intp_t i
    memset(columns, 0, sizeof(Columns))
    columns.n = len(arrays)
    columns.start = <const char**>grab(columns.n * sizeof(void*))
    columns.stride = <intp_t*>grab(columns.n * sizeof(intp_t))
    columns.is_nominal = <uint8_t*>grab(columns.n)
    for i, array in enumerate(arrays):
        columns.start[i] = <const char*><intp_t>array.ctypes.data
        columns.stride[i] = array.strides[0]
        columns.is_nominal[i] = array.dtype == np.int32
    return 0


cdef void close_columns(Columns* columns) noexcept:
    free(columns.start)
    free(columns.stride)
    free(columns.is_nominal)
