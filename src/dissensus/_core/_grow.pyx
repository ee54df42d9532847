"""Grow a whole tree in one compiled call.

A task is a node that may still be split, with its rows (in file order), their weights
and, for the sorted attributes, its keys (`_split.pxd`). Rows and keys of a node lie in
one half of an arena; splitting it writes its sons' parts into the same places of the
other half, so nothing is allocated. Only where rows with a missing value go down
several branches, with parts of their weight, does each son get an arena of its own.
"""

from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from dissensus._core._memory cimport grab, resize
from dissensus._core._nodes cimport (
    MULTIWAY, NUMERIC, ONE_VALUE, Nodes, add_leaves, free_nodes, majority, sum_of,
    to_arrays
)
from dissensus._core._numbers cimport LOG_STEPS, LogStep, eq, gr, sm
from dissensus._core._split cimport (
    Candidate, Problem, Scratch, View, code_t, dense_prefix, fill_histogram, find_split
)
from dissensus._core._typedefs cimport (
    float64_t, int32_t, intp_t, uint8_t, uint16_t, uint32_t, uint64_t
)

# Per step of the mantissa the reciprocal of its middle and minus its logarithm.
_reciprocals = 1.0 / (1.0 + (np.arange(LOG_STEPS) + 0.5) / LOG_STEPS)
LOGARITHMS = np.column_stack(
    [_reciprocals, -np.log2(_reciprocals.astype(np.longdouble)).astype(np.float64)]
)

cdef struct Arena:
    intp_t n                  # rows it has room for
    intp_t users              # tasks that live in it
    uint64_t* keys[2]         # (n_sorted, n)
    int32_t* rows[2]
    float64_t* weights[2]     # NULL: all 1

cdef struct Task:
    intp_t node
    Arena* arena
    int half
    intp_t start
    intp_t n
    int32_t* known            # see View; owned
    intp_t n_dense
    void* histogram           # owned; NULL: not counted yet

cdef struct Grower:
    Problem problem
    Scratch scratch
    Nodes nodes
    Task* stack
    intp_t n_tasks
    intp_t n_slots
    int32_t* branch_of        # (n_rows,) where each row of the node goes; -1: missing
    bint some_missing         # does a sorted attribute have missing values?
    bint actual_thresholds
    # Per branch of the split at hand.
    intp_t n_branches
    float64_t* known_weight
    float64_t* share          # of a row whose value is missing; 0: it does not go there
    intp_t* n_rows
    uint8_t* alive            # will be split further
    Task* sons
    intp_t* cursor


cdef Arena* new_arena(const Problem* problem, intp_t n, bint weighted) except NULL nogil:
    cdef Arena* arena = <Arena*>grab(sizeof(Arena))
    cdef int half
    memset(arena, 0, sizeof(Arena))
    arena.n = n
    for half in range(2):
        arena.keys[half] = <uint64_t*>grab(problem.n_sorted * n * sizeof(uint64_t))
        arena.rows[half] = <int32_t*>grab(n * sizeof(int32_t))
        if weighted:
            arena.weights[half] = <float64_t*>grab(n * sizeof(float64_t))
    return arena


cdef void leave_arena(Arena* arena) noexcept nogil:
    """Count one task less; free the arena with the last."""
    cdef int half
    arena.users -= 1
    if arena.users > 0:
        return
    for half in range(2):
        free(arena.keys[half])
        free(arena.rows[half])
        free(arena.weights[half])
    free(arena)


cdef void drop_task(Task* task) noexcept nogil:
    free(task.known)
    free(task.histogram)
    leave_arena(task.arena)


cdef int push(Grower* grower, const Task* task) except -1 nogil:
    if grower.n_tasks == grower.n_slots:
        grower.n_slots = 2 * grower.n_slots + 64
        resize(<void**>&grower.stack, grower.n_slots * sizeof(Task))
    grower.stack[grower.n_tasks] = task[0]
    grower.n_tasks += 1
    task.arena.users += 1
    return 0


cdef void view_of(const Grower* grower, const Task* task, View* view) noexcept nogil:
    """Set up what a task's node sees."""
    cdef const Nodes* nodes = &grower.nodes
    cdef Arena* arena = task.arena
    view.rows = arena.rows[task.half] + task.start
    view.n = task.n
    view.unit = arena.weights[0] == NULL
    view.class_weight = nodes.value + task.node * nodes.n_classes
    view.total = sum_of(view.class_weight, nodes.n_classes)
    view.keys = arena.keys[task.half] + task.start
    view.stride = arena.n
    view.known = task.known
    view.n_dense = task.n_dense
    view.histogram = task.histogram


cdef void* new_histogram(const Problem* problem, intp_t n_dense, bint unit) except NULL nogil:
    cdef intp_t n_cells = problem.offset[n_dense]
    if unit:
        return grab(n_cells * sizeof(int32_t))
    return grab((n_cells + n_dense) * sizeof(float64_t))


cdef int prepare(Grower* grower, Task* task) except -1 nogil:
    """Lay out the weights of the node's rows and count its histograms."""
    cdef Problem* problem = &grower.problem
    cdef Arena* arena = task.arena
    cdef const float64_t* weights
    cdef View view
    cdef intp_t i
    view_of(grower, task, &view)
    if not view.unit:
        weights = arena.weights[task.half] + task.start
        for i in range(task.n):
            grower.scratch.weight_of[view.rows[i]] = weights[i]
    if task.histogram == NULL:
        task.n_dense = dense_prefix(problem, task.n)
        if task.n_dense > 0:
            task.histogram = new_histogram(problem, task.n_dense, view.unit)
            view.n_dense = task.n_dense
            fill_histogram(problem, &grower.scratch, &view, task.histogram)
    return 0


cdef float64_t cut_value(
    const Grower* grower, intp_t attribute, const Candidate* split
) noexcept nogil:
    """Return the threshold between two ranks."""
    cdef const float64_t* values = grower.problem.values[attribute]
    cdef float64_t low = values[split.low], high = values[split.high]
    cdef float64_t middle = (low + high) / 2.0
    cdef intp_t below = split.low, above = split.high, between
    if middle - middle != 0.0:  # the sum was too large for a double
        middle = low / 2.0 + high / 2.0
    if middle >= high:
        middle = low
    if not grower.actual_thresholds:
        return middle
    while above - below > 1:  # the largest value of the training set not above it
        between = (below + above) // 2
        if values[between] <= middle:
            below = between
        else:
            above = between
    return values[below]


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


cdef intp_t weigh_branches(Grower* grower, const View* view, intp_t first) noexcept nogil:
    """Sum up the sons' weights, row by row; return the number of rows shared out."""
    cdef Nodes* nodes = &grower.nodes
    cdef intp_t k = nodes.n_classes, i, b, n_missing = 0
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
            nodes.value[(first + b) * k + grower.problem.y[row]] += weight
    if n_missing > 0:
        for b in range(grower.n_branches):
            known += grower.known_weight[b]
        for b in range(grower.n_branches):
            nodes.branch_weight[first + b] = missing * (grower.known_weight[b] / known)
            grower.share[b] = grower.known_weight[b] / known
            if not gr(grower.share[b], 0.0):
                grower.share[b] = 0.0
        share_missing(grower, view, first, n_missing)
    for b in range(grower.n_branches):
        nodes.branch_weight[first + b] += grower.known_weight[b]
    return n_missing


cdef void share_missing(
    Grower* grower, const View* view, intp_t first, intp_t n_missing
) noexcept nogil:
    """Add to the sons' weights the rows whose value is missing, in file order."""
    cdef Nodes* nodes = &grower.nodes
    cdef intp_t k = nodes.n_classes, i, b
    cdef int32_t row
    cdef float64_t weight = 1.0
    memset(nodes.value + first * k, 0, grower.n_branches * k * sizeof(float64_t))
    for b in range(grower.n_branches):
        if grower.share[b] > 0.0:
            grower.n_rows[b] += n_missing
    for i in range(view.n):
        row = view.rows[i]
        b = grower.branch_of[row]
        if not view.unit:
            weight = grower.scratch.weight_of[row]
        if b >= 0:
            nodes.value[(first + b) * k + grower.problem.y[row]] += weight
            continue
        for b in range(grower.n_branches):
            if grower.share[b] > 0.0:
                nodes.value[(first + b) * k + grower.problem.y[row]] += (
                    weight * grower.share[b]
                )


cdef bint is_leaf(const Grower* grower, intp_t node) noexcept nogil:
    """Tell whether a node is too light or too pure to be split."""
    cdef intp_t k = grower.nodes.n_classes
    cdef const float64_t* value = grower.nodes.value + node * k
    cdef float64_t total = sum_of(value, k)
    return (
        sm(total, 2.0 * grower.problem.min_leaf)
        or eq(total, value[majority(value, k)])
    )


cdef int plan_sons(
    Grower* grower, const Task* task, intp_t first, bint shared
) except -1 nogil:
    """Find a place for each son that will be split further."""
    cdef intp_t b, k = grower.nodes.n_classes, start = task.start
    cdef Task* son
    for b in range(grower.n_branches):
        son = grower.sons + b
        memset(son, 0, sizeof(Task))
        son.node = first + b
        son.n = grower.n_rows[b]
        grower.nodes.empty[son.node] = eq(
            sum_of(grower.nodes.value + son.node * k, k), 0.0
        )
        grower.alive[b] = not is_leaf(grower, son.node)
        if shared:
            if grower.alive[b]:
                son.arena = new_arena(&grower.problem, son.n, True)
        else:
            son.arena = task.arena
            son.half = 1 - task.half
            son.start = start
            start += son.n
        if grower.alive[b] and grower.some_missing:
            son.known = <int32_t*>grab(grower.problem.n_sorted * sizeof(int32_t))
    return 0


cdef void hand_down_rows(Grower* grower, const View* view) noexcept nogil:
    """Copy rows and weights to the sons, in file order."""
    cdef intp_t i, b, at
    cdef int32_t row
    cdef float64_t weight
    cdef Task* son
    for b in range(grower.n_branches):
        grower.cursor[b] = grower.sons[b].start
    for i in range(view.n):
        row = view.rows[i]
        b = grower.branch_of[row]
        if b >= 0:
            if grower.alive[b]:
                son = grower.sons + b
                at = grower.cursor[b]
                grower.cursor[b] = at + 1
                son.arena.rows[son.half][at] = row
                if son.arena.weights[0] != NULL:
                    weight = 1.0 if view.unit else grower.scratch.weight_of[row]
                    son.arena.weights[son.half][at] = weight
            continue
        weight = 1.0 if view.unit else grower.scratch.weight_of[row]
        for b in range(grower.n_branches):
            if grower.alive[b] and grower.share[b] > 0.0:
                son = grower.sons + b
                at = grower.cursor[b]
                grower.cursor[b] = at + 1
                son.arena.rows[son.half][at] = row
                son.arena.weights[son.half][at] = weight * grower.share[b]


cdef void hand_down_pair(
    const Grower* grower, const uint64_t* keys, intp_t n, uint64_t* left, uint64_t* right
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
    """Part one sorted list into as many as there are sons that need it."""
    cdef uint64_t row_mask = ((<uint64_t>1) << grower.problem.row_bits) - 1, key
    cdef intp_t i, b
    cdef Task* son
    cdef intp_t* cursor = grower.cursor
    for b in range(grower.n_branches):
        cursor[b] = 0
    for i in range(n):
        key = keys[i]
        b = grower.branch_of[key & row_mask]
        if b >= 0:
            if grower.alive[b]:
                son = grower.sons + b
                son.arena.keys[son.half][j * son.arena.n + son.start + cursor[b]] = key
                cursor[b] += 1
            continue
        for b in range(grower.n_branches):
            if grower.alive[b] and grower.share[b] > 0.0:
                son = grower.sons + b
                son.arena.keys[son.half][j * son.arena.n + son.start + cursor[b]] = key
                cursor[b] += 1
    for b in range(grower.n_branches):
        if grower.alive[b] and grower.some_missing:
            grower.sons[b].known[j] = <int32_t>cursor[b]


cdef void hand_down_keys(Grower* grower, const View* view) noexcept nogil:
    """Part every sorted list among the sons."""
    cdef const Problem* problem = &grower.problem
    cdef Task* left = grower.sons
    cdef Task* right = grower.sons + 1
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
    """Give the larger of two sons its counts: the node's less the smaller son's."""
    cdef const Problem* problem = &grower.problem
    cdef intp_t small = 0 if grower.n_rows[0] <= grower.n_rows[1] else 1, i, n_cells
    cdef Task* son = grower.sons + small
    cdef Task* larger = grower.sons + (1 - small)
    cdef View view
    cdef int32_t* cells
    cdef int32_t* fewer
    if not (grower.alive[small] and grower.alive[1 - small]) or task.n_dense == 0:
        return 0
    larger.n_dense = dense_prefix(problem, larger.n)
    if larger.n_dense == 0:
        return 0
    view_of(grower, son, &view)
    view.n_dense = larger.n_dense
    son.histogram = new_histogram(problem, view.n_dense, True)
    fill_histogram(problem, &grower.scratch, &view, son.histogram)
    son.n_dense = dense_prefix(problem, son.n)
    larger.histogram = task.histogram
    task.histogram = NULL
    cells = <int32_t*>larger.histogram
    fewer = <int32_t*>son.histogram
    n_cells = problem.offset[larger.n_dense]
    for i in range(n_cells):
        cells[i] -= fewer[i]
    return 0


cdef int split_node(
    Grower* grower, Task* task, const View* view, intp_t attribute
) except -1 nogil:
    """Split a node and push the sons that may be split in their turn."""
    cdef Problem* problem = &grower.problem
    cdef Nodes* nodes = &grower.nodes
    cdef Candidate* split = grower.scratch.candidates + attribute
    cdef int kind = NUMERIC
    cdef intp_t node = task.node, first, b
    cdef bint shared, some_alive = False
    grower.n_branches = 2
    if problem.is_nominal[attribute]:
        kind = ONE_VALUE if problem.binary else MULTIWAY
        if kind == MULTIWAY:
            grower.n_branches = problem.n_values[attribute]
    first = add_leaves(nodes, node, grower.n_branches)
    nodes.attribute[node] = <int32_t>attribute
    nodes.kind[node] = kind
    nodes.first_child[node] = <int32_t>first
    nodes.n_children[node] = <int32_t>grower.n_branches
    nodes.gain[node] = split.gain
    nodes.gain_ratio[node] = split.ratio
    if kind == NUMERIC:
        nodes.threshold[node] = cut_value(grower, attribute, split)
    elif kind == ONE_VALUE:
        nodes.threshold[node] = split.low
    send_rows(grower, view, attribute, kind, split)
    shared = weigh_branches(grower, view, first) > 0
    plan_sons(grower, task, first, shared)
    for b in range(grower.n_branches):
        some_alive = some_alive or grower.alive[b]
    if some_alive:
        hand_down_rows(grower, view)
        hand_down_keys(grower, view)
        if grower.n_branches == 2 and view.unit and not shared:
            hand_down_histogram(grower, task)
    for b in range(grower.n_branches):
        if grower.alive[b]:
            push(grower, grower.sons + b)
    return 0


cdef int grow_tasks(Grower* grower) except -1 nogil:
    """Split nodes until none is left that can be."""
    cdef Task task
    cdef View view
    cdef intp_t attribute
    while grower.n_tasks > 0:
        grower.n_tasks -= 1
        task = grower.stack[grower.n_tasks]
        prepare(grower, &task)
        view_of(grower, &task, &view)
        attribute = find_split(&grower.problem, &grower.scratch, &view)
        if attribute >= 0:
            # add_leaves may move the class weights that the view points to.
            split_node(grower, &task, &view, attribute)
        drop_task(&task)
    return 0


cdef const void* data_of(object array) except? NULL:
    """Return where the numbers of a contiguous array begin; NULL for None."""
    cdef const uint8_t[::1] view
    if array is None or array.size == 0:
        return NULL
    view = array.reshape(-1).view(np.uint8)
    return &view[0]


cdef const void** pointers(list arrays) except NULL:
    """Return the beginnings of all arrays in the list, which must outlive them."""
    cdef const void** starts = <const void**>grab(len(arrays) * sizeof(void*))
    cdef intp_t i
    for i, array in enumerate(arrays):
        starts[i] = data_of(array)
    return starts


cdef Arena* root_arena(Grower* grower, object encoded, object weights) except NULL:
    """Put all rows, in file order and in the order of each attribute, into an arena."""
    cdef Problem* problem = &grower.problem
    cdef intp_t n = problem.n_rows, i, j
    cdef Arena* arena = new_arena(problem, n, weights is not None)
    cdef const int32_t[::1] order, ranks
    cdef const float64_t[::1] w
    cdef uint64_t* keys
    for i in range(n):
        arena.rows[0][i] = <int32_t>i
    if weights is not None:
        w = weights
        for i in range(n):
            arena.weights[0][i] = w[i]
    for j in range(problem.n_sorted):
        order = encoded.orders[j]
        ranks = encoded.ranks[j]
        keys = arena.keys[0] + j * n
        with nogil:
            for i in range(order.shape[0]):
                keys[i] = (
                    (<uint64_t>ranks[i] << (problem.row_bits + problem.class_bits))
                    | (<uint64_t>problem.y[order[i]] << problem.row_bits)
                    | <uint64_t>order[i]
                )
    return arena


cdef int push_root(Grower* grower, object encoded, object weights) except -1:
    """Make the root and, unless it is a leaf, its task."""
    cdef intp_t n = grower.problem.n_rows, i, k = grower.nodes.n_classes, j
    cdef Task root
    memset(&root, 0, sizeof(Task))
    add_leaves(&grower.nodes, -1, 1)
    root.n = n
    root.arena = root_arena(grower, encoded, weights)
    for i in range(n):
        grower.nodes.value[grower.problem.y[i]] += (
            1.0 if weights is None else root.arena.weights[0][i]
        )
    grower.nodes.branch_weight[0] = sum_of(grower.nodes.value, k)
    for j in range(grower.problem.n_sorted):
        grower.some_missing = grower.some_missing or len(encoded.orders[j]) < n
    if grower.some_missing:
        root.known = <int32_t*>grab(grower.problem.n_sorted * sizeof(int32_t))
        for j in range(grower.problem.n_sorted):
            root.known[j] = <int32_t>len(encoded.orders[j])
    push(grower, &root)
    if is_leaf(grower, 0):
        grower.n_tasks = 0
        drop_task(&root)
    return 0


cdef int make_scratch(Grower* grower) except -1:
    cdef Problem* problem = &grower.problem
    cdef Scratch* scratch = &grower.scratch
    cdef intp_t n = problem.n_rows, k = problem.n_classes, a, most = 2
    cdef intp_t most_coded = 0
    if problem.n_coded > 0:
        most_coded = problem.n_values[problem.coded[problem.n_coded - 1]]
    for a in range(problem.n_attributes):
        if problem.is_nominal[a] and problem.n_values[a] > most:
            most = problem.n_values[a]
    scratch.weight_of = <float64_t*>grab(n * sizeof(float64_t))
    scratch.sums = <float64_t*>grab(4 * k * sizeof(float64_t))
    scratch.counts = <int32_t*>grab(2 * k * sizeof(int32_t))
    scratch.node_sides = <uint64_t*>grab(k * sizeof(uint64_t))
    scratch.row_words = <uint64_t*>grab(n * sizeof(uint64_t))
    scratch.row_codes = <int32_t*>grab(n * sizeof(int32_t))
    scratch.places = <int32_t*>grab((most_coded + 1) * sizeof(int32_t))
    scratch.cells = grab((most + 1) * k * sizeof(float64_t))
    memset(scratch.cells, 0, (most + 1) * k * sizeof(float64_t))
    scratch.keys = <uint64_t*>grab(2 * n * sizeof(uint64_t))
    scratch.candidates = <Candidate*>grab(problem.n_attributes * sizeof(Candidate))
    grower.branch_of = <int32_t*>grab(n * sizeof(int32_t))
    grower.known_weight = <float64_t*>grab(most * sizeof(float64_t))
    grower.share = <float64_t*>grab(most * sizeof(float64_t))
    grower.n_rows = <intp_t*>grab(most * sizeof(intp_t))
    grower.alive = <uint8_t*>grab(most * sizeof(uint8_t))
    grower.sons = <Task*>grab(most * sizeof(Task))
    grower.cursor = <intp_t*>grab(most * sizeof(intp_t))
    return 0


cdef void free_grower(Grower* grower) noexcept:
    cdef intp_t i
    for i in range(grower.n_tasks):
        drop_task(grower.stack + i)
    free(grower.stack)
    free_nodes(&grower.nodes)
    free(grower.scratch.weight_of)
    free(grower.scratch.sums)
    free(grower.scratch.counts)
    free(grower.scratch.node_sides)
    free(grower.scratch.row_words)
    free(grower.scratch.row_codes)
    free(grower.scratch.places)
    free(grower.scratch.cells)
    free(grower.scratch.keys)
    free(grower.scratch.candidates)
    free(grower.branch_of)
    free(grower.known_weight)
    free(grower.share)
    free(grower.n_rows)
    free(grower.alive)
    free(grower.sons)
    free(grower.cursor)
    free(<void*>grower.problem.values)
    free(<void*>grower.problem.next_apart)


def grow(
    encoded, y, weights, intp_t n_classes, *, in_mean, float64_t min_leaf, bint binary, bint mdl, bint actual_thresholds,
):
    """Grow a tree, unpruned, and return its nodes as a dictionary of arrays.

    Parameters
    ----------
    encoded : Encoded
        The attributes of all training rows.
    y : ndarray of shape (n_rows,), int32
        Class codes.
    weights : ndarray of shape (n_rows,), float64, or None
        Weights of the rows; None if all are 1.
    """
    cdef Grower grower
    cdef Problem* problem = &grower.problem
    memset(&grower, 0, sizeof(Grower))
    problem.n_rows = encoded.n_rows
    problem.n_attributes = len(encoded.is_nominal)
    problem.n_classes = n_classes
    problem.y = <const int32_t*>data_of(y)
    problem.is_nominal = <const uint8_t*>data_of(encoded.is_nominal)
    problem.in_mean = <const uint8_t*>data_of(in_mean)
    problem.n_values = <const int32_t*>data_of(encoded.n_values)
    problem.reach = <const int32_t*>data_of(encoded.reach)
    problem.n_coded = len(encoded.coded)
    problem.code_bytes = encoded.codes.itemsize
    problem.codes = data_of(encoded.codes)
    problem.coded = <const int32_t*>data_of(encoded.coded)
    offset = np.zeros(problem.n_coded + 1, dtype=np.intp)
    np.cumsum((encoded.n_values[encoded.coded] + 1) * n_classes, out=offset[1:])
    problem.offset = <const intp_t*>data_of(offset)
    problem.n_sorted = len(encoded.sorted)
    problem.sorted = <const int32_t*>data_of(encoded.sorted)
    problem.row_bits = max(1, int(problem.n_rows - 1).bit_length())
    problem.class_bits = int(n_classes - 1).bit_length()
    if problem.class_bits + 2 * problem.row_bits > 64:
        raise ValueError(
            f"{problem.n_rows} rows with {n_classes} classes do not fit the 64-bit sort"
            " keys of the tree; fit on fewer rows or merge rare classes."
        )
    numbers = np.arange(1, problem.n_rows + 2, dtype=np.float64)
    nlogn = np.concatenate([[0.0], numbers * np.log2(numbers)])
    step = np.diff(nlogn)
    problem.nlogn = <const float64_t*>data_of(nlogn)
    problem.step = <const float64_t*>data_of(step)
    problem.log_steps = <const LogStep*>data_of(LOGARITHMS)
    problem.min_leaf = min_leaf
    problem.binary = binary
    problem.mdl = mdl
    grower.actual_thresholds = actual_thresholds
    grower.nodes.n_classes = n_classes
    try:
        problem.values = <const float64_t**>pointers(encoded.values)
        problem.next_apart = <const int32_t**>pointers(encoded.next_apart)
        make_scratch(&grower)
        push_root(&grower, encoded, weights)
        with nogil:
            grow_tasks(&grower)
        return to_arrays(&grower.nodes)
    finally:
        free_grower(&grower)
