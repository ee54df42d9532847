"""Count how often values occur together: with a class, and in pairs with a class.

The codes of an attribute with V values run from 0 to V; the code V, for a missing
value, is counted and thrown away, so that the loops need no test. One row of a counting
loop is `histogram[base * (V + 1) + code] += 1`, where the base is the row's class, or
its class and its value of a first attribute: both kinds of count are the same loop.

Four attributes are counted side by side, because two additions in the same cell must
wait for each other. The rows come in blocks, so that their bases stay in the first
cache. Every cell is the sum of its rows in their order, whatever the number of threads.
"""

from libc.string cimport memset

from dissensus._core.common._columns cimport Columns, close_columns, open_columns
from dissensus._core.common._memory cimport grab, release, times
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, intp_t, uint32_t
)

cdef enum:
    BLOCK = 4096  # rows
    TILE = 16     # rows and columns of a matrix

cdef intp_t MOST_BASES = <intp_t>0xffffffff  # bases are kept in 32 bits
cdef const char* COUNTS = b"Counts of values"

ctypedef fused count_t:
    uint32_t   # rows
    float64_t  # weights


def pack_codes(
    list columns, const int32_t[::1] n_declared, intp_t more, code_t[:, ::1] out
):
    """Copy columns of codes, with new codes for missing (-1) and unseen (-2) ones.

    Parameters
    ----------
    columns : list of arrays of int32
        The columns.
    n_declared : array of shape (n_attributes,)
        The new code for missing.
    more : int
        Unseen is `n_declared + more`.
    out : array of shape (n_attributes, n_rows)
        Written.
    """
    cdef Columns opened
    cdef intp_t j, n_rows = out.shape[1]
    if n_rows == 0:
        return
    memset(&opened, 0, sizeof(Columns))
    try:
        open_columns(&opened, columns, n_rows)
        for j in range(opened.n):
            if not opened.is_nominal[j]:
                raise TypeError("Codes are int32. Got float64 instead.")
        with nogil:
            for j in range(opened.n):
                if opened.stride[j] == sizeof(int32_t):  # a constant is vectorised
                    pack_column(
                        opened.start[j], sizeof(int32_t), n_rows, n_declared[j], more,
                        &out[j, 0]
                    )
                else:
                    pack_column(
                        opened.start[j], opened.stride[j], n_rows, n_declared[j], more,
                        &out[j, 0]
                    )
    finally:
        close_columns(&opened)


cdef inline void pack_column(
    const char* cell, intp_t stride, intp_t n, int32_t missing, intp_t more, code_t* out
) noexcept nogil:
    cdef intp_t i
    cdef int32_t code, unseen = missing + <int32_t>more
    for i in range(n):
        code = (<const int32_t*>(cell + i * stride))[0]
        code = unseen if code == -2 else code
        out[i] = <code_t>(missing if code == -1 else code)


cdef inline void count_one(
    const uint32_t* base, const float64_t* weight, intp_t n,
    const code_t* codes, intp_t width, count_t* histogram
) noexcept nogil:
    cdef intp_t r
    cdef count_t more = 1
    for r in range(n):
        if count_t is float64_t:
            more = weight[r]
        histogram[base[r] * width + codes[r]] += more


cdef inline void count_four(
    const uint32_t* base, const float64_t* weight, intp_t n,
    const code_t* a, const code_t* b, const code_t* c, const code_t* d,
    intp_t wa, intp_t wb, intp_t wc, intp_t wd,
    count_t* ha, count_t* hb, count_t* hc, count_t* hd,
) noexcept nogil:
    cdef intp_t r, first
    cdef count_t more = 1
    for r in range(n):
        first = base[r]
        if count_t is float64_t:
            more = weight[r]
        ha[first * wa + a[r]] += more
        hb[first * wb + b[r]] += more
        hc[first * wc + c[r]] += more
        hd[first * wd + d[r]] += more


cdef void count_block(
    const uint32_t* base, const float64_t* weight, intp_t n_bases, intp_t n,
    const code_t* codes, intp_t n_rows, const int32_t* n_values, intp_t n_columns,
    count_t* histograms
) noexcept nogil:
    """Count `n` rows of each of the columns, which lie `n_rows` apart."""
    cdef intp_t j = 0
    cdef intp_t wa, wb, wc, wd
    cdef count_t* ha = histograms
    cdef count_t* hb
    cdef count_t* hc
    cdef count_t* hd
    while j + 4 <= n_columns:
        wa, wb = n_values[j] + 1, n_values[j + 1] + 1
        wc, wd = n_values[j + 2] + 1, n_values[j + 3] + 1
        hb = ha + n_bases * wa
        hc = hb + n_bases * wb
        hd = hc + n_bases * wc
        count_four(
            base, weight, n, codes, codes + n_rows, codes + 2 * n_rows,
            codes + 3 * n_rows, wa, wb, wc, wd, ha, hb, hc, hd
        )
        ha = hd + n_bases * wd
        codes += 4 * n_rows
        j += 4
    while j < n_columns:
        wa = n_values[j] + 1
        count_one(base, weight, n, codes, wa, ha)
        ha += n_bases * wa
        codes += n_rows
        j += 1


def count_classes(const int32_t[::1] y, float64_t[::1] out):
    """Add the rows of each class to `out`."""
    cdef intp_t i, q, c, n = y.shape[0], quarter = y.shape[0] // 4
    cdef intp_t n_classes = out.shape[0]
    cdef uint32_t* counts = <uint32_t*>grab(
        n_classes, 4 * sizeof(uint32_t), b"Counts of classes"
    )
    with nogil:
        memset(counts, 0, 4 * n_classes * sizeof(uint32_t))
        for i in range(quarter):
            for q in range(4):
                counts[q * n_classes + y[q * quarter + i]] += 1
        for i in range(4 * quarter, n):
            counts[y[i]] += 1
        for q in range(4):
            for c in range(n_classes):
                out[c] += counts[q * n_classes + c]
    release(counts)


def class_value_counts(
    const code_t[:, ::1] codes,
    const int32_t[::1] y,
    const float64_t[::1] sample_weight,
    const int32_t[::1] n_values,
    const intp_t[::1] places,
    float64_t[:, ::1] out,
):
    """Add the rows, or their weights, to the cells [class, value of an attribute].

    Parameters
    ----------
    codes : array of shape (n_attributes, n_rows)
        `n_values` of the attribute stands for missing.
    y : array of shape (n_rows,)
        Class codes.
    sample_weight : array of shape (n_rows,) or None
        None: every row counts 1.
    n_values : array of shape (n_attributes,)
        Number of values of each attribute.
    places : array of shape (n_attributes,)
        Where the values of each attribute begin in `out`.
    out : array of shape (n_classes, n_places)
        The values of all attributes side by side.
    """
    if codes.shape[0] == 0 or codes.shape[1] == 0:
        return
    if sample_weight is None:
        count_values(codes, y, NULL, n_values, places, out, <uint32_t>0)
    else:
        count_values(
            codes, y, &sample_weight[0], n_values, places, out, <float64_t>0
        )


cdef int count_values(
    const code_t[:, ::1] codes, const int32_t[::1] y, const float64_t* weight,
    const int32_t[::1] n_values, const intp_t[::1] places, float64_t[:, ::1] out,
    count_t zero
) except -1:
    cdef intp_t n_columns = codes.shape[0], n_rows = codes.shape[1]
    cdef intp_t n_classes = out.shape[0], start, n, j, c, v, width = 0
    cdef uint32_t base[BLOCK]
    for j in range(n_columns):
        width += n_values[j] + 1
    cdef intp_t n_cells = times(n_classes, width, COUNTS)
    cdef count_t* histograms = <count_t*>grab(n_cells, sizeof(count_t), COUNTS)
    cdef count_t* cell = histograms
    with nogil:
        memset(histograms, 0, n_cells * sizeof(count_t))
        start = 0
        while start < n_rows:
            n = BLOCK if start + BLOCK < n_rows else n_rows - start
            for j in range(n):
                base[j] = <uint32_t>y[start + j]
            count_block(
                base, weight + start if weight != NULL else NULL, n_classes, n,
                &codes[0, start], n_rows, &n_values[0], n_columns, histograms
            )
            start += BLOCK
        for j in range(n_columns):
            for c in range(n_classes):
                for v in range(n_values[j]):
                    out[c, places[j] + v] += cell[v]
                cell += n_values[j] + 1
    release(histograms)
    return 0


def pair_counts(
    const code_t[:, ::1] codes,
    const int32_t[::1] y,
    const float64_t[::1] sample_weight,
    const int32_t[::1] n_values,
    const intp_t[::1] places,
    intp_t n_done,
    float64_t[:, :, ::1] out,
    intp_t first,
    intp_t step,
):
    """Add the rows to the cells [class, value, value of another attribute].

    Parameters
    ----------
    codes, y, sample_weight, n_values, places
        As in `class_value_counts`.
    n_done : int
        The pairs among the first so many attributes are left out.
    out : array of shape (n_classes, sum of n_values, sum of n_values)
        The upper half of the symmetric matrix of each class is changed; see `mirror`.
    first, step : int
        Only the pairs whose first attribute is `first`, `first + step`, ... are
        counted: threads share the work by these.
    """
    cdef intp_t i
    if codes.shape[1] == 0:
        return
    for i in range(first, codes.shape[0] - 1, step):
        if sample_weight is None:
            count_pairs(codes, y, NULL, n_values, places, n_done, out, i, <uint32_t>0)
        else:
            count_pairs(
                codes, y, &sample_weight[0], n_values, places, n_done, out, i,
                <float64_t>0
            )


cdef int count_pairs(
    const code_t[:, ::1] codes, const int32_t[::1] y, const float64_t* weight,
    const int32_t[::1] n_values, const intp_t[::1] places, intp_t n_done,
    float64_t[:, :, ::1] out, intp_t i, count_t zero
) except -1:
    """Count the pairs of attribute i and each of the attributes behind it."""
    cdef intp_t n_columns = codes.shape[0], n_rows = codes.shape[1]
    cdef intp_t n_bases = times(out.shape[0], n_values[i] + 1, COUNTS), width = 0
    cdef intp_t start, n, j, other = i + 1 if i + 1 > n_done else n_done
    cdef uint32_t base[BLOCK]
    cdef uint32_t wide = n_values[i] + 1
    if other == n_columns:
        return 0
    for j in range(other, n_columns):
        width += n_values[j] + 1
    if n_bases > MOST_BASES:
        raise MemoryError(
            f"{out.shape[0]:,} classes with {n_values[i]:,} values make more pairs "
            f"than can be numbered, {MOST_BASES:,}. Group the values or merge classes."
        )
    cdef intp_t n_cells = times(n_bases, width, COUNTS)
    cdef count_t* histograms = <count_t*>grab(n_cells, sizeof(count_t), COUNTS)
    with nogil:
        memset(histograms, 0, n_cells * sizeof(count_t))
        start = 0
        while start < n_rows:
            n = BLOCK if start + BLOCK < n_rows else n_rows - start
            for j in range(n):
                base[j] = <uint32_t>y[start + j] * wide + codes[i, start + j]
            count_block(
                base, weight + start if weight != NULL else NULL, n_bases, n,
                &codes[other, start], n_rows, &n_values[other], n_columns - other,
                histograms
            )
            start += BLOCK
        add_pairs(histograms, n_values, places, i, other, out)
    release(histograms)
    return 0


cdef void add_pairs(
    const count_t* cell, const int32_t[::1] n_values, const intp_t[::1] places,
    intp_t i, intp_t other, float64_t[:, :, ::1] out
) noexcept nogil:
    """Add the histograms of attribute i to the upper half, without missing values."""
    cdef intp_t j, c, u, v, mine = places[i], theirs
    for j in range(other, n_values.shape[0]):
        theirs = places[j]
        for c in range(out.shape[0]):
            for u in range(n_values[i]):
                for v in range(n_values[j]):
                    if mine < theirs:
                        out[c, mine + u, theirs + v] += cell[v]
                    else:
                        out[c, theirs + v, mine + u] += cell[v]
                cell += n_values[j] + 1
            cell += n_values[j] + 1


def mirror(float64_t[:, :, ::1] out, const float64_t[:, ::1] diagonal):
    """Copy the upper half of each matrix to the lower one, and write the diagonal.

    Tile by tile: a column of a large matrix would fill the cache with one cell a line.
    """
    cdef intp_t c, u, v, top, left, n = out.shape[1]
    with nogil:
        for c in range(out.shape[0]):
            top = 0
            while top < n:
                left = 0
                while left <= top:
                    for u in range(top, top + TILE if top + TILE < n else n):
                        for v in range(left, left + TILE if left + TILE < u else u):
                            out[c, u, v] = out[c, v, u]
                    left += TILE
                for u in range(top, top + TILE if top + TILE < n else n):
                    out[c, u, u] = diagonal[c, u]
                top += TILE
