"""The columns of a table as a kernel reads them: where each begins, and its step."""

from cpython.buffer cimport (
    Py_buffer, PyBUF_SIMPLE, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
)
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from dissensus._core._memory cimport grab


cdef void* start_of(object array) except? NULL:
    """Return where the numbers of a contiguous array begin; NULL for None.

    The array must outlive the pointer. (By a memoryview of bytes it would take 1.5 us,
    and a tree asks for forty arrays: a twentieth of the fit on nursery.)
    """
    cdef Py_buffer view
    if array is None:
        return NULL
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    cdef void* start = view.buf
    PyBuffer_Release(&view)
    return start


cdef int open_columns(Columns* columns, list arrays) except -1:
    """Point to float64 or int32 arrays, which must outlive the columns.

    Buffers are asked for directly: `array.ctypes` takes 2 us, and an ensemble opens
    dozens of columns thousands of times (a tenth of DECORATE's time on soybean).
    """
    cdef intp_t i
    cdef Py_buffer view
    memset(columns, 0, sizeof(Columns))
    columns.n = len(arrays)
    columns.start = <const char**>grab(columns.n * sizeof(void*))
    columns.stride = <intp_t*>grab(columns.n * sizeof(intp_t))
    columns.is_nominal = <uint8_t*>grab(columns.n)
    for i, array in enumerate(arrays):
        PyObject_GetBuffer(array, &view, PyBUF_STRIDES)
        columns.start[i] = <const char*>view.buf
        columns.stride[i] = view.strides[0]
        columns.is_nominal[i] = view.itemsize == sizeof(int32_t)
        PyBuffer_Release(&view)
    return 0


cdef void close_columns(Columns* columns) noexcept:
    free(columns.start)
    free(columns.stride)
    free(columns.is_nominal)


def copy_numbers(list arrays):
    """Copy float64 columns of a row-major matrix, side by side in memory, to rows.

    Some rows at a time, so that the cache lines that the columns share are read once.
    """
    cdef intp_t n = len(arrays[0]), start = 0, end, i, j
    cdef Columns columns
    block = np.empty((len(arrays), n))
    cdef float64_t[:, ::1] out = block
    open_columns(&columns, arrays)
    with nogil:
        while start < n:
            end = start + 256 if start + 256 < n else n
            for j in range(columns.n):
                for i in range(start, end):
                    out[j, i] = (<const float64_t*>(
                        columns.start[j] + i * columns.stride[j]
                    ))[0]
            start = end
    close_columns(&columns)
    return block
