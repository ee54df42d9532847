"""The tasks of a growing tree, and the memory that their rows and keys lie in."""

from libc.stdlib cimport free
from libc.string cimport memset

from dissensus._core._memory cimport grab, resize
from dissensus._core._nodes cimport sum_of


cdef Arena* new_arena(
    const Problem* problem, intp_t n, bint weighted
) except NULL nogil:
    cdef Arena* arena = <Arena*>grab(sizeof(Arena))
    memset(arena, 0, sizeof(Arena))
    arena.n = n
    # Both halves in one block: malloc keeps a block for the next tree where it would
    # give two of half the size back to the system (waveform-5000: 1.1 times as fast).
    arena.keys[0] = <uint64_t*>grab(2 * problem.n_sorted * n * sizeof(uint64_t))
    arena.keys[1] = arena.keys[0] + problem.n_sorted * n
    arena.rows[0] = <int32_t*>grab(2 * n * sizeof(int32_t))
    arena.rows[1] = arena.rows[0] + n
    if weighted:
        arena.weights[0] = <float64_t*>grab(2 * n * sizeof(float64_t))
        arena.weights[1] = arena.weights[0] + n
    return arena


cdef void leave_arena(Arena* arena) noexcept nogil:
    """Count one task less; free the arena with the last."""
    arena.users -= 1
    if arena.users > 0:
        return
    free(arena.keys[0])
    free(arena.rows[0])
    free(arena.weights[0])
    free(arena)


cdef void drop_task(Task* task) noexcept nogil:
    free(task.known)
    free(task.histogram)
    leave_arena(task.arena)


cdef int push(Grower* grower, const Task* task) except -1 nogil:
    if grower.n_tasks == grower.n_slots:
        grower.n_slots = 2 * grower.n_slots + 64
        resize(<void**>&grower.stack, grower.n_slots * sizeof(Task))
    grower.stack[grower.n_tasks] = task[0]
    grower.n_tasks += 1
    task.arena.users += 1
    return 0


cdef void view_of(const Grower* grower, const Task* task, View* view) noexcept nogil:
    """Set up what a task's node sees."""
    cdef const Nodes* nodes = &grower.nodes
    cdef Arena* arena = task.arena
    view.rows = arena.rows[task.half] + task.start
    view.n = task.n
    view.unit = arena.weights[0] == NULL
    view.class_weight = nodes.value + task.node * nodes.n_classes
    view.total = sum_of(view.class_weight, nodes.n_classes)
    view.keys = arena.keys[task.half] + task.start
    view.stride = arena.n
    view.known = task.known
    view.live = grower.live
    view.n_live = grower.n_live
    view.n_dense = task.n_dense
    view.histogram = task.histogram


cdef void* new_histogram(
    const Problem* problem, intp_t n_dense, bint unit
) except NULL nogil:
    cdef intp_t n_cells = problem.offset[n_dense]
    if unit:
        return grab(n_cells * sizeof(int32_t))
    return grab((n_cells + n_dense) * sizeof(float64_t))
