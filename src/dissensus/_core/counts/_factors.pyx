"""Turn counts into probabilities, and multiply the probabilities that a row picks.

A row's score for a class is a product of probabilities, one per attribute. The factors
of a value lie side by side for all classes, and the code behind the last value of an
attribute, for missing, has factors of 1, so that the loops need no test. A block of
rows is multiplied by the factors of four attributes, then of the next four: the rows do
not wait for each other as the factors of one row would. The order of the products of a
row does not depend on the other rows, so that its score is the same alone and in
company.

Products of many small numbers leave the range of floating point. From time to time,
every `stride` fours of factors, rows whose largest score is below 2**-300 are
multiplied by 2**300 and one is taken off their `step`: the true score is
score * 2**(300 * step).
Powers of two cost no digits. (Sums of logarithms would do too, but cost a logarithm for
each cell of the tables and an exponential for each row, parent and class.)
"""

from libc.math cimport ldexp, log2
from libc.string cimport memset

from dissensus._core.common._memory cimport grab, release
from dissensus._core.common._typedefs cimport code_t, float64_t, int32_t, intp_t

cdef enum:
    BLOCK = 256    # rows
    SHIFT = 300    # one step, in powers of two
    MARGIN = 500   # powers of two that the factors of one stride may take

cdef float64_t LOW = ldexp(1.0, -SHIFT)
cdef float64_t UP = ldexp(1.0, SHIFT)
cdef float64_t SMALLEST = ldexp(1.0, -120)  # of a factor that is not 0


def fill_factors(
    const float64_t[:, :, ::1] counts,
    const int32_t[::1] n_values,
    const float64_t[::1] pseudo,
    float64_t[:, :, ::1] out,
):
    """Estimate P(value | class, given) from counts, and return a stride for them.

    Parameters
    ----------
    counts : array of shape (n_classes, n_given, sum of n_values)
        Weight of the rows with this class, this given value and this value.
    n_values : array of shape (n_attributes,)
        Number of values of each attribute.
    pseudo : array of shape (n_attributes,)
        What is added to each cell of an attribute.
    out : array of shape (n_given, sum of (n_values + 1), n_classes)
        (count + pseudo) / (count of all values + pseudo * n_values), or 1 / n_values
        where that is 0 / 0; and 1 for the code that stands for missing.

    Returns
    -------
    int
        So many fours of factors can be multiplied before a score must be looked after.
    """
    cdef intp_t g, j, slot, place
    cdef float64_t smallest = 1.0, least
    if counts.shape[2] == 0:  # there are no values, or no attributes
        out[...] = 1.0
        return MARGIN
    with nogil:
        # Some lines at a time: loops of equal length follow each other, which the
        # processor foresees, and the lines stay in the cache.
        for g in range(0, counts.shape[1], 16):
            slot = 0
            place = 0
            for j in range(n_values.shape[0]):
                least = fill_attribute(
                    counts, g, slot, n_values[j], pseudo[j], out, place
                )
                smallest = least if least < smallest else smallest
                slot += n_values[j]
                place += n_values[j] + 1
    if smallest == 1.0:
        return MARGIN
    return max(1, <intp_t>(MARGIN / (-4.0 * log2(smallest))))


cdef float64_t fill_attribute(
    const float64_t[:, :, ::1] counts, intp_t first, intp_t slot, intp_t n_values,
    float64_t pseudo, float64_t[:, :, ::1] out, intp_t place
) noexcept nogil:
    """Write the factors of one attribute; return the smallest that is not 0."""
    cdef intp_t g, c, v
    cdef float64_t total, scale, even, factor, smallest = 1.0
    for g in range(first, min(first + 16, counts.shape[1])):
        for c in range(counts.shape[0]):
            total = pseudo * n_values
            for v in range(n_values):
                total += counts[c, g, slot + v]
            scale = 1.0 / total if total > 0.0 else 0.0
            even = 0.0 if total > 0.0 else 1.0 / n_values
            for v in range(n_values):
                factor = (counts[c, g, slot + v] + pseudo) * scale + even
                if 0.0 < factor < smallest:
                    factor = factor if factor > SMALLEST else SMALLEST
                    smallest = factor
                out[g, place + v, c] = factor
            out[g, place + n_values, c] = 1.0
    return smallest


def fill_joint(
    const float64_t[:, ::1] counts,
    const int32_t[::1] n_values,
    const float64_t[::1] pseudo,
    float64_t[:, ::1] out,
):
    """Estimate P(class, value) of each attribute from counts.

    Parameters
    ----------
    counts : array of shape (n_classes, sum of n_values)
        Weight of the rows with this class and this value.
    n_values : array of shape (n_attributes,)
        Number of values of each attribute.
    pseudo : array of shape (n_attributes,)
        What is added to each cell of an attribute.
    out : array of shape (sum of n_values, n_classes)
        (count + pseudo) / (sum over the cells of the attribute), or the same for all
        cells where that is 0 / 0.
    """
    cdef intp_t j, c, v, k = counts.shape[0], place = 0
    cdef float64_t total
    with nogil:
        for j in range(n_values.shape[0]):
            total = pseudo[j] * (k * n_values[j])
            for v in range(place, place + n_values[j]):
                for c in range(k):
                    total += counts[c, v]
            for v in range(place, place + n_values[j]):
                for c in range(k):
                    if total > 0.0:
                        out[v, c] = (counts[c, v] + pseudo[j]) / total
                    else:
                        out[v, c] = 1.0 / (k * n_values[j])
            place += n_values[j]


# Four attributes that are multiplied at once: where the factors of each begin behind
# the start of a table, and its codes.
cdef struct FourAttributes:
    intp_t offset[4]
    const void* codes[4]
    intp_t n


cdef inline void multiply_fixed(
    float64_t* scores, const float64_t* const* tables, const FourAttributes* four,
    const code_t* code, intp_t n, intp_t k
) noexcept nogil:
    """Multiply the scores of n rows by the factors of four attributes."""
    cdef intp_t r, i
    cdef const code_t* w = <const code_t*>four.codes[0]
    cdef const code_t* x = <const code_t*>four.codes[1]
    cdef const code_t* y = <const code_t*>four.codes[2]
    cdef const code_t* z = <const code_t*>four.codes[3]
    cdef const float64_t* a
    cdef const float64_t* b
    cdef const float64_t* c
    cdef const float64_t* d
    for r in range(n):
        a = tables[r] + four.offset[0] + k * <intp_t>w[r]
        b = tables[r] + four.offset[1] + k * <intp_t>x[r]
        c = tables[r] + four.offset[2] + k * <intp_t>y[r]
        d = tables[r] + four.offset[3] + k * <intp_t>z[r]
        for i in range(k):
            scores[r * k + i] *= (a[i] * b[i]) * (c[i] * d[i])


cdef void multiply(
    float64_t* scores, const float64_t* const* tables, const FourAttributes* four,
    const code_t* code, intp_t n, intp_t k
) noexcept nogil:
    """The same, compiled anew for a few numbers of classes (twice as fast for two)."""
    if k == 2:
        multiply_fixed(scores, tables, four, code, n, 2)
    elif k == 3:
        multiply_fixed(scores, tables, four, code, n, 3)
    elif k == 4:
        multiply_fixed(scores, tables, four, code, n, 4)
    elif k == 5:
        multiply_fixed(scores, tables, four, code, n, 5)
    else:
        multiply_fixed(scores, tables, four, code, n, k)


cdef inline void rescale(
    float64_t* scores, int32_t* steps, intp_t n, intp_t k
) noexcept nogil:
    """Bring small scores back into range, by whole steps."""
    cdef intp_t r, c
    cdef float64_t largest
    for r in range(n):
        largest = 0.0
        for c in range(k):
            largest = scores[c] if scores[c] > largest else largest
        while 0.0 < largest < LOW:
            for c in range(k):
                scores[c] *= UP
            largest *= UP
            steps[r] -= 1
        scores += k


def multiply_values(
    const code_t[:, ::1] codes,
    const int32_t[::1] n_values,
    const float64_t[:, ::1] factors,
    intp_t stride,
    float64_t[:, ::1] scores,
    int32_t[::1] steps,
):
    """Multiply scores by the factors of the values of each row.

    Parameters
    ----------
    codes : array of shape (n_attributes, n_rows)
        Codes up to `n_values`.
    n_values : array of shape (n_attributes,)
        Number of values of each attribute.
    factors : array of shape (sum of (n_values + 1), n_classes)
        See `fill_factors`.
    stride : int
        See `fill_factors`.
    scores : array of shape (n_rows, n_classes)
        Changed in place.
    steps : array of shape (n_rows,)
        Changed in place.
    """
    cdef intp_t n_rows = codes.shape[1], k = scores.shape[1], start, n, r
    cdef const float64_t* tables[BLOCK]
    if codes.shape[0] == 0 or n_rows == 0:
        return
    for r in range(BLOCK):
        tables[r] = &factors[0, 0]
    with nogil:
        start = 0
        while start < n_rows:
            n = BLOCK if start + BLOCK < n_rows else n_rows - start
            multiply_all(
                &scores[start, 0], &steps[start], tables, &codes[0, start], n_rows,
                n_values, -1, stride, n, k
            )
            start += BLOCK


cdef void multiply_all(
    float64_t* scores, int32_t* steps, const float64_t* const* tables,
    const code_t* codes, intp_t n_rows, const int32_t[::1] n_values, intp_t left_out,
    intp_t stride, intp_t n, intp_t k
) noexcept nogil:
    """Multiply the scores of n rows by the factors of all attributes but one."""
    cdef intp_t j, place = 0, todo = stride, last = n_values.shape[0] - 1
    cdef FourAttributes four
    cdef code_t blank[BLOCK]
    memset(blank, 0, n * sizeof(code_t))
    four.n = 0
    for j in range(n_values.shape[0]):
        if j != left_out:
            four.offset[four.n] = place * k
            four.codes[four.n] = codes + j * n_rows
            four.n += 1
        if j == last:
            while 0 < four.n < 4:  # the ones of the first attribute make it four
                four.offset[four.n] = n_values[0] * k
                four.codes[four.n] = blank
                four.n += 1
        if four.n == 4:
            multiply(scores, tables, &four, codes, n, k)
            four.n = 0
            todo -= 1
            if todo == 0:
                rescale(scores, steps, n, k)
                todo = stride
        place += n_values[j] + 1


def multiply_rows(
    const float64_t[:, ::1] factors, float64_t[:, ::1] scores, int32_t[::1] steps
):
    """Multiply scores by factors of their own, none of them below 2**-250 but 0."""
    cdef intp_t r, c
    with nogil:
        for r in range(scores.shape[0]):
            for c in range(scores.shape[1]):
                scores[r, c] *= factors[r, c]
            rescale(&scores[r, 0], &steps[r], 1, scores.shape[1])


def parent_scores(
    const code_t[:, ::1] codes,
    const int32_t[::1] n_values,
    const int32_t[::1] parents,
    const float64_t[:, ::1] joint,
    const float64_t[:, :, ::1] factors,
    intp_t stride,
    bint normalize,
    float64_t[:, ::1] scores,
    int32_t[::1] steps,
):
    """Add up, over parents, P(class, parent's value) times the factors of the others.

    Parameters
    ----------
    codes, n_values, stride
        As in `multiply_values`.
    parents : array of int32
        The attributes that are parents, in this order.
    joint : array of shape (sum of n_values, n_classes)
        P(class, value), times the weight of the parent; zeros for a value that is no
        parent. A row whose value is missing has no such parent either.
    factors : array of shape (sum of n_values, sum of (n_values + 1), n_classes)
        P(value | class, parent's value), see `fill_factors`.
    normalize : bool
        Whether each parent's scores are divided by their sum first; a parent whose
        scores are all 0 adds nothing.
    scores : array of shape (n_rows, n_classes)
        The sums are added to what stands there; zeros at first.
    steps : array of shape (n_rows,)
        Of the scores; zeros at first.
    """
    cdef intp_t n_rows = codes.shape[1], k = scores.shape[1], start, n, p, i
    cdef const float64_t* tables[BLOCK]
    cdef int32_t own_steps[BLOCK]
    cdef intp_t slot
    if codes.shape[0] == 0 or n_rows == 0 or joint.shape[0] == 0:
        return
    cdef float64_t* own = <float64_t*>grab(
        k, BLOCK * sizeof(float64_t), b"Scores of parents"
    )
    with nogil:
        for p in range(parents.shape[0]):
            i = parents[p]
            slot = first_slot(n_values, i)
            start = 0
            while start < n_rows:
                n = BLOCK if start + BLOCK < n_rows else n_rows - start
                begin(
                    &codes[i, start], n, n_values[i], slot, joint, factors,
                    own, own_steps, tables
                )
                multiply_all(
                    own, own_steps, tables, &codes[0, start], n_rows, n_values, i,
                    stride, n, k
                )
                add_scores(
                    own, own_steps, n, k, normalize, &scores[start, 0], &steps[start]
                )
                start += BLOCK
    release(own)


cdef intp_t first_slot(const int32_t[::1] n_values, intp_t i) noexcept nogil:
    cdef intp_t j, slot = 0
    for j in range(i):
        slot += n_values[j]
    return slot


cdef void begin(
    const code_t* codes, intp_t n, intp_t n_values, intp_t slot,
    const float64_t[:, ::1] joint, const float64_t[:, :, ::1] factors,
    float64_t* own, int32_t* own_steps, const float64_t** tables
) noexcept nogil:
    """Start the products of a block at P(class, parent's value)."""
    cdef intp_t k = joint.shape[1]
    if k == 2:
        begin_fixed(codes, n, n_values, slot, joint, factors, own, own_steps, tables, 2)
    elif k == 3:
        begin_fixed(codes, n, n_values, slot, joint, factors, own, own_steps, tables, 3)
    elif k == 5:
        begin_fixed(codes, n, n_values, slot, joint, factors, own, own_steps, tables, 5)
    else:
        begin_fixed(codes, n, n_values, slot, joint, factors, own, own_steps, tables, k)


cdef inline void begin_fixed(
    const code_t* codes, intp_t n, intp_t n_values, intp_t slot,
    const float64_t[:, ::1] joint, const float64_t[:, :, ::1] factors,
    float64_t* own, int32_t* own_steps, const float64_t** tables, intp_t k
) noexcept nogil:
    """The same, compiled anew for a few numbers of classes."""
    cdef intp_t r, c, value
    for r in range(n):
        own_steps[r] = 0
        value = codes[r]
        if value < n_values:
            tables[r] = &factors[slot + value, 0, 0]
            for c in range(k):
                own[r * k + c] = joint[slot + value, c]
        else:
            tables[r] = &factors[0, 0, 0]
            for c in range(k):
                own[r * k + c] = 0.0


cdef inline bint all_at_step(
    const int32_t* own_steps, const int32_t* steps, intp_t n
) noexcept nogil:
    cdef intp_t r, n_apart = 0
    for r in range(n):
        n_apart += own_steps[r] != steps[r]
    return n_apart == 0


cdef void add_scores(
    float64_t* own, const int32_t* own_steps, intp_t n, intp_t k, bint normalize,
    float64_t* scores, int32_t* steps
) noexcept nogil:
    """Add the scores of one parent to the sums of a block."""
    cdef intp_t r, c
    if not normalize and all_at_step(own_steps, steps, n):  # all but always
        for r in range(n * k):
            scores[r] += own[r]
        return
    for r in range(n):
        if normalize:
            add_shares(own, k, scores)
        elif own_steps[r] == steps[r]:
            for c in range(k):
                scores[c] += own[c]
        elif not is_zero(own, k):
            add_shifted(own, own_steps[r], k, scores, &steps[r])
        own += k
        scores += k


cdef inline void add_shares(
    const float64_t* own, intp_t k, float64_t* scores
) noexcept nogil:
    """Add the scores of a row divided by their sum; nothing if that is 0."""
    cdef intp_t c
    cdef float64_t total = 0.0
    for c in range(k):
        total += own[c]
    if total > 0.0:
        for c in range(k):
            scores[c] += own[c] / total


cdef void add_shifted(
    float64_t* own, int32_t own_step, intp_t k, float64_t* scores, int32_t* step
) noexcept nogil:
    """Add the scores of a row that are so many steps away from the sums."""
    cdef intp_t c
    if is_zero(scores, k):
        step[0] = own_step
    elif own_step > step[0]:
        shrink(scores, k, own_step - step[0])
        step[0] = own_step
    else:
        shrink(own, k, step[0] - own_step)
    for c in range(k):
        scores[c] += own[c]


cdef inline bint is_zero(const float64_t* scores, intp_t k) noexcept nogil:
    cdef intp_t c
    for c in range(k):
        if scores[c] > 0.0:
            return False
    return True


cdef inline void shrink(float64_t* scores, intp_t k, intp_t n_steps) noexcept nogil:
    """Divide scores by the power of two that so many steps are."""
    cdef intp_t c
    cdef float64_t scale = ldexp(1.0, -SHIFT * <int>(n_steps if n_steps < 4 else 4))
    for c in range(k):
        scores[c] *= scale


def normalize_scores(float64_t[:, ::1] scores, const float64_t[::1] otherwise):
    """Divide each row by its sum; return how many are all 0 and become `otherwise`."""
    cdef intp_t r, c, n_zero = 0
    cdef float64_t total
    with nogil:
        for r in range(scores.shape[0]):
            total = 0.0
            for c in range(scores.shape[1]):
                total += scores[r, c]
            n_zero += total == 0.0
            for c in range(scores.shape[1]):
                scores[r, c] = scores[r, c] / total if total > 0.0 else otherwise[c]
    return n_zero
