"""Grow a whole tree in one compiled call.

A stack holds the nodes that may still be split, as tasks (`_arena.pxd`). Each in turn
is looked through for its best split (`_split.pxd`), its rows are handed down to its
children (`_branches.pxd`), and those that may be split become tasks.
"""

from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core.tree._arena cimport (
    Arena, Grower, Task, drop_task, free_tasks, give_arena, new_histogram, push, view_of
)
from dissensus._core.tree._branches cimport (
    hand_down_histogram, hand_down_keys, hand_down_rows, send_rows, weigh_branches,
    weigh_counted
)
from dissensus._core.common._columns cimport (
    CODES, FLOAT64, INT32, INTP, UINT8, Item, start_of
)
from dissensus._core.tree._few_classes cimport free_few, narrow, new_few
from dissensus._core.common._memory cimport grab, release, times
from dissensus._core.tree._nodes cimport (
    MULTIWAY, NUMERIC, ONE_VALUE, Nodes, add_leaves, count_classes, free_nodes,
    to_arrays
)
from dissensus._core.common._numbers cimport LOG_STEPS, LogStep, equal, smaller
from dissensus._core.tree._problem cimport Candidate, Problem, Scratch, View
from dissensus._core.tree._split cimport dense_prefix, fill_histogram, find_split
from dissensus._core.common._typedefs cimport (
    float64_t, int32_t, intp_t, uint8_t, uint64_t
)
from dissensus._core.tree._class_weights cimport read_weights, store_weights

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
    read_weights(&grower.nodes.weights, task.node, grower.class_weight)
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
    cdef float64_t total = grower.nodes.weights.total[node]
    return (
        smaller(total, 2.0 * grower.problem.min_leaf)
        or equal(total, grower.nodes.weights.most[node])
    )


cdef int plan_children(
    Grower* grower, const Task* task, intp_t first, bint shared
) except -1 nogil:
    """Store the children's class weights; find a place for each to be split further."""
    cdef intp_t b, k = grower.problem.n_classes, start = task.start
    cdef Nodes* nodes = &grower.nodes
    cdef Task* child
    for b in range(grower.n_branches):
        child = grower.children + b
        memset(child, 0, sizeof(Task))
        grower.n_planned = b + 1
        child.node = first + b
        child.n = grower.n_rows[b]
        store_weights(&nodes.weights, child.node, grower.branch_classes + b * k)
        nodes.empty[child.node] = equal(nodes.weights.total[child.node], 0.0)
        grower.alive[b] = not (grower.only_root or is_leaf(grower, child.node))
        if shared:
            if grower.alive[b]:
                give_arena(child, &grower.problem, child.n, True)
        else:
            child.arena = task.arena
            child.half = 1 - task.half
            child.start = start
            start += child.n
        if grower.alive[b] and grower.some_missing:
            child.known = <int32_t*>grab(
                grower.problem.n_sorted, sizeof(int32_t), b"Lengths of sorted lists"
            )
    return 0


cdef int split_node(
    Grower* grower, Task* task, const View* view, intp_t attribute
) except -1 nogil:
    """Split a node and push the children that may be split in their turn."""
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
    memset(
        grower.branch_classes, 0,
        grower.n_branches * problem.n_classes * sizeof(float64_t)
    )
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
    plan_children(grower, task, first, shared)
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
            push(grower, grower.children + b)
    grower.n_planned = 0
    return 0


cdef int grow_tasks(Grower* grower) except -1 nogil:
    """Split nodes until none is left that can be."""
    cdef View view
    cdef const Problem* problem
    cdef intp_t attribute
    while grower.n_tasks > 0:
        grower.n_tasks -= 1
        grower.task = grower.stack[grower.n_tasks]
        problem = prepare(grower, &grower.task, &view)
        attribute = find_split(problem, &grower.scratch, &view)
        if attribute >= 0:
            split_node(grower, &grower.task, &view, attribute)
        drop_task(&grower.task)
    return 0


cdef int point_to(const void*** starts, list arrays, Item item) except -1:
    """Point to the beginnings of all arrays in the list, which must outlive them."""
    cdef intp_t i
    starts[0] = <const void**>grab(len(arrays), sizeof(void*), b"Columns")
    for i, array in enumerate(arrays):
        starts[0][i] = start_of(array, item, 0)
    return 0


cdef struct Lists:
    # What the keys of the root are made of, per sorted attribute.
    const int32_t** orders
    const int32_t** ranks
    intp_t* n_known
    const float64_t* weights  # of the rows; NULL: all 1


cdef int open_lists(Lists* lists, object encoded, object weights) except -1:
    cdef intp_t n = len(encoded.orders), j
    lists.n_known = <intp_t*>grab(n, sizeof(intp_t), b"Columns")
    for j in range(n):
        lists.n_known[j] = len(encoded.orders[j])
        if not len(encoded.ranks[j]) == lists.n_known[j] <= encoded.n_rows:
            raise ValueError("The ranks of a sorted column do not match its rows.")
    point_to(<const void***>&lists.orders, encoded.orders, INT32)
    point_to(<const void***>&lists.ranks, encoded.ranks, INT32)
    lists.weights = <const float64_t*>start_of(weights, FLOAT64, encoded.n_rows)
    return 0


cdef void free_lists(Lists* lists) noexcept:
    release(lists.orders)
    release(lists.ranks)
    release(lists.n_known)


cdef void fill_arena(
    Arena* arena, const Problem* problem, const Lists* lists
) noexcept nogil:
    """Put all rows in, in file order and in the order of each attribute."""
    cdef intp_t n = problem.n_rows, i, j
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


cdef void weigh_root(Grower* grower, const Lists* lists) noexcept nogil:
    """Sum up the class weights of all rows."""
    cdef const Problem* problem = &grower.problem
    cdef intp_t i
    memset(grower.class_weight, 0, problem.n_classes * sizeof(float64_t))
    if lists.weights == NULL:
        count_classes(
            problem.y, NULL, problem.n_rows, problem.n_classes, grower.scratch.counts,
            grower.class_weight
        )
    else:
        for i in range(problem.n_rows):
            grower.class_weight[problem.y[i]] += lists.weights[i]


cdef int push_root(Grower* grower, const Lists* lists) except -1 nogil:
    """Make the root and, unless it is a leaf, its task."""
    cdef const Problem* problem = &grower.problem
    cdef intp_t n = problem.n_rows, j
    cdef Task* root = &grower.task
    add_leaves(&grower.nodes, -1, 1)
    weigh_root(grower, lists)
    store_weights(&grower.nodes.weights, 0, grower.class_weight)
    grower.nodes.branch_weight[0] = grower.nodes.weights.total[0]
    if is_leaf(grower, 0):
        return 0
    root.n = n
    give_arena(root, problem, n, lists.weights != NULL)
    fill_arena(root.arena, problem, lists)
    for j in range(problem.n_sorted):
        grower.some_missing = grower.some_missing or lists.n_known[j] < n
    if grower.some_missing:
        root.known = <int32_t*>grab(
            problem.n_sorted, sizeof(int32_t), b"Lengths of sorted lists"
        )
        for j in range(problem.n_sorted):
            root.known[j] = <int32_t>lists.n_known[j]
    push(grower, root)
    return 0


cdef intp_t most_values(const Problem* problem) noexcept nogil:
    """Return the number of values of the nominal attribute that has most, at least 2.
    """
    cdef intp_t a, most = 2
    for a in range(problem.n_attributes):
        if problem.is_nominal[a] and problem.n_values[a] > most:
            most = problem.n_values[a]
    return most


cdef int make_scratch(Grower* grower) except -1 nogil:
    """Make room for the search of a split."""
    cdef Problem* problem = &grower.problem
    cdef Scratch* scratch = &grower.scratch
    cdef const char* rows = b"Rows of a node"
    cdef const char* cells = b"Counts of values and classes"
    cdef intp_t n = problem.n_rows, k = problem.n_classes, most_coded = 0
    cdef intp_t most = most_values(problem), n_cells = times(most + 1, k, cells)
    if problem.n_coded > 0:
        most_coded = problem.n_values[problem.coded[problem.n_coded - 1]]
    scratch.weight_of = <float64_t*>grab(n, sizeof(float64_t), rows)
    scratch.sums = <float64_t*>grab(k, 4 * sizeof(float64_t), cells)
    scratch.counts = <int32_t*>grab(2 * k + 1, sizeof(int32_t), cells)
    scratch.node_sides = <uint64_t*>grab(k, sizeof(uint64_t), cells)
    scratch.row_words = <uint64_t*>grab(n, sizeof(uint64_t), rows)
    scratch.row_classes = <int32_t*>grab(n, sizeof(int32_t), rows)
    scratch.row_codes = <int32_t*>grab(n, sizeof(int32_t), rows)
    scratch.places = <int32_t*>grab(most_coded + 1, sizeof(int32_t), rows)
    scratch.cells = grab(n_cells, sizeof(float64_t), cells)
    memset(scratch.cells, 0, n_cells * sizeof(float64_t))
    scratch.keys = <uint64_t*>grab(n, 2 * sizeof(uint64_t), rows)
    if problem.extra != NULL:
        n_cells = times(most + 1, problem.n_extra + 2, cells)
        scratch.extra_cells = <float64_t*>grab(n_cells, sizeof(float64_t), cells)
        memset(scratch.extra_cells, 0, n_cells * sizeof(float64_t))
    scratch.candidates = <Candidate*>grab(
        problem.n_attributes, sizeof(Candidate), b"Candidates for a split"
    )
    return 0


cdef int make_room(Grower* grower) except -1 nogil:
    """Make room for the node at hand and its branches."""
    cdef Problem* problem = &grower.problem
    cdef const char* branches = b"Branches of a node"
    cdef intp_t n = problem.n_rows, k = problem.n_classes
    cdef intp_t most = 2 if problem.binary else most_values(problem)
    grower.live = <int32_t*>grab(problem.n_coded, sizeof(int32_t), b"Columns")
    grower.spent = <uint8_t*>grab(problem.n_attributes, 1, b"Columns")
    grower.branch_of = <int32_t*>grab(n, sizeof(int32_t), b"Rows of a node")
    grower.class_weight = <float64_t*>grab(k, sizeof(float64_t), branches)
    grower.branch_classes = <float64_t*>grab(
        times(most, k, branches), sizeof(float64_t), b"Class weights of branches"
    )
    grower.known_weight = <float64_t*>grab(most, sizeof(float64_t), branches)
    grower.share = <float64_t*>grab(most, sizeof(float64_t), branches)
    grower.n_rows = <intp_t*>grab(most, sizeof(intp_t), branches)
    grower.alive = <uint8_t*>grab(most, sizeof(uint8_t), branches)
    grower.children = <Task*>grab(most, sizeof(Task), branches)
    grower.cursor = <intp_t*>grab(most, sizeof(intp_t), branches)
    return 0


cdef void free_scratch(Scratch* scratch) noexcept nogil:
    release(scratch.weight_of)
    release(scratch.sums)
    release(scratch.counts)
    release(scratch.node_sides)
    release(scratch.row_words)
    release(scratch.row_classes)
    release(scratch.row_codes)
    release(scratch.places)
    release(scratch.cells)
    release(scratch.keys)
    release(scratch.extra_cells)
    release(scratch.candidates)


cdef void free_grower(Grower* grower) noexcept nogil:
    free_tasks(grower)
    free_nodes(&grower.nodes)
    free_few(&grower.few)
    free_scratch(&grower.scratch)
    release(grower.live)
    release(grower.spent)
    release(grower.branch_of)
    release(grower.class_weight)
    release(grower.branch_classes)
    release(grower.known_weight)
    release(grower.share)
    release(grower.n_rows)
    release(grower.alive)
    release(grower.cursor)
    release(grower.problem.values)
    release(grower.problem.next_apart)


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


cdef int set_offsets(const Problem* problem, intp_t* offset) except -1 nogil:
    """Find where the cells of each coded attribute begin in a histogram."""
    cdef intp_t j, n_values = 0
    offset[0] = 0
    for j in range(problem.n_coded):
        n_values += <intp_t>problem.n_values[problem.coded[j]] + 1
        offset[j + 1] = times(n_values, problem.n_classes, b"Histograms of a node")
    return 0


cdef tuple open_problem(Problem* problem, object encoded, object y, object in_mean):
    """Point the problem to the arrays; the answer holds those that were made here."""
    cdef intp_t n_classes = problem.n_classes
    cdef intp_t n = encoded.n_rows, n_listed = len(encoded.n_values)
    problem.n_rows = n
    problem.n_attributes = encoded.n_attributes
    problem.n_coded = len(encoded.coded)
    problem.n_sorted = len(encoded.sorted)
    problem.y = <const int32_t*>start_of(y, INT32, n)
    problem.in_mean = <const uint8_t*>start_of(in_mean, UINT8, problem.n_attributes)
    problem.is_nominal = <const uint8_t*>start_of(encoded.is_nominal, UINT8, n_listed)
    problem.n_values = <const int32_t*>start_of(encoded.n_values, INT32, n_listed)
    problem.reach = <const int32_t*>start_of(encoded.reach, INT32, n_listed)
    problem.code_bytes = encoded.codes.itemsize
    problem.codes = start_of(encoded.codes, CODES, n * problem.n_coded)
    problem.coded = <const int32_t*>start_of(encoded.coded, INT32, 0)
    problem.sorted = <const int32_t*>start_of(encoded.sorted, INT32, 0)
    problem.row_bits = max(1, int(problem.n_rows - 1).bit_length())
    problem.class_bits = int(n_classes - 1).bit_length()
    if problem.class_bits + 2 * problem.row_bits > 64:
        raise ValueError(
            f"{problem.n_rows} rows with {n_classes} classes do not fit the 64-bit sort"
            " keys of the tree; fit on fewer rows or merge rare classes."
        )
    offset = np.empty(problem.n_coded + 1, dtype=np.intp)
    problem.offset = <const intp_t*>start_of(offset, INTP, 0)
    set_offsets(problem, <intp_t*>problem.offset)
    nlogn, step = information_table(problem.n_rows)
    problem.nlogn = <const float64_t*>start_of(nlogn, FLOAT64, problem.n_rows + 1)
    problem.step = <const float64_t*>start_of(step, FLOAT64, problem.n_rows)
    problem.log_steps = <const LogStep*>start_of(LOGARITHMS, FLOAT64, 2 * LOG_STEPS)
    point_to(<const void***>&problem.values, encoded.values, FLOAT64)
    point_to(<const void***>&problem.next_apart, encoded.next_apart, INT32)
    return offset, nlogn, step


def grow(
    encoded, y, weights, intp_t n_classes, *,
    in_mean, float64_t min_leaf, bint binary, bint mdl, bint actual_thresholds,
    bint only_root=False, extra=None, intp_t n_extra=0, float64_t extra_weight=0.0,
):
    """Grow a tree, unpruned, and return its nodes as a dictionary of arrays.

    The class weights of node i are ``weights[start[i]:start[i] + n_present[i]]``, those
    of ``classes[...]``; the others are 0. `total` and `most` are their sum and the
    weight of the majority class.

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
    grower.nodes.weights.n_classes = n_classes
    grower.actual_thresholds = actual_thresholds
    grower.only_root = only_root
    grower.problem.n_classes = n_classes
    grower.problem.min_leaf = min_leaf
    grower.problem.binary = binary
    grower.problem.mdl = mdl
    grower.problem.extra = <const int32_t*>start_of(extra, INT32, encoded.n_rows)
    grower.problem.n_extra = n_extra
    grower.problem.extra_weight = extra_weight
    try:
        _kept = open_problem(&grower.problem, encoded, y, in_mean)
        make_scratch(&grower)
        make_room(&grower)
        new_few(&grower.few, &grower.problem)
        open_lists(&lists, encoded, weights)
        with nogil:
            push_root(&grower, &lists)
            grow_tasks(&grower)
        return to_arrays(&grower.nodes)
    finally:
        free_lists(&lists)
        free_grower(&grower)
