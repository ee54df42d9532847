# The nodes of a growing tree: one array per property, doubled when full.
#
# Invariant: the children of a node have consecutive numbers, larger than its own.

from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t, uint8_t
from dissensus._core.tree._class_weights cimport ClassWeights

cdef enum Kind:
    LEAF = 0
    NUMERIC = 1
    MULTIWAY = 2
    ONE_VALUE = 3

cdef struct Nodes:
    intp_t count
    intp_t capacity
    int32_t* attribute
    uint8_t* kind
    float64_t* threshold
    int32_t* first_child
    int32_t* n_children
    int32_t* parent
    float64_t* branch_weight
    uint8_t* empty
    float64_t* gain
    float64_t* gain_ratio
    ClassWeights weights

cdef intp_t add_leaves(Nodes* nodes, intp_t parent, intp_t n) except -1 nogil
cdef void free_nodes(Nodes* nodes) noexcept nogil
cdef object to_arrays(const Nodes* nodes)
cdef dict weights_to_arrays(const ClassWeights* weights, intp_t n)
cdef intp_t majority(const float64_t* weights, intp_t n) noexcept nogil
cdef void count_classes(
    const int32_t* y, const int32_t* rows, intp_t n, intp_t n_classes, int32_t* counts,
    float64_t* weights
) noexcept nogil
cdef float64_t sum_of(const float64_t* weights, intp_t n) noexcept nogil
