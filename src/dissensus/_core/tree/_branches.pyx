"""What happens to the rows, keys and counts of a node when it is split.

Every row is sent to its branch; the children's class weights are summed up, with the
rows whose value is missing shared out; then rows, sorted keys and histograms are handed
down to the children that will be split further.
"""

from libc.string cimport memset

from dissensus._core.tree._arena cimport new_histogram, view_of
from dissensus._core.tree._nodes cimport MULTIWAY, NUMERIC, Nodes, sum_of
from dissensus._core.common._numbers cimport greater
from dissensus._core.tree._problem cimport Problem
from dissensus._core.tree._split cimport dense_prefix, fill_histogram
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
)


cdef void send_coded(
    Grower* grower, const View* view, const code_t* codes, intp_t j, int kind,
    int32_t pivot
) noexcept nogil:
    """Note the branch of every row by its code."""
    cdef const Problem* problem = &grower.problem
    cdef int32_t n_values = problem.n_values[problem.coded[j]], code, branch
    cdef intp_t i
    for i in range(view.n):
        code = <int32_t>codes[<intp_t>view.rows[i] * problem.n_coded + j]
        if code == n_values:
            branch = -1
        elif kind == MULTIWAY:
            branch = code
        elif kind == NUMERIC:
            branch = code > pivot
        else:
            branch = code != pivot
        grower.branch_of[view.rows[i]] = branch


cdef void send_sorted(
    Grower* grower, const View* view, intp_t j, intp_t n_left
) noexcept nogil:
    """Note the branch of every row by its place in the sorted list."""
    cdef const uint64_t* keys = view.keys + j * view.stride
    cdef uint64_t row_mask = ((<uint64_t>1) << grower.problem.row_bits) - 1
    cdef intp_t n_known = view.n if view.known == NULL else view.known[j], i
    if n_known < view.n:
        for i in range(view.n):
            grower.branch_of[view.rows[i]] = -1
    for i in range(n_left):
        grower.branch_of[keys[i] & row_mask] = 0
    for i in range(n_left, n_known):
        grower.branch_of[keys[i] & row_mask] = 1


cdef void send_rows(
    Grower* grower, const View* view, intp_t attribute, int kind, const Candidate* split
) noexcept nogil:
    """Note the branch of every row of the node."""
    cdef const Problem* problem = &grower.problem
    cdef intp_t j
    for j in range(problem.n_sorted):
        if problem.sorted[j] == attribute:
            send_sorted(grower, view, j, split.n_left)
            return
    j = 0
    while problem.coded[j] != attribute:
        j += 1
    if problem.code_bytes == 1:
        send_coded(grower, view, <const uint8_t*>problem.codes, j, kind, split.low)
    elif problem.code_bytes == 2:
        send_coded(grower, view, <const uint16_t*>problem.codes, j, kind, split.low)
    else:
        send_coded(grower, view, <const uint32_t*>problem.codes, j, kind, split.low)


cdef bint weigh_counted(
    Grower* grower, const Task* task, const View* view, intp_t attribute, int kind,
    const Candidate* split, intp_t first
) noexcept nogil:
    """Read the children's weights off the attribute's histogram; False if it has none.

    Only where all rows have weight 1 and a known value (nursery: a fifth less time,
    because most nodes have nothing but leaves and their rows need not be sent).
    """
    cdef const Problem* problem = &grower.problem
    cdef Nodes* nodes = &grower.nodes
    cdef intp_t n_values = problem.n_values[attribute], j = 0, k, c, v, b
    cdef intp_t n_classes = problem.n_classes
    cdef const int32_t* cells
    cdef const int32_t* classes = NULL
    cdef float64_t* value
    while j < view.n_dense and problem.coded[j] != attribute:
        j += 1
    if not view.unit or j >= view.n_dense:
        return False
    if task.narrow:
        problem = &grower.few.problem
        classes = grower.few.classes
    k = problem.n_classes
    cells = <const int32_t*>view.histogram + problem.offset[j]
    for c in range(k):
        if cells[n_values * k + c] != 0:
            return False
    for v in range(n_values):
        b = v if kind == MULTIWAY else v > split.low if kind == NUMERIC else (
            v != split.low
        )
        value = grower.branch_classes + b * n_classes
        for c in range(k):
            value[c if classes == NULL else classes[c]] += cells[v * k + c]
    for b in range(grower.n_branches):
        value = grower.branch_classes + b * n_classes
        nodes.branch_weight[first + b] = sum_of(value, n_classes)
        grower.n_rows[b] = <intp_t>nodes.branch_weight[first + b]
        grower.share[b] = 0.0
    return True


cdef intp_t weigh_branches(
    Grower* grower, const View* view, intp_t first
) noexcept nogil:
    """Sum up the children's weights by row; return the number of rows shared out."""
    cdef Nodes* nodes = &grower.nodes
    cdef intp_t k = grower.problem.n_classes, i, b, n_missing = 0
    cdef int32_t row
    cdef float64_t weight = 1.0, missing = 0.0, known = 0.0
    for b in range(grower.n_branches):
        grower.known_weight[b] = 0.0
        grower.n_rows[b] = 0
        grower.share[b] = 0.0
    for i in range(view.n):
        row = view.rows[i]
        b = grower.branch_of[row]
        if not view.unit:
            weight = grower.scratch.weight_of[row]
        if b < 0:
            n_missing += 1
            missing += weight
        else:
            grower.known_weight[b] += weight
            grower.n_rows[b] += 1
            grower.branch_classes[b * k + grower.problem.y[row]] += weight
    if n_missing > 0:
        for b in range(grower.n_branches):
            known += grower.known_weight[b]
        for b in range(grower.n_branches):
            nodes.branch_weight[first + b] = missing * (grower.known_weight[b] / known)
            grower.share[b] = grower.known_weight[b] / known
            if not greater(grower.share[b], 0.0):
                grower.share[b] = 0.0
        share_missing(grower, view, n_missing)
    for b in range(grower.n_branches):
        nodes.branch_weight[first + b] += grower.known_weight[b]
    return n_missing


cdef void share_missing(
    Grower* grower, const View* view, intp_t n_missing
) noexcept nogil:
    """Add to the children's weights the rows whose value is missing, in file order."""
    cdef intp_t k = grower.problem.n_classes, i, b
    cdef int32_t row
    cdef float64_t weight = 1.0
    memset(grower.branch_classes, 0, grower.n_branches * k * sizeof(float64_t))
    for b in range(grower.n_branches):
        if grower.share[b] > 0.0:
            grower.n_rows[b] += n_missing
    for i in range(view.n):
        row = view.rows[i]
        b = grower.branch_of[row]
        if not view.unit:
            weight = grower.scratch.weight_of[row]
        if b >= 0:
            grower.branch_classes[b * k + grower.problem.y[row]] += weight
            continue
        for b in range(grower.n_branches):
            if grower.share[b] > 0.0:
                grower.branch_classes[b * k + grower.problem.y[row]] += (
                    weight * grower.share[b]
                )


cdef void part_rows(
    const Grower* grower, const View* view, int32_t* rows, float64_t* weights
) noexcept nogil:
    """Write the rows branch by branch, in file order; the weights too if there are."""
    cdef intp_t* cursor = grower.cursor
    cdef intp_t i, b, at
    cdef int32_t row
    for i in range(view.n):
        row = view.rows[i]
        b = grower.branch_of[row]
        at = cursor[b]
        cursor[b] = at + 1
        rows[at] = row
        if weights != NULL:
            weights[at] = grower.scratch.weight_of[row]


cdef void share_rows(const Grower* grower, const View* view) noexcept nogil:
    """Give every child that lives its rows, and parts of those without a value."""
    cdef intp_t i, b, at
    cdef int32_t row
    cdef float64_t weight = 1.0
    cdef Task* child
    for i in range(view.n):
        row = view.rows[i]
        if not view.unit:
            weight = grower.scratch.weight_of[row]
        b = grower.branch_of[row]
        if b >= 0:
            if grower.alive[b]:
                child = grower.children + b
                at = grower.cursor[b]
                grower.cursor[b] = at + 1
                child.arena.rows[0][at] = row
                child.arena.weights[0][at] = weight
            continue
        for b in range(grower.n_branches):
            if grower.alive[b] and grower.share[b] > 0.0:
                child = grower.children + b
                at = grower.cursor[b]
                grower.cursor[b] = at + 1
                child.arena.rows[0][at] = row
                child.arena.weights[0][at] = weight * grower.share[b]


cdef void hand_down_rows(
    Grower* grower, const View* view, bint shared
) noexcept nogil:
    """Copy rows and weights to the children, in file order."""
    cdef Task* child = grower.children
    cdef intp_t b
    for b in range(grower.n_branches):
        grower.cursor[b] = grower.children[b].start
    if shared:  # each child has an arena of its own
        share_rows(grower, view)
    else:
        part_rows(
            grower, view, child.arena.rows[child.half], child.arena.weights[child.half]
        )


cdef void hand_down_pair(
    const Grower* grower, const uint64_t* keys, intp_t n,
    uint64_t* left, uint64_t* right
) noexcept nogil:
    """Part one sorted list in two, without a branch to predict."""
    cdef uint64_t row_mask = ((<uint64_t>1) << grower.problem.row_bits) - 1, key
    cdef intp_t i, b, n_right = 0, to_right = right - left
    for i in range(n):
        key = keys[i]
        b = grower.branch_of[key & row_mask]
        left[((i - n_right) & (b - 1)) | ((to_right + n_right) & -b)] = key
        n_right += b


cdef void hand_down_list(
    const Grower* grower, const uint64_t* keys, intp_t n, intp_t j
) noexcept nogil:
    """Part one sorted list into as many as there are children that need it."""
    cdef uint64_t row_mask = ((<uint64_t>1) << grower.problem.row_bits) - 1, key
    cdef intp_t i, b
    cdef Task* child
    cdef intp_t* cursor = grower.cursor
    for b in range(grower.n_branches):
        cursor[b] = 0
    for i in range(n):
        key = keys[i]
        b = grower.branch_of[key & row_mask]
        if b >= 0:
            if grower.alive[b]:
                child = grower.children + b
                child.arena.keys[child.half][
                    j * child.arena.n + child.start + cursor[b]
                ] = key
                cursor[b] += 1
            continue
        for b in range(grower.n_branches):
            if grower.alive[b] and grower.share[b] > 0.0:
                child = grower.children + b
                child.arena.keys[child.half][
                    j * child.arena.n + child.start + cursor[b]
                ] = key
                cursor[b] += 1
    for b in range(grower.n_branches):
        if grower.alive[b] and grower.some_missing:
            grower.children[b].known[j] = <int32_t>cursor[b]


cdef void hand_down_keys(Grower* grower, const View* view) noexcept nogil:
    """Part every sorted list among the children."""
    cdef const Problem* problem = &grower.problem
    cdef Task* left = grower.children
    cdef Task* right = grower.children + 1
    cdef bint pair = (
        grower.n_branches == 2 and grower.alive[0] and grower.alive[1]
        and left.arena == right.arena and not grower.some_missing
    )
    cdef const uint64_t* keys
    cdef intp_t j
    for j in range(problem.n_sorted):
        keys = view.keys + j * view.stride
        if pair:
            hand_down_pair(
                grower, keys, view.n,
                left.arena.keys[left.half] + j * left.arena.n + left.start,
                right.arena.keys[right.half] + j * right.arena.n + right.start
            )
        else:
            hand_down_list(
                grower, keys, view.n if view.known == NULL else view.known[j], j
            )


cdef int hand_down_histogram(Grower* grower, Task* task) except -1 nogil:
    """Give the larger of two children its counts: the node's less the smaller's."""
    cdef const Problem* problem = &grower.problem
    cdef intp_t small = 0 if grower.n_rows[0] <= grower.n_rows[1] else 1, i, n_cells
    cdef Task* child = grower.children + small
    cdef Task* larger = grower.children + (1 - small)
    cdef View view
    cdef int32_t* cells
    cdef int32_t* fewer
    if not (grower.alive[small] and grower.alive[1 - small]) or task.n_dense == 0:
        return 0
    larger.n_dense = dense_prefix(problem, larger.n)
    if larger.n_dense == 0:
        return 0
    view_of(grower, child, &view)
    view.n_dense = larger.n_dense
    child.histogram = new_histogram(problem, view.n_dense, True)
    fill_histogram(problem, &grower.scratch, &view, child.histogram)
    child.n_dense = dense_prefix(problem, child.n)
    larger.histogram = task.histogram
    task.histogram = NULL
    cells = <int32_t*>larger.histogram
    fewer = <int32_t*>child.histogram
    n_cells = problem.offset[larger.n_dense]
    for i in range(n_cells):
        cells[i] -= fewer[i]
    return 0
