# What happens to the rows, keys and counts of a node when it is split.

from dissensus._core.tree._arena cimport Grower, Task
from dissensus._core.tree._problem cimport Candidate, View
from dissensus._core.common._typedefs cimport intp_t

cdef void send_rows(
    Grower* grower, const View* view, intp_t attribute, int kind, const Candidate* split
) noexcept nogil
cdef bint weigh_counted(
    Grower* grower, const Task* task, const View* view, intp_t attribute, int kind,
    const Candidate* split, intp_t first
) noexcept nogil
cdef intp_t weigh_branches(
    Grower* grower, const View* view, intp_t first
) noexcept nogil
cdef void hand_down_rows(
    Grower* grower, const View* view, bint shared
) noexcept nogil
cdef void hand_down_keys(Grower* grower, const View* view) noexcept nogil
cdef int hand_down_histogram(Grower* grower, Task* task) except -1 nogil
