# The best cut of one numeric attribute at one node.

from dissensus._core.tree._problem cimport Candidate, Problem, Scratch, View, count_t
from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t, uint64_t

cdef void cut_sorted(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const uint64_t* keys, intp_t n_known, Candidate* out
) noexcept nogil
cdef void cut_counted(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const int32_t* classes, const int32_t* ends, intp_t n,
    Candidate* out
) noexcept nogil
cdef void cut_histogram(
    const Problem* problem, const Scratch* scratch, const View* view,
    intp_t attribute, const count_t* cells, intp_t n_known, Candidate* out
) noexcept nogil
