"""The candidate split of one nominal attribute at one node.

A nominal attribute offers one split: a branch for every declared value or, with binary
splits, its best "is it this value?". Both read class weights per value, from a full
histogram or, where the node has few rows for many values or classes, from the list of
the cells that are not zero; value by value they reach the same `Sums`.
"""

from dissensus._core.common._numbers cimport equal, greater, not_smaller, xlog2x
from dissensus._core.common._typedefs cimport int32_t


cdef struct Sums:
    float64_t total        # weight of the node
    float64_t known        # weight of its rows with a known value
    float64_t e_total      # E of these, and of the difference
    float64_t e_known
    float64_t e_missing
    float64_t e_classes    # sum over classes E(known weight)
    float64_t e_branches   # sum over branches E(weight) ...
    float64_t e_cells      # ... and over branches and classes
    intp_t n_large         # branches that reach the least weight of a leaf
    float64_t best_ratio   # binary splits: of the best value so far
    bint admissible        # binary splits: was any value?


cdef inline float64_t information(const Problem* problem, count_t x) noexcept nogil:
    cdef int32_t whole
    if count_t is int32_t:
        return problem.nlogn[x]
    else:
        # Where some rows weigh less than 1, most cells are still whole numbers: looked
        # up, soybean is grown in two thirds of the time.
        if x <= problem.n_rows:
            whole = <int32_t>x
            if whole == x:
                return problem.nlogn[whole]
        return xlog2x(problem.log_steps, x)


cdef inline void score(
    const Sums* sums, float64_t e_branches, float64_t e_cells,
    float64_t* gain, float64_t* ratio
) noexcept nogil:
    """Reckon gain and gain ratio from the sums over branches."""
    cdef float64_t known = sums.known, total = sums.total, split_information, bits
    bits = (sums.e_known - sums.e_classes) - (e_branches - e_cells)
    bits = known / total * bits
    gain[0] = 0.0 if equal(bits, 0.0) else bits / known
    split_information = sums.e_total - e_branches - sums.e_missing
    ratio[0] = 0.0
    if not equal(split_information, 0.0):
        ratio[0] = gain[0] / (split_information / total)


cdef inline void add_value(
    const Problem* problem, Sums* sums, intp_t value, count_t weight,
    float64_t e_cells, float64_t e_others, Candidate* out
) noexcept nogil:
    """Take in one value: E of its classes, and E of the others' without it."""
    cdef float64_t gain, ratio
    cdef count_t rest = <count_t>sums.known - weight
    if not problem.binary:
        sums.e_branches += information(problem, weight)
        sums.e_cells += e_cells
        if not_smaller(weight, problem.min_leaf):
            sums.n_large += 1
        return
    if not (
        not_smaller(weight, problem.min_leaf) and not_smaller(rest, problem.min_leaf)
    ):
        return
    sums.admissible = True
    score(
        sums, information(problem, weight) + information(problem, rest),
        e_cells + e_others, &gain, &ratio
    )
    if greater(ratio, sums.best_ratio):
        sums.best_ratio = ratio
        out.gain = gain
        out.ratio = ratio
        out.low = <int32_t>value


cdef inline float64_t of_classes(
    const Problem* problem, const Scratch* scratch, const count_t* classes,
    bint complete
) noexcept nogil:
    """Sum E over classes; that of the node itself where no row lacks a value."""
    cdef float64_t e_classes = 0.0
    cdef intp_t c
    if complete:
        return scratch.e_classes
    for c in range(problem.n_classes):
        e_classes += information(problem, classes[c])
    return e_classes


cdef inline void begin(Sums* sums, Candidate* out) noexcept nogil:
    sums.e_classes = 0.0
    sums.e_branches = 0.0
    sums.e_cells = 0.0
    sums.n_large = 0
    sums.best_ratio = 0.0
    sums.admissible = False
    out.valid = False
    out.gain = 0.0
    out.ratio = 0.0
    out.low = -1


cdef inline void set_weights(
    const Problem* problem, Sums* sums, count_t total, count_t known
) noexcept nogil:
    sums.total = total
    sums.known = known
    sums.e_total = information(problem, total)
    sums.e_known = information(problem, known)
    sums.e_missing = information(problem, <count_t>(total - known))


cdef inline void finish(
    const Problem* problem, const Sums* sums, Candidate* out
) noexcept nogil:
    if problem.binary:
        out.valid = sums.admissible
    elif sums.n_large >= 2:
        out.valid = True
        score(sums, sums.e_branches, sums.e_cells, &out.gain, &out.ratio)


cdef void split_units(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t n_values, const int32_t* cells, Candidate* out
) noexcept nogil:
    """Make the multiway candidate where all rows have weight 1 and a known value.

    The commonest case; without branches in the loop 1.5 times as fast.
    """
    cdef intp_t k = problem.n_classes, c, _v, n_large = 0
    cdef const float64_t* nlogn = problem.nlogn
    cdef float64_t e_cells = 0.0, e_branches = 0.0, e_value
    cdef int32_t weight, least = <int32_t>problem.min_leaf
    cdef Sums sums
    for _v in range(n_values):
        weight = 0
        e_value = 0.0
        for c in range(k):
            weight += cells[c]
            e_value += nlogn[cells[c]]
        cells += k
        e_branches += nlogn[weight]
        e_cells += e_value
        n_large += weight >= least
    if n_large >= 2:
        out.valid = True
        sums.e_classes = scratch.e_classes
        set_weights(problem, &sums, <int32_t>view.n, <int32_t>view.n)
        score(&sums, e_branches, e_cells, &out.gain, &out.ratio)


cdef inline bint all_zero(const count_t* cells, intp_t n) noexcept nogil:
    cdef intp_t i
    for i in range(n):
        if cells[i] != 0:
            return False
    return True


cdef void split_histogram(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, Candidate* out
) noexcept nogil:
    """Make the candidate from class weights for each value (missing last)."""
    cdef intp_t k = problem.n_classes, n_values = problem.n_values[attribute], c, v
    cdef const count_t* missing = cells + n_values * k
    cdef const count_t* here
    cdef count_t* classes
    cdef count_t weight, known = 0
    cdef float64_t e_cells, e_others
    cdef bint complete = all_zero(missing, k)
    cdef Sums sums

    begin(&sums, out)
    if count_t is int32_t:
        if not problem.binary and complete:
            split_units(problem, scratch, view, n_values, cells, out)
            return
        classes = scratch.counts
    else:
        classes = scratch.sums
    for c in range(k):
        classes[c] = <count_t>view.class_weight[c] - missing[c]
        known += classes[c]
    sums.e_classes = of_classes(problem, scratch, classes, complete)
    set_weights(problem, &sums, <count_t>view.total, known)
    if known <= 0:
        return
    for v in range(n_values):
        here = cells + v * k
        weight = 0
        e_cells = 0.0
        e_others = sums.e_classes
        for c in range(k):
            weight += here[c]
            e_cells += information(problem, here[c])
        if weight == 0:
            continue
        if problem.binary:
            for c in range(k):
                e_others += (
                    information(problem, <count_t>(classes[c] - here[c]))
                    - information(problem, classes[c])
                )
        add_value(problem, &sums, v, weight, e_cells, e_others, out)
    finish(problem, &sums, out)


cdef void split_cells(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, const uint64_t* touched, intp_t n_touched,
    Candidate* out
) noexcept nogil:
    """Make the candidate from the cells that are not zero, in ascending order."""
    cdef intp_t k = problem.n_classes, n_values = problem.n_values[attribute]
    cdef intp_t c, v, i = 0
    cdef intp_t cell
    cdef count_t* classes
    cdef count_t weight, known = 0
    cdef float64_t e_cells, e_others
    cdef bint complete = True
    cdef Sums sums

    begin(&sums, out)
    if count_t is int32_t:
        classes = scratch.counts
    else:
        classes = scratch.sums
    for c in range(k):
        classes[c] = <count_t>view.class_weight[c]
    while n_touched > 0 and <intp_t>touched[n_touched - 1] >= n_values * k:
        n_touched -= 1  # rows with a missing value come last
        cell = <intp_t>touched[n_touched]
        classes[cell - n_values * k] -= cells[cell]
        complete = False
    for c in range(k):
        known += classes[c]
    sums.e_classes = of_classes(problem, scratch, classes, complete)
    set_weights(problem, &sums, <count_t>view.total, known)
    if n_touched == 0:
        return
    while i < n_touched:
        v = <intp_t>touched[i] // k
        weight = 0
        e_cells = 0.0
        e_others = sums.e_classes
        while i < n_touched and <intp_t>touched[i] < (v + 1) * k:
            cell = <intp_t>touched[i]
            c = cell - v * k
            weight += cells[cell]
            e_cells += information(problem, cells[cell])
            if problem.binary:
                e_others += (
                    information(problem, <count_t>(classes[c] - cells[cell]))
                    - information(problem, classes[c])
                )
            i += 1
        add_value(problem, &sums, v, weight, e_cells, e_others, out)
    finish(problem, &sums, out)
