"""The tasks of a growing tree, and the memory that their rows and keys lie in."""

from libc.string cimport memset

from dissensus._core.common._memory cimport grab, release, resize, times


cdef int give_arena(
    Task* task, const Problem* problem, intp_t n, bint weighted
) except -1 nogil:
    """Give a task an arena of its own, with room for n rows."""
    cdef intp_t n_keys = times(problem.n_sorted, n, b"Sort keys")
    cdef Arena* arena = <Arena*>grab(1, sizeof(Arena), b"Rows of a node")
    memset(arena, 0, sizeof(Arena))
    arena.n = n
    task.arena = arena
    # Both halves in one block: malloc keeps a block for the next tree where it would
    # give two of half the size back to the system (waveform-5000: 1.1 times as fast).
    arena.keys[0] = <uint64_t*>grab(n_keys, 2 * sizeof(uint64_t), b"Sort keys")
    arena.keys[1] = arena.keys[0] + n_keys
    arena.rows[0] = <int32_t*>grab(n, 2 * sizeof(int32_t), b"Rows of a node")
    arena.rows[1] = arena.rows[0] + n
    if weighted:
        arena.weights[0] = <float64_t*>grab(
            n, 2 * sizeof(float64_t), b"Weights of rows"
        )
        arena.weights[1] = arena.weights[0] + n
    return 0


cdef void leave_arena(Arena* arena) noexcept nogil:
    """Count one task less; free the arena with the last."""
    arena.users -= 1
    if arena.users > 0:
        return
    release(arena.keys[0])
    release(arena.rows[0])
    release(arena.weights[0])
    release(arena)


cdef void drop_task(Task* task) noexcept nogil:
    """Give back what a task owns; it is none any more."""
    release(task.known)
    release(task.histogram)
    if task.arena != NULL:
        leave_arena(task.arena)
    memset(task, 0, sizeof(Task))


cdef int push(Grower* grower, Task* task) except -1 nogil:
    """Put a task, with all that it owns, on the stack."""
    if grower.n_tasks == grower.n_slots:
        resize(
            <void**>&grower.stack, 2 * grower.n_slots + 64, sizeof(Task),
            b"Nodes to be split"
        )
        grower.n_slots = 2 * grower.n_slots + 64
    task.arena.users += 1
    grower.stack[grower.n_tasks] = task[0]
    grower.n_tasks += 1
    memset(task, 0, sizeof(Task))
    return 0


cdef void drop_planned(Task* child) noexcept nogil:
    """Give back what a child not pushed yet owns: an arena only if it is new."""
    release(child.known)
    release(child.histogram)
    if child.arena != NULL and child.arena.users == 0:
        leave_arena(child.arena)


cdef void free_tasks(Grower* grower) noexcept nogil:
    """Give back all tasks: on the stack, at hand, and children not pushed yet."""
    cdef intp_t i
    for i in range(grower.n_tasks):
        drop_task(grower.stack + i)
    for i in range(grower.n_planned):
        drop_planned(grower.children + i)
    drop_task(&grower.task)
    release(grower.stack)
    release(grower.children)


cdef void view_of(const Grower* grower, const Task* task, View* view) noexcept nogil:
    """Set up what a task's node sees; its class weights are those read last."""
    cdef Arena* arena = task.arena
    view.rows = arena.rows[task.half] + task.start
    view.n = task.n
    view.unit = arena.weights[0] == NULL
    view.class_weight = grower.class_weight
    view.total = grower.nodes.weights.total[task.node]
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
        return grab(n_cells, sizeof(int32_t), b"Histograms of a node")
    return grab(n_cells + n_dense, sizeof(float64_t), b"Histograms of a node")
