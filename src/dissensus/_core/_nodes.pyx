"""The nodes of a tree: room for them while it grows, their final numbers after."""

from libc.math cimport NAN
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core._columns cimport start_of
from dissensus._core._memory cimport resize
from dissensus._core._numbers cimport gr


cdef int reserve(Nodes* nodes, intp_t capacity) except -1 nogil:
    """Make room for at least so many nodes."""
    if capacity <= nodes.capacity:
        return 0
    if capacity < 2 * nodes.capacity:
        capacity = 2 * nodes.capacity
    resize(<void**>&nodes.attribute, capacity * sizeof(int32_t))
    resize(<void**>&nodes.kind, capacity * sizeof(uint8_t))
    resize(<void**>&nodes.threshold, capacity * sizeof(float64_t))
    resize(<void**>&nodes.first_child, capacity * sizeof(int32_t))
    resize(<void**>&nodes.n_children, capacity * sizeof(int32_t))
    resize(<void**>&nodes.parent, capacity * sizeof(int32_t))
    resize(<void**>&nodes.value, capacity * nodes.n_classes * sizeof(float64_t))
    resize(<void**>&nodes.branch_weight, capacity * sizeof(float64_t))
    resize(<void**>&nodes.empty, capacity * sizeof(uint8_t))
    resize(<void**>&nodes.gain, capacity * sizeof(float64_t))
    resize(<void**>&nodes.gain_ratio, capacity * sizeof(float64_t))
    nodes.capacity = capacity
    return 0


cdef intp_t add_leaves(Nodes* nodes, intp_t parent, intp_t n) except -1 nogil:
    """Add n sibling leaves without weight; return the number of the first."""
    cdef intp_t first = nodes.count, node
    reserve(nodes, first + n)
    for node in range(first, first + n):
        nodes.attribute[node] = -1
        nodes.kind[node] = LEAF
        nodes.threshold[node] = NAN
        nodes.first_child[node] = -1
        nodes.n_children[node] = 0
        nodes.parent[node] = <int32_t>parent
        nodes.branch_weight[node] = 0.0
        nodes.empty[node] = 0
        nodes.gain[node] = NAN
        nodes.gain_ratio[node] = NAN
    memset(
        nodes.value + first * nodes.n_classes, 0,
        n * nodes.n_classes * sizeof(float64_t)
    )
    nodes.count = first + n
    return first


cdef void free_nodes(Nodes* nodes) noexcept nogil:
    free(nodes.attribute)
    free(nodes.kind)
    free(nodes.threshold)
    free(nodes.first_child)
    free(nodes.n_children)
    free(nodes.parent)
    free(nodes.value)
    free(nodes.branch_weight)
    free(nodes.empty)
    free(nodes.gain)
    free(nodes.gain_ratio)


cdef object copy_out(const void* source, object shape, object dtype):
    array = np.empty(shape, dtype=dtype)
    cdef void* target = start_of(array)
    cdef intp_t n_bytes = array.nbytes
    if n_bytes < 1 << 16:
        memcpy(target, source, n_bytes)
    else:  # worth letting other threads on
        with nogil:
            memcpy(target, source, n_bytes)
    return array


cdef object to_arrays(const Nodes* nodes):
    """Copy the nodes into a dictionary of numpy arrays."""
    cdef intp_t n = nodes.count
    return {
        "attribute": copy_out(nodes.attribute, n, np.int32),
        "kind": copy_out(nodes.kind, n, np.uint8),
        "threshold": copy_out(nodes.threshold, n, np.float64),
        "first_child": copy_out(nodes.first_child, n, np.int32),
        "n_children": copy_out(nodes.n_children, n, np.int32),
        "parent": copy_out(nodes.parent, n, np.int32),
        "value": copy_out(nodes.value, (n, nodes.n_classes), np.float64),
        "branch_weight": copy_out(nodes.branch_weight, n, np.float64),
        "empty": copy_out(nodes.empty, n, np.bool_),
        "gain": copy_out(nodes.gain, n, np.float64),
        "gain_ratio": copy_out(nodes.gain_ratio, n, np.float64),
    }


cdef intp_t majority(const float64_t* weights, intp_t n) noexcept nogil:
    """Return the first class that no later one beats by more than the tolerance."""
    cdef intp_t c, best = 0
    cdef float64_t most = 0.0
    for c in range(n):
        if gr(weights[c], most):
            most = weights[c]
            best = c
    return best


cdef void count_classes(
    const int32_t* y, const int32_t* rows, intp_t n, intp_t n_classes, int32_t* counts,
    float64_t* weights
) noexcept nogil:
    """Add the number of rows of each class to the weights; without rows, of all.

    Rows are counted in turn in two tables, for which counts has room: neighbours are
    often of one class, and each would wait for the other.
    """
    cdef intp_t i, c
    cdef int32_t* others = counts + n_classes
    memset(counts, 0, 2 * n_classes * sizeof(int32_t))
    for i in range(0, n - 1, 2):
        counts[y[i if rows == NULL else rows[i]]] += 1
        others[y[i + 1 if rows == NULL else rows[i + 1]]] += 1
    if n % 2:
        counts[y[n - 1 if rows == NULL else rows[n - 1]]] += 1
    for c in range(n_classes):
        weights[c] += counts[c] + others[c]


cdef float64_t sum_of(const float64_t* weights, intp_t n) noexcept nogil:
    cdef float64_t total = 0.0
    cdef intp_t c
    for c in range(n):
        total += weights[c]
    return total


def majorities(const float64_t[:, ::1] weights):
    """Return the majority class of each row of class weights."""
    cdef intp_t i
    codes_array = np.empty(weights.shape[0], dtype=np.intp)
    cdef intp_t[::1] codes = codes_array
    with nogil:
        for i in range(weights.shape[0]):
            codes[i] = majority(&weights[i, 0], weights.shape[1])
    return codes_array


def level_order(
    const uint8_t[::1] kind,
    const int32_t[::1] first_child,
    const int32_t[::1] n_children,
):
    """Number the nodes that hang below the root level by level.

    Returns
    -------
    old : ndarray of int
        The present number of each node, in the new order.
    first : ndarray of int32
        New number of each node's first son; -1 at a leaf.
    parent : ndarray of int32
        New number of each node's parent; -1 at the root.
    """
    cdef intp_t n = kind.shape[0], i, j, count = 1
    cdef intp_t[::1] old
    cdef int32_t[::1] first, parent
    old_array = np.empty(n, dtype=np.intp)
    first_array = np.full(n, -1, dtype=np.int32)
    parent_array = np.full(n, -1, dtype=np.int32)
    old, first, parent = old_array, first_array, parent_array
    old[0] = 0
    i = 0
    while i < count:
        if kind[old[i]] != LEAF:
            first[i] = <int32_t>count
            for j in range(n_children[old[i]]):
                old[count] = first_child[old[i]] + j
                parent[count] = <int32_t>i
                count += 1
        i += 1
    return old_array[:count], first_array[:count], parent_array[:count]
