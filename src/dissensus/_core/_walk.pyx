"""Walk rows down a fitted tree.

`find_leaves` sends eight rows at a time down the tree, because one row's walk is a
chain of dependent reads that leaves the processor idle (2 to 3 times as fast as row by
row). It reads rows laid out one after the other: a numeric matrix as it is, other
tables in blocks copied from the columns that the tree tests. A row whose value is
missing goes on along the heaviest branch and is reported, so that `spread` can work
out its distribution over all branches.
"""

from libc.math cimport INFINITY, isnan
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from dissensus._core._columns cimport (
    Columns, close_columns, number_at, open_columns
)
from dissensus._core._memory cimport grab, resize
from dissensus._core._nodes cimport LEAF, MULTIWAY, NUMERIC
from dissensus._core._typedefs cimport float64_t, int32_t, intp_t, uint8_t

cdef enum:
    LANES = 8         # rows that walk side by side
    BLOCK = 256       # rows copied at a time

# What a step reads, in one cache line. A leaf is its own left son for every number.
cdef struct Step:
    float64_t threshold
    int32_t attribute     # place of its value in a laid-out row
    int32_t first         # first son
    int32_t kind
    int32_t heaviest      # where a row goes on, or stays, if its value is missing


cdef inline int32_t go(const Step* step, float64_t x, intp_t node, uint8_t* lost) noexcept nogil:
    """Return the next node."""
    if isnan(x):
        if step.kind == LEAF:
            return <int32_t>node
        lost[0] = 1
        return step.heaviest
    if step.kind <= NUMERIC:
        return step.first + (x > step.threshold)
    if step.kind == MULTIWAY:
        return step.first + <int32_t>x
    return step.first + (x != step.threshold)


cdef void walk_lanes(
    const Step* steps, const float64_t* rows, intp_t width, bint numeric,
    int32_t* leaf, uint8_t* lost
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
            x = rows[lane * width + step.attribute]
            if numeric and x == x:
                next_node = step.first + (x > step.threshold)
            else:
                next_node = go(step, x, node[lane], lost + lane)
            moved |= next_node ^ node[lane]
            node[lane] = next_node
    for lane in range(LANES):
        leaf[lane] = node[lane]


cdef void walk_rows(
    const Step* steps, const float64_t* rows, intp_t width, bint numeric, intp_t n,
    int32_t* leaf, uint8_t* lost
) noexcept nogil:
    """Walk n rows that lie one after the other."""
    cdef intp_t i = 0
    cdef int32_t node, next_node
    while i + LANES <= n:
        walk_lanes(steps, rows + i * width, width, numeric, leaf + i, lost + i)
        i += LANES
    while i < n:
        node = -1
        next_node = 0
        while next_node != node:
            node = next_node
            next_node = go(
                steps + node, rows[i * width + steps[node].attribute], node, lost + i
            )
        leaf[i] = node
        i += 1


cdef void walk_columns(
    const Step* steps, const Columns* columns, const int32_t* used, intp_t width,
    bint numeric, float64_t* block, intp_t n_rows, int32_t* leaf, uint8_t* lost
) noexcept nogil:
    """Walk the rows of columns, copied block by block."""
    cdef intp_t start = 0, n, i, j
    while start < n_rows:
        n = n_rows - start if n_rows - start < BLOCK else BLOCK
        for j in range(width):
            for i in range(n):
                block[i * width + j] = number_at(columns, used[j], start + i)
        walk_rows(steps, block, width, numeric, n, leaf + start, lost + start)
        start += n


cdef Step* make_steps(
    object tree, const int32_t[::1] place, bint stop
) except NULL:
    """Lay out the nodes for the walk; `place` is where a row keeps an attribute."""
    cdef const int32_t[::1] n_children = tree.n_children
    cdef const float64_t[::1] branch_weight = tree.branch_weight
    cdef const int32_t[::1] attribute = tree.attribute
    cdef const uint8_t[::1] kind = tree.kind
    cdef const float64_t[::1] threshold = tree.threshold
    cdef const int32_t[::1] first_child = tree.first_child
    cdef intp_t n = kind.shape[0], node, son
    cdef Step* steps = <Step*>grab(n * sizeof(Step))
    for node in range(n):
        steps[node].kind = kind[node]
        steps[node].heaviest = <int32_t>node
        if kind[node] == LEAF:
            steps[node].threshold = INFINITY
            steps[node].attribute = 0
            steps[node].first = <int32_t>node
        else:
            steps[node].threshold = threshold[node]
            steps[node].attribute = place[attribute[node]]
            steps[node].first = first_child[node]
            if not stop:
                steps[node].heaviest = first_child[node]
                for son in range(first_child[node], first_child[node] + n_children[node]):
                    if branch_weight[son] > branch_weight[steps[node].heaviest]:
                        steps[node].heaviest = <int32_t>son
    return steps


def find_leaves(tree, list arrays, matrix, intp_t n_rows, bint stop):
    """Find the leaf of every row.

    Parameters
    ----------
    tree : Tree
        The fitted tree.
    arrays : list of ndarray
        One column per attribute; not read if there is a matrix.
    matrix : ndarray of shape (n_rows, n_attributes), float64, or None
        The same numbers row by row, if all attributes are numeric.
    n_rows : int
        Number of rows.
    stop : bool
        Does a missing value end the walk? Otherwise it goes on to the heaviest son.

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
    inner = tree.kind != LEAF
    used_array = np.unique(tree.attribute[inner]).astype(np.int32)
    cdef const int32_t[::1] used = used_array
    cdef bint numeric = bool(np.all(tree.kind[inner] == NUMERIC))
    cdef intp_t width = used.shape[0]
    cdef const float64_t[:, ::1] rows
    cdef float64_t* block = NULL
    cdef Step* steps = NULL
    cdef Columns columns
    memset(&columns, 0, sizeof(Columns))
    place = np.zeros(used_array[-1] + 1, dtype=np.int32)
    place[used_array] = used_array if matrix is not None else np.arange(width)
    try:
        steps = make_steps(tree, place, stop)
        if matrix is not None:
            rows = matrix
            with nogil:
                walk_rows(
                    steps, &rows[0, 0], rows.shape[1], numeric, n_rows,
                    &leaf[0], &lost[0]
                )
        else:
            open_columns(&columns, arrays)
            block = <float64_t*>grab(BLOCK * width * sizeof(float64_t))
            with nogil:
                walk_columns(
                    steps, &columns, &used[0], width, numeric, block, n_rows,
                    &leaf[0], &lost[0]
                )
    finally:
        close_columns(&columns)
        free(block)
        free(steps)
    return leaf_array, lost_array.view(bool)


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


cdef int open_fork(Forks* forks, intp_t depth, intp_t node) except -1 nogil:
    if depth == forks.capacity:
        forks.capacity = 2 * depth + 16
        resize(<void**>&forks.fork, forks.capacity * sizeof(Fork))
        resize(
            <void**>&forks.answer,
            forks.capacity * forks.n_classes * sizeof(float64_t)
        )
    forks.fork[depth].node = node
    forks.fork[depth].next_son = 0
    memset(
        forks.answer + depth * forks.n_classes, 0, forks.n_classes * sizeof(float64_t)
    )
    return 0


cdef intp_t settle(
    const Step* steps, const Columns* columns, intp_t node, intp_t row
) noexcept nogil:
    """Follow known values; return the leaf, or the node whose value is missing."""
    cdef uint8_t lost = 0
    cdef intp_t next_node
    while steps[node].kind != LEAF:
        next_node = go(
            steps + node, number_at(columns, steps[node].attribute, row), node, &lost
        )
        if lost:
            return node
        node = next_node
    return node


cdef int spread_row(
    Forks* forks, const Step* steps, const Columns* columns, intp_t row,
    const int32_t[::1] n_children, const float64_t[::1] branch_weight,
    const uint8_t[::1] empty, const float64_t[::1] total,
    const float64_t[:, ::1] answers, float64_t* out
) except -1 nogil:
    """Add up the answers of all branches that a row goes down, the innermost first."""
    cdef intp_t depth = 0, k = forks.n_classes, node, son, c
    cdef Fork* fork
    cdef float64_t* answer
    cdef float64_t share
    open_fork(forks, 0, settle(steps, columns, 0, row))
    while True:
        fork = forks.fork + depth
        answer = forks.answer + depth * k
        node = fork.node
        if steps[node].kind == LEAF:
            for c in range(k):
                answer[c] = answers[node, c]
        elif fork.next_son < n_children[node]:
            son = steps[node].first + fork.next_son
            if empty[son]:
                fork.next_son += 1
            else:
                depth += 1
                open_fork(forks, depth, settle(steps, columns, son, row))
            continue
        if depth == 0:
            break
        depth -= 1
        fork = forks.fork + depth
        son = steps[fork.node].first + fork.next_son
        share = branch_weight[son] / total[fork.node]
        for c in range(k):
            forks.answer[depth * k + c] += share * answer[c]
        fork.next_son += 1
    for c in range(k):
        out[c] = forks.answer[c]
    return 0


def spread(tree, list arrays, const intp_t[::1] rows, const float64_t[:, ::1] answers):
    """Work out the distributions of rows that go down several branches.

    Parameters
    ----------
    tree : Tree
        The fitted tree.
    arrays : list of ndarray
        One column per attribute.
    rows : ndarray of intp
        The rows to work out.
    answers : ndarray of shape (n_nodes, n_classes)
        What each leaf answers.

    Returns
    -------
    ndarray of shape (len(rows), n_classes)
        Class probabilities.
    """
    cdef const int32_t[::1] n_children = tree.n_children
    cdef const float64_t[::1] branch_weight = tree.branch_weight
    cdef const uint8_t[::1] empty = tree.empty.view(np.uint8)
    cdef const float64_t[::1] total = tree.value.sum(axis=1)
    proba_array = np.empty((rows.shape[0], answers.shape[1]))
    cdef float64_t[:, ::1] proba = proba_array
    cdef Columns columns
    cdef Forks forks
    cdef Step* steps = NULL
    cdef intp_t i
    memset(&columns, 0, sizeof(Columns))
    memset(&forks, 0, sizeof(Forks))
    forks.n_classes = answers.shape[1]
    everywhere = np.arange(len(arrays), dtype=np.int32)
    try:
        open_columns(&columns, arrays)
        steps = make_steps(tree, everywhere, True)
        with nogil:
            for i in range(rows.shape[0]):
                spread_row(
                    &forks, steps, &columns, rows[i], n_children, branch_weight,
                    empty, total, answers, &proba[i, 0]
                )
    finally:
        close_columns(&columns)
        free(forks.fork)
        free(forks.answer)
        free(steps)
    return proba_array
