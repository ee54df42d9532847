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
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core._memory cimport grab
from dissensus._core._typedefs cimport (
    float64_t, int32_t, int64_t, intp_t, uint8_t, uint16_t, uint32_t, uint64_t
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
) except -1:
    """Fill order and ranks; return the number of distinct values."""
    cdef intp_t n_slots, n_distinct
    cdef intp_t* counts
    known.counted = known.whole and known.high - known.low < known.n + 256.0
    if known.counted:
        n_slots = <intp_t>(known.high - known.low) + 1
        counts = <intp_t*>grab(n_slots * (sizeof(intp_t) + sizeof(int32_t)))
        with nogil:
            n_distinct = count_whole(
                known, counts, <int32_t*>(counts + n_slots), n_slots, order, ranks
            )
        free(counts)
        return n_distinct
    with nogil:
        sort_known(column, known)
        n_distinct = rank_words(known, order, ranks)
    return n_distinct


cdef void write_values(
    const Known* known, const int32_t[::1] order, const int32_t[::1] ranks,
    float64_t[::1] values
) noexcept nogil:
    """Write the value of each rank, read off the first of its rows."""
    cdef intp_t i
    for i in range(known.n):
        if i == 0 or ranks[i] != ranks[i - 1]:
            values[ranks[i]] = value_of_bits(
                known.bits[order[i]] if known.counted else known.spare[i]
            )


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
    cdef uint64_t* block = <uint64_t*>grab(3 * n * sizeof(uint64_t))
    cdef int32_t[::1] order, ranks
    cdef float64_t[::1] values
    known.bits = block
    known.words = block + n
    known.spare = block + 2 * n
    try:
        with nogil:
            read_column(column, &known)
        order_array = np.empty(known.n, dtype=np.int32)
        ranks_array = np.empty(known.n, dtype=np.int32)
        order, ranks = order_array, ranks_array
        if known.n > 0:
            n_distinct = put_in_order(column, &known, order, ranks)
        values_array = np.empty(n_distinct, dtype=np.float64)
        values = values_array
        with nogil:
            write_values(&known, order, ranks, values)
    finally:
        free(block)
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


cdef intp_t rank_slots(
    const float64_t[::1] column, float64_t low, uint16_t* rank_of, intp_t n_slots
) noexcept nogil:
    """Number the whole numbers that occur, ascending; return how many there are."""
    cdef intp_t i, slot, n_distinct = 0
    memset(rank_of, 0, n_slots * sizeof(uint16_t))
    for i in range(column.shape[0]):
        if not isnan(column[i]):
            rank_of[<intp_t>(column[i] - low)] = 1
    for slot in range(n_slots):
        if rank_of[slot]:
            rank_of[slot] = <uint16_t>n_distinct
            n_distinct += 1
        else:
            rank_of[slot] = 65535
    return n_distinct


cdef bint has_fraction(
    const float64_t[::1] column, float64_t* low, float64_t* high
) noexcept nogil:
    """Tell whether a number is not whole; if not, find the smallest and the largest."""
    cdef intp_t i
    cdef float64_t value
    low[0], high[0] = INFINITY, -INFINITY
    for i in range(column.shape[0]):
        value = column[i]
        if isnan(value):
            continue
        if not (-1e9 < value < 1e9) or value != <float64_t><int64_t>value:
            return True
        low[0] = value if value < low[0] else low[0]
        high[0] = value if value > high[0] else high[0]
    return False


def code_whole(const float64_t[::1] column, intp_t most):
    """Code a column of few whole numbers without sorting it.

    Half the time of `sort_column` and `write_codes` (letter: a tenth of the fit).

    Parameters
    ----------
    column : array of shape (n_rows,)
        The numbers, NaN for missing.
    most : int
        With more distinct numbers than this the answer is None.

    Returns
    -------
    values : ndarray of float64
        The distinct numbers, ascending.
    codes : ndarray of uint16
        The rank of each row's number; the number of values where it is missing.

    None instead of both if a number is not whole, or they lie too far apart.
    """
    cdef intp_t n = column.shape[0], i, slot, n_slots, n_values
    cdef float64_t low, high
    cdef bint is_wide
    with nogil:
        is_wide = has_fraction(column, &low, &high) or not 0.0 <= high - low < n + 256.0
    if is_wide:
        return None
    n_slots = <intp_t>(high - low) + 1
    cdef uint16_t[::1] rank_of = np.empty(n_slots, dtype=np.uint16)
    cdef uint16_t[::1] codes = np.empty(n, dtype=np.uint16)
    with nogil:
        n_values = rank_slots(column, low, &rank_of[0], n_slots)
    if n_values > most or n_values > 65534:
        return None
    cdef float64_t[::1] values = np.empty(n_values, dtype=np.float64)
    with nogil:
        for slot in range(n_slots):
            if rank_of[slot] != 65535:
                values[rank_of[slot]] = low + <float64_t>slot
        for i in range(n):
            if isnan(column[i]):
                codes[i] = <uint16_t>n_values
            else:
                codes[i] = rank_of[<intp_t>(column[i] - low)]
    return np.asarray(values), np.asarray(codes)


ctypedef fused code_t:
    uint8_t
    uint16_t
    uint32_t


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
