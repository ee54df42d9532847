# The search for the split of one node (`_problem.pxd` says what it reads and writes).

from dissensus._core.common._typedefs cimport intp_t
from dissensus._core.tree._problem cimport Problem, Scratch, View

cdef intp_t dense_prefix(const Problem* problem, intp_t n) noexcept nogil
cdef void fill_histogram(
    const Problem* problem, const Scratch* scratch, const View* view, void* histogram
) noexcept nogil
cdef intp_t find_split(
    const Problem* problem, Scratch* scratch, const View* view
) noexcept nogil
