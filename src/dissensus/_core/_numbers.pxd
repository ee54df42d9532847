# Comparisons with tolerance and x log2 x, as J48 reckons.
#
# J48 compares weights, gains and ratios with a tolerance of 1e-6; two kernels that
# disagree here grow different trees, so the rules stand once, and inline.

from libc.math cimport log2

from dissensus._core._typedefs cimport float64_t

cdef inline bint eq(float64_t a, float64_t b) noexcept nogil:
    return a - b < 1e-6 and b - a < 1e-6


cdef inline bint gr(float64_t a, float64_t b) noexcept nogil:
    return a - b > 1e-6


cdef inline bint sm(float64_t a, float64_t b) noexcept nogil:
    return b - a > 1e-6


cdef inline bint gr_or_eq(float64_t a, float64_t b) noexcept nogil:
    return b - a < 1e-6 or a >= b


cdef inline bint sm_or_eq(float64_t a, float64_t b) noexcept nogil:
    return a - b < 1e-6 or a <= b


cdef inline float64_t xlog2x(float64_t x) noexcept nogil:
    """Return x * log2(x), which counts as 0 below the tolerance."""
    if x < 1e-6:
        return 0.0
    return x * log2(x)
