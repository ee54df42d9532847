"""The nodes of a tree: room for them while it grows, their final numbers after."""

from libc.math cimport NAN
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core.common._columns cimport FLOAT64, INT32, INTP, UINT8, Item, room_of
from dissensus._core.common._memory cimport release, resize
from dissensus._core.common._numbers cimport greater
from dissensus._core.tree._class_weights cimport free_weights, room_for_nodes

# Numbers of nodes are kept in 32 bits.
cdef intp_t MOST_NODES = 0x7fffffff
cdef const char* WHAT = b"Nodes of a tree"


cdef int refuse_nodes(intp_t n) except -1 with gil:
    raise MemoryError(
        f"A tree of {n:,} nodes is too large: {MOST_NODES:,} are the most. Group the "
        "values of attributes that have many."
    )


cdef int reserve(Nodes* nodes, intp_t capacity) except -1 nogil:
    """Make room for at least so many nodes."""
    if capacity <= nodes.capacity:
        return 0
    if capacity > MOST_NODES:
        refuse_nodes(capacity)
    if capacity < 2 * nodes.capacity:
        capacity = 2 * nodes.capacity
    resize(<void**>&nodes.attribute, capacity, sizeof(int32_t), WHAT)
    resize(<void**>&nodes.kind, capacity, sizeof(uint8_t), WHAT)
    resize(<void**>&nodes.threshold, capacity, sizeof(float64_t), WHAT)
    resize(<void**>&nodes.first_child, capacity, sizeof(int32_t), WHAT)
    resize(<void**>&nodes.n_children, capacity, sizeof(int32_t), WHAT)
    resize(<void**>&nodes.parent, capacity, sizeof(int32_t), WHAT)
    resize(<void**>&nodes.branch_weight, capacity, sizeof(float64_t), WHAT)
    resize(<void**>&nodes.empty, capacity, sizeof(uint8_t), WHAT)
    resize(<void**>&nodes.gain, capacity, sizeof(float64_t), WHAT)
    resize(<void**>&nodes.gain_ratio, capacity, sizeof(float64_t), WHAT)
    room_for_nodes(&nodes.weights, capacity)
    nodes.capacity = capacity
    return 0


cdef intp_t add_leaves(Nodes* nodes, intp_t parent, intp_t n) except -1 nogil:
    """Add n sibling leaves, whose class weights are not stored yet; return the first.
    """
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
    nodes.count = first + n
    return first


cdef void free_nodes(Nodes* nodes) noexcept nogil:
    release(nodes.attribute)
    release(nodes.kind)
    release(nodes.threshold)
    release(nodes.first_child)
    release(nodes.n_children)
    release(nodes.parent)
    release(nodes.branch_weight)
    release(nodes.empty)
    release(nodes.gain)
    release(nodes.gain_ratio)
    free_weights(&nodes.weights)


cdef object copy_out(const void* source, intp_t n, object dtype, Item item):
    array = np.empty(n, dtype=dtype)
    cdef void* target = room_of(array, item, n)
    cdef intp_t n_bytes = array.nbytes
    if n_bytes == 0:  # there may be no source either
        return array
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
        "attribute": copy_out(nodes.attribute, n, np.int32, INT32),
        "kind": copy_out(nodes.kind, n, np.uint8, UINT8),
        "threshold": copy_out(nodes.threshold, n, np.float64, FLOAT64),
        "first_child": copy_out(nodes.first_child, n, np.int32, INT32),
        "n_children": copy_out(nodes.n_children, n, np.int32, INT32),
        "parent": copy_out(nodes.parent, n, np.int32, INT32),
        "branch_weight": copy_out(nodes.branch_weight, n, np.float64, FLOAT64),
        "empty": copy_out(nodes.empty, n, np.bool_, UINT8),
        "gain": copy_out(nodes.gain, n, np.float64, FLOAT64),
        "gain_ratio": copy_out(nodes.gain_ratio, n, np.float64, FLOAT64),
        "n_classes": nodes.weights.n_classes,
        **weights_to_arrays(&nodes.weights, n),
    }


cdef dict weights_to_arrays(const ClassWeights* weights, intp_t n):
    """Copy the class weights of n nodes into a dictionary of numpy arrays."""
    return {
        "start": copy_out(weights.start, n, np.intp, INTP),
        "n_present": copy_out(weights.n_present, n, np.int32, INT32),
        "total": copy_out(weights.total, n, np.float64, FLOAT64),
        "most": copy_out(weights.most, n, np.float64, FLOAT64),
        "classes": copy_out(weights.classes, weights.count, np.int32, INT32),
        "weights": copy_out(weights.weights, weights.count, np.float64, FLOAT64),
    }


cdef intp_t majority(const float64_t* weights, intp_t n) noexcept nogil:
    """Return the first class that no later one beats by more than the tolerance."""
    cdef intp_t c, best = 0
    cdef float64_t most = 0.0
    for c in range(n):
        if greater(weights[c], most):
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
        New number of each node's first child; -1 at a leaf.
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
