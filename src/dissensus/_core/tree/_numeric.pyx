"""The best cut of one numeric attribute at one node.

A scan moves the rows of a node one after the other, in ascending order, from the right
side to the left and watches the information that is left in the two sides,

    rest = sum over sides [ E(side) - sum over classes E(class in side) ],

E(x) = x log2 x. The cut with the smallest rest has the largest gain. Where all weights
are 1, E comes from a table and a move costs two look-ups; otherwise two logarithms.
"""

from libc.math cimport floor
from libc.string cimport memcpy, memset

from dissensus._core.common._numbers cimport (
    LogStep, equal, greater, not_smaller, smaller, not_greater, xlog2x
)
from dissensus._core.common._typedefs cimport uint32_t

# A cut replaces a better one only if its gain is larger by more than this.
cdef float64_t TOLERANCE = 1e-6


# How often neighbouring values of a node are too near to be cut apart.
cdef enum Spacing:
    APART     # never: all values of the training set lie apart
    SPARSE    # rarely: the node has few rows for so many values
    DENSE


cdef struct Best:
    float64_t bar       # a rest below this is a better cut ...
    float64_t slack     # ... by so much that its gain counts as larger
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
    if not_greater(least, problem.min_leaf):
        return problem.min_leaf
    if greater(least, 25.0):
        return 25.0
    return least


cdef inline bint apart(
    const Problem* problem, intp_t attribute, int32_t low, int32_t high
) noexcept nogil:
    """Tell whether two neighbouring values of the node differ enough to be cut."""
    if high - low >= problem.reach[attribute]:
        return True
    return high > low and high >= problem.next_apart[attribute][low]


cdef inline void begin(
    Best* best, float64_t base, float64_t total, float64_t known
) noexcept nogil:
    """Set the bar that a gain of 0 sets; base is the information before the cut."""
    best.slack = TOLERANCE * total
    best.bar = base - best.slack
    if known < 1.0:  # a gain whose sum over rows is below 1e-6 counts as 0
        best.bar = base - best.slack / known
    best.low = -1
    best.n_cuts = 0


cdef inline float64_t information_of(
    const Problem* problem, bint unit, float64_t weight
) noexcept nogil:
    """Return E of a weight, from the table if it is a count."""
    if unit:
        return problem.nlogn[<intp_t>weight]
    return xlog2x(problem.log_steps, weight)


cdef inline void finish(
    const Problem* problem, const Best* best, float64_t base, float64_t total,
    float64_t known, bint unit, Candidate* out
) noexcept nogil:
    """Turn the best cut into a candidate; none if it does not pay for its choice."""
    cdef float64_t gain, split_information
    if best.low < 0:
        return
    gain = (base - best.rest) / total
    if problem.mdl:
        gain -= problem.nlogn[best.n_cuts] / best.n_cuts / total
    if not_greater(gain, 0.0):
        return
    split_information = (
        information_of(problem, unit, total) - information_of(problem, unit, best.left)
        - information_of(problem, unit, known - best.left)
        - information_of(problem, unit, total - known)
    )
    out.valid = True
    out.gain = gain
    out.ratio = 0.0
    if not equal(split_information, 0.0):
        out.ratio = gain / (split_information / total)
    out.n_left = best.n_left
    out.low = best.low
    out.high = best.high


cdef float64_t scan_units(
    const Problem* problem, const Scratch* scratch, intp_t attribute,
    const uint64_t* keys, intp_t n, float64_t least, float64_t total,
    float64_t e_classes, Best* best
) noexcept nogil:
    """Scan a sorted list of rows that all have weight 1; return the information."""
    cdef intp_t n_least = <intp_t>floor(least - TOLERANCE) + 1
    cdef int row_bits = problem.row_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef const float64_t* step = problem.step
    # Class counts of both sides in one word, left in the low half, right in the high.
    cdef uint64_t* sides = <uint64_t*>scratch.counts
    cdef uint64_t side, one_move = ((<uint64_t>1) << 32) - 1
    cdef float64_t base = problem.nlogn[n] - e_classes, inside = e_classes
    cdef intp_t c, i

    begin(best, base, total, <float64_t>n)
    for i in range(n_least - 1):
        c = (keys[i] >> row_bits) & class_mask
        side = sides[c] - one_move
        sides[c] = side
        inside += step[<uint32_t>side - 1] - step[side >> 32]
    if problem.reach[attribute] == 1:
        move_units(problem, attribute, keys, n, n_least, inside, sides, APART, best)
    elif n * problem.reach[attribute] < problem.n_values[attribute] // 8:
        move_units(problem, attribute, keys, n, n_least, inside, sides, SPARSE, best)
    else:
        move_units(problem, attribute, keys, n, n_least, inside, sides, DENSE, best)
    return base


cdef inline void move_units(
    const Problem* problem, intp_t attribute, const uint64_t* keys, intp_t n,
    intp_t n_least, float64_t inside, uint64_t* sides, Spacing spacing, Best* best
) noexcept nogil:
    """Move the rows that leave enough on both sides; keep the best cut in `best`.

    All branches can be predicted: a test for ties or near values that often goes
    either way is reckoned, not branched upon (1.4 times as fast on 20,000 x 50), and
    where near values are rare the look-up that would miss the cache is jumped over.
    """
    cdef int row_bits = problem.row_bits, shift = row_bits + problem.class_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1, key
    cdef const int32_t* next_apart = problem.next_apart[attribute]
    cdef const float64_t* nlogn = problem.nlogn
    cdef const float64_t* step = problem.step
    cdef uint64_t side, one_move = ((<uint64_t>1) << 32) - 1
    cdef uint64_t* at
    cdef int32_t rank, next_rank, reach = problem.reach[attribute]
    cdef float64_t rest, bar = best.bar, slack = best.slack
    cdef intp_t i, n_cuts = 0
    cdef bint is_cut
    next_rank = <int32_t>(keys[n_least - 1] >> shift)
    for i in range(n_least - 1, n - n_least):
        key = keys[i]
        at = sides + ((key >> row_bits) & class_mask)
        side = at[0] - one_move
        at[0] = side
        inside += step[<uint32_t>side - 1] - step[side >> 32]
        rank = next_rank
        next_rank = <int32_t>(keys[i + 1] >> shift)
        if spacing == APART:
            is_cut = next_rank != rank
        elif spacing == DENSE:
            is_cut = next_rank >= next_apart[rank]
        else:
            is_cut = True
            if next_rank - rank < reach:
                is_cut = next_rank >= next_apart[rank]
        n_cuts += is_cut
        rest = nlogn[i + 1] + nlogn[n - i - 1] - inside
        if is_cut & (rest < bar):
            bar = rest - slack
            best.rest = rest
            best.n_left = i + 1
            best.low = rank
            best.high = next_rank
    best.left = <float64_t>best.n_left
    best.n_cuts = n_cuts


cdef float64_t scan_weights(
    const Problem* problem, const Scratch* scratch, intp_t attribute,
    const uint64_t* keys, intp_t n, float64_t least, float64_t total, float64_t known,
    Best* best
) noexcept nogil:
    """Scan a sorted list of weighted rows; return the information before the cut.

    Logarithms are taken only where a cut is possible (letter with missing cells: a
    seventh less time).
    """
    cdef intp_t k = problem.n_classes
    cdef int row_bits = problem.row_bits, shift = row_bits + problem.class_bits
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef uint64_t row_mask = ((<uint64_t>1) << row_bits) - 1, key
    cdef const float64_t* weight_of = scratch.weight_of
    cdef float64_t* left = scratch.sums  # class weights on the left, on the right ...
    cdef float64_t* right = left + k
    cdef float64_t* e_class = left + 2 * k  # ... and E of both
    cdef int32_t* is_moved = scratch.counts
    cdef int32_t* moved = is_moved + k      # classes whose E is out of date
    cdef const LogStep* steps = problem.log_steps
    cdef float64_t base = xlog2x(steps, known), inside = 0.0, rest, weight, e_sides
    cdef float64_t w_left = 0.0
    cdef int32_t rank, next_rank
    cdef intp_t c, i, j, n_moved = 0

    for c in range(k):
        left[c] = 0.0
        e_class[c] = xlog2x(steps, right[c])
        inside += e_class[c]
    memset(is_moved, 0, k * sizeof(int32_t))
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
        moved[n_moved] = <int32_t>c
        n_moved += 1 - is_moved[c]
        is_moved[c] = 1
        rank = next_rank
        next_rank = <int32_t>(keys[i + 1] >> shift)
        if not apart(problem, attribute, rank, next_rank):
            continue
        if not (not_smaller(w_left, least) and not_smaller(known - w_left, least)):
            continue
        for j in range(n_moved):
            c = moved[j]
            is_moved[c] = 0
            e_sides = xlog2x(steps, left[c]) + xlog2x(steps, right[c])
            inside += e_sides - e_class[c]
            e_class[c] = e_sides
        n_moved = 0
        best.n_cuts += 1
        rest = xlog2x(steps, w_left) + xlog2x(steps, known - w_left) - inside
        if rest < best.bar:
            best.bar = rest - best.slack
            best.rest = rest
            best.left = w_left
            best.n_left = i + 1
            best.low = rank
            best.high = next_rank
    return base


cdef float64_t count_units(
    const Problem* problem, const Scratch* scratch, const View* view,
    const uint64_t* keys, intp_t n_known
) noexcept nogil:
    """Put all known rows on the right side; return the sum of E over the classes."""
    cdef intp_t k = problem.n_classes, c, i
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef uint64_t* sides = <uint64_t*>scratch.counts
    cdef float64_t e_classes = 0.0
    if n_known == view.n:
        memcpy(sides, scratch.node_sides, k * sizeof(uint64_t))
        return scratch.e_classes
    memset(sides, 0, k * sizeof(uint64_t))
    for i in range(n_known):
        sides[(keys[i] >> problem.row_bits) & class_mask] += (<uint64_t>1) << 32
    for c in range(k):
        e_classes += problem.nlogn[sides[c] >> 32]
    return e_classes


cdef void cut_counted(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const int32_t* classes, const int32_t* ends, intp_t n,
    Candidate* out
) noexcept nogil:
    """Find the best cut from the classes of rows of weight 1, in ascending order.

    `ends` says where the rows of each value end. The same sums in the same order as
    `scan_units`, but a cut is looked at once per value (letter: a tenth less time).
    """
    cdef const float64_t* nlogn = problem.nlogn
    cdef const float64_t* step = problem.step
    cdef uint64_t* sides = <uint64_t*>scratch.counts
    cdef uint64_t side, one_move = ((<uint64_t>1) << 32) - 1
    cdef float64_t least = smallest_side(problem, <float64_t>n), inside, base, rest
    cdef intp_t n_least = <intp_t>floor(least - TOLERANCE) + 1, i = 0, v
    cdef int32_t low = -1
    cdef Best best
    out.valid = False
    if n < 2 or smaller(<float64_t>n, 2.0 * least):
        return
    inside = count_classes(problem, scratch, view, classes, n)
    base = nlogn[n] - inside
    begin(&best, base, view.total, <float64_t>n)
    best.n_left = 0
    for v in range(problem.n_values[attribute]):
        if ends[v] == i:
            continue
        if n - i < n_least:
            break
        if low >= 0 and i >= n_least and apart(problem, attribute, low, <int32_t>v):
            best.n_cuts += 1
            rest = nlogn[i] + nlogn[n - i] - inside
            if rest < best.bar:
                best.bar = rest - best.slack
                best.rest = rest
                best.n_left = i
                best.low = low
                best.high = <int32_t>v
        for i in range(i, ends[v]):
            side = sides[classes[i]] - one_move
            sides[classes[i]] = side
            inside += step[<uint32_t>side - 1] - step[side >> 32]
        i = ends[v]
        low = <int32_t>v
    best.left = <float64_t>best.n_left
    finish(problem, &best, base, view.total, <float64_t>n, True, out)


cdef float64_t count_classes(
    const Problem* problem, const Scratch* scratch, const View* view,
    const int32_t* classes, intp_t n
) noexcept nogil:
    """Put all rows on the right side; return the sum of E over the classes."""
    cdef intp_t k = problem.n_classes, c, i
    cdef uint64_t* sides = <uint64_t*>scratch.counts
    cdef float64_t e_classes = 0.0
    if n == view.n:
        memcpy(sides, scratch.node_sides, k * sizeof(uint64_t))
        return scratch.e_classes
    memset(sides, 0, k * sizeof(uint64_t))
    for i in range(n):
        sides[classes[i]] += (<uint64_t>1) << 32
    for c in range(k):
        e_classes += problem.nlogn[sides[c] >> 32]
    return e_classes


cdef float64_t weigh_classes(
    const Problem* problem, const Scratch* scratch, const View* view,
    const uint64_t* keys, intp_t n_known
) noexcept nogil:
    """Put all known rows on the right side; return their weight."""
    cdef intp_t k = problem.n_classes, c, i
    cdef uint64_t class_mask = ((<uint64_t>1) << problem.class_bits) - 1
    cdef uint64_t row_mask = ((<uint64_t>1) << problem.row_bits) - 1
    cdef float64_t* right = scratch.sums + k
    cdef float64_t known = 0.0
    if n_known == view.n:
        memcpy(right, view.class_weight, k * sizeof(float64_t))
        return view.total
    memset(right, 0, k * sizeof(float64_t))
    for i in range(n_known):
        c = (keys[i] >> problem.row_bits) & class_mask
        right[c] += scratch.weight_of[keys[i] & row_mask]
    for c in range(k):
        known += right[c]
    return known


cdef void cut_sorted(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const uint64_t* keys, intp_t n_known, Candidate* out
) noexcept nogil:
    """Find the best cut from the node's rows in ascending order."""
    cdef float64_t known = <float64_t>n_known, least, base, e_classes
    cdef Best best
    out.valid = False
    if n_known < 2:
        return
    if not view.unit:
        known = weigh_classes(problem, scratch, view, keys, n_known)
    least = smallest_side(problem, known)
    if smaller(<float64_t>n_known, 2.0 * least):
        return
    if view.unit:
        e_classes = count_units(problem, scratch, view, keys, n_known)
        base = scan_units(
            problem, scratch, attribute, keys, n_known, least, view.total, e_classes,
            &best
        )
    else:
        base = scan_weights(
            problem, scratch, attribute, keys, n_known, least, view.total, known, &best
        )
    finish(problem, &best, base, view.total, known, view.unit, out)


cdef inline float64_t information(const Problem* problem, count_t x) noexcept nogil:
    if count_t is int32_t:
        return problem.nlogn[x]
    else:
        return xlog2x(problem.log_steps, x)


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
    cdef count_t known = 0, w_left = 0, moved
    cdef float64_t* e_class = scratch.sums + 2 * k  # E of both sides
    cdef float64_t base, inside = 0.0, rest, least, e_sides
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
        e_class[c] = information(problem, right[c])
        inside += e_class[c]
    if count_t is int32_t:
        n_known = known
    least = smallest_side(problem, known)
    if known <= 0 or smaller(<float64_t>n_known, 2.0 * least):
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
            low >= 0
            and not_smaller(w_left, least)
            and not_smaller(known - w_left, least)
            and apart(problem, attribute, low, <int32_t>v)
        ):
            best.n_cuts += 1
            rest = information(problem, w_left) + information(problem, known - w_left)
            rest -= inside
            if rest < best.bar:
                best.bar = rest - best.slack
                best.rest = rest
                best.left = w_left
                best.low = low
                best.high = <int32_t>v
        for c in range(k):
            if here[c] != 0:
                left[c] += here[c]
                right[c] -= here[c]
                e_sides = information(problem, left[c]) + information(problem, right[c])
                inside += e_sides - e_class[c]
                e_class[c] = e_sides
        w_left += moved
        low = <int32_t>v
    finish(problem, &best, base, view.total, <float64_t>known, view.unit, out)
