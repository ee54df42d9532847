"""Count pairs of values by sets of rows, for attributes that have few values.

The rows with a value are a set of bits, and the rows with two values are counted by the
bits that two sets have in common: 64 rows at a time, or more where the processor can.
The rows are sorted by class, and each class begins a new word, so that one pass over
two sets counts the pair for all classes.

One value of each attribute, the most frequent one, needs no set: its rows are all the
others. "Missing" is a value like any other here, and left out at the end.

With v values per attribute a pair costs (v - 1)**2 / 64 operations a row, where
counting row by row costs one that is slower: the sets are better below a dozen values.
"""

from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core._typedefs cimport (
    float64_t, int32_t, int64_t, intp_t, uint8_t, uint64_t
)

cdef enum:
    MOST = 64     # values of an attribute, "missing" included
    CHUNK = 512   # words that are counted at a time, so that the sets stay in the cache

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    #if defined(_MSC_VER)
    static __inline int bits_of(uint64_t x) {
        x = x - ((x >> 1) & 0x5555555555555555u);
        x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
        return (int)((x * 0x0101010101010101u) >> 56);
    }
    #define ALWAYS_INLINE static __forceinline
    #else
    #define bits_of __builtin_popcountll
    #define ALWAYS_INLINE static inline __attribute__((always_inline))
    #endif

    /* Add to each of `counts` the bits that a set has in common with one of others. */
    ALWAYS_INLINE void in_common(
        const uint64_t *set, const uint64_t *others, ptrdiff_t stride,
        ptrdiff_t n_others, ptrdiff_t n_words, int64_t *counts
    ) {
        for (ptrdiff_t i = 0; i < n_others; i++) {
            const uint64_t *other = others + i * stride;
            int64_t count = 0;
            for (ptrdiff_t w = 0; w < n_words; w++)
                count += bits_of(set[w] & other[w]);
            counts[i] += count;
        }
    }

    #define COMMON(name) static void name( \\
        const uint64_t *set, const uint64_t *others, ptrdiff_t stride, \\
        ptrdiff_t n_others, ptrdiff_t n_words, int64_t *counts \\
    ) { in_common(set, others, stride, n_others, n_words, counts); }

    typedef void (*common_t)(
        const uint64_t *, const uint64_t *, ptrdiff_t, ptrdiff_t, ptrdiff_t, int64_t *
    );

    COMMON(common_plain)
    #if defined(__GNUC__) && defined(__x86_64__)
    /* The same, compiled for processors that have an instruction for it. */
    __attribute__((target("popcnt"))) COMMON(common_popcnt)
    __attribute__((target("popcnt,avx512f,avx512vl,avx512vpopcntdq")))
    COMMON(common_vector)
    static common_t best_common(void) {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512vpopcntdq")
            && __builtin_cpu_supports("avx512vl"))
            return common_vector;
        return __builtin_cpu_supports("popcnt") ? common_popcnt : common_plain;
    }
    #else
    static common_t best_common(void) { return common_plain; }
    #endif
    """
    ctypedef void (*common_t)(
        const uint64_t*, const uint64_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, int64_t*
    ) noexcept nogil
    common_t best_common() noexcept nogil
    int bits_of(uint64_t) noexcept nogil

cdef common_t add_common = best_common()


def rows_by_class(const int32_t[::1] y, intp_t n_classes):
    """Sort the rows by class.

    Returns
    -------
    rows : ndarray of int32
        The rows of the first class, then of the next, each in their order.
    row_ends, word_ends : ndarray of intp
        Where the rows of each class end, and their words of 64 rows.
    """
    cdef intp_t i, c
    ends = np.cumsum(np.bincount(y, minlength=n_classes), dtype=np.intp)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.intp)
    rows_array = np.empty(y.shape[0], dtype=np.int32)
    cdef int32_t[::1] rows = rows_array
    cdef intp_t[::1] place = starts.copy()
    with nogil:
        for i in range(y.shape[0]):
            c = y[i]
            rows[place[c]] = <int32_t>i
            place[c] += 1
    return rows_array, ends, np.cumsum((ends - starts + 63) // 64, dtype=np.intp)


def write_sets(
    const uint8_t[:, ::1] codes,
    const int32_t[::1] rows,
    const intp_t[::1] row_ends,
    const int32_t[::1] n_values,
    const intp_t[::1] places,
    uint64_t[:, ::1] sets,
    int32_t[:, ::1] values,
    int64_t[:, :, ::1] totals,
    float64_t[:, ::1] out,
    intp_t first,
    intp_t step,
):
    """Write the sets of rows of each attribute's values, and count them.

    Parameters
    ----------
    codes : array of shape (n_attributes, n_rows)
        `n_values` of the attribute stands for missing.
    rows : array of shape (n_rows,)
        The rows, sorted by class.
    row_ends : array of shape (n_classes,)
        Where the rows of each class end.
    n_values : array of shape (n_attributes,)
        Number of values of each attribute, less than 64.
    places : array of shape (n_attributes,)
        Where the values of each attribute begin in `out`.
    sets : array of shape (sum of n_values, n_words)
        Written; those of an attribute begin behind the values of those before it.
    values : array of shape (n_attributes, most values + 2)
        Written: the value without a set, the number of sets, and their values.
    totals : array of shape (n_attributes, n_classes, most values + 1)
        Written: how many rows have the value, "missing" included.
    out : array of shape (n_classes, n_places)
        The rows are added to the cells [class, value].
    first, step : int
        Only the attributes `first`, `first + step`, ... are looked at.
    """
    cdef intp_t j, c, v, line = 0
    cdef uint64_t[:, ::1] scratch = np.empty(
        (totals.shape[2], sets.shape[1]), dtype=np.uint64
    )
    with nogil:
        for j in range(codes.shape[0]):
            if j % step == first:
                write_words(
                    codes[j], rows, row_ends, n_values[j] + 1, scratch, totals[j]
                )
                keep_sets(
                    n_values[j] + 1, scratch, totals[j], &values[j, 0], sets[line:]
                )
                for c in range(out.shape[0]):
                    for v in range(n_values[j]):
                        out[c, places[j] + v] += totals[j, c, v]
            line += n_values[j]


cdef void write_words(
    const uint8_t[::1] codes, const int32_t[::1] rows, const intp_t[::1] row_ends,
    intp_t n_slots, uint64_t[:, ::1] scratch, int64_t[:, ::1] totals
) noexcept nogil:
    """Write the sets of all values, and count them."""
    cdef intp_t c, v, p = 0, word = 0, n
    cdef uint64_t now[MOST]
    for c in range(row_ends.shape[0]):
        for v in range(n_slots):
            totals[c, v] = 0
        while p < row_ends[c]:
            n = 64 if p + 64 < row_ends[c] else row_ends[c] - p
            write_word(&codes[0], &rows[p], n, n_slots, now)
            for v in range(n_slots):
                scratch[v, word] = now[v]
                totals[c, v] += bits_of(now[v])
            word += 1
            p += n


cdef inline void write_word(
    const uint8_t* codes, const int32_t* rows, intp_t n, intp_t n_slots, uint64_t* now
) noexcept nogil:
    """Write the word of up to 64 rows for each value."""
    # Four quarters at once: rows of one value have to wait for each other.
    cdef uint64_t b[MOST]
    cdef uint64_t c[MOST]
    cdef uint64_t d[MOST]
    cdef uint64_t bit = 1
    cdef intp_t i, v
    memset(now, 0, n_slots * sizeof(uint64_t))
    if n < 64:
        for i in range(n):
            now[codes[rows[i]]] |= bit
            bit <<= 1
        return
    memset(b, 0, n_slots * sizeof(uint64_t))
    memset(c, 0, n_slots * sizeof(uint64_t))
    memset(d, 0, n_slots * sizeof(uint64_t))
    for i in range(16):
        now[codes[rows[i]]] |= bit
        b[codes[rows[i + 16]]] |= bit
        c[codes[rows[i + 32]]] |= bit
        d[codes[rows[i + 48]]] |= bit
        bit <<= 1
    for v in range(n_slots):
        now[v] |= b[v] << 16 | c[v] << 32 | d[v] << 48


cdef void keep_sets(
    intp_t n_slots, const uint64_t[:, ::1] scratch, const int64_t[:, ::1] totals,
    int32_t* values, uint64_t[:, ::1] sets
) noexcept nogil:
    """Keep the sets of all values that occur but the most frequent one."""
    cdef intp_t v, c, most = 0
    cdef int64_t total, largest = -1
    cdef int32_t n_sets = 0
    for v in range(n_slots):
        total = 0
        for c in range(totals.shape[0]):
            total += totals[c, v]
        if total > largest:
            largest = total
            most = v
    for v in range(n_slots):
        total = 0
        for c in range(totals.shape[0]):
            total += totals[c, v]
        if v != most and total > 0:
            memcpy(&sets[n_sets, 0], &scratch[v, 0], sets.shape[1] * sizeof(uint64_t))
            values[2 + n_sets] = <int32_t>v
            n_sets += 1
    values[0] = <int32_t>most
    values[1] = n_sets


def set_pair_counts(
    const uint64_t[:, ::1] sets,
    const int32_t[:, ::1] values,
    const int64_t[:, :, ::1] totals,
    const intp_t[::1] word_ends,
    const int32_t[::1] n_values,
    const intp_t[::1] places,
    float64_t[:, :, ::1] out,
    intp_t first,
    intp_t step,
):
    """Add the rows to the cells [class, value, value of another attribute].

    Parameters
    ----------
    sets, values, totals, n_values
        As `write_sets` leaves them.
    word_ends : array of shape (n_classes,)
        Where the words of each class end.
    places : array of shape (n_attributes,)
        Where the values of each attribute begin in `out`.
    out : array of shape (n_classes, n_places, n_places)
        Both halves of the symmetric matrix of each class are written.
    first, step : int
        Only the pairs whose first attribute is `first`, `first + step`, ... are
        counted.
    """
    cdef intp_t n_classes = out.shape[0], i, j, line = 0, other
    cdef int64_t[:, :, ::1] common = np.empty((n_classes, MOST, MOST), dtype=np.int64)
    with nogil:
        for i in range(values.shape[0]):
            other = line + n_values[i]
            if i % step == first:
                for j in range(i + 1, values.shape[0]):
                    count_common(
                        sets, line, values[i, 1], other, values[j, 1], word_ends, common
                    )
                    complete(&values[i, 0], &values[j, 0], totals[i], totals[j], common)
                    add_common_counts(
                        &values[i, 0], &values[j, 0], n_values[i], n_values[j],
                        places[i], places[j], common, out
                    )
                    other += n_values[j]
            line += n_values[i]


cdef void count_common(
    const uint64_t[:, ::1] sets, intp_t line, intp_t n_sets, intp_t other,
    intp_t n_others, const intp_t[::1] word_ends, int64_t[:, :, ::1] common
) noexcept nogil:
    """Count what each set of one attribute has in common with each of another."""
    cdef intp_t c, a, word = 0, n
    cdef intp_t n_words = sets.shape[1]
    for c in range(word_ends.shape[0]):
        for a in range(n_sets):
            memset(&common[c, a, 0], 0, n_others * sizeof(int64_t))
        while word < word_ends[c] and n_others > 0:
            n = CHUNK if word + CHUNK < word_ends[c] else word_ends[c] - word
            for a in range(n_sets):
                add_common(
                    &sets[line + a, word], &sets[other, word], n_words, n_others, n,
                    &common[c, a, 0]
                )
            word += n


cdef void complete(
    const int32_t* mine, const int32_t* theirs, const int64_t[:, ::1] my_totals,
    const int64_t[:, ::1] their_totals, int64_t[:, :, ::1] common
) noexcept nogil:
    """Work out the counts of the values without a set, behind the others."""
    cdef intp_t c, a, b, n = mine[1], m = theirs[1]
    cdef int64_t rest
    for c in range(my_totals.shape[0]):
        for a in range(n):
            rest = my_totals[c, mine[2 + a]]
            for b in range(m):
                rest -= common[c, a, b]
            common[c, a, m] = rest
        for b in range(m):
            rest = their_totals[c, theirs[2 + b]]
            for a in range(n):
                rest -= common[c, a, b]
            common[c, n, b] = rest
        rest = my_totals[c, mine[0]]
        for b in range(m):
            rest -= common[c, n, b]
        common[c, n, m] = rest


cdef void add_common_counts(
    const int32_t* mine, const int32_t* theirs, intp_t missing, intp_t their_missing,
    intp_t place, intp_t their_place, const int64_t[:, :, ::1] common,
    float64_t[:, :, ::1] out
) noexcept nogil:
    """Add the counts to both halves, without missing values."""
    cdef intp_t c, a, b, u, v, n = mine[1], m = theirs[1]
    for c in range(out.shape[0]):
        for a in range(n + 1):
            u = mine[2 + a] if a < n else mine[0]
            if u == missing:
                continue
            for b in range(m + 1):
                v = theirs[2 + b] if b < m else theirs[0]
                if v != their_missing:
                    out[c, place + u, their_place + v] += common[c, a, b]
                    out[c, their_place + v, place + u] += common[c, a, b]
