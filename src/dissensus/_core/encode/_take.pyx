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

from dissensus._core.common._columns cimport FLOAT64, INT32, room_of, start_of
from dissensus._core.common._memory cimport grab, release
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, intp_t, uint8_t
)


# A sorted column, and room for the chosen rows of it.
cdef struct Sorted:
    const float64_t* values
    const int32_t* order
    const int32_t* ranks
    const int32_t* next_apart    # NULL if all values lie apart
    intp_t n                     # rows with a known value
    float64_t* new_values
    int32_t* new_order
    int32_t* new_ranks
    int32_t* new_apart
    int32_t* kept                # old ranks of the values that are left
    intp_t n_kept
    intp_t n_new
    intp_t reach


cdef void take_order(Sorted* column, const int32_t* starts) noexcept nogil:
    """Sort the chosen rows, and find which values are left.

    One place before the first rank and four behind the last copy are written to and not
    used: how often a row was drawn is a coin toss that no processor can predict, and
    writing four copies at a stroke without asking is faster.
    """
    cdef const int32_t* order = column.order
    cdef const int32_t* ranks = column.ranks
    cdef int32_t* new_order = column.new_order
    cdef int32_t* new_ranks = column.new_ranks
    cdef int32_t* kept = column.kept
    cdef int32_t row, first, count, rank = -1, before = -1
    cdef intp_t i, copy, n_new = 0
    for i in range(column.n):
        row = order[i]
        first = starts[row]
        count = starts[row + 1] - first
        rank += (count > 0) & (ranks[i] != before)
        before = ranks[i] if count > 0 else before
        kept[rank] = before
        for copy in range(4):
            new_order[n_new + copy] = first + <int32_t>copy
        for copy in range(4):
            new_ranks[n_new + copy] = rank
        for copy in range(4, count):
            new_order[n_new + copy] = first + <int32_t>copy
            new_ranks[n_new + copy] = rank
        n_new += count
    column.n_kept = rank + 1
    column.n_new = n_new


cdef void take_values(Sorted* column) noexcept nogil:
    """Copy the values that are left, and find which of them are close together."""
    cdef intp_t i, first = 0
    column.reach = 1
    for i in range(column.n_kept):
        column.new_values[i] = column.values[column.kept[i]]
    if column.next_apart == NULL:
        return
    for i in range(column.n_kept):
        while (
            first < column.n_kept
            and column.kept[first] < column.next_apart[column.kept[i]]
        ):
            first += 1
        column.new_apart[i] = <int32_t>first
        column.reach = max(column.reach, first - i)


def take_sorted(list columns, const int32_t[::1] starts):
    """Sort the chosen rows of columns whose rows are sorted.

    All in one call: threads that wait for each other at every column lose more time
    than the work takes.

    Parameters
    ----------
    columns : list of (values, order, ranks, next_apart)
        As in `SortedColumn`.
    starts : ndarray of shape (n_rows + 1,), int32
        The first copy of each old row, and the number of copies.

    Returns
    -------
    list of (values, order, ranks, reach, next_apart)
        As sorting the chosen rows would give them.
    """
    cdef intp_t n = len(columns), n_copies = starts[starts.shape[0] - 1], j
    cdef intp_t most = max([len(column[0]) for column in columns], default=0)
    most = min(most, n_copies)  # of values that are left
    values = np.empty((n, most))
    kept = np.empty((n, most + 1), dtype=np.int32)
    apart = np.empty((n, most), dtype=np.int32)
    orders = np.empty((n, n_copies + 4), dtype=np.int32)
    ranks = np.empty((n, n_copies + 4), dtype=np.int32)
    cdef Sorted* parts = <Sorted*>grab(n, sizeof(Sorted), b"Sorted columns")
    cdef Sorted* part
    try:
        for j, column in enumerate(columns):
            part = parts + j
            open_sorted(part, column, starts.shape[0] - 1)
            part.new_values = <float64_t*>room_of(values[j], FLOAT64, most)
            part.kept = <int32_t*>room_of(kept[j], INT32, most + 1) + 1
            part.new_apart = <int32_t*>room_of(apart[j], INT32, most)
            part.new_order = <int32_t*>room_of(orders[j], INT32, n_copies + 4)
            part.new_ranks = <int32_t*>room_of(ranks[j], INT32, n_copies + 4)
        with nogil:
            for j in range(n):
                take_order(parts + j, &starts[0])
                take_values(parts + j)
        return [
            (
                values[j, :parts[j].n_kept],
                orders[j, :parts[j].n_new],
                ranks[j, :parts[j].n_new],
                parts[j].reach,
                apart[j, :parts[j].n_kept] if parts[j].reach > 1 else None,
            )
            for j in range(n)
        ]
    finally:
        release(parts)


cdef int open_sorted(Sorted* part, tuple column, intp_t n_rows) except -1:
    """Point to a sorted column, of which there are at most so many rows."""
    values, order, ranks, next_apart = column
    part.n = len(order)
    if part.n > n_rows:
        raise ValueError(f"{part.n} rows are sorted, and there are {n_rows}.")
    part.values = <const float64_t*>start_of(values, FLOAT64, 0)
    part.order = <const int32_t*>start_of(order, INT32, 0)
    part.ranks = <const int32_t*>start_of(ranks, INT32, part.n)
    part.next_apart = <const int32_t*>start_of(next_apart, INT32, len(values))
    return 0


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
