"""Rows on their way down a tree that is being pruned, and the errors they make."""

from libc.math cimport INFINITY
from libc.string cimport memcpy, memmove, memset

from dissensus._core.tree._pessimistic_errors cimport added_errors
from dissensus._core.common._memory cimport resize
from dissensus._core.tree._nodes cimport LEAF, MULTIWAY, NUMERIC, majority, sum_of
from dissensus._core.common._numbers cimport equal, greater
from dissensus._core.tree._class_weights cimport store_weights


cdef float64_t to_expect(
    const Pruner* pruner, float64_t total, float64_t most
) noexcept nogil:
    """Return the errors to expect of a leaf with this weight, the majority's so much.
    """
    cdef float64_t errors = total - most
    if equal(total, 0.0):
        return 0.0
    return errors + added_errors(&pruner.confidence, total, errors)


cdef float64_t estimate(const Pruner* pruner, intp_t node) noexcept nogil:
    """Return the errors to expect of a node as a leaf."""
    return to_expect(pruner, pruner.weights.total[node], pruner.weights.most[node])


cdef float64_t estimate_classes(const Pruner* pruner) noexcept nogil:
    """Return the errors to expect of a leaf with the class weights in `classes`."""
    cdef const float64_t* classes = pruner.classes
    cdef intp_t k = pruner.n_classes
    return to_expect(pruner, sum_of(classes, k), classes[majority(classes, k)])


cdef const char* ROWS = b"Rows on their way down a tree"


cdef int reserve(Rows* rows, intp_t capacity) except -1 nogil:
    if capacity > rows.capacity:
        resize(<void**>&rows.row, 2 * capacity, sizeof(int32_t), ROWS)
        resize(<void**>&rows.weight, 2 * capacity, sizeof(float64_t), ROWS)
        rows.capacity = 2 * capacity
    return 0


cdef intp_t find_branches(
    Pruner* pruner, intp_t node, const int32_t* rows, intp_t n
) noexcept nogil:
    """Note the branch that each row takes, -1 if its value is missing; count those.

    One loop for each kind of test (twice as fast as asking for the kind row by row).
    """
    cdef const char* start = pruner.columns.start[pruner.attribute[node]]
    cdef intp_t stride = pruner.columns.stride[pruner.attribute[node]], i, n_missing = 0
    cdef int32_t* branch = pruner.branch
    cdef float64_t threshold = pruner.threshold[node], x
    cdef int32_t code, pivot
    if pruner.kind[node] == NUMERIC:
        for i in range(n):
            x = (<const float64_t*>(start + rows[i] * stride))[0]
            branch[i] = x > threshold
            if x != x:
                branch[i] = -1
                n_missing += 1
        return n_missing
    pivot = -1 if pruner.kind[node] == MULTIWAY else <int32_t>threshold
    for i in range(n):
        code = (<const int32_t*>(start + rows[i] * stride))[0]
        if code < 0:
            branch[i] = -1
            n_missing += 1
        else:
            branch[i] = code if pivot < 0 else code != pivot
    return n_missing


cdef int send(
    Pruner* pruner, intp_t node, Rows* rows, intp_t start, intp_t n
) except -1 nogil:
    """Send rows of a node down its branches.

    Afterwards `known` holds the known weight of each branch and `share` the part of a
    row that goes there if its value is missing; the rows of branch b follow those of
    the node, from `cursor[b - 1]` (or their end) to `cursor[b]`.
    """
    cdef intp_t n_branches = pruner.n_children[node], i, b, n_missing, at
    cdef float64_t known = 0.0
    cdef int32_t* row
    cdef float64_t* weight
    for b in range(n_branches):
        pruner.known[b] = 0.0
        pruner.cursor[b] = 0
    n_missing = find_branches(pruner, node, rows.row + start, n)
    pruner.some_missing = pruner.some_missing or n_missing > 0
    for i in range(n):
        b = pruner.branch[i]
        if b >= 0:
            pruner.known[b] += rows.weight[start + i]
            pruner.cursor[b] += 1
    for b in range(n_branches):
        known += pruner.known[b]
    for b in range(n_branches):
        pruner.share[b] = pruner.known[b] / known if known > 0.0 else 1.0 / n_branches
        if n_missing > 0 and greater(pruner.share[b], 0.0):
            pruner.cursor[b] += n_missing
    at = start + n
    for b in range(n_branches):
        i = pruner.cursor[b]
        pruner.cursor[b] = at
        at += i
    reserve(rows, at)
    row = rows.row
    weight = rows.weight
    for i in range(start, start + n):
        b = pruner.branch[i - start]
        if b >= 0:
            at = pruner.cursor[b]
            pruner.cursor[b] += 1
            row[at] = row[i]
            weight[at] = weight[i]
            continue
        for b in range(n_branches):
            if greater(pruner.share[b], 0.0):
                at = pruner.cursor[b]
                pruner.cursor[b] += 1
                row[at] = row[i]
                weight[at] = weight[i] * pruner.share[b]
    return 0


cdef void weigh(
    const Pruner* pruner, const Rows* rows, intp_t start, intp_t n
) noexcept nogil:
    """Sum up the class weights of some rows, in file order."""
    cdef float64_t* classes = pruner.classes
    cdef intp_t i
    memset(classes, 0, pruner.n_classes * sizeof(float64_t))
    for i in range(start, start + n):
        classes[pruner.y[rows.row[i]]] += rows.weight[i]


cdef void store_branches(
    Pruner* pruner, intp_t node, intp_t n, intp_t start
) noexcept nogil:
    """Keep the weights of the branches that rows have just been sent down."""
    cdef intp_t b, i
    cdef float64_t missing = 0.0
    for i in range(n):
        if pruner.branch[i] < 0:
            missing += pruner.trial.weight[start + i]
    for b in range(pruner.n_children[node]):
        pruner.branch_weight[pruner.first_child[node] + b] = (
            pruner.known[b] + missing * pruner.share[b]
        )


cdef int room_for_parts(Pruner* pruner, intp_t n_parts) except -1 nogil:
    if n_parts > pruner.n_part_slots:
        resize(<void**>&pruner.parts, 2 * n_parts, sizeof(Part), ROWS)
        pruner.n_part_slots = 2 * n_parts
    return 0


cdef int open_parts(
    Pruner* pruner, intp_t node, intp_t n_parts, intp_t start
) except -1 nogil:
    """Add the children of a node, to which rows were sent, to the parts to visit."""
    cdef intp_t b, n_children = pruner.n_children[node]
    room_for_parts(pruner, n_parts + n_children)
    for b in range(n_children):
        pruner.parts[n_parts + b].node = pruner.first_child[node] + b
        pruner.parts[n_parts + b].n = pruner.cursor[b] - start
        start = pruner.cursor[b]
    return 0


cdef float64_t arrive(
    Pruner* pruner, intp_t node, intp_t start, intp_t n, Mode mode
) except? -1.0 nogil:
    """Let rows arrive at a leaf; return by how much the estimated errors rise."""
    cdef const ClassWeights* weights = &pruner.weights
    cdef intp_t i, first = weights.start[node]
    if mode == ADDED and n == 0:
        return 0.0
    weigh(pruner, &pruner.trial, start, n)
    if mode == ADDED:
        for i in range(first, first + weights.n_present[node]):
            pruner.classes[weights.classes[i]] += weights.weights[i]
        return estimate_classes(pruner) - estimate(pruner, node)
    if mode == FOR_GOOD:
        store_weights(&pruner.weights, node, pruner.classes)
        if not equal(weights.total[node], 0.0):
            pruner.empty[node] = 0
    return estimate_classes(pruner)


cdef float64_t send_all(
    Pruner* pruner, intp_t top, intp_t n, Mode mode, float64_t limit
) except -1.0 nogil:
    """Send the rows of the trial down the whole subtree of a node.

    Returns by how much the estimated errors of its leaves rise, or infinity as soon as
    that passes the limit.
    """
    cdef Rows* rows = &pruner.trial
    cdef intp_t n_parts = 1, node, at = 0, size
    cdef float64_t errors = 0.0
    pruner.parts[0].node = top
    pruner.parts[0].n = n
    while n_parts > 0:
        # The rows of the last part are the last ones, from `at` on.
        n_parts -= 1
        node = pruner.parts[n_parts].node
        n = pruner.parts[n_parts].n
        if pruner.kind[node] == LEAF:
            errors += arrive(pruner, node, at, n, mode)
            if errors > limit:
                return INFINITY
        elif n > 0 or mode != ADDED:
            send(pruner, node, rows, at, n)
            if mode == FOR_GOOD:
                weigh(pruner, rows, at, n)
                store_weights(&pruner.weights, node, pruner.classes)
                store_branches(pruner, node, n, at)
            open_parts(pruner, node, n_parts, at + n)
            n_parts += pruner.n_children[node]
            size = pruner.cursor[pruner.n_children[node] - 1] - at - n
            memmove(rows.row + at, rows.row + at + n, size * sizeof(int32_t))
            memmove(rows.weight + at, rows.weight + at + n, size * sizeof(float64_t))
            at += size
        if n_parts > 0:
            at -= pruner.parts[n_parts - 1].n
    return errors


cdef int take_rows(Pruner* pruner, const Frame* frame) except -1 nogil:
    """Put the rows of a node on trial."""
    reserve(&pruner.trial, frame.n)
    memcpy(
        pruner.trial.row, pruner.path.row + frame.start, frame.n * sizeof(int32_t)
    )
    memcpy(
        pruner.trial.weight, pruner.path.weight + frame.start,
        frame.n * sizeof(float64_t)
    )
    return 0


cdef intp_t take_others(
    Pruner* pruner, const Frame* frame, intp_t branch
) except -1 nogil:
    """Put those rows of a node on trial that do not take this branch; count them."""
    cdef const int32_t* rows = pruner.path.row + frame.start
    cdef const float64_t* weights = pruner.path.weight + frame.start
    cdef intp_t own = branch - pruner.first_child[frame.node], i, n = 0
    reserve(&pruner.trial, frame.n)
    find_branches(pruner, frame.node, rows, frame.n)
    for i in range(frame.n):
        pruner.trial.row[n] = rows[i]
        pruner.trial.weight[n] = weights[i]
        n += pruner.branch[i] != own
    return n
