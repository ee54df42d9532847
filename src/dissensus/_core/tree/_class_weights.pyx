"""The class weights of the nodes of a tree, those that are not zero.

A fitted tree keeps them for its leaves only: those of an inner node are the sum of its
children's. An inner node keeps its own where that is not so to 1e-12 (J48 gives no part
of a row to branches with a millionth of the others), and where a child is empty and
answers with them.
"""

from libc.math cimport fabs, floor
from libc.string cimport memset

import numpy as np

from dissensus._core.common._columns cimport (
    FLOAT64, INT32, INTP, UINT8, room_of, start_of
)
from dissensus._core.common._memory cimport grab, release, resize
from dissensus._core.common._numbers cimport greater
from dissensus._core.common._typedefs cimport uint8_t

cdef float64_t CLOSE = 1e-12
cdef const char* WHAT = b"Class weights of a tree"


cdef int room_for_nodes(ClassWeights* weights, intp_t n_nodes) except -1 nogil:
    resize(<void**>&weights.start, n_nodes, sizeof(intp_t), WHAT)
    resize(<void**>&weights.n_present, n_nodes, sizeof(int32_t), WHAT)
    resize(<void**>&weights.total, n_nodes, sizeof(float64_t), WHAT)
    resize(<void**>&weights.most, n_nodes, sizeof(float64_t), WHAT)
    return 0


cdef int room_for_weights(ClassWeights* weights, intp_t n) except -1 nogil:
    cdef intp_t capacity = weights.count + n
    if capacity <= weights.capacity:
        return 0
    if capacity < 2 * weights.capacity:
        capacity = 2 * weights.capacity
    resize(<void**>&weights.classes, capacity, sizeof(int32_t), WHAT)
    resize(<void**>&weights.weights, capacity, sizeof(float64_t), WHAT)
    weights.capacity = capacity
    return 0


cdef int store_weights(
    ClassWeights* weights, intp_t node, const float64_t* values
) except -1 nogil:
    """Give a node the weights of all classes, in the place of those that it had.

    The majority is the first class that no later one beats by more than the tolerance.
    Zeros are written too, and written over: which classes a node has is nothing that a
    processor could predict.
    """
    cdef intp_t c, n = 0
    cdef float64_t total = 0.0, most = 0.0
    cdef int32_t* classes
    cdef float64_t* kept
    room_for_weights(weights, weights.n_classes)
    classes = weights.classes + weights.count
    kept = weights.weights + weights.count
    for c in range(weights.n_classes):
        classes[n] = <int32_t>c
        kept[n] = values[c]
        n += values[c] != 0.0
        total += values[c]
        most = values[c] if greater(values[c], most) else most
    # A majority too light to be one is class 0, whatever its weight.
    weights.most[node] = most if most > 0.0 else values[0]
    weights.total[node] = total
    weights.start[node] = weights.count
    weights.n_present[node] = <int32_t>n
    weights.count += n
    return 0


cdef void read_weights(
    const ClassWeights* weights, intp_t node, float64_t* values
) noexcept nogil:
    """Write the weights of all classes of a node."""
    cdef intp_t i, start = weights.start[node]
    memset(values, 0, weights.n_classes * sizeof(float64_t))
    for i in range(start, start + weights.n_present[node]):
        values[weights.classes[i]] = weights.weights[i]


cdef void free_weights(ClassWeights* weights) noexcept nogil:
    release(weights.start)
    release(weights.n_present)
    release(weights.total)
    release(weights.most)
    release(weights.classes)
    release(weights.weights)


# What a tree keeps when it is finished.
cdef struct Sums:
    ClassWeights* all         # the weights of the grown nodes, by their old numbers
    const intp_t* old         # the old number of each node
    const int32_t* first_child
    const int32_t* n_children
    uint8_t* keep             # (n_nodes,) written: does a node keep its weights?
    # Weights of the inner nodes, summed up from below.
    ClassWeights below
    float64_t* values         # (n_classes,) all zero between uses
    int32_t* touched          # (n_classes,)


cdef intp_t add_child(Sums* sums, intp_t child, intp_t n_touched) noexcept nogil:
    """Add the weights of a child; return how many classes have been met so far."""
    cdef const ClassWeights* weights = &sums.below
    cdef intp_t i, number = child, start
    cdef int32_t c
    if sums.n_children[child] == 0:
        weights = sums.all
        number = sums.old[child]
    start = weights.start[number]
    for i in range(start, start + weights.n_present[number]):
        c = weights.classes[i]
        if sums.values[c] == 0.0:
            sums.touched[n_touched] = c
            n_touched += 1
        sums.values[c] += weights.weights[i]
    return n_touched


cdef int sum_node(Sums* sums, intp_t node) except -1 nogil:
    """Sum up the weights of an inner node; it keeps its own if these are others."""
    cdef ClassWeights* below = &sums.below
    cdef const ClassWeights* own = sums.all
    cdef intp_t i, child, first = sums.first_child[node], n_touched = 0
    cdef intp_t number = sums.old[node], start = own.start[number]
    cdef float64_t slack = CLOSE * own.total[number]
    cdef int32_t c
    for child in range(first, first + sums.n_children[node]):
        n_touched = add_child(sums, child, n_touched)
    room_for_weights(below, n_touched)
    below.start[node] = below.count
    below.n_present[node] = <int32_t>n_touched
    for i in range(n_touched):
        c = sums.touched[i]
        below.classes[below.count + i] = c
        below.weights[below.count + i] = sums.values[c]
    below.count += n_touched
    for i in range(start, start + own.n_present[number]):
        c = own.classes[i]
        sums.values[c] -= own.weights[i]
        if fabs(sums.values[c]) > slack:
            sums.keep[node] = 1
        sums.values[c] = 0.0
    for i in range(n_touched):
        c = sums.touched[i]
        if fabs(sums.values[c]) > slack:
            sums.keep[node] = 1
        sums.values[c] = 0.0
    return 0


cdef int find_unequal(Sums* sums, intp_t n_nodes) except -1 nogil:
    """Keep the weights of the inner nodes that are not the sum of their children's."""
    cdef intp_t node
    sums.below.n_classes = sums.all.n_classes
    room_for_nodes(&sums.below, n_nodes)
    sums.values = <float64_t*>grab(sums.all.n_classes, sizeof(float64_t), WHAT)
    sums.touched = <int32_t*>grab(sums.all.n_classes, sizeof(int32_t), WHAT)
    memset(sums.values, 0, sums.all.n_classes * sizeof(float64_t))
    for node in range(n_nodes - 1, -1, -1):  # children have larger numbers
        if sums.n_children[node] > 0:
            sum_node(sums, node)
    return 0


cdef int point_to_weights(ClassWeights* weights, dict nodes) except -1:
    """Point to the arrays of grown nodes, which are only read."""
    cdef intp_t n = len(nodes["kind"]), count = len(nodes["classes"])
    weights.n_classes = nodes["n_classes"]
    weights.count = count
    weights.start = <intp_t*>start_of(nodes["start"], INTP, n)
    weights.n_present = <int32_t*>start_of(nodes["n_present"], INT32, n)
    weights.total = <float64_t*>start_of(nodes["total"], FLOAT64, n)
    weights.classes = <int32_t*>start_of(nodes["classes"], INT32, count)
    weights.weights = <float64_t*>start_of(nodes["weights"], FLOAT64, count)
    return 0


cdef bint all_whole(const float64_t* weights, intp_t n) noexcept nogil:
    """Tell whether all weights are whole numbers, whose sums are exact."""
    cdef intp_t i
    for i in range(n):
        if weights[i] != floor(weights[i]):
            return False
    return True


def kept_weights(dict nodes, old, first_child, n_children, empty):
    """Return the class weights that a finished tree keeps.

    Parameters
    ----------
    nodes : dict
        The grown nodes.
    old : ndarray of shape (n_nodes,), intp
        The number there of each node of the tree.
    first_child, n_children, empty : ndarray of shape (n_nodes,)
        The tree.

    Returns
    -------
    starts : ndarray of shape (n_nodes + 1,), intp
        Where the weights of each node begin.
    classes : ndarray of int32
        Their classes.
    weights : ndarray of float64
        The weights.
    exact : bool
        Whether all weights are whole numbers, whose sums are the same in any order.
    """
    cdef intp_t n = len(old), count
    cdef ClassWeights weights
    cdef Sums sums
    cdef const uint8_t* is_empty = <const uint8_t*>start_of(empty, UINT8, n)
    cdef bint exact
    memset(&weights, 0, sizeof(ClassWeights))
    memset(&sums, 0, sizeof(Sums))
    point_to_weights(&weights, nodes)
    keep = np.zeros(n, dtype=np.uint8)
    sums.all = &weights
    sums.old = <const intp_t*>start_of(old, INTP, n)
    sums.first_child = <const int32_t*>start_of(first_child, INT32, n)
    sums.n_children = <const int32_t*>start_of(n_children, INT32, n)
    sums.keep = <uint8_t*>room_of(keep, UINT8, n)
    try:
        with nogil:
            exact = all_whole(weights.weights, weights.count)
            if not exact:
                find_unequal(&sums, n)
            count = count_kept(&sums, is_empty, n)
    finally:
        free_weights(&sums.below)
        release(sums.values)
        release(sums.touched)
    return *copy_kept(&sums, n, count), exact


cdef intp_t count_kept(
    const Sums* sums, const uint8_t* is_empty, intp_t n
) noexcept nogil:
    """Keep leaves, and parents of empty ones; return the number of weights in all."""
    cdef intp_t node, child, first, count = 0
    for node in range(n):
        first = sums.first_child[node]
        if sums.n_children[node] == 0:
            sums.keep[node] = 1
        for child in range(first, first + sums.n_children[node]):
            sums.keep[node] |= is_empty[child]
        if sums.keep[node]:
            count += sums.all.n_present[sums.old[node]]
    return count


cdef tuple copy_kept(const Sums* sums, intp_t n, intp_t count):
    """Copy the weights of the nodes that keep them, so many in all."""
    cdef const ClassWeights* all_weights = sums.all
    cdef intp_t node, i, first, at = 0
    starts_array = np.empty(n + 1, dtype=np.intp)
    classes_array = np.empty(count, dtype=np.int32)
    weights_array = np.empty(count, dtype=np.float64)
    cdef intp_t* starts = <intp_t*>room_of(starts_array, INTP, n + 1)
    cdef int32_t* classes = <int32_t*>room_of(classes_array, INT32, count)
    cdef float64_t* weights = <float64_t*>room_of(weights_array, FLOAT64, count)
    with nogil:
        for node in range(n):
            starts[node] = at
            if sums.keep[node]:
                first = all_weights.start[sums.old[node]]
                for i in range(first, first + all_weights.n_present[sums.old[node]]):
                    classes[at] = all_weights.classes[i]
                    weights[at] = all_weights.weights[i]
                    at += 1
        starts[n] = at
    return starts_array, classes_array, weights_array


def fill_rows(
    const intp_t[::1] begin, const intp_t[::1] end, const int32_t[::1] classes,
    const float64_t[::1] weights, float64_t[:, ::1] out,
):
    """Write the weights from begin to end of each row into a matrix of zeros."""
    cdef intp_t row, i
    with nogil:
        for row in range(out.shape[0]):
            for i in range(begin[row], end[row]):
                out[row, classes[i]] = weights[i]


def sum_up(
    const int32_t[::1] first_child, const int32_t[::1] n_children,
    const intp_t[::1] starts, float64_t[:, ::1] value,
):
    """Fill the rows of inner nodes that keep no weights with their children's sums."""
    cdef intp_t node, child, c, first
    with nogil:
        for node in range(value.shape[0] - 1, -1, -1):  # children have larger numbers
            if n_children[node] == 0 or starts[node + 1] > starts[node]:
                continue
            first = first_child[node]
            for child in range(first, first + n_children[node]):
                for c in range(value.shape[1]):
                    value[node, c] += value[child, c]
