"""Grow a whole tree in one compiled call.

A stack holds the nodes that may still be split, as tasks (`_arena.pxd`). Each in turn
is looked through for its best split (`_split.pxd`), its rows are handed down to its
sons (`_branches.pxd`), and those that may be split become tasks.
"""

from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core._arena cimport (
    Arena, Grower, Task, drop_task, new_arena, new_histogram, push, view_of
)
from dissensus._core._branches cimport (
    hand_down_histogram, hand_down_keys, hand_down_rows, send_rows, weigh_branches,
    weigh_counted
)
from dissensus._core._columns cimport start_of
from dissensus._core._few cimport free_few, narrow, new_few
from dissensus._core._memory cimport grab
from dissensus._core._nodes cimport (
    MULTIWAY, NUMERIC, ONE_VALUE, Nodes, add_leaves, count_classes, free_nodes,
    majority, sum_of, to_arrays
)
from dissensus._core._numbers cimport LOG_STEPS, LogStep, eq, sm
from dissensus._core._split cimport (
    Candidate, Problem, Scratch, View, dense_prefix, fill_histogram, find_split
)
from dissensus._core._typedefs cimport float64_t, int32_t, intp_t, uint8_t, uint64_t

# Per step of the mantissa the reciprocal of its middle and minus its logarithm.
_reciprocals = 1.0 / (1.0 + (np.arange(LOG_STEPS) + 0.5) / LOG_STEPS)
LOGARITHMS = np.column_stack(
    [_reciprocals, -np.log2(_reciprocals.astype(np.longdouble)).astype(np.float64)]
)
kept_table = (np.zeros(1), np.zeros(0))  # see information_table


cdef void find_live(Grower* grower, intp_t node) noexcept nogil:
    """List the coded attributes that may still be split at a node."""
    cdef const Problem* problem = &grower.problem
    cdef const Nodes* nodes = &grower.nodes
    cdef intp_t j, attribute, n_live = 0
    memset(grower.spent, 0, problem.n_attributes)
    while node > 0:
        node = nodes.parent[node]
        if nodes.kind[node] == MULTIWAY:
            grower.spent[nodes.attribute[node]] = True
    for j in range(problem.n_coded):
        attribute = problem.coded[j]
        if attribute < problem.n_attributes and not grower.spent[attribute]:
            grower.live[n_live] = <int32_t>j
            n_live += 1
    grower.n_live = n_live


cdef const Problem* prepare(
    Grower* grower, Task* task, View* view
) except NULL nogil:
    """Lay out the weights of the node's rows and count its histograms.

    Return what `find_split` is to be asked with: a node of few classes has a problem
    and a view of its own.
    """
    cdef const Problem* problem = &grower.problem
    cdef Arena* arena = task.arena
    cdef const float64_t* weights
    cdef intp_t i
    find_live(grower, task.node)
    view_of(grower, task, view)
    if not view.unit:
        weights = arena.weights[task.half] + task.start
        for i in range(task.n):
            grower.scratch.weight_of[view.rows[i]] = weights[i]
    if task.histogram == NULL:
        task.narrow = narrow(&grower.few, problem, view)
        if task.narrow:
            problem = &grower.few.problem
        task.n_dense = dense_prefix(problem, task.n)
        if task.n_dense > 0:
            task.histogram = new_histogram(problem, task.n_dense, view.unit)
            view.n_dense = task.n_dense
            view.histogram = task.histogram
            fill_histogram(problem, &grower.scratch, view, task.histogram)
    return problem


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
        grower.alive[b] = not (grower.only_root or is_leaf(grower, son.node))
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


cdef int split_node(
    Grower* grower, Task* task, const View* view, intp_t attribute
) except -1 nogil:
    """Split a node and push the sons that may be split in their turn."""
    cdef Problem* problem = &grower.problem
    cdef Nodes* nodes = &grower.nodes
    cdef Candidate* split = grower.scratch.candidates + attribute
    cdef int kind = NUMERIC
    cdef intp_t node = task.node, first, b
    cdef bint shared, counted, some_alive = False
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
    counted = weigh_counted(grower, task, view, attribute, kind, split, first)
    shared = False
    if not counted:
        send_rows(grower, view, attribute, kind, split)
        shared = weigh_branches(grower, view, first) > 0
    plan_sons(grower, task, first, shared)
    for b in range(grower.n_branches):
        some_alive = some_alive or grower.alive[b]
    if some_alive:
        if counted:
            send_rows(grower, view, attribute, kind, split)
        hand_down_rows(grower, view, shared)
        hand_down_keys(grower, view)
        if grower.n_branches == 2 and view.unit and not (shared or task.narrow):
            hand_down_histogram(grower, task)
    for b in range(grower.n_branches):
        if grower.alive[b]:
            push(grower, grower.sons + b)
    return 0


cdef int grow_tasks(Grower* grower) except -1 nogil:
    """Split nodes until none is left that can be."""
    cdef Task task
    cdef View view
    cdef const Problem* problem
    cdef intp_t attribute
    while grower.n_tasks > 0:
        grower.n_tasks -= 1
        task = grower.stack[grower.n_tasks]
        problem = prepare(grower, &task, &view)
        attribute = find_split(problem, &grower.scratch, &view)
        if attribute >= 0:
            view_of(grower, &task, &view)
            # add_leaves may move the class weights that the view points to.
            split_node(grower, &task, &view, attribute)
        drop_task(&task)
    return 0


cdef const void** pointers(list arrays) except NULL:
    """Return the beginnings of all arrays in the list, which must outlive them."""
    cdef const void** starts = <const void**>grab(len(arrays) * sizeof(void*))
    cdef intp_t i
    for i, array in enumerate(arrays):
        starts[i] = start_of(array)
    return starts


cdef struct Lists:
    # What the keys of the root are made of, per sorted attribute.
    const int32_t** orders
    const int32_t** ranks
    intp_t* n_known
    const float64_t* weights  # of the rows; NULL: all 1


cdef int open_lists(Lists* lists, object encoded, object weights) except -1:
    cdef intp_t n = len(encoded.orders), j
    lists.n_known = <intp_t*>grab(n * sizeof(intp_t))
    for j in range(n):
        lists.n_known[j] = len(encoded.orders[j])
    lists.orders = <const int32_t**>pointers(encoded.orders)
    lists.ranks = <const int32_t**>pointers(encoded.ranks)
    lists.weights = <const float64_t*>start_of(weights)
    return 0


cdef void free_lists(Lists* lists) noexcept:
    free(<void*>lists.orders)
    free(<void*>lists.ranks)
    free(lists.n_known)


cdef Arena* root_arena(Grower* grower, const Lists* lists) except NULL nogil:
    """Put all rows, in file order and in the order of each attribute, into an arena."""
    cdef Problem* problem = &grower.problem
    cdef intp_t n = problem.n_rows, i, j
    cdef Arena* arena = new_arena(problem, n, lists.weights != NULL)
    cdef const int32_t* order
    cdef const int32_t* ranks
    cdef uint64_t* keys
    for i in range(n):
        arena.rows[0][i] = <int32_t>i
    if lists.weights != NULL:
        memcpy(arena.weights[0], lists.weights, n * sizeof(float64_t))
    for j in range(problem.n_sorted):
        order, ranks = lists.orders[j], lists.ranks[j]
        keys = arena.keys[0] + j * n
        for i in range(lists.n_known[j]):
            keys[i] = (
                (<uint64_t>ranks[i] << (problem.row_bits + problem.class_bits))
                | (<uint64_t>problem.y[order[i]] << problem.row_bits)
                | <uint64_t>order[i]
            )
    return arena


cdef int push_root(Grower* grower, const Lists* lists) except -1 nogil:
    """Make the root and, unless it is a leaf, its task."""
    cdef intp_t n = grower.problem.n_rows, i, k = grower.nodes.n_classes, j
    cdef Task root
    memset(&root, 0, sizeof(Task))
    add_leaves(&grower.nodes, -1, 1)
    root.n = n
    root.arena = root_arena(grower, lists)
    if lists.weights == NULL:
        count_classes(
            grower.problem.y, NULL, n, k, grower.scratch.counts, grower.nodes.value
        )
    else:
        for i in range(n):
            grower.nodes.value[grower.problem.y[i]] += lists.weights[i]
    grower.nodes.branch_weight[0] = sum_of(grower.nodes.value, k)
    for j in range(grower.problem.n_sorted):
        grower.some_missing = grower.some_missing or lists.n_known[j] < n
    if grower.some_missing:
        root.known = <int32_t*>grab(grower.problem.n_sorted * sizeof(int32_t))
        for j in range(grower.problem.n_sorted):
            root.known[j] = <int32_t>lists.n_known[j]
    push(grower, &root)
    if is_leaf(grower, 0):
        grower.n_tasks = 0
        drop_task(&root)
    return 0


cdef int make_scratch(Grower* grower) except -1:
    cdef Problem* problem = &grower.problem
    cdef Scratch* scratch = &grower.scratch
    cdef intp_t n = problem.n_rows, k = problem.n_classes, a, most = 2
    cdef intp_t most_coded = 0, n_cells
    if problem.n_coded > 0:
        most_coded = problem.n_values[problem.coded[problem.n_coded - 1]]
    for a in range(problem.n_attributes):
        if problem.is_nominal[a] and problem.n_values[a] > most:
            most = problem.n_values[a]
    scratch.weight_of = <float64_t*>grab(n * sizeof(float64_t))
    scratch.sums = <float64_t*>grab(4 * k * sizeof(float64_t))
    scratch.counts = <int32_t*>grab((2 * k + 1) * sizeof(int32_t))
    scratch.node_sides = <uint64_t*>grab(k * sizeof(uint64_t))
    scratch.row_words = <uint64_t*>grab(n * sizeof(uint64_t))
    scratch.row_classes = <int32_t*>grab(n * sizeof(int32_t))
    scratch.row_codes = <int32_t*>grab(n * sizeof(int32_t))
    scratch.places = <int32_t*>grab((most_coded + 1) * sizeof(int32_t))
    scratch.cells = grab((most + 1) * k * sizeof(float64_t))
    memset(scratch.cells, 0, (most + 1) * k * sizeof(float64_t))
    scratch.keys = <uint64_t*>grab(2 * n * sizeof(uint64_t))
    if problem.extra != NULL:
        n_cells = (most + 1) * (problem.n_extra + 2)
        scratch.extra_cells = <float64_t*>grab(n_cells * sizeof(float64_t))
        memset(scratch.extra_cells, 0, n_cells * sizeof(float64_t))
    scratch.candidates = <Candidate*>grab(problem.n_attributes * sizeof(Candidate))
    grower.live = <int32_t*>grab(problem.n_coded * sizeof(int32_t))
    grower.spent = <uint8_t*>grab(problem.n_attributes)
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
    free_few(&grower.few)
    free(grower.scratch.weight_of)
    free(grower.scratch.sums)
    free(grower.scratch.counts)
    free(grower.scratch.node_sides)
    free(grower.scratch.row_words)
    free(grower.scratch.row_classes)
    free(grower.scratch.row_codes)
    free(grower.scratch.places)
    free(grower.scratch.cells)
    free(grower.scratch.keys)
    free(grower.scratch.extra_cells)
    free(grower.scratch.candidates)
    free(grower.live)
    free(grower.spent)
    free(grower.branch_of)
    free(grower.known_weight)
    free(grower.share)
    free(grower.n_rows)
    free(grower.alive)
    free(grower.sons)
    free(grower.cursor)
    free(<void*>grower.problem.values)
    free(<void*>grower.problem.next_apart)


cdef tuple information_table(intp_t n_rows):
    """Return n log2 n, and what one more adds, for n from 0 to at least n_rows.

    Small ones are kept for the next tree.
    """
    global kept_table
    if n_rows < len(kept_table[1]):
        return kept_table
    numbers = np.arange(1, n_rows + 2, dtype=np.float64)
    nlogn = np.concatenate([[0.0], numbers * np.log2(numbers)])
    table = nlogn, np.diff(nlogn)
    if n_rows <= 1 << 16:
        kept_table = table
    return table


cdef tuple open_problem(Problem* problem, object encoded, object y, object in_mean):
    """Point the problem to the arrays; the answer holds those that were made here."""
    cdef intp_t n_classes = problem.n_classes
    problem.n_rows = encoded.n_rows
    problem.n_attributes = encoded.n_attributes
    problem.y = <const int32_t*>start_of(y)
    problem.is_nominal = <const uint8_t*>start_of(encoded.is_nominal)
    problem.in_mean = <const uint8_t*>start_of(in_mean)
    problem.n_values = <const int32_t*>start_of(encoded.n_values)
    problem.reach = <const int32_t*>start_of(encoded.reach)
    problem.n_coded = len(encoded.coded)
    problem.code_bytes = encoded.codes.itemsize
    problem.codes = start_of(encoded.codes)
    problem.coded = <const int32_t*>start_of(encoded.coded)
    problem.n_sorted = len(encoded.sorted)
    problem.sorted = <const int32_t*>start_of(encoded.sorted)
    problem.row_bits = max(1, int(problem.n_rows - 1).bit_length())
    problem.class_bits = int(n_classes - 1).bit_length()
    if problem.class_bits + 2 * problem.row_bits > 64:
        raise ValueError(
            f"{problem.n_rows} rows with {n_classes} classes do not fit the 64-bit sort"
            " keys of the tree; fit on fewer rows or merge rare classes."
        )
    offset = np.zeros(problem.n_coded + 1, dtype=np.intp)
    np.cumsum((encoded.n_values[encoded.coded] + 1) * n_classes, out=offset[1:])
    nlogn, step = information_table(problem.n_rows)
    problem.offset = <const intp_t*>start_of(offset)
    problem.nlogn = <const float64_t*>start_of(nlogn)
    problem.step = <const float64_t*>start_of(step)
    problem.log_steps = <const LogStep*>start_of(LOGARITHMS)
    problem.values = <const float64_t**>pointers(encoded.values)
    problem.next_apart = <const int32_t**>pointers(encoded.next_apart)
    return offset, nlogn, step


def grow(
    encoded, y, weights, intp_t n_classes, *,
    in_mean, float64_t min_leaf, bint binary, bint mdl, bint actual_thresholds,
    bint only_root=False, extra=None, intp_t n_extra=0, float64_t extra_weight=0.0,
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
    n_classes : int
        Number of classes.
    in_mean : ndarray of shape (n_attributes,), uint8
        Whose gain counts in the mean of gains.
    min_leaf : float
        Least weight of two branches of every split.
    binary, mdl, actual_thresholds : bool
        The parameters of `C45Classifier` that begin so.
    only_root : bool
        Split the root and nothing else: the search for the split of one node.
    extra : ndarray of shape (n_rows,), int32, or None
        Codes of an extra task, -1 for missing, whose gain is added to the class's.
    n_extra : int
        Number of these codes.
    extra_weight : float
        What the gain of the extra task is multiplied by.
    """
    cdef Grower grower
    cdef Lists lists
    memset(&grower, 0, sizeof(Grower))
    memset(&lists, 0, sizeof(Lists))
    grower.nodes.n_classes = n_classes
    grower.actual_thresholds = actual_thresholds
    grower.only_root = only_root
    grower.problem.n_classes = n_classes
    grower.problem.min_leaf = min_leaf
    grower.problem.binary = binary
    grower.problem.mdl = mdl
    grower.problem.extra = <const int32_t*>start_of(extra)
    grower.problem.n_extra = n_extra
    grower.problem.extra_weight = extra_weight
    try:
        _kept = open_problem(&grower.problem, encoded, y, in_mean)
        make_scratch(&grower)
        new_few(&grower.few, &grower.problem)
        open_lists(&lists, encoded, weights)
        with nogil:
            push_root(&grower, &lists)
            grow_tasks(&grower)
        return to_arrays(&grower.nodes)
    finally:
        free_lists(&lists)
        free_grower(&grower)
