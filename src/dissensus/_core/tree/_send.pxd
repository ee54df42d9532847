# Rows on their way down a tree that is being pruned.
#
# The rows of a node are found by sending them down from the root, one level at a time,
# along the path to the node at hand. The same `send` serves the trial of a branch (how
# many errors would it make with all rows of its parent?) and the raising itself.

from dissensus._core.common._columns cimport Columns
from dissensus._core.tree._pessimistic_errors cimport Confidence
from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t, uint8_t
from dissensus._core.tree._class_weights cimport ClassWeights

cdef struct Rows:
    int32_t* row
    float64_t* weight
    intp_t n
    intp_t capacity

cdef struct Frame:
    intp_t node
    intp_t start        # its rows on the path; its children's behind (units: within)
    intp_t n
    intp_t sons_left    # to be pruned, the last one first
    intp_t top          # end of the rows of those

# How rows arrive at the leaves of a subtree.
cdef enum Mode:
    AFRESH      # alone, to see what errors they make
    ADDED       # beside the rows that the leaf has
    FOR_GOOD    # alone, and their weights are stored

cdef struct Part:
    intp_t node
    intp_t start        # of its rows (`_send_units.pxd`)
    intp_t n

cdef struct Pruner:
    # The tree, changed in place.
    int32_t* attribute
    uint8_t* kind
    float64_t* threshold
    int32_t* first_child
    int32_t* n_children
    ClassWeights weights  # its lists of weights are a copy that may grow
    float64_t* branch_weight
    uint8_t* empty
    float64_t* gain
    float64_t* gain_ratio
    float64_t* expected  # errors that a pruned inner node (units: a leaf too) expects
    intp_t* n_arrived   # rows of a node, while its parent is on the path
    # The training set.
    intp_t n_classes
    const int32_t* y
    Columns columns
    Confidence confidence
    bint raising
    bint some_missing   # has a row been sent down several branches?
    bint units          # all rows weigh 1 and have every value the tree asks for
    # Work space.
    Rows path           # rows of the nodes on the way to the one at hand
    Rows trial          # rows on their way down a branch
    Frame* frames
    intp_t n_frames
    intp_t n_frame_slots
    Part* parts
    intp_t n_part_slots
    int32_t* branch     # (n_rows,) of the rows being sent
    int32_t* moved      # (n_rows,) spare
    int32_t* counts     # (2 * n_classes,) spare
    float64_t* known    # per branch
    float64_t* share
    intp_t* cursor
    float64_t* classes  # (n_classes,) spare; units: all zero between uses

cdef float64_t estimate(const Pruner* pruner, intp_t node) noexcept nogil
cdef int room_for_parts(Pruner* pruner, intp_t n_parts) except -1 nogil
cdef int reserve(Rows* rows, intp_t capacity) except -1 nogil
cdef int send(
    Pruner* pruner, intp_t node, Rows* rows, intp_t start, intp_t n
) except -1 nogil
cdef float64_t send_all(
    Pruner* pruner, intp_t top, intp_t n, Mode mode, float64_t limit
) except -1.0 nogil
cdef int take_rows(Pruner* pruner, const Frame* frame) except -1 nogil
cdef intp_t take_others(
    Pruner* pruner, const Frame* frame, intp_t branch
) except -1 nogil
