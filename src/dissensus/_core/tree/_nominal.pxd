# The candidate split of one nominal attribute at one node.

from dissensus._core.tree._problem cimport Candidate, Problem, Scratch, View, count_t
from dissensus._core.common._typedefs cimport float64_t, intp_t, uint64_t

cdef void split_histogram(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, Candidate* out
) noexcept nogil
cdef void split_cells(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, const uint64_t* touched, intp_t n_touched,
    Candidate* out
) noexcept nogil
