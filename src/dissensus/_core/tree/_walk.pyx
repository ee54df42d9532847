"""Walk rows down a fitted tree.

`find_leaves` sends eight rows at a time down the tree, because one row's walk is a
chain of dependent reads that leaves the processor idle (twice as fast as row by row).
A row whose value is missing goes on along the heaviest branch and is reported, so that
`spread` can work out its distribution over all branches.
"""

from libc.math cimport INFINITY
from libc.string cimport memset

import numpy as np

from dissensus._core.tree._answers cimport Answers, add_answer, open_answers
from dissensus._core.common._columns cimport Columns, close_columns, open_columns
from dissensus._core.common._memory cimport grab, release, resize, times
from dissensus._core.tree._nodes cimport LEAF, MULTIWAY, NUMERIC
from dissensus._core.common._typedefs cimport (
    float64_t, int32_t, intp_t, uint8_t, uint32_t
)

cdef enum:
    LANES = 8  # rows that walk side by side

# What a step reads. A leaf is its own first child whatever it reads.
cdef struct Step:
    const char* column    # cell of the tested attribute in row 0 ...
    intp_t stride         # ... and the bytes to the next row
    float64_t threshold
    int32_t first         # first child
    int32_t heaviest      # where a row goes on, or stays, if its value is missing
    int32_t pivot         # the value of a test for one value, or the number of children
    int32_t kind


cdef inline int32_t go(
    const Step* step, intp_t row, int32_t node, uint8_t* lost
) noexcept nogil:
    """Return the next node; at a leaf it is the same."""
    cdef const char* cell = step.column + row * step.stride
    cdef float64_t x
    cdef int32_t code
    if step.kind == NUMERIC:
        x = (<const float64_t*>cell)[0]
        if x == x:
            return step.first + (x > step.threshold)
    elif step.kind == LEAF:
        return node
    else:
        code = (<const int32_t*>cell)[0]
        if step.kind == MULTIWAY:
            # One comparison for missing and for no child: below 0 is very large.
            if <uint32_t>code < <uint32_t>step.pivot:
                return step.first + code
        elif code >= 0:
            return step.first + (code != step.pivot)
    lost[0] = 1
    return step.heaviest


cdef void walk_lanes(
    const Step* steps, intp_t row, bint numeric, int32_t* leaf, uint8_t* lost
) noexcept nogil:
    """Walk LANES rows, each to its leaf."""
    cdef int32_t node[LANES]
    cdef int32_t next_node, moved = 1
    cdef const Step* step
    cdef float64_t x
    cdef int lane
    for lane in range(LANES):
        node[lane] = 0
    while moved:
        moved = 0
        for lane in range(LANES):
            step = steps + node[lane]
            if numeric:  # leaves are read as numeric tests too
                x = (<const float64_t*>(step.column + (row + lane) * step.stride))[0]
                next_node = step.first + (x > step.threshold)
                if x != x:
                    next_node = go(step, row + lane, node[lane], lost + lane)
            else:
                next_node = go(step, row + lane, node[lane], lost + lane)
            moved |= next_node ^ node[lane]
            node[lane] = next_node
    for lane in range(LANES):
        leaf[lane] = node[lane]


cdef void walk_rows(
    const Step* steps, bint numeric, intp_t n, int32_t* leaf, uint8_t* lost
) noexcept nogil:
    """Walk all rows."""
    cdef intp_t row = 0
    cdef int32_t node, next_node
    while row + LANES <= n:
        walk_lanes(steps, row, numeric, leaf + row, lost + row)
        row += LANES
    while row < n:
        node = -1
        next_node = 0
        while next_node != node:
            node = next_node
            next_node = go(steps + node, row, node, lost + row)
        leaf[row] = node
        row += 1


cdef int refuse_tree() except -1:
    raise ValueError("The tree was not grown from columns such as these.")


cdef int make_steps(
    Step** steps, object tree, const Columns* columns, bint stop, bint* numeric
) except -1:
    """Lay out the nodes for the walk, and tell whether all tests are numeric.

    The steps are the caller's to release, after an error too.
    """
    cdef const int32_t[::1] attribute = tree.attribute
    cdef const uint8_t[::1] kind = tree.kind
    cdef const float64_t[::1] threshold = tree.threshold
    cdef const int32_t[::1] first_child = tree.first_child
    cdef const int32_t[::1] n_children = tree.n_children
    cdef const float64_t[::1] branch_weight = tree.branch_weight
    cdef intp_t n = kind.shape[0], node, child, a
    # A leaf reads a column too, one of numbers where all tests are numeric.
    cdef intp_t some = attribute[0] if 0 <= attribute[0] < columns.n else 0
    cdef Step* step
    numeric[0] = True
    steps[0] = <Step*>grab(n, sizeof(Step), b"Steps down a tree")
    for node in range(n):
        step = steps[0] + node
        a = some if kind[node] == LEAF else attribute[node]
        if kind[node] != LEAF and not (
            0 <= a < columns.n
            and columns.is_nominal[a] == (kind[node] != NUMERIC)
            and node < first_child[node] <= n - n_children[node]
        ):
            refuse_tree()
        step.column = columns.start[a] if columns.n > 0 else NULL
        step.stride = columns.stride[a] if columns.n > 0 else 0
        step.kind = kind[node]
        numeric[0] = numeric[0] and kind[node] <= NUMERIC
        step.first = <int32_t>node
        step.heaviest = <int32_t>node
        step.threshold = INFINITY
        step.pivot = 0
        if kind[node] == LEAF:
            continue
        step.first = first_child[node]
        if kind[node] == NUMERIC:
            step.threshold = threshold[node]
        elif kind[node] == MULTIWAY:
            step.pivot = n_children[node]
        else:
            step.pivot = <int32_t>threshold[node]
        if not stop:
            step.heaviest = step.first
            for child in range(step.first, step.first + n_children[node]):
                if branch_weight[child] > branch_weight[step.heaviest]:
                    step.heaviest = <int32_t>child
    return 0


def find_leaves(tree, list arrays, intp_t n_rows, bint stop):
    """Find the leaf of every row.

    Parameters
    ----------
    tree : Tree
        The fitted tree.
    arrays : list of ndarray
        One column per attribute.
    n_rows : int
        Number of rows.
    stop : bool
        Does a missing value end the walk? Otherwise it goes on to the heaviest child.

    Returns
    -------
    leaf : ndarray of shape (n_rows,), int32
        The leaf that each row comes to.
    lost : ndarray of shape (n_rows,), bool
        True for rows that met a test of an attribute whose value they miss.
    """
    leaf_array = np.zeros(n_rows, dtype=np.int32)
    lost_array = np.zeros(n_rows, dtype=np.uint8)
    if n_rows == 0 or len(tree.kind) == 1:
        return leaf_array, lost_array.view(bool)
    cdef int32_t[::1] leaf = leaf_array
    cdef uint8_t[::1] lost = lost_array
    cdef bint numeric
    cdef Step* steps = NULL
    cdef Columns columns
    memset(&columns, 0, sizeof(Columns))
    try:
        open_columns(&columns, arrays, n_rows)
        make_steps(&steps, tree, &columns, stop, &numeric)
        with nogil:
            walk_rows(steps, numeric, n_rows, &leaf[0], &lost[0])
    finally:
        close_columns(&columns)
        release(steps)
    return leaf_array, lost_array.view(bool)


def add_answers(
    tree, list arrays, bint stop, answers, float64_t[:, ::1] total,
):
    """Add to the sum of each row what its leaf answers.

    Parameters
    ----------
    tree, arrays, stop
        See `find_leaves`.
    answers : ndarray of shape (n_nodes, n_classes), or LeafAnswers
        What each node answers.
    total : ndarray of shape (n_rows, n_classes)
        The sums, changed in place.

    Returns
    -------
    lost : ndarray of intp
        Rows that `spread` is to work out, whose sums are left as they were. There are
        none if a missing value ends the walk.
    """
    leaf_array, lost_array = find_leaves(tree, arrays, total.shape[0], stop)
    if stop:
        lost_array[:] = False
    cdef const int32_t[::1] leaf = leaf_array
    cdef const uint8_t[::1] lost = lost_array.view(np.uint8)
    cdef Answers opened
    cdef intp_t row
    open_answers(&opened, answers, len(tree.kind), total.shape[1])
    with nogil:
        for row in range(total.shape[0]):
            if not lost[row]:
                add_answer(&opened, leaf[row], &total[row, 0])
    return lost_array.nonzero()[0]


# One node on a row's way through several branches.
cdef struct Fork:
    intp_t node
    intp_t next_son     # to be asked; -1 before the node has been looked at
    float64_t total


cdef struct Forks:
    Fork* fork
    float64_t* answer   # (capacity, n_classes)
    intp_t capacity
    intp_t n_classes


cdef const char* FORKS = b"Answers of branches"


cdef int open_fork(Forks* forks, intp_t depth, intp_t node) except -1 nogil:
    cdef intp_t capacity = 2 * depth + 16
    if depth == forks.capacity:
        resize(<void**>&forks.fork, capacity, sizeof(Fork), FORKS)
        resize(
            <void**>&forks.answer, times(capacity, forks.n_classes, FORKS),
            sizeof(float64_t), FORKS
        )
        forks.capacity = capacity
    forks.fork[depth].node = node
    forks.fork[depth].next_son = 0
    memset(
        forks.answer + depth * forks.n_classes, 0, forks.n_classes * sizeof(float64_t)
    )
    return 0


cdef intp_t settle(const Step* steps, intp_t start, intp_t row) noexcept nogil:
    """Follow known values; return the leaf, or the node whose value is missing."""
    cdef uint8_t lost = 0
    cdef int32_t node = -1, next_node = <int32_t>start
    while next_node != node:
        node = next_node
        next_node = go(steps + node, row, node, &lost)
    return node


cdef int spread_row(
    Forks* forks, const Step* steps, intp_t row,
    const int32_t[::1] n_children, const float64_t[::1] branch_weight,
    const uint8_t[::1] empty, const float64_t[::1] total, const Answers* answers,
    float64_t* out
) except -1 nogil:
    """Add up the answers of all branches that a row goes down, the innermost first."""
    cdef intp_t depth = 0, k = forks.n_classes, node, child, c
    cdef Fork* fork
    cdef float64_t* answer
    cdef float64_t share
    open_fork(forks, 0, settle(steps, 0, row))
    while True:
        fork = forks.fork + depth
        answer = forks.answer + depth * k
        node = fork.node
        if steps[node].kind == LEAF:
            add_answer(answers, node, answer)  # to zeros
        elif fork.next_son < n_children[node]:
            child = steps[node].first + fork.next_son
            if empty[child]:
                fork.next_son += 1
            else:
                depth += 1
                open_fork(forks, depth, settle(steps, child, row))
            continue
        if depth == 0:
            break
        depth -= 1
        fork = forks.fork + depth
        child = steps[fork.node].first + fork.next_son
        share = branch_weight[child] / total[fork.node]
        for c in range(k):
            forks.answer[depth * k + c] += share * answer[c]
        fork.next_son += 1
    for c in range(k):
        out[c] = forks.answer[c]
    return 0


def spread(tree, list arrays, const intp_t[::1] rows, answers):
    """Work out the distributions of rows that go down several branches.

    Parameters
    ----------
    tree : Tree
        The fitted tree.
    arrays : list of ndarray
        One column per attribute.
    rows : ndarray of intp
        The rows to work out.
    answers : ndarray of shape (n_nodes, n_classes), or LeafAnswers
        What each leaf answers.

    Returns
    -------
    ndarray of shape (len(rows), n_classes)
        Class probabilities.
    """
    cdef const int32_t[::1] n_children = tree.n_children
    cdef const float64_t[::1] branch_weight = tree.branch_weight
    cdef const uint8_t[::1] empty = tree.empty.view(np.uint8)
    cdef const float64_t[::1] total = tree.class_weights.totals
    proba_array = np.empty((rows.shape[0], answers.shape[1]))
    cdef float64_t[:, ::1] proba = proba_array
    cdef intp_t n_rows = 1 + np.max(rows, initial=-1)
    cdef Answers opened
    cdef Columns columns
    cdef Forks forks
    cdef Step* steps = NULL
    cdef bint numeric
    cdef intp_t i
    memset(&columns, 0, sizeof(Columns))
    memset(&forks, 0, sizeof(Forks))
    forks.n_classes = answers.shape[1]
    open_answers(&opened, answers, len(tree.kind), forks.n_classes)
    try:
        open_columns(&columns, arrays, n_rows)
        make_steps(&steps, tree, &columns, True, &numeric)
        with nogil:
            for i in range(rows.shape[0]):
                spread_row(
                    &forks, steps, rows[i], n_children, branch_weight, empty, total,
                    &opened, &proba[i, 0]
                )
    finally:
        close_columns(&columns)
        release(forks.fork)
        release(forks.answer)
        release(steps)
    return proba_array
