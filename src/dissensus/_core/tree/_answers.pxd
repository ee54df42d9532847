# What the nodes of a tree answer, as a kernel reads it.

from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t

cdef struct Answers:
    intp_t n_classes
    const float64_t* proba
    # NULL: the answers of node i are the i-th line of a matrix. Else those from
    # begin[i] to end[i], of these classes, and 0 for the others.
    const intp_t* begin
    const intp_t* end
    const int32_t* classes

cdef int open_answers(
    Answers* answers, object source, intp_t n_nodes, intp_t n_classes
) except -1


cdef inline void add_answer(
    const Answers* answers, intp_t node, float64_t* total
) noexcept nogil:
    """Add what a node answers to the sums of all classes."""
    cdef intp_t i, k = answers.n_classes
    cdef const float64_t* proba = answers.proba
    if answers.begin == NULL:
        proba += node * k
        for i in range(k):
            total[i] += proba[i]
    else:
        for i in range(answers.begin[node], answers.end[node]):
            total[answers.classes[i]] += proba[i]
