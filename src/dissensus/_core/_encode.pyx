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

from dissensus._core._columns cimport Columns, close_columns, open_columns, start_of
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
) except -1 nogil:
    """Fill order and ranks; return the number of distinct values."""
    cdef intp_t n_slots, n_distinct
    cdef intp_t* counts
    known.counted = known.whole and known.high - known.low < known.n + 256.0
    if not known.counted:
        sort_known(column, known)
        return rank_words(known, order, ranks)
    n_slots = <intp_t>(known.high - known.low) + 1
    counts = <intp_t*>grab(n_slots * (sizeof(intp_t) + sizeof(int32_t)))
    n_distinct = count_whole(
        known, counts, <int32_t*>(counts + n_slots), n_slots, order, ranks
    )
    free(counts)
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
    cdef uint64_t* block = <uint64_t*>grab(3 * n * sizeof(uint64_t))
    cdef float64_t* found = NULL
    known.bits = block
    known.words = block + n
    known.spare = block + 2 * n
    order_array = np.empty(n, dtype=np.int32)
    ranks_array = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] order = order_array, ranks = ranks_array
    try:
        with nogil:
            read_column(column, &known)
            if known.n > 0:
                n_distinct = put_in_order(column, &known, order, ranks)
                found = take_values(&known, order, ranks)
        values_array = np.empty(n_distinct, dtype=np.float64)
        if n_distinct > 0:
            memcpy(start_of(values_array), found, n_distinct * sizeof(float64_t))
    finally:
        free(block)
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


cdef void code_rows(
    const float64_t[::1] column, float64_t low, const uint16_t* rank_of,
    uint16_t missing, uint16_t[::1] codes
) noexcept nogil:
    """Write the rank of each row's number."""
    cdef intp_t i
    for i in range(column.shape[0]):
        if isnan(column[i]):
            codes[i] = missing
        else:
            codes[i] = rank_of[<intp_t>(column[i] - low)]


cdef void write_slots(
    const uint16_t* rank_of, intp_t n_slots, float64_t low, float64_t[::1] values
) noexcept:
    """Write the numbers that occur, ascending."""
    cdef intp_t slot
    for slot in range(n_slots):
        if rank_of[slot] != 65535:
            values[rank_of[slot]] = low + <float64_t>slot


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
    cdef intp_t n = column.shape[0], n_values = 0, n_slots = 0
    cdef float64_t low, high
    cdef uint16_t* rank_of = NULL
    if has_fraction(column[:64], &low, &high):  # not worth giving up the lock for
        return None
    codes_array = np.empty(n, dtype=np.uint16)
    cdef uint16_t[::1] codes = codes_array
    try:
        with nogil:
            if not has_fraction(column, &low, &high) and 0.0 <= high - low < n + 256.0:
                n_slots = <intp_t>(high - low) + 1
                rank_of = <uint16_t*>grab(n_slots * sizeof(uint16_t))
                n_values = rank_slots(column, low, rank_of, n_slots)
                if n_values <= most and n_values <= 65534:
                    code_rows(column, low, rank_of, <uint16_t>n_values, codes)
        if n_slots == 0 or n_values > most or n_values > 65534:
            return None
        values_array = np.empty(n_values, dtype=np.float64)
        write_slots(rank_of, n_slots, low, values_array)
    finally:
        free(rank_of)
    return values_array, codes_array


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


def write_labels(
    code_t[:, ::1] codes, list columns, const intp_t[::1] places,
    const int32_t[::1] missing,
):
    """Write columns of nominal codes into their places; negative ones are missing.

    Some rows at a time, because the columns of `codes` share cache lines.
    """
    cdef intp_t n = codes.shape[0], start = 0, end, i, j
    cdef int32_t code
    cdef Columns opened
    open_columns(&opened, columns)
    with nogil:
        while start < n:
            end = start + 256 if start + 256 < n else n
            for j in range(opened.n):
                for i in range(start, end):
                    code = (<const int32_t*>(opened.start[j] + i * opened.stride[j]))[0]
                    codes[i, places[j]] = <code_t>(code if code >= 0 else missing[j])
            start = end
    close_columns(&opened)
