"""The problem of a node that has few of the classes.

Classes are numbered anew among those that the node has, in the same order, and the
node is looked through with these numbers: sums over classes leave out zeros, so that
every candidate is the same to the last bit.
"""

from dissensus._core.common._memory cimport grab, release


cdef const char* WHAT = b"Classes of a node"


cdef bint is_for(const Problem* problem) noexcept nogil:
    """Tell whether the nodes of a tree may be looked through with fewer classes."""
    cdef intp_t j
    if problem.n_sorted > 0 or problem.extra != NULL or problem.n_classes < 4:
        return False
    for j in range(problem.n_coded):
        if not problem.is_nominal[problem.coded[j]]:
            return False
    return True


cdef int new_few(Few* few, const Problem* problem) except -1:
    """Make room, if the tree can do with fewer classes."""
    if not is_for(problem):
        return 0
    few.problem = problem[0]
    cdef intp_t k = problem.n_classes
    few.y = <int32_t*>grab(problem.n_rows, sizeof(int32_t), WHAT)
    few.number = <int32_t*>grab(k, sizeof(int32_t), WHAT)
    few.classes = <int32_t*>grab(k, sizeof(int32_t), WHAT)
    few.class_weight = <float64_t*>grab(k, sizeof(float64_t), WHAT)
    few.offset = <intp_t*>grab(problem.n_coded + 1, sizeof(intp_t), WHAT)
    few.problem.offset = few.offset
    few.problem.y = few.y
    return 0


cdef void free_few(Few* few) noexcept nogil:
    release(few.offset)
    release(few.y)
    release(few.number)
    release(few.classes)
    release(few.class_weight)


cdef bint narrow(Few* few, const Problem* problem, View* view) noexcept nogil:
    """Let the view have its own classes only, if they are half of all or fewer."""
    cdef intp_t k = problem.n_classes, c, i, j, n_present = 0
    cdef int32_t row
    if few.offset == NULL:
        return False
    for c in range(k):
        few.number[c] = -1
        if view.class_weight[c] > 0.0:
            few.number[c] = <int32_t>n_present
            few.classes[n_present] = <int32_t>c
            few.class_weight[n_present] = view.class_weight[c]
            n_present += 1
    if n_present == 0 or 2 * n_present > k:
        return False
    for i in range(view.n):
        row = view.rows[i]
        few.y[row] = few.number[problem.y[row]]
        if few.y[row] < 0:  # a weight so small that it was lost in the sum
            return False
    for j in range(problem.n_coded + 1):
        few.offset[j] = problem.offset[j] // k * n_present
    few.problem.n_classes = n_present
    view.class_weight = few.class_weight
    return True
