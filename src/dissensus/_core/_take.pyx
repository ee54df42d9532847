"""Encodings of some rows of a table, read off the encodings of all its rows.

The rows are chosen in ascending order and may repeat, as in a bootstrap or in the
training part of a cross-validation. Copy number p of the chosen rows is row p of the
new table, and `starts[r]` is the first copy of old row r, so that old row r has the
copies `starts[r]` to `starts[r + 1] - 1`. A column that was sorted is then sorted again
by walking its old order and writing the copies of each row: no comparisons, one read
out of order per old row. Values of which no row is left must go, because a tree moves
its thresholds to values that occur.
"""

import numpy as np

from dissensus._core._columns cimport Columns, close_columns, open_columns
from dissensus._core._typedefs cimport (
    int32_t, intp_t, uint8_t, uint16_t, uint32_t
)


cdef void take_order(
    const int32_t* order, const int32_t* ranks, intp_t n, const int32_t* starts,
    int32_t* kept, int32_t* new_order, int32_t* new_ranks, intp_t* sizes
) noexcept nogil:
    """Sort the chosen rows of one column; sizes are those of `kept` and `new_order`.

    One place before the first rank and four behind the last copy are written to and not
    used: how often a row was drawn is a coin toss that no processor can predict, and
    writing four copies at a stroke without asking takes a third of the time.
    """
    cdef int32_t row, first, count, rank = -1, before = -1
    cdef intp_t i, copy, n_out = 0
    for i in range(n):
        row = order[i]
        first = starts[row]
        count = starts[row + 1] - first
        rank += (count > 0) & (ranks[i] != before)
        before = ranks[i] if count > 0 else before
        kept[rank] = before
        for copy in range(4):
            new_order[n_out + copy] = first + <int32_t>copy
        for copy in range(4):
            new_ranks[n_out + copy] = rank
        for copy in range(4, count):
            new_order[n_out + copy] = first + <int32_t>copy
            new_ranks[n_out + copy] = rank
        n_out += count
    sizes[0] = rank + 1
    sizes[1] = n_out


def take_orders(
    list orders, list ranks, const int32_t[::1] n_values, const int32_t[::1] starts
):
    """Sort the chosen rows of columns whose rows are sorted.

    All columns in one call, so that threads hand the GIL to each other once.

    Parameters
    ----------
    orders, ranks : list of ndarray of int32
        Of each column, as `sort_column` gives them.
    n_values : ndarray of shape (n_columns,), int32
        Number of distinct values of each column.
    starts : ndarray of shape (n_rows + 1,), int32
        The first copy of each old row, and the number of copies.

    Returns
    -------
    list of (kept, order, ranks)
        Of each column the old ranks of the values that are left, ascending, then the
        order and the ranks that `sort_column` would give for the chosen rows.
    """
    cdef intp_t n = len(orders), n_copies = starts[starts.shape[0] - 1], j
    cdef intp_t most = max(n_values, default=0)
    cdef const intp_t[::1] lengths = np.array([len(o) for o in orders], dtype=np.intp)
    kept_array = np.empty((n, most + 1), dtype=np.int32)
    order_array = np.empty((n, n_copies + 4), dtype=np.int32)
    ranks_array = np.empty((n, n_copies + 4), dtype=np.int32)
    sizes_array = np.empty((n, 2), dtype=np.intp)
    cdef int32_t[:, ::1] kept = kept_array
    cdef int32_t[:, ::1] new_order = order_array, new_ranks = ranks_array
    cdef intp_t[:, ::1] sizes = sizes_array
    cdef Columns old_orders, old_ranks
    open_columns(&old_orders, orders)
    open_columns(&old_ranks, ranks)
    with nogil:
        for j in range(n):
            take_order(
                <const int32_t*>old_orders.start[j], <const int32_t*>old_ranks.start[j],
                lengths[j], &starts[0],
                &kept[j, 0] + 1, &new_order[j, 0], &new_ranks[j, 0], &sizes[j, 0]
            )
    close_columns(&old_orders)
    close_columns(&old_ranks)
    return [
        (
            kept_array[j, 1:sizes[j, 0] + 1],
            order_array[j, :sizes[j, 1]],
            ranks_array[j, :sizes[j, 1]],
        )
        for j in range(n)
    ]


ctypedef fused code_t:
    uint8_t
    uint16_t
    uint32_t


def mark_codes(
    const code_t[:, ::1] codes, const intp_t[::1] offsets, uint8_t[::1] marks
):
    """Set the mark of every code that occurs; those of column j begin at offsets[j]."""
    cdef intp_t i, j
    with nogil:
        for i in range(codes.shape[0]):
            for j in range(codes.shape[1]):
                marks[offsets[j] + <intp_t>codes[i, j]] = 1


def change_codes(code_t[:, ::1] codes, intp_t column, const int32_t[::1] new_codes):
    """Replace every code of one column."""
    cdef intp_t i
    with nogil:
        for i in range(codes.shape[0]):
            codes[i, column] = <code_t>new_codes[codes[i, column]]
