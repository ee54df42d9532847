"""Rows of weight 1 without missing values on their way down a tree that is pruned."""

from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

from dissensus._core.tree._pessimistic_errors cimport added_errors
from dissensus._core.common._memory cimport grab, release
from dissensus._core.tree._nodes cimport LEAF, MULTIWAY, NUMERIC, count_classes
from dissensus._core.tree._send cimport Part, estimate, reserve, room_for_parts
from dissensus._core.common._typedefs cimport int32_t, uint8_t
from dissensus._core.tree._class_weights cimport ClassWeights, store_weights


cdef bint lacks_values(
    const Pruner* pruner, intp_t column, intp_t start, intp_t end
) noexcept nogil:
    """Tell whether a row in this range has no value in a column."""
    cdef const char* first = pruner.columns.start[column]
    cdef intp_t stride = pruner.columns.stride[column], i
    cdef const int32_t* codes = <const int32_t*>first
    cdef int32_t any_bits = 0, n_missing = 0
    cdef float64_t x
    if not pruner.columns.is_nominal[column]:
        for i in range(start, end):
            x = (<const float64_t*>(first + i * stride))[0]
            n_missing += x != x
    elif stride == sizeof(int32_t):  # a constant step is vectorised
        for i in range(start, end):
            any_bits |= codes[i]
    else:
        for i in range(start, end):
            any_bits |= (<const int32_t*>(first + i * stride))[0]
    return n_missing > 0 or any_bits < 0


cdef bint has_all_values(
    const Pruner* pruner, intp_t n_nodes, intp_t n_rows
) except -1 nogil:
    """Tell whether no row lacks a value of an attribute that the tree asks for.

    Some rows at a time, because the columns of a matrix share cache lines.
    """
    cdef intp_t n = pruner.columns.n, node, j, start = 0, end
    cdef uint8_t* asked = <uint8_t*>grab(n, 1, b"Columns")
    cdef bint all_there = True
    memset(asked, 0, n)
    for node in range(n_nodes):
        if pruner.kind[node] != LEAF:
            asked[pruner.attribute[node]] = 1
    while start < n_rows and all_there:
        end = start + 256 if start + 256 < n_rows else n_rows
        for j in range(n):
            if asked[j] and lacks_values(pruner, j, start, end):
                all_there = False
        start = end
    release(asked)
    return all_there


cdef void note_leaf(Pruner* pruner, intp_t node) noexcept nogil:
    """Keep what is asked of a leaf again and again: the errors it expects."""
    pruner.expected[node] = estimate(pruner, node)


cdef void part_in_two(
    const Pruner* pruner, intp_t node, int32_t* rows, intp_t n
) noexcept nogil:
    """Move the rows of the first branch to the front, without a branch to predict."""
    cdef const char* start = pruner.columns.start[pruner.attribute[node]]
    cdef intp_t stride = pruner.columns.stride[pruner.attribute[node]], i, n_first = 0
    cdef float64_t threshold = pruner.threshold[node]
    cdef int32_t row, pivot
    if pruner.kind[node] == NUMERIC:
        for i in range(n):
            row = rows[i]
            rows[i] = rows[n_first]
            rows[n_first] = row
            n_first += (<const float64_t*>(start + row * stride))[0] <= threshold
    else:
        pivot = <int32_t>threshold
        for i in range(n):
            row = rows[i]
            rows[i] = rows[n_first]
            rows[n_first] = row
            n_first += (<const int32_t*>(start + row * stride))[0] == pivot
    pruner.cursor[0] = n_first
    pruner.cursor[1] = n


cdef void count_branches(
    const Pruner* pruner, intp_t node, const int32_t* rows, intp_t n
) noexcept nogil:
    """Count the rows of each branch of a nominal attribute."""
    cdef const char* start = pruner.columns.start[pruner.attribute[node]]
    cdef intp_t stride = pruner.columns.stride[pruner.attribute[node]], i
    memset(pruner.cursor, 0, pruner.n_children[node] * sizeof(intp_t))
    for i in range(n):
        pruner.cursor[(<const int32_t*>(start + rows[i] * stride))[0]] += 1


cdef void part(
    Pruner* pruner, intp_t node, int32_t* rows, intp_t n, bint own
) noexcept nogil:
    """Put the rows of each branch together; those of branch b end at cursor[b].

    The node's own rows are counted already: they are the weights of its branches.
    """
    cdef const char* start = pruner.columns.start[pruner.attribute[node]]
    cdef intp_t stride = pruner.columns.stride[pruner.attribute[node]]
    cdef intp_t first = pruner.first_child[node], b, i, at = 0, count
    cdef int32_t code
    if pruner.kind[node] != MULTIWAY:
        part_in_two(pruner, node, rows, n)
        return
    if not own:
        count_branches(pruner, node, rows, n)
    for b in range(pruner.n_children[node]):
        count = <intp_t>pruner.branch_weight[first + b] if own else pruner.cursor[b]
        pruner.cursor[b] = at
        at += count
    for i in range(n):
        code = (<const int32_t*>(start + rows[i] * stride))[0]
        pruner.moved[pruner.cursor[code]] = rows[i]
        pruner.cursor[code] += 1
    memcpy(rows, pruner.moved, n * sizeof(int32_t))


cdef void part_path(Pruner* pruner, const Frame* frame) noexcept nogil:
    """Part the rows of a node on the path among its children."""
    cdef intp_t first = pruner.first_child[frame.node], b, before = 0
    part(pruner, frame.node, pruner.path.row + frame.start, frame.n, True)
    for b in range(pruner.n_children[frame.node]):
        pruner.n_arrived[first + b] = pruner.cursor[b] - before
        before = pruner.cursor[b]


cdef int open_sons(
    Pruner* pruner, intp_t node, intp_t n_parts, intp_t start
) except -1 nogil:
    """Add the children of a node whose rows were parted to the parts to be visited."""
    cdef intp_t b, n_children = pruner.n_children[node], before = 0
    cdef Part* child
    room_for_parts(pruner, n_parts + n_children)
    for b in range(n_children):
        child = pruner.parts + n_parts + b
        child.node = pruner.first_child[node] + b
        child.start = start + before
        child.n = pruner.cursor[b] - before
        before = pruner.cursor[b]
    return 0


cdef float64_t added_at_leaf(
    const Pruner* pruner, intp_t leaf, const int32_t* rows, intp_t n
) noexcept nogil:
    """Return by how much some rows more raise what a leaf expects."""
    cdef const ClassWeights* weights = &pruner.weights
    cdef const int32_t* own = weights.classes + weights.start[leaf]
    cdef intp_t k = pruner.n_classes, n_own = weights.n_present[leaf], i
    cdef float64_t* counts = pruner.classes  # all zero between uses
    cdef float64_t total = weights.total[leaf] + n, most = weights.most[leaf]
    cdef float64_t errors
    cdef int32_t y
    for i in range(n_own):
        counts[own[i]] = weights.weights[weights.start[leaf] + i]
    if n > k:
        count_classes(pruner.y, rows, n, k, pruner.counts, counts)
        for i in range(k):
            most = counts[i] if counts[i] > most else most
        memset(counts, 0, k * sizeof(float64_t))
    else:
        for i in range(n):
            y = pruner.y[rows[i]]
            counts[y] += 1.0
            most = counts[y] if counts[y] > most else most
        for i in range(n):
            counts[pruner.y[rows[i]]] = 0.0
        for i in range(n_own):
            counts[own[i]] = 0.0
    errors = total - most
    errors += added_errors(&pruner.confidence, total, errors)
    return errors - pruner.expected[leaf]


cdef float64_t others_errors(
    Pruner* pruner, const Frame* frame, intp_t branch, float64_t limit
) except -1.0 nogil:
    """Return by how much the rows of its brothers raise what a branch expects.

    Infinity as soon as it passes the limit.
    """
    cdef intp_t first = pruner.first_child[frame.node], before = 0, child, n
    cdef intp_t n_parts = 1, n_own = pruner.n_arrived[branch]
    cdef const int32_t* path = pruner.path.row + frame.start
    cdef int32_t* rows
    cdef float64_t errors = 0.0
    cdef Part at
    reserve(&pruner.trial, frame.n)
    rows = pruner.trial.row
    for child in range(first, branch):
        before += pruner.n_arrived[child]
    n = frame.n - n_own
    memcpy(rows, path, before * sizeof(int32_t))
    memcpy(rows + before, path + before + n_own, (n - before) * sizeof(int32_t))
    pruner.parts[0].node = branch
    pruner.parts[0].start = 0
    pruner.parts[0].n = n
    while n_parts > 0:
        n_parts -= 1
        at = pruner.parts[n_parts]
        if at.n == 0:
            continue
        if pruner.kind[at.node] == LEAF:
            errors += added_at_leaf(pruner, at.node, rows + at.start, at.n)
            if errors > limit:
                return INFINITY
        else:
            part(pruner, at.node, rows + at.start, at.n, False)
            open_sons(pruner, at.node, n_parts, at.start)
            n_parts += pruner.n_children[at.node]
    return errors


cdef int raise_branch(Pruner* pruner, const Frame* frame) except -1 nogil:
    """Send the rows of a node for good down the branch that took its place."""
    cdef int32_t* rows = pruner.path.row + frame.start
    cdef intp_t k = pruner.n_classes, n_parts = 1, b, first
    cdef Part at
    pruner.parts[0].node = frame.node
    pruner.parts[0].start = 0
    pruner.parts[0].n = frame.n
    while n_parts > 0:
        n_parts -= 1
        at = pruner.parts[n_parts]
        count_classes(
            pruner.y, rows + at.start, at.n, k, pruner.counts, pruner.classes
        )
        store_weights(&pruner.weights, at.node, pruner.classes)
        memset(pruner.classes, 0, k * sizeof(float64_t))
        if pruner.kind[at.node] == LEAF:
            if at.n > 0:
                pruner.empty[at.node] = 0
            note_leaf(pruner, at.node)
            continue
        part(pruner, at.node, rows + at.start, at.n, False)
        open_sons(pruner, at.node, n_parts, at.start)
        first = pruner.first_child[at.node]
        for b in range(pruner.n_children[at.node]):
            pruner.branch_weight[first + b] = <float64_t>pruner.parts[n_parts + b].n
        n_parts += pruner.n_children[at.node]
    return 0
