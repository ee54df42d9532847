"""Cut points of one numeric column by the minimum description length principle.

The rows of the column come sorted by value, without missing values. Between two rows of
different value there is a place where the column could be cut. The search takes the
place that leaves the least class entropy on its two sides (the lowest such place if
there are several), asks a criterion whether the cut pays for its own description, and
if so goes on with both sides. See [Fayyad & Irani, 1993] and [Kononenko, 1995].

One pass over a segment moves its rows, one by one, from the right side to the left. The
entropy of both sides is a sum of terms x ln x, and a moved row changes two terms of one
class, so that a place costs O(1) and not O(n_classes). Such running sums gather
rounding errors. Hence they only say whether a place may be the best one: a place within
their error bound is computed afresh, and the decision rests on the fresh number alone.

A pass costs O(rows of the segment + n_classes), the whole search O(n * depth of cuts)
time and O(n + n_classes) memory.
"""

from libc.math cimport INFINITY, lgamma, log, log1p, log2, pow

import numpy as np

from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t

cdef float64_t LN2 = log(2.0)
cdef float64_t LOG2_3 = log2(3.0)
cdef float64_t EPSILON = 2.220446049250313e-16


# What describes one segment while it is searched. `left + right` are the class weights
# of the segment; between calls they belong to values[start:pos] and values[pos:end].
cdef struct Search:
    const float64_t* values
    const int32_t* y
    const float64_t* weight  # NULL: every row weighs 1
    const float64_t* xlogx  # x ln x of whole numbers, used if every row weighs 1
    const float64_t* ln_factorial  # ln x! of whole numbers; NULL: Fayyad & Irani
    intp_t n_factorials
    intp_t n_classes
    float64_t* left
    float64_t* right
    intp_t* n_left  # rows, because a class is present if it has a row
    intp_t* n_right


def xlogx_table(intp_t size):
    """Return x ln x for the whole numbers x below `size`."""
    cdef intp_t x
    cdef float64_t[::1] table = np.zeros(size)
    for x in range(2, size):
        table[x] = x * log(<float64_t> x)
    return np.asarray(table)


def mdl_cut_points(
    const float64_t[::1] values,
    const int32_t[::1] y,
    const float64_t[::1] sample_weight,
    const float64_t[::1] xlogx,
    const float64_t[::1] ln_factorial,
    intp_t n_classes,
    bint efficient_encoding,
):
    """Return the ascending cut points of a column.

    Parameters
    ----------
    values : memoryview of shape (n,)
        The known values, ascending.
    y : memoryview of shape (n,)
        Class codes of the same rows.
    sample_weight : memoryview of shape (n,) or None
        Positive weights of the same rows; None if all are 1.
    xlogx : memoryview of at least n + 1 entries, or None
        What `xlogx_table` returns; None with `sample_weight`, which has no use for it.
    ln_factorial : memoryview or None
        None asks for Fayyad & Irani's criterion. Otherwise it is Kononenko's, and entry
        x is ln x!; of larger numbers it is computed one by one.
    n_classes : int
        Number of class codes.
    efficient_encoding : bool
        The cost of a cut counts the places where one is possible, otherwise the rows.

    Returns
    -------
    cuts : ndarray of float64
    """
    cdef intp_t n = values.shape[0]
    check_lengths(n, n_classes, y, sample_weight, xlogx)
    if n < 2 or n_classes < 2:
        return np.empty(0)
    cdef float64_t[:, ::1] weights = np.empty((2, n_classes))
    cdef intp_t[:, ::1] rows = np.empty((2, n_classes), dtype=np.intp)
    cdef intp_t[::1] ends = np.empty(n, dtype=np.intp)
    cdef float64_t[::1] cuts = np.empty(n)
    cdef intp_t n_cuts
    cdef Search s
    s.values = &values[0]
    s.y = &y[0]
    s.weight = s.xlogx = s.ln_factorial = NULL
    s.n_factorials = 0
    if sample_weight is not None:
        s.weight = &sample_weight[0]
    else:
        s.xlogx = &xlogx[0]
    if ln_factorial is not None:
        s.ln_factorial = &ln_factorial[0]
        s.n_factorials = ln_factorial.shape[0]
    s.n_classes = n_classes
    s.left = &weights[0, 0]
    s.right = &weights[1, 0]
    s.n_left = &rows[0, 0]
    s.n_right = &rows[1, 0]
    with nogil:
        n_cuts = search_all(&s, n, efficient_encoding, &ends[0], &cuts[0])
    return np.array(cuts[:n_cuts])


cdef void check_lengths(
    intp_t n,
    intp_t n_classes,
    const int32_t[::1] y,
    const float64_t[::1] sample_weight,
    const float64_t[::1] xlogx,
) except *:
    """Raise an error if the search would read beyond an array."""
    cdef intp_t i
    if y.shape[0] != n:
        raise ValueError(f"{n} values, but {y.shape[0]} classes of rows.")
    for i in range(n):
        if not 0 <= y[i] < n_classes:
            raise ValueError(f"class {y[i]} of row {i} is not below {n_classes}.")
    if sample_weight is not None:
        if sample_weight.shape[0] != n:
            raise ValueError(f"{n} values, but {sample_weight.shape[0]} weights.")
    elif xlogx is None or xlogx.shape[0] <= n:
        raise ValueError(f"x ln x is needed up to {n}.")


cdef intp_t search_all(
    Search* s, intp_t n, bint efficient_encoding, intp_t* ends, float64_t* cuts
) noexcept nogil:
    """Cut [0, n) and then the parts, always the leftmost part that is not yet done.

    `ends` is a stack of the ends of all parts to the right of `start`, nearest on top,
    so the cuts are found in ascending order.
    """
    cdef intp_t start = 0, depth = 1, n_cuts = 0, place
    ends[0] = n
    while depth:
        place = search_segment(s, start, ends[depth - 1], efficient_encoding)
        if place >= 0:
            ends[depth] = place
            depth += 1
            continue
        depth -= 1
        start = ends[depth]
        if depth:
            cuts[n_cuts] = middle(s.values[start - 1], s.values[start])
            n_cuts += 1
    return n_cuts


cdef float64_t middle(float64_t low, float64_t high) noexcept nogil:
    """Return the midpoint, or `low` if rounding or overflow would put it elsewhere."""
    cdef float64_t cut = (low + high) / 2
    return cut if low <= cut < high else low


cdef intp_t search_segment(
    Search* s, intp_t start, intp_t end, bint efficient_encoding
) noexcept nogil:
    """Return where the segment is to be cut (first row of the right part), or -1."""
    cdef float64_t total = reset(s, start, end), n_cuts
    cdef intp_t place, n_places = 0
    if s.values[start] == s.values[end - 1] or n_present(s.n_right, s.n_classes) < 2:
        return -1
    place = best_place(s, start, end, total, &n_places)
    if place < 0:  # no entropy was a number: the weights are too large or too small
        return -1
    split_at(s, start, place, end)
    n_cuts = n_places if efficient_encoding else total - 1
    if n_cuts <= 0:  # the segment weighs no more than one row
        return -1
    if n_cuts < 1:
        n_cuts = 1
    if s.ln_factorial != NULL:
        return place if kononenko_accepts(s, log(n_cuts) / LN2) else -1
    return place if fayyad_irani_accepts(s, log(n_cuts) / LN2) else -1


cdef float64_t reset(Search* s, intp_t start, intp_t end) noexcept nogil:
    """Put all rows of the segment on the right side and return their weight."""
    split_at(s, start, start, end)
    return sum_of(s.right, s.n_classes)


cdef void split_at(Search* s, intp_t start, intp_t pos, intp_t end) noexcept nogil:
    """Count the classes of [start, pos) on the left and of [pos, end) on the right."""
    cdef intp_t c, i
    for c in range(s.n_classes):
        s.left[c] = s.right[c] = 0
        s.n_left[c] = s.n_right[c] = 0
    for i in range(start, pos):
        s.left[s.y[i]] += 1 if s.weight == NULL else s.weight[i]
        s.n_left[s.y[i]] += 1
    for i in range(pos, end):
        s.right[s.y[i]] += 1 if s.weight == NULL else s.weight[i]
        s.n_right[s.y[i]] += 1


cdef intp_t best_place(
    Search* s, intp_t start, intp_t end, float64_t total, intp_t* n_places
) noexcept nogil:
    """Return the first place of least entropy, or -1, and count all places."""
    cdef float64_t w = 1, before, best = INFINITY, fresh
    cdef float64_t running  # weight of both sides times their entropies, in nats
    cdef float64_t on_left = 0, on_right = total
    cdef float64_t spread = 0  # sum of x ln x over the classes of both sides
    cdef float64_t slack = 8 * EPSILON * (end - start) * (total * log(total + 2) + 1)
    cdef intp_t i, c, place = -1
    for c in range(s.n_classes):
        spread += xlogx(s, s.right[c])
    for i in range(start, end - 1):
        c = s.y[i]
        if s.weight != NULL:
            w = s.weight[i]
        before = xlogx(s, s.left[c]) + xlogx(s, s.right[c])
        s.left[c] += w
        s.right[c] -= w
        spread += xlogx(s, s.left[c]) + xlogx(s, s.right[c]) - before
        on_left += w
        on_right -= w
        if s.values[i] < s.values[i + 1]:
            n_places[0] += 1
            running = xlogx(s, on_left) + xlogx(s, on_right) - spread
            if running <= best * total * LN2 + slack:
                fresh = entropy_of_sides(s, total)
                if fresh < best:
                    best = fresh
                    place = i + 1
    return place


cdef inline float64_t xlogx(Search* s, float64_t x) noexcept nogil:
    if s.weight == NULL:
        return s.xlogx[<intp_t> x]
    return x * log(x) if x > 0 else 0


cdef float64_t entropy_of_sides(Search* s, float64_t total) noexcept nogil:
    """Return the mean class entropy of the two sides, in bits.

    Two places can leave exactly the same entropy, and then the last bits decide. This
    order of sums decided as Weka did in all of 200,000 columns made to have such ties;
    adding up the two sides apart differed in 1 of 1000.
    """
    cdef float64_t terms = 0
    cdef intp_t c
    for c in range(s.n_classes):
        terms += xlogx(s, s.left[c])
    terms -= xlogx(s, sum_of(s.left, s.n_classes))
    for c in range(s.n_classes):
        terms += xlogx(s, s.right[c])
    terms -= xlogx(s, sum_of(s.right, s.n_classes))
    return -terms / (total * LN2)


cdef float64_t information(Search* s, const float64_t* counts) noexcept nogil:
    """Return the entropy of class weights times their sum, in nats."""
    cdef float64_t terms = 0
    cdef intp_t c
    for c in range(s.n_classes):
        terms += xlogx(s, counts[c])
    return xlogx(s, sum_of(counts, s.n_classes)) - terms


cdef float64_t sum_of(const float64_t* counts, intp_t n_classes) noexcept nogil:
    cdef float64_t total = 0
    cdef intp_t c
    for c in range(n_classes):
        total += counts[c]
    return total


cdef intp_t n_present(const intp_t* rows, intp_t n_classes) noexcept nogil:
    cdef intp_t present = 0, c
    for c in range(n_classes):
        present += rows[c] > 0
    return present


cdef bint fayyad_irani_accepts(Search* s, float64_t cut_bits) noexcept nogil:
    """Whether the gain pays for the cut and for the class entropies beside it."""
    cdef float64_t n_l = sum_of(s.left, s.n_classes)
    cdef float64_t n_r = sum_of(s.right, s.n_classes)
    cdef float64_t h_l = information(s, s.left) / n_l / LN2
    cdef float64_t h_r = information(s, s.right) / n_r / LN2
    cdef float64_t n = n_l + n_r, h, gain, delta
    cdef intp_t k_l = n_present(s.n_left, s.n_classes)
    cdef intp_t k_r = n_present(s.n_right, s.n_classes), k
    join(s)
    k = n_present(s.n_left, s.n_classes)
    h = information(s, s.left) / n / LN2
    gain = h - (n_l * h_l + n_r * h_r) / n
    delta = log2_of_power(k) - (k * h - k_l * h_l - k_r * h_r)
    return gain > (cut_bits + delta) / n


cdef bint kononenko_accepts(Search* s, float64_t cut_bits) noexcept nogil:
    """Whether both sides together are described in fewer bits than the whole.

    In small segments both may take exactly as many bits (two rows of one class beside
    one of another), and then the last bits decide. This order of sums, with the gamma
    function of Cephes in `ln_factorial`, decided as Weka did in the same columns; the
    gamma function of the C library differed in 2 % of small ones.
    """
    cdef intp_t k = 0, c
    cdef float64_t frequencies, orders, after
    for c in range(s.n_classes):
        k += s.n_left[c] > 0 or s.n_right[c] > 0
    frequencies = frequency_bits(s, s.left, k) + frequency_bits(s, s.right, k)
    orders = order_bits(s, s.left) + order_bits(s, s.right)
    after = cut_bits + frequencies + orders
    join(s)
    return frequency_bits(s, s.left, k) + order_bits(s, s.left) > after


cdef void join(Search* s) noexcept nogil:
    """Move the right side to the left."""
    cdef intp_t c
    for c in range(s.n_classes):
        s.left[c] += s.right[c]
        s.n_left[c] += s.n_right[c]


cdef float64_t log2_of_power(intp_t k) noexcept nogil:
    """Return log2(3^k - 2), without overflow."""
    if k < 30:
        return log2(pow(3.0, k) - 2)
    return k * LOG2_3 + log1p(-2 * pow(3.0, -k)) / LN2


cdef float64_t frequency_bits(
    Search* s, const float64_t* counts, intp_t k
) noexcept nogil:
    """Return the bits that tell k class frequencies: log2 C(n + k - 1, k - 1)."""
    cdef float64_t n = sum_of(counts, s.n_classes)
    cdef float64_t nats = ln_factorial_of(s, n + k - 1) - ln_factorial_of(s, k - 1)
    return (nats - ln_factorial_of(s, n)) / LN2


cdef float64_t order_bits(Search* s, const float64_t* counts) noexcept nogil:
    """Return the bits that tell the classes' order once their frequencies are known."""
    cdef float64_t within = 0
    cdef intp_t c
    for c in range(s.n_classes):
        within += ln_factorial_of(s, counts[c])
    return (ln_factorial_of(s, sum_of(counts, s.n_classes)) - within) / LN2


cdef float64_t ln_factorial_of(Search* s, float64_t x) noexcept nogil:
    """Return ln x!, also for weights that are no whole numbers."""
    # Compared first: a large number, or none, is no index, nor can it be made one.
    if 0 <= x < s.n_factorials and x == <intp_t> x:
        return s.ln_factorial[<intp_t> x]
    return lgamma(x + 1)
