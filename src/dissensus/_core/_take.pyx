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

from dissensus._core._typedefs cimport (
    int32_t, intp_t, uint8_t, uint16_t, uint32_t
)


def take_order(
    const int32_t[::1] order, const int32_t[::1] ranks, intp_t n_values,
    const int32_t[::1] starts,
):
    """Sort the chosen rows of a column whose rows are sorted.

    Returns
    -------
    kept : ndarray of int32
        Old ranks of the values that are left, ascending.
    order, ranks : ndarray of int32
        As `sort_column` would give them for the chosen rows.
    """
    cdef intp_t n_copies = starts[starts.shape[0] - 1], i, copy, n_out = 0
    cdef int32_t row, first, count, rank = -1, before = -1
    # One place before the first rank and three behind the last copy are written to
    # and not used: how often a row was drawn is a coin toss that no processor can
    # predict, and writing up to three copies without asking halves the time.
    kept_array = np.empty(n_values + 1, dtype=np.int32)
    order_array = np.empty(n_copies + 3, dtype=np.int32)
    ranks_array = np.empty(n_copies + 3, dtype=np.int32)
    cdef int32_t[::1] kept = kept_array, new_order = order_array
    cdef int32_t[::1] new_ranks = ranks_array
    with nogil:
        for i in range(order.shape[0]):
            row = order[i]
            first = starts[row]
            count = starts[row + 1] - first
            rank += (count > 0) & (ranks[i] != before)
            before = ranks[i] if count > 0 else before
            kept[rank + 1] = before
            for copy in range(3):
                new_order[n_out + copy] = first + <int32_t>copy
                new_ranks[n_out + copy] = rank
            for copy in range(3, count):
                new_order[n_out + copy] = first + <int32_t>copy
                new_ranks[n_out + copy] = rank
            n_out += count
    return kept_array[1:rank + 2], order_array[:n_out], ranks_array[:n_out]


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
