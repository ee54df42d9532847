"""Add to each candidate of a node its gain for an extra task.

MTForest splits by the class and a second target at once. C4.5 has found its candidates
by the class; the rows of the node are sent through each of them once more, and the
information about the task that this gains is added, times a weight. Tables are filled
row by row, with the sums of E(x) = x log2 x carried along, and emptied row by row.
"""

from dissensus._core.common._numbers cimport equal, xlog2x
from dissensus._core.tree._problem cimport Candidate
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, intp_t, uint8_t, uint16_t, uint32_t, uint64_t
)


# Weights of the rows of a node, in cells that are all 0 between uses, and sums of E.
cdef struct Tables:
    float64_t* cells        # (n_branches, n_extra)
    float64_t* tasks        # (n_extra,)
    float64_t* branches     # (n_branches,) of the rows with a known task
    float64_t* sizes        # (n_branches,) of all rows
    float64_t e_cells
    float64_t e_tasks
    float64_t e_branches
    float64_t e_sizes
    float64_t known         # weight of the rows with a known branch
    float64_t both          # ... and a known task


cdef inline float64_t raised(
    const Problem* problem, bint unit, float64_t* cell, float64_t weight
) noexcept nogil:
    """Add a weight to a cell; return what that adds to E."""
    cdef float64_t before = cell[0]
    cell[0] = before + weight
    if unit:
        return problem.step[<intp_t>before]
    return (
        xlog2x(problem.log_steps, cell[0]) - xlog2x(problem.log_steps, before)
    )


cdef inline void add_row(
    const Problem* problem, const Scratch* scratch, bint unit, int32_t row, intp_t b,
    Tables* tables
) noexcept nogil:
    cdef intp_t task = problem.extra[row]
    cdef float64_t weight = 1.0 if unit else scratch.weight_of[row]
    tables.known += weight
    tables.e_sizes += raised(problem, unit, tables.sizes + b, weight)
    if task < 0:
        return
    tables.both += weight
    tables.e_branches += raised(problem, unit, tables.branches + b, weight)
    tables.e_tasks += raised(problem, unit, tables.tasks + task, weight)
    tables.e_cells += raised(
        problem, unit, tables.cells + b * problem.n_extra + task, weight
    )


cdef inline void clear_row(
    const Problem* problem, int32_t row, intp_t b, Tables* tables
) noexcept nogil:
    cdef intp_t task = problem.extra[row]
    tables.sizes[b] = 0.0
    if task >= 0:
        tables.branches[b] = 0.0
        tables.tasks[task] = 0.0
        tables.cells[b * problem.n_extra + task] = 0.0


cdef void finish(
    const Problem* problem, const View* view, const Tables* tables, Candidate* out
) noexcept nogil:
    """Raise the gain of a candidate, and set the ratio that follows."""
    cdef float64_t total = view.total, bits, gain = 0.0, split_information
    if tables.both > 0.0:
        bits = xlog2x(problem.log_steps, tables.both) - tables.e_tasks
        bits = tables.both / total * (bits - (tables.e_branches - tables.e_cells))
        gain = 0.0 if equal(bits, 0.0) else bits / tables.both
    out.gain += problem.extra_weight * gain
    split_information = (
        xlog2x(problem.log_steps, total) - tables.e_sizes
        - xlog2x(problem.log_steps, total - tables.known)
    )
    out.ratio = 0.0
    if not equal(split_information, 0.0):
        out.ratio = out.gain / (split_information / total)


cdef void open_tables(
    const Problem* problem, const Scratch* scratch, intp_t n_branches, Tables* tables
) noexcept nogil:
    tables.cells = scratch.extra_cells
    tables.tasks = tables.cells + n_branches * problem.n_extra
    tables.branches = tables.tasks + problem.n_extra
    tables.sizes = tables.branches + n_branches
    tables.e_cells = 0.0
    tables.e_tasks = 0.0
    tables.e_branches = 0.0
    tables.e_sizes = 0.0
    tables.known = 0.0
    tables.both = 0.0


cdef void raise_sorted(
    const Problem* problem, const Scratch* scratch, const View* view, intp_t j,
    Candidate* out
) noexcept nogil:
    """Raise the gain of the cut of a sorted attribute."""
    cdef const uint64_t* keys = view.keys + j * view.stride
    cdef uint64_t row_mask = ((<uint64_t>1) << problem.row_bits) - 1
    cdef intp_t n_known = view.n if view.known == NULL else view.known[j], i
    cdef Tables tables
    open_tables(problem, scratch, 2, &tables)
    for i in range(n_known):
        add_row(
            problem, scratch, view.unit, <int32_t>(keys[i] & row_mask),
            i >= out.n_left, &tables
        )
    finish(problem, view, &tables, out)
    for i in range(n_known):
        clear_row(problem, <int32_t>(keys[i] & row_mask), i >= out.n_left, &tables)


cdef void raise_coded(
    const Problem* problem, const Scratch* scratch, const View* view, intp_t j,
    const code_t* codes, Candidate* out
) noexcept nogil:
    """Raise the gain of the candidate of a coded attribute."""
    cdef intp_t attribute = problem.coded[j], n_branches = 2, i
    cdef int32_t n_values = problem.n_values[attribute], code, row
    cdef bint is_nominal = problem.is_nominal[attribute]
    cdef bint multiway = is_nominal and not problem.binary
    cdef int32_t* branch = scratch.row_codes
    cdef Tables tables
    if multiway:
        n_branches = n_values
    open_tables(problem, scratch, n_branches, &tables)
    for i in range(view.n):
        row = view.rows[i]
        code = <int32_t>codes[<intp_t>row * problem.n_coded + j]
        if code == n_values:
            branch[i] = -1
            continue
        if not multiway:
            code = code != out.low if is_nominal else code > out.low
        branch[i] = code
        add_row(problem, scratch, view.unit, row, code, &tables)
    finish(problem, view, &tables, out)
    for i in range(view.n):
        if branch[i] >= 0:
            clear_row(problem, view.rows[i], branch[i], &tables)


cdef void add_extra_gains(
    const Problem* problem, const Scratch* scratch, const View* view
) noexcept nogil:
    """Raise the gains of all candidates of a node."""
    cdef intp_t j, attribute
    cdef Candidate* out
    for j in range(problem.n_sorted):
        out = scratch.candidates + problem.sorted[j]
        if out.valid:
            raise_sorted(problem, scratch, view, j, out)
    for j in range(problem.n_coded):
        attribute = problem.coded[j]
        if attribute >= problem.n_attributes or not scratch.candidates[attribute].valid:
            continue
        out = scratch.candidates + attribute
        if problem.code_bytes == 1:
            raise_coded(problem, scratch, view, j, <const uint8_t*>problem.codes, out)
        elif problem.code_bytes == 2:
            raise_coded(problem, scratch, view, j, <const uint16_t*>problem.codes, out)
        else:
            raise_coded(problem, scratch, view, j, <const uint32_t*>problem.codes, out)
