# The gain of an extra task, beside the class.

from dissensus._core.tree._problem cimport Problem, Scratch, View

cdef void add_extra_gains(
    const Problem* problem, const Scratch* scratch, const View* view
) noexcept nogil
