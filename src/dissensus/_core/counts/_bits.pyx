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

from dissensus._core.common._typedefs cimport (
    float64_t, int32_t, int64_t, intp_t, uint8_t, uint64_t
)

cdef enum:
    MOST = 64     # values of an attribute, "missing" included
    CHUNK = 512   # words of a set, and ...
    CACHED = 4096  # ... words of other sets that are looked at before the next set is

cdef intp_t MOST_ROWS = 0x7fffffff - 1

cdef extern from *:
    """
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

    /* Add to each of `counts` the bits that a set has in common with another one; the
       others are lines of a matrix that begins at `first`. */
    ALWAYS_INLINE void in_common(
        const uint64_t *set, const uint64_t *first, const Py_ssize_t *lines,
        Py_ssize_t stride, Py_ssize_t n_lines, Py_ssize_t n_words, int64_t *counts
    ) {
        for (Py_ssize_t i = 0; i < n_lines; i++) {
            const uint64_t *other = first + lines[i] * stride;
            int64_t count = 0;
            for (Py_ssize_t w = 0; w < n_words; w++)
                count += bits_of(set[w] & other[w]);
            counts[i] += count;
        }
    }

    /* The bits of 64 codes that are equal to a value; every x86-64 can do that. */
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define MOST_COMPARED 9
    static inline uint64_t equal_bits(const uint8_t *codes, int value) {
        const __m128i values = _mm_set1_epi8((char)value);
        uint64_t bits = 0;
        for (int q = 0; q < 4; q++) {
            const __m128i some = _mm_loadu_si128((const __m128i *)(codes + 16 * q));
            const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(some, values));
            bits |= (uint64_t)(unsigned)equal << (16 * q);
        }
        return bits;
    }
    #else
    #define MOST_COMPARED 0
    static inline uint64_t equal_bits(const uint8_t *codes, int value) {
        (void)codes; (void)value;
        return 0;
    }
    #endif

    #define COMMON(name) static void name( \\
        const uint64_t *set, const uint64_t *first, const Py_ssize_t *lines, \\
        Py_ssize_t stride, Py_ssize_t n_lines, Py_ssize_t n_words, int64_t *counts \\
    ) { in_common(set, first, lines, stride, n_lines, n_words, counts); }

    typedef void (*common_t)(
        const uint64_t *, const uint64_t *, const Py_ssize_t *, Py_ssize_t, Py_ssize_t,
        Py_ssize_t, int64_t *
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
        const uint64_t*, const uint64_t*, const intp_t*, intp_t, intp_t, intp_t,
        int64_t*
    ) noexcept nogil
    common_t best_common() noexcept nogil
    # So many values at most are compared with the codes, one after the other.
    int MOST_COMPARED
    uint64_t equal_bits(const uint8_t*, int) noexcept nogil

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
    cdef intp_t i, c, q, n_rows = 0, n_words = 0, before, at
    cdef intp_t n = y.shape[0], quarter = y.shape[0] // 4
    if n > MOST_ROWS:
        raise ValueError(
            f"{n:,} rows cannot be numbered in 32 bits; {MOST_ROWS:,} are the most. "
            "Count them in chunks."
        )
    cdef int32_t[::1] rows = np.empty(n, dtype=np.int32)
    cdef intp_t[::1] row_ends = np.empty(n_classes, dtype=np.intp)
    cdef intp_t[::1] word_ends = np.empty(n_classes, dtype=np.intp)
    # Four quarters side by side: rows of one class have to wait for each other.
    cdef intp_t[:, ::1] places = np.zeros((4, n_classes), dtype=np.intp)
    with nogil:
        for i in range(quarter):
            for q in range(4):
                places[q, y[q * quarter + i]] += 1
        for i in range(4 * quarter, n):
            places[3, y[i]] += 1
        for c in range(n_classes):
            before = n_rows
            for q in range(4):
                at = places[q, c]
                places[q, c] = n_rows
                n_rows += at
            n_words += (n_rows - before + 63) // 64
            word_ends[c] = n_words
            row_ends[c] = n_rows
        for i in range(quarter):
            for q in range(4):
                at = q * quarter + i
                rows[places[q, y[at]]] = <int32_t>at
                places[q, y[at]] += 1
        for i in range(4 * quarter, n):
            rows[places[3, y[i]]] = <int32_t>i
            places[3, y[i]] += 1
    return np.asarray(rows), np.asarray(row_ends), np.asarray(word_ends)


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
    cdef intp_t c, v, p = 0, word = 0, n, start, itself = 0
    cdef uint64_t now[MOST]
    for c in range(row_ends.shape[0]):
        start = word
        while p < row_ends[c]:
            n = 64 if p + 64 < row_ends[c] else row_ends[c] - p
            write_word(&codes[0], &rows[p], n, n_slots, now)
            for v in range(n_slots):
                scratch[v, word] = now[v]
            word += 1
            p += n
        for v in range(n_slots):
            totals[c, v] = 0
            if word > start:
                add_common(
                    &scratch[v, start], &scratch[v, start], &itself, 0, 1, word - start,
                    &totals[c, v]
                )


cdef inline void write_word(
    const uint8_t* codes, const int32_t* rows, intp_t n, intp_t n_slots, uint64_t* now
) noexcept nogil:
    """Write the word of up to 64 rows for each value."""
    # Four quarters at once: rows of one value have to wait for each other.
    cdef uint64_t b[MOST]
    cdef uint64_t c[MOST]
    cdef uint64_t d[MOST]
    cdef uint64_t bit = 1
    cdef uint8_t here[64]
    cdef intp_t i, v
    if n_slots <= MOST_COMPARED:  # nursery: half the time
        memset(here, 255, 64)
        for i in range(n):
            here[i] = codes[rows[i]]
        for v in range(n_slots):
            now[v] = equal_bits(here, <int>v)
        return
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
        The upper half of the symmetric matrix of each class is changed.
    first, step : int
        Only the pairs whose first attribute is `first`, `first + step`, ... are
        counted.
    """
    cdef intp_t i, j, first_other
    used_array, starts_array = used_lines(values, n_values)
    cdef intp_t[::1] used = used_array, starts = starts_array
    cdef int64_t[:, :, ::1] common = np.empty(
        (out.shape[0], values.shape[1] - 2, used.shape[0]), dtype=np.int64
    )
    with nogil:
        i = first
        while i < values.shape[0] - 1:
            first_other = starts[i + 1]
            count_common(
                sets, used[starts[i]:first_other], used[first_other:], word_ends, common
            )
            for j in range(i + 1, values.shape[0]):
                add_pair(
                    &values[i, 0], &values[j, 0], n_values[i], n_values[j],
                    totals[i], totals[j], common, starts[j] - first_other,
                    places[i], places[j], out
                )
            i += step


def used_lines(const int32_t[:, ::1] values, const int32_t[::1] n_values):
    """Return the lines of `sets` that are written, and where each attribute's begin."""
    cdef intp_t n = values.shape[0], j, i, line = 0, n_used = 0
    cdef intp_t[::1] starts = np.empty(n + 1, dtype=np.intp)
    for j in range(n):
        n_used += values[j, 1]
    cdef intp_t[::1] used = np.empty(n_used, dtype=np.intp)
    n_used = 0
    for j in range(n):
        starts[j] = n_used
        for i in range(values[j, 1]):
            used[n_used] = line + i
            n_used += 1
        line += n_values[j]
    starts[n] = n_used
    return np.asarray(used), np.asarray(starts)


cdef void count_common(
    const uint64_t[:, ::1] sets, const intp_t[::1] mine, const intp_t[::1] others,
    const intp_t[::1] word_ends, int64_t[:, :, ::1] common
) noexcept nogil:
    """Count what each set of one attribute has in common with each of all others."""
    cdef intp_t c, a, word = 0, n, some, start
    if mine.shape[0] == 0 or others.shape[0] == 0:
        return
    for c in range(word_ends.shape[0]):
        for a in range(mine.shape[0]):
            memset(&common[c, a, 0], 0, others.shape[0] * sizeof(int64_t))
        while word < word_ends[c]:
            n = CHUNK if word + CHUNK < word_ends[c] else word_ends[c] - word
            start = 0
            while start < others.shape[0]:
                some = CACHED // n
                if start + some > others.shape[0]:
                    some = others.shape[0] - start
                for a in range(mine.shape[0]):
                    add_common(
                        &sets[mine[a], word], &sets[0, word], &others[start],
                        sets.shape[1], some, n, &common[c, a, start]
                    )
                start += some
            word += n


cdef void add_pair(
    const int32_t* mine, const int32_t* theirs, intp_t missing, intp_t their_missing,
    const int64_t[:, ::1] my_totals, const int64_t[:, ::1] their_totals,
    const int64_t[:, :, ::1] common, intp_t at, intp_t place, intp_t their_place,
    float64_t[:, :, ::1] out
) noexcept nogil:
    """Add the counts of two attributes, which stand behind `at`, to the upper half.

    The counts of the value without a set are what the others leave of the totals.
    """
    cdef intp_t c, a, b, n = mine[1], m = theirs[1]
    cdef int64_t line[MOST]   # counts of one of my values, the others' first one last
    cdef int64_t rests[MOST]  # and of the value without a set
    if missing == 0 or their_missing == 0:  # an attribute without values
        return
    for c in range(out.shape[0]):
        rests[m] = their_totals[c, theirs[0]]
        for b in range(m):
            rests[b] = their_totals[c, theirs[2 + b]]
        for a in range(n):
            line[m] = my_totals[c, mine[2 + a]]
            for b in range(m):
                line[b] = common[c, a, at + b]
                line[m] -= line[b]
                rests[b] -= line[b]
            rests[m] -= line[m]
            if mine[2 + a] != missing:
                add_line(
                    out, c, place + mine[2 + a], their_place, theirs, their_missing,
                    line
                )
        if mine[0] != missing:
            add_line(out, c, place + mine[0], their_place, theirs, their_missing, rests)


cdef inline void add_line(
    float64_t[:, :, ::1] out, intp_t c, intp_t u, intp_t place, const int32_t* theirs,
    intp_t missing, const int64_t* line
) noexcept nogil:
    """Add the counts of one value with those of another attribute to the upper half."""
    cdef intp_t b, m = theirs[1], step = 1
    cdef float64_t* cell = &out[c, u, place]
    if place < u:
        cell = &out[c, place, u]
        step = out.shape[2]
    for b in range(m):
        if theirs[2 + b] != missing:
            cell[theirs[2 + b] * step] += line[b]
    if theirs[0] != missing:
        cell[theirs[0] * step] += line[m]
