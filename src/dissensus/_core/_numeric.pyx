"""The best cut of one numeric attribute at one node.

A scan moves the rows of a node one after the other, in ascending order, from the right
side to the left and watches the information that is left in the two sides,

    rest = sum over sides [ E(side) - sum over classes E(class in side) ],

E(x) = x log2 x. The cut with the smallest rest has the largest gain. Where all weights
are 1, E comes from a table and a move costs two look-ups; otherwise two logarithms.
"""

from libc.math cimport floor, log2

from dissensus._core._numbers cimport eq, gr, gr_or_eq, sm, sm_or_eq, xlog2x

# A cut replaces a better one only if its gain is larger by more than this.
cdef float64_t TOLERANCE = 1e-6


cdef struct Best:
    float64_t bar       # a rest below this is a better cut
    float64_t rest
    float64_t left      # weight on the left
    intp_t n_left       # rows on the left (sorted lists only)
    intp_t n_cuts       # admissible places seen
    int32_t low, high   # ranks on both sides of the cut; low is -1 while there is none


cdef inline float64_t smallest_side(
    const Problem* problem, float64_t known
) noexcept nogil:
    """Return the least weight that a cut must leave on either side."""
    cdef float64_t least = 0.1 * known / problem.n_classes
    if sm_or_eq(least, problem.min_leaf):
        return problem.min_leaf
    if gr(least, 25.0):
        return 25.0
    return least


cdef inline bint apart(
    const Problem* problem, intp_t attribute, int32_t low, int32_t high
) noexcept nogil:
    """Tell whether two neighbouring values of the node differ enough to be cut."""
    if high - low >= problem.reach[attribute]:
        return True
    return high > low and high >= problem.next_apart[attribute][low]


cdef inline void begin(Best* best, float64_t base, float64_t total, float64_t known) noexcept nogil:
    """Set the bar that a gain of 0 sets; base is the information before the cut."""
    cdef float64_t slack = TOLERANCE * total
    if known < 1.0:
        slack = slack / known  # a gain whose sum over rows is below 1e-6 counts as 0
    best.bar = base - slack
    best.low = -1
    best.n_cuts = 0


cdef inline void finish(
    const Problem* problem, const Best* best, float64_t base, float64_t total,
    float64_t known, Candidate* out
) noexcept nogil:
    """Turn the best cut into a candidate; none if it does not pay for its choice."""
    cdef float64_t gain, split_information
    if best.low < 0:
        return
    gain = (base - best.rest) / total
    if problem.mdl:
        gain -= log2(<float64_t>best.n_cuts) / total
    if sm_or_eq(gain, 0.0):
        return
    split_information = (
        xlog2x(total) - xlog2x(best.left) - xlog2x(known - best.left)
        - xlog2x(total - known)
    )
    out.valid = True
    out.gain = gain
    out.ratio = 0.0
    if not eq(split_information, 0.0):
        out.ratio = gain / (split_information / total)
    out.n_left = best.n_left
    out.low = best.low
    out.high = best.high


cdef float64_t scan_units(
    const Problem* problem, const Scratch* scratch, intp_t attribute,
    const uint64_t* keys, intp_t n, float64_t least, float64_t total, Best* best
) noexcept nogil:
    """Scan a sorted list of rows that all have weight 1; return the information."""
    cdef intp_t k = problem.n_classes, n_least = <intp_t>floor(least - TOLERANCE) + 1
    cdef int row_bits = problem.row_bits, shift = row_bits + problem.class_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1, key
    cdef const float64_t* nlogn = problem.nlogn
    cdef const float64_t* step = problem.step
    cdef const int32_t* next_apart = problem.next_apart[attribute]
    cdef int32_t reach = problem.reach[attribute]
    cdef int32_t* sides = scratch.counts  # left and right count of each class
    cdef int32_t rank, next_rank, left, right
    cdef int32_t* side
    cdef float64_t base = nlogn[n], inside = 0.0, rest, slack = TOLERANCE * total
    cdef float64_t bar
    cdef intp_t c, i, n_cuts = 0

    for c in range(k):
        base -= nlogn[sides[2 * c + 1]]
    begin(best, base, total, <float64_t>n)
    for i in range(n_least - 1):
        side = sides + 2 * ((keys[i] >> row_bits) & class_mask)
        side[0] += 1
        side[1] -= 1
    for c in range(k):
        inside += nlogn[sides[2 * c]] + nlogn[sides[2 * c + 1]]
    bar = best.bar
    next_rank = <int32_t>(keys[n_least - 1] >> shift)
    for i in range(n_least - 1, n - n_least):
        key = keys[i]
        side = sides + 2 * ((key >> row_bits) & class_mask)
        left = side[0]
        right = side[1] - 1
        side[0] = left + 1
        side[1] = right
        inside += step[left] - step[right]
        rank = next_rank
        next_rank = <int32_t>(keys[i + 1] >> shift)
        if next_rank - rank < reach and (
            next_rank == rank or next_rank < next_apart[rank]
        ):
            continue
        n_cuts += 1
        rest = nlogn[i + 1] + nlogn[n - i - 1] - inside
        if rest < bar:
            bar = rest - slack
            best.rest = rest
            best.n_left = i + 1
            best.low = rank
            best.high = next_rank
    best.left = <float64_t>best.n_left
    best.n_cuts = n_cuts
    return base


cdef float64_t scan_weights(
    const Problem* problem, const Scratch* scratch, intp_t attribute,
    const uint64_t* keys, intp_t n, float64_t least, float64_t total, float64_t known,
    Best* best
) noexcept nogil:
    """Scan a sorted list of weighted rows; return the information before the cut."""
    cdef intp_t k = problem.n_classes
    cdef int row_bits = problem.row_bits, shift = row_bits + problem.class_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef uint64_t row_mask = ((<uint64_t>1) << row_bits) - 1, key
    cdef const float64_t* weight_of = scratch.weight_of
    cdef float64_t* left = scratch.sums  # weights on the left, on the right, their E
    cdef float64_t* right = left + k
    cdef float64_t* e_left = left + 2 * k
    cdef float64_t* e_right = left + 3 * k
    cdef float64_t base = xlog2x(known), inside = 0.0, rest, weight, e_l, e_r
    cdef float64_t w_left = 0.0, slack = TOLERANCE * total
    cdef int32_t rank, next_rank
    cdef intp_t c, i

    for c in range(k):
        left[c] = 0.0
        e_left[c] = 0.0
        e_right[c] = xlog2x(right[c])
        inside += e_right[c]
    base -= inside
    begin(best, base, total, known)
    next_rank = <int32_t>(keys[0] >> shift)
    for i in range(n - 1):
        key = keys[i]
        weight = weight_of[key & row_mask]
        c = (key >> row_bits) & class_mask
        left[c] += weight
        right[c] -= weight
        w_left += weight
        e_l = xlog2x(left[c])
        e_r = xlog2x(right[c])
        inside += (e_l - e_left[c]) + (e_r - e_right[c])
        e_left[c] = e_l
        e_right[c] = e_r
        rank = next_rank
        next_rank = <int32_t>(keys[i + 1] >> shift)
        if not apart(problem, attribute, rank, next_rank):
            continue
        if not (gr_or_eq(w_left, least) and gr_or_eq(known - w_left, least)):
            continue
        best.n_cuts += 1
        rest = xlog2x(w_left) + xlog2x(known - w_left) - inside
        if rest < best.bar:
            best.bar = rest - slack
            best.rest = rest
            best.left = w_left
            best.n_left = i + 1
            best.low = rank
            best.high = next_rank
    return base


cdef void count_classes(
    const Problem* problem, const Scratch* scratch, const View* view,
    const uint64_t* keys, intp_t n_known
) noexcept nogil:
    """Put the class weights of the known rows on the right side."""
    cdef intp_t k = problem.n_classes, c, i
    cdef int row_bits = problem.row_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef uint64_t row_mask = ((<uint64_t>1) << row_bits) - 1
    cdef float64_t* right = scratch.sums + k
    cdef bint all_known = n_known == view.n
    for c in range(k):
        scratch.counts[2 * c] = 0
        scratch.counts[2 * c + 1] = <int32_t>view.class_weight[c] if all_known else 0
        right[c] = view.class_weight[c] if all_known else 0.0
    if all_known:
        return
    for i in range(n_known):
        c = (keys[i] >> row_bits) & class_mask
        if view.unit:
            scratch.counts[2 * c + 1] += 1
        else:
            right[c] += scratch.weight_of[keys[i] & row_mask]


cdef void cut_sorted(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const uint64_t* keys, intp_t n_known, Candidate* out
) noexcept nogil:
    """Find the best cut from the node's rows in ascending order."""
    cdef float64_t known = 0.0, least, base
    cdef Best best
    cdef intp_t c
    out.valid = False
    if n_known < 2:
        return
    if n_known == view.n:
        known = view.total
    elif view.unit:
        known = <float64_t>n_known
    else:
        count_classes(problem, scratch, view, keys, n_known)
        for c in range(problem.n_classes):
            known += scratch.sums[problem.n_classes + c]
    least = smallest_side(problem, known)
    if sm(<float64_t>n_known, 2.0 * least):
        return
    if view.unit or n_known == view.n:
        count_classes(problem, scratch, view, keys, n_known)
    if view.unit:
        base = scan_units(
            problem, scratch, attribute, keys, n_known, least, view.total, &best
        )
    else:
        base = scan_weights(
            problem, scratch, attribute, keys, n_known, least, view.total, known, &best
        )
    finish(problem, &best, base, view.total, known, out)


cdef inline float64_t information(const Problem* problem, count_t x) noexcept nogil:
    if count_t is int32_t:
        return problem.nlogn[x]
    else:
        return xlog2x(x)


cdef void cut_histogram(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, intp_t n_known, Candidate* out
) noexcept nogil:
    """Find the best cut from a histogram of classes for each value (missing last)."""
    cdef intp_t k = problem.n_classes, n_values = problem.n_values[attribute], c, v
    cdef const count_t* missing = cells + n_values * k
    cdef const count_t* here
    cdef count_t* left
    cdef count_t* right
    cdef count_t known = 0, w_left = 0, moved, l, r
    cdef float64_t base, inside = 0.0, rest, least, slack = TOLERANCE * view.total
    cdef int32_t low = -1
    cdef Best best

    out.valid = False
    if count_t is int32_t:
        left = scratch.counts
    else:
        left = scratch.sums
    right = left + k
    for c in range(k):
        left[c] = 0
        right[c] = <count_t>view.class_weight[c] - missing[c]
        known += right[c]
        inside += information(problem, right[c])
    if count_t is int32_t:
        n_known = known
    least = smallest_side(problem, known)
    if known <= 0 or sm(<float64_t>n_known, 2.0 * least):
        return
    base = information(problem, known) - inside
    begin(&best, base, view.total, <float64_t>known)
    best.n_left = 0
    for v in range(n_values):
        here = cells + v * k
        moved = 0
        for c in range(k):
            moved += here[c]
        if moved == 0:
            continue
        if (
            low >= 0 and gr_or_eq(w_left, least) and gr_or_eq(known - w_left, least)
            and apart(problem, attribute, low, <int32_t>v)
        ):
            best.n_cuts += 1
            rest = information(problem, w_left) + information(problem, known - w_left)
            rest -= inside
            if rest < best.bar:
                best.bar = rest - slack
                best.rest = rest
                best.left = w_left
                best.low = low
                best.high = <int32_t>v
        for c in range(k):
            if here[c] != 0:
                l = left[c]
                r = right[c]
                left[c] = l + here[c]
                right[c] = r - here[c]
                inside += (
                    information(problem, left[c]) - information(problem, l)
                    + information(problem, right[c]) - information(problem, r)
                )
        w_left += moved
        low = <int32_t>v
    finish(problem, &best, base, view.total, <float64_t>known, out)
