"""The columns of a table as a kernel reads them: where each begins, and its step."""

from cpython.buffer cimport (
    Py_buffer, PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_STRIDES, PyBUF_WRITABLE,
    PyBuffer_Release, PyObject_GetBuffer
)
from libc.string cimport memset

import numpy as np

from dissensus._core.common._memory cimport grab, release

NAMES = ["float64", "int32", "uint8", "intp", "unsigned codes"]


cdef inline bint holds(const Py_buffer* view, Item item) noexcept nogil:
    """Tell whether the items of an array are of the machine's own type."""
    cdef char letter = view.format[0]  # one of another byte order begins with a sign
    if item == FLOAT64:
        return letter == b"d"
    if item == INT32:
        return (letter == b"i" or letter == b"l") and view.itemsize == 4
    if item == UINT8:
        return letter == b"B" or letter == b"?"
    if item == INTP:
        return (letter == b"l" or letter == b"q" or letter == b"i") and (
            view.itemsize == sizeof(intp_t)
        )
    return letter == b"B" or letter == b"H" or (
        (letter == b"I" or letter == b"L") and view.itemsize == 4
    )


cdef void* opened(
    object array, Item item, intp_t least, int flags
) except? NULL:
    """Return where an array begins, if it holds what the kernel will read there."""
    cdef Py_buffer view
    if array is None:
        return NULL
    PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags)
    cdef void* start = view.buf
    cdef bint right = holds(&view, item)
    cdef intp_t n = view.len // view.itemsize
    PyBuffer_Release(&view)
    if not right:
        raise TypeError(f"A kernel needs {NAMES[item]}. Got {array.dtype} instead.")
    if n < least:
        raise ValueError(f"A kernel needs {least} numbers. Got {n} instead.")
    return start


cdef void* start_of(object array, Item item, intp_t least) except? NULL:
    """Return where the numbers of a contiguous array begin; NULL for None.

    The array must outlive the pointer, and hold at least so many items. (By a
    memoryview of bytes it would take 1.5 us, and a tree asks for forty arrays: a
    twentieth of the fit on nursery.)
    """
    return opened(array, item, least, 0)


cdef void* room_of(object array, Item item, intp_t least) except? NULL:
    """The same for an array that the kernel may write to."""
    return opened(array, item, least, PyBUF_WRITABLE)


cdef int open_columns(Columns* columns, list arrays, intp_t n_rows) except -1:
    """Point to float64 or int32 arrays, which must outlive the columns.

    Buffers are asked for directly: `array.ctypes` takes 2 us, and an ensemble opens
    dozens of columns thousands of times (a tenth of DECORATE's time on soybean). What
    was opened before an error is the caller's to close.
    """
    memset(columns, 0, sizeof(Columns))
    columns.n = len(arrays)
    columns.start = <const char**>grab(columns.n, sizeof(void*), b"Columns")
    columns.stride = <intp_t*>grab(columns.n, sizeof(intp_t), b"Columns")
    columns.is_nominal = <uint8_t*>grab(columns.n, 1, b"Columns")
    cdef intp_t i
    for i, array in enumerate(arrays):
        open_column(columns, i, array, n_rows)
    return 0


cdef int open_column(
    Columns* columns, intp_t i, object array, intp_t n_rows
) except -1:
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_STRIDES | PyBUF_FORMAT)
    columns.start[i] = <const char*>view.buf
    columns.stride[i] = view.strides[0] if view.ndim == 1 else 0
    columns.is_nominal[i] = holds(&view, INT32)
    cdef bint right = columns.is_nominal[i] or holds(&view, FLOAT64)
    cdef intp_t n = view.shape[0] if view.ndim == 1 else -1
    PyBuffer_Release(&view)
    if not right:
        raise TypeError(
            f"A column holds float64 numbers or int32 codes. Got {array.dtype} instead."
        )
    if n < n_rows:
        raise ValueError(f"A column needs {n_rows} rows. Got {n} instead.")
    return 0


cdef void close_columns(Columns* columns) noexcept nogil:
    release(columns.start)
    release(columns.stride)
    release(columns.is_nominal)


def copy_numbers(list arrays):
    """Copy float64 columns of a row-major matrix, side by side in memory, to rows.

    Some rows at a time, so that the cache lines that the columns share are read once.
    """
    cdef intp_t n = len(arrays[0]), start = 0, end, i, j
    cdef Columns columns
    block = np.empty((len(arrays), n))
    cdef float64_t[:, ::1] out = block
    memset(&columns, 0, sizeof(Columns))
    try:
        open_columns(&columns, arrays, n)
        for j in range(columns.n):
            if columns.is_nominal[j]:
                raise TypeError("Only float64 columns are copied. Got int32 instead.")
        with nogil:
            while start < n:
                end = start + 256 if start + 256 < n else n
                for j in range(columns.n):
                    for i in range(start, end):
                        out[j, i] = (<const float64_t*>(
                            columns.start[j] + i * columns.stride[j]
                        ))[0]
                start = end
    finally:
        close_columns(&columns)
    return block
