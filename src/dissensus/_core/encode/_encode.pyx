"""Sort a numeric column once, so that every learner can share the order.

`sort_column` gives the row numbers of the known values in ascending order (rows of
equal value stay in file order), the distinct values, and for each place in the order
the rank of its value among the distinct ones. Whole numbers in a narrow range are
counted. Other columns go through a radix sort by the upper half of the bits of the
doubles, packed with the row into one word; what the upper half leaves in disorder is
mostly put right by a few moves. All of it is linear in the number of rows, stable, and
without the interpreter's lock.
"""

from libc.math cimport INFINITY, isnan
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core.common._columns cimport (
    FLOAT64, INT32, Columns, close_columns, open_columns, room_of, start_of
)
from dissensus._core.common._memory cimport grab, release
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, int64_t, intp_t, uint32_t, uint64_t
)

cdef struct Known:
    intp_t n               # rows with a value
    uint64_t* bits         # (n_rows,) of the value of each row, see sortable_bits
    uint64_t* words        # (n_rows,) rows with a value, in file order
    uint64_t* spare        # (n_rows,)
    bint whole             # all values are whole numbers
    bint counted           # sorted by counting: spare has no keys
    float64_t low, high    # and lie between these


cdef inline uint64_t sortable_bits(float64_t value) noexcept nogil:
    """Return bits that sort, as an unsigned number, as the values do."""
    cdef uint64_t bits
    memcpy(&bits, &value, 8)
    if bits >> 63:
        return ~bits
    return bits | ((<uint64_t>1) << 63)


cdef inline float64_t value_of_bits(uint64_t bits) noexcept nogil:
    cdef float64_t value
    if bits >> 63:
        bits = bits & ~((<uint64_t>1) << 63)
    else:
        bits = ~bits
    memcpy(&value, &bits, 8)
    return value


cdef void read_column(const float64_t[:] column, Known* known) noexcept nogil:
    """Take in the known values and look what kind of numbers they are."""
    cdef intp_t i, n = 0
    cdef float64_t value, low = INFINITY, high = -INFINITY
    cdef bint whole = True
    for i in range(column.shape[0]):
        value = column[i] + 0.0  # -0.0 and 0.0 are one value
        if isnan(value):
            continue
        known.bits[i] = sortable_bits(value)
        known.words[n] = <uint64_t>i
        n += 1
        low = value if value < low else low
        high = value if value > high else high
        if whole:  # until the first fraction
            whole = -1e15 < value < 1e15 and value == <float64_t><int64_t>value
    known.n = n
    known.whole = whole
    known.low = low
    known.high = high


cdef uint64_t* sort_words(uint64_t* words, uint64_t* spare, intp_t n) noexcept nogil:
    """Sort by the upper 32 bits, stably; return the buffer that holds the result."""
    cdef intp_t counts[4][256]
    cdef intp_t i, j, total, count
    cdef int p
    cdef uint64_t word
    cdef uint64_t* swap
    memset(counts, 0, sizeof(counts))
    for i in range(n):
        word = words[i]
        for p in range(4):
            counts[p][(word >> (32 + 8 * p)) & 255] += 1
    for p in range(4):
        if counts[p][(words[0] >> (32 + 8 * p)) & 255] == n:
            continue  # all agree in these bits
        total = 0
        for j in range(256):
            count = counts[p][j]
            counts[p][j] = total
            total += count
        for i in range(n):
            word = words[i]
            j = (word >> (32 + 8 * p)) & 255
            spare[counts[p][j]] = word
            counts[p][j] += 1
        swap = words
        words = spare
        spare = swap
    return words


cdef bint put_right(uint64_t* words, uint64_t* keys, intp_t n) noexcept nogil:
    """Sort almost sorted words by their keys; False if it would take too long."""
    cdef intp_t i, j, moves = 0
    cdef uint64_t word, key
    for i in range(1, n):
        key = keys[i]
        if key >= keys[i - 1]:
            continue
        word = words[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            words[j] = words[j - 1]
            keys[j] = keys[j - 1]
            j -= 1
        words[j] = word
        keys[j] = key
        moves += i - j
        if moves > 4 * n + 64:
            return False
    return True


cdef void sort_known(const float64_t[:] column, Known* known) noexcept nogil:
    """Sort words by value; the lower half of each is the row. Fill spare with keys."""
    cdef uint64_t upper = ~(((<uint64_t>1) << 32) - 1)
    cdef intp_t i
    for i in range(known.n):
        known.words[i] |= known.bits[known.words[i]] & upper
    sort_into_words(known)
    if put_right(known.words, known.spare, known.n):
        return
    # Many values agree in the upper half: start again with the lower half.
    read_column(column, known)
    for i in range(known.n):
        known.words[i] |= known.bits[known.words[i]] << 32
    sort_into_words(known)
    for i in range(known.n):
        known.words[i] = <uint32_t>known.words[i] | (known.spare[i] & upper)
    sort_into_words(known)


cdef void sort_into_words(Known* known) noexcept nogil:
    """Sort by the upper half of the words; fill spare with the bits of their rows."""
    cdef uint64_t* words = sort_words(known.words, known.spare, known.n)
    cdef intp_t i
    if words != known.words:
        known.spare = known.words
        known.words = words
    for i in range(known.n):
        known.spare[i] = known.bits[<uint32_t>words[i]]


cdef intp_t rank_words(
    const Known* known, int32_t[::1] order, int32_t[::1] ranks
) noexcept nogil:
    """Write out rows and ranks; return the number of distinct values."""
    cdef intp_t i
    cdef int32_t rank = 0
    cdef uint64_t before = known.spare[0]
    for i in range(known.n):
        rank += known.spare[i] != before
        before = known.spare[i]
        order[i] = <int32_t><uint32_t>known.words[i]
        ranks[i] = rank
    return rank + 1


cdef intp_t count_whole(
    const Known* known, intp_t* counts, int32_t* rank_of, intp_t n_slots,
    int32_t[::1] order, int32_t[::1] ranks
) noexcept nogil:
    """Sort whole numbers by counting; return the number of distinct ones."""
    cdef intp_t i, slot, total = 0, count
    cdef int32_t n_distinct = 0
    cdef float64_t low = known.low
    memset(counts, 0, n_slots * sizeof(intp_t))
    for i in range(known.n):
        slot = <intp_t>(value_of_bits(known.bits[known.words[i]]) - low)
        known.spare[i] = <uint64_t>slot
        counts[slot] += 1
    for slot in range(n_slots):
        count = counts[slot]
        counts[slot] = total
        rank_of[slot] = n_distinct
        n_distinct += count > 0
        total += count
    for i in range(known.n):
        slot = <intp_t>known.spare[i]
        order[counts[slot]] = <int32_t>known.words[i]
        ranks[counts[slot]] = rank_of[slot]
        counts[slot] += 1
    return n_distinct


cdef intp_t put_in_order(
    const float64_t[:] column, Known* known, int32_t[::1] order, int32_t[::1] ranks
) except -1 nogil:
    """Fill order and ranks; return the number of distinct values."""
    cdef intp_t n_slots, n_distinct
    cdef intp_t* counts
    known.counted = known.whole and known.high - known.low < known.n + 256.0
    if not known.counted:
        sort_known(column, known)
        return rank_words(known, order, ranks)
    n_slots = <intp_t>(known.high - known.low) + 1
    counts = <intp_t*>grab(
        n_slots, sizeof(intp_t) + sizeof(int32_t), b"Counts of whole numbers"
    )
    n_distinct = count_whole(
        known, counts, <int32_t*>(counts + n_slots), n_slots, order, ranks
    )
    release(counts)
    return n_distinct


cdef float64_t* take_values(
    Known* known, const int32_t[::1] order, const int32_t[::1] ranks
) noexcept nogil:
    """Return the value of each rank, read off the first of its rows."""
    cdef float64_t* values = <float64_t*>known.words  # which are not needed any more
    cdef intp_t i
    for i in range(known.n):
        if i == 0 or ranks[i] != ranks[i - 1]:
            values[ranks[i]] = value_of_bits(
                known.bits[order[i]] if known.counted else known.spare[i]
            )
    return values


def sort_column(const float64_t[:] column):
    """Sort the known values of a column.

    Returns
    -------
    values : ndarray of float64
        The distinct values, ascending.
    order : ndarray of int32
        Rows with a known value, by ascending value.
    ranks : ndarray of int32
        For each place in `order` the index of its value in `values`.
    """
    cdef intp_t n = column.shape[0], n_distinct = 0
    cdef Known known
    cdef float64_t* found = NULL
    order_array = np.empty(n, dtype=np.int32)
    ranks_array = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] order = order_array, ranks = ranks_array
    cdef uint64_t* block = <uint64_t*>grab(n, 3 * sizeof(uint64_t), b"Sort keys")
    known.bits = block
    known.words = block + n
    known.spare = block + 2 * n
    try:
        with nogil:
            read_column(column, &known)
            if known.n > 0:
                n_distinct = put_in_order(column, &known, order, ranks)
                found = take_values(&known, order, ranks)
        values_array = np.empty(n_distinct, dtype=np.float64)
        if n_distinct > 0:
            memcpy(
                room_of(values_array, FLOAT64, n_distinct), found,
                n_distinct * sizeof(float64_t)
            )
    finally:
        release(block)
    if known.n < n:
        order_array = order_array[:known.n].copy()
        ranks_array = ranks_array[:known.n].copy()
    return values_array, order_array, ranks_array


def next_apart(const float64_t[::1] values, float64_t gap):
    """For each of the ascending values find the first that is higher by more than gap.

    Returns
    -------
    reach : int
        Values whose indices differ by so much always lie apart.
    firsts : ndarray of int32, or None
        The index of the first; None if it is always the next.
    """
    cdef intp_t n = values.shape[0], i, first = 0, reach = 1
    firsts_array = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] firsts = firsts_array
    with nogil:
        for i in range(n):
            while first < n and not values[i] + gap < values[first]:
                first += 1
            firsts[i] = <int32_t>first
            reach = first - i if first - i > reach else reach
    return reach, firsts_array if reach > 1 else None


cdef struct Whole:
    # A column that may be one of whole numbers.
    const float64_t* data
    bint is_whole
    float64_t low, high
    intp_t n_slots         # whole numbers from low to high
    intp_t n_values        # those that occur
    int32_t* rank_of       # (n_slots,) their ranks, -1 for those that do not; owned
    int32_t* codes         # (n_rows,)


cdef void find_range(Whole* column, intp_t n) noexcept nogil:
    """Tell whether all numbers are whole and near each other, and where they lie."""
    cdef const float64_t* data = column.data
    cdef intp_t i
    cdef float64_t value, low = INFINITY, high = -INFINITY
    for i in range(n):
        value = data[i]
        if isnan(value):
            continue
        if not (-1e9 < value < 1e9) or value != <float64_t><int64_t>value:
            return
        low = value if value < low else low
        high = value if value > high else high
    column.is_whole = 0.0 <= high - low < n + 256.0
    column.low = low
    column.high = high


cdef int rank_slots(Whole* column, intp_t n) except -1 nogil:
    """Number the whole numbers that occur, ascending."""
    cdef const float64_t* data = column.data
    cdef float64_t low = column.low
    cdef intp_t i, slot, n_slots = <intp_t>(column.high - low) + 1, n_values = 0
    cdef int32_t* rank_of = <int32_t*>grab(
        n_slots, sizeof(int32_t), b"Ranks of whole numbers"
    )
    column.rank_of = rank_of
    memset(rank_of, 255, n_slots * sizeof(int32_t))
    for i in range(n):
        if not isnan(data[i]):
            rank_of[<intp_t>(data[i] - low)] = 0
    for slot in range(n_slots):
        if rank_of[slot] == 0:
            rank_of[slot] = <int32_t>n_values
            n_values += 1
    column.n_slots = n_slots
    column.n_values = n_values
    return 0


cdef void code_rows(const Whole* column, intp_t n) noexcept nogil:
    """Write the rank of each row's number, -1 where it is missing."""
    cdef const float64_t* data = column.data
    cdef const int32_t* rank_of = column.rank_of
    cdef int32_t* codes = column.codes
    cdef float64_t low = column.low
    cdef intp_t i
    for i in range(n):
        codes[i] = -1 if isnan(data[i]) else rank_of[<intp_t>(data[i] - low)]


cdef object values_of(const Whole* column):
    """Return the numbers that occur, ascending."""
    cdef intp_t slot
    array = np.empty(column.n_values, dtype=np.float64)
    cdef float64_t[::1] values = array
    for slot in range(column.n_slots):
        if column.rank_of[slot] >= 0:
            values[column.rank_of[slot]] = column.low + <float64_t>slot
    return array


def code_whole(list columns, intp_t most):
    """Code those columns that have few whole numbers, without sorting them.

    With `write_labels` it takes 0.6 of the time of `sort_column` and `write_codes`
    (letter).

    Parameters
    ----------
    columns : list of arrays of shape (n_rows,)
        Contiguous numbers, NaN for missing.
    most : int
        A column with more distinct numbers than this is not coded.

    Returns
    -------
    list
        For each column its distinct numbers, ascending, and for each row the rank of
        its number as int32, -1 where it is missing. None instead of both if a number
        is not whole, there are too many or they lie too far apart.
    """
    cdef intp_t m = len(columns), n = len(columns[0]), j
    cdef list found = [None] * m
    cdef Whole* wholes = <Whole*>grab(m, sizeof(Whole), b"Columns")
    memset(wholes, 0, m * sizeof(Whole))
    try:
        for j in range(m):
            wholes[j].data = <const float64_t*>start_of(columns[j], FLOAT64, n)
        with nogil:
            for j in range(m):
                find_range(wholes + j, n)
        for j in range(m):
            if wholes[j].is_whole:
                found[j] = np.empty(n, dtype=np.int32)
                wholes[j].codes = <int32_t*>room_of(found[j], INT32, n)
        with nogil:
            for j in range(m):
                if wholes[j].is_whole:
                    rank_slots(wholes + j, n)
                    if wholes[j].n_values <= most:
                        code_rows(wholes + j, n)
        for j in range(m):
            if wholes[j].n_values > most:
                found[j] = None
            elif wholes[j].is_whole:
                found[j] = values_of(wholes + j), found[j]
    finally:
        for j in range(m):
            release(wholes[j].rank_of)
        release(wholes)
    return found


def write_codes(
    code_t[:, ::1] codes, intp_t column, const int32_t[::1] order,
    const int32_t[::1] ranks, code_t missing,
):
    """Write the rank of each row's value into a column of codes."""
    cdef intp_t i
    with nogil:
        if order.shape[0] < codes.shape[0]:
            for i in range(codes.shape[0]):
                codes[i, column] = missing
        for i in range(order.shape[0]):
            codes[order[i], column] = <code_t>ranks[i]


cdef void write_some(
    code_t* codes, intp_t n_columns, const char* labels, intp_t stride, intp_t n,
    code_t missing
) noexcept nogil:
    """Write n labels into one column of a row-major matrix."""
    cdef intp_t i
    cdef int32_t code
    for i in range(n):
        code = (<const int32_t*>(labels + i * stride))[0]
        codes[i * n_columns] = missing if code < 0 else <code_t>code


def write_labels(
    code_t[:, ::1] codes, list columns, const intp_t[::1] places,
    const int32_t[::1] missing,
):
    """Write columns of nominal codes into their places; negative ones are missing.

    Some rows at a time, because the columns of `codes` share cache lines.
    """
    cdef intp_t n = codes.shape[0], start = 0, end, j
    cdef Columns opened
    memset(&opened, 0, sizeof(Columns))
    try:
        open_columns(&opened, columns, n)
        for j in range(opened.n):
            if not opened.is_nominal[j]:
                raise TypeError("Codes are int32. Got float64 instead.")
        with nogil:
            while start < n:
                end = start + 256 if start + 256 < n else n
                for j in range(opened.n):
                    write_some(
                        &codes[start, places[j]], codes.shape[1],
                        opened.start[j] + start * opened.stride[j], opened.stride[j],
                        end - start, <code_t>missing[j]
                    )
                start = end
    finally:
        close_columns(&opened)
