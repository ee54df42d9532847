"""What the nodes of a tree answer: a matrix, or the answers that are not zero.

A leaf of a tree with many classes has rows of a few. With a number for each class of
each node, 50,000 leaves and 50,000 classes would take 20 GB.
"""

import numpy as np

from dissensus._core.common._columns cimport FLOAT64, INT32, INTP, start_of
from dissensus._core.common._numbers cimport greater


cdef int open_answers(
    Answers* answers, object source, intp_t n_nodes, intp_t n_classes
) except -1:
    """Point to a matrix, or to the arrays of `LeafAnswers`, which must outlive it."""
    answers.n_classes = n_classes
    answers.begin = NULL
    answers.end = NULL
    answers.classes = NULL
    if source.shape != (n_nodes, n_classes):
        raise ValueError(
            f"Answers of {n_nodes} nodes for {n_classes} classes are needed. Got "
            f"{source.shape} instead."
        )
    if isinstance(source, np.ndarray):
        answers.proba = <const float64_t*>start_of(source, FLOAT64, 0)
        return 0
    cdef intp_t n = len(source.proba)
    answers.proba = <const float64_t*>start_of(source.proba, FLOAT64, n)
    answers.classes = <const int32_t*>start_of(source.classes, INT32, n)
    answers.begin = <const intp_t*>start_of(source.begin, INTP, n_nodes)
    answers.end = <const intp_t*>start_of(source.end, INTP, n_nodes)
    return 0


cdef intp_t majority_of(const Answers* answers, intp_t node) noexcept nogil:
    """Return the first class that no later one beats by more than the tolerance."""
    cdef intp_t i, best = 0, first = node * answers.n_classes
    cdef intp_t last = first + answers.n_classes
    cdef float64_t most = 0.0
    if answers.begin != NULL:
        first, last = answers.begin[node], answers.end[node]
    for i in range(first, last):
        if greater(answers.proba[i], most):
            most = answers.proba[i]
            best = i - first if answers.begin == NULL else answers.classes[i]
    return best


def majorities(answers):
    """Return the majority class of each node, or of each line of class weights."""
    cdef intp_t n = answers.shape[0], i
    cdef Answers opened
    codes_array = np.empty(n, dtype=np.intp)
    cdef intp_t[::1] codes = codes_array
    open_answers(&opened, answers, n, answers.shape[1])
    with nogil:
        for i in range(n):
            codes[i] = majority_of(&opened, i)
    return codes_array
