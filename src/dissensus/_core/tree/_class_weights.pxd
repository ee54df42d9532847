# The class weights of the nodes of a tree, those that are not zero.
#
# A node of a tree with many classes has rows of a few: with a number for each class of
# each node, 50,000 leaves and 50,000 classes would take 20 GB. While a tree grows and
# is pruned every node has its weights here as they were summed up, so that a node which
# becomes a leaf has them to the last bit. Weights that a node had before are left where
# they are.

from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t

cdef struct ClassWeights:
    intp_t n_classes
    # Per node.
    intp_t* start             # of its weights in the lists below
    int32_t* n_present        # their number
    float64_t* total          # their sum ...
    float64_t* most           # ... and that of the majority class
    # Per weight: classes ascend within a node.
    intp_t count
    intp_t capacity
    int32_t* classes
    float64_t* weights

cdef int room_for_nodes(ClassWeights* weights, intp_t n_nodes) except -1 nogil
cdef int store_weights(
    ClassWeights* weights, intp_t node, const float64_t* values
) except -1 nogil
cdef void read_weights(
    const ClassWeights* weights, intp_t node, float64_t* values
) noexcept nogil
cdef void free_weights(ClassWeights* weights) noexcept nogil
