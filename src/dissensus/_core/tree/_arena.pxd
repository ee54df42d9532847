# The tasks of a growing tree, and where their rows and keys lie.
#
# A task is a node that may still be split, with its rows (in file order), their weights
# and, for the sorted attributes, its keys (`_split.pxd`). Rows and keys of a node lie
# in one half of an arena; splitting it writes its children's parts into the same places
# of the other half, so nothing is allocated. Only where rows with a missing value go
# down several branches, with parts of their weight, does each child get an arena of its
# own.

from dissensus._core.tree._few_classes cimport Few
from dissensus._core.tree._nodes cimport Nodes
from dissensus._core.tree._problem cimport Problem, Scratch, View
from dissensus._core.common._typedefs cimport (
    float64_t, int32_t, intp_t, uint8_t, uint64_t
)

cdef struct Arena:
    intp_t n                  # rows it has room for
    intp_t users              # tasks that live in it, planned ones not counted
    uint64_t* keys[2]         # (n_sorted, n)
    int32_t* rows[2]
    float64_t* weights[2]     # NULL: all 1

cdef struct Task:
    intp_t node
    Arena* arena
    int half
    intp_t start
    intp_t n
    int32_t* known            # see View; owned
    intp_t n_dense
    void* histogram           # owned; NULL: not counted yet
    bint narrow               # was it counted with the node's own classes only?

cdef struct Grower:
    Problem problem
    Few few
    Scratch scratch
    Nodes nodes
    Task* stack
    intp_t n_tasks
    intp_t n_slots
    int32_t* live             # see View; of the node at hand
    intp_t n_live
    uint8_t* spent            # (n_attributes,) has it a branch for each of its values?
    int32_t* branch_of        # (n_rows,) where each row of the node goes; -1: missing
    bint some_missing         # does a sorted attribute have missing values?
    Task task                 # the one that is worked on; no arena: none
    float64_t* class_weight   # (n_classes,) of its node
    bint actual_thresholds
    bint only_root            # split no other node
    # Per branch of the split at hand.
    intp_t n_branches
    intp_t n_planned          # children that own what they point to
    float64_t* branch_classes  # (most branches, n_classes) their class weights
    float64_t* known_weight
    float64_t* share          # of a row whose value is missing; 0: it does not go there
    intp_t* n_rows
    uint8_t* alive            # will be split further
    Task* children
    intp_t* cursor

cdef int give_arena(
    Task* task, const Problem* problem, intp_t n, bint weighted
) except -1 nogil
cdef void drop_task(Task* task) noexcept nogil
cdef int push(Grower* grower, Task* task) except -1 nogil
cdef void free_tasks(Grower* grower) noexcept nogil
cdef void view_of(const Grower* grower, const Task* task, View* view) noexcept nogil
cdef void* new_histogram(
    const Problem* problem, intp_t n_dense, bint unit
) except NULL nogil
