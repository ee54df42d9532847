# The problem of a node that has few of the classes.

from dissensus._core.tree._problem cimport Problem, View
from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t

# Deep in a tree most nodes have rows of two or three classes, however many there are in
# all, and their histograms need no cells for the others: soybean with its 19 classes is
# grown in 0.87 of the time, MACLEN's trees on waveform-5000 in 0.8. Only where
# all attributes are nominal: sort keys hold the class itself.
cdef struct Few:
    Problem problem           # as that of the tree, but for classes and offsets
    intp_t* offset            # (n_coded + 1,)
    int32_t* y                # (n_rows,) set for the rows of the node at hand
    int32_t* number           # (n_classes,) of each class among those of the node
    int32_t* classes          # (n_classes,) the classes that the node has ...
    float64_t* class_weight   # ... and their weights

cdef int new_few(Few* few, const Problem* problem) except -1
cdef void free_few(Few* few) noexcept nogil
cdef bint narrow(Few* few, const Problem* problem, View* view) noexcept nogil
