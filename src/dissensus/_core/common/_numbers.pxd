# Comparisons with tolerance and x log2 x, as J48 reckons.
#
# J48 compares weights, gains and ratios with a tolerance of 1e-6; two kernels that
# disagree here grow different trees, so the rules stand once, and inline.

from libc.string cimport memcpy

from dissensus._core.common._typedefs cimport float64_t, uint64_t

# A mantissa m in [1, 2) lies near the middle c of one of 512 steps:
# log2 m = log2 c + log2(1 + r), r = m / c - 1, and five terms of the series in r leave
# an error below 1e-17. Three times as fast as the C library's log2 called from here.
cdef struct LogStep:
    float64_t reciprocal   # 1 / c
    float64_t logarithm    # log2 c

cdef enum:
    LOG_STEPS = 512


cdef inline bint equal(float64_t a, float64_t b) noexcept nogil:
    return a - b < 1e-6 and b - a < 1e-6


cdef inline bint greater(float64_t a, float64_t b) noexcept nogil:
    return a - b > 1e-6


cdef inline bint smaller(float64_t a, float64_t b) noexcept nogil:
    return b - a > 1e-6


cdef inline bint not_smaller(float64_t a, float64_t b) noexcept nogil:
    return b - a < 1e-6 or a >= b


cdef inline bint not_greater(float64_t a, float64_t b) noexcept nogil:
    return a - b < 1e-6 or a <= b


cdef inline float64_t fast_log2(const LogStep* steps, float64_t x) noexcept nogil:
    """Return log2 of a positive, normal number."""
    cdef uint64_t bits
    cdef float64_t mantissa, r
    cdef const LogStep* step
    memcpy(&bits, &x, 8)
    step = steps + ((bits >> 43) & (LOG_STEPS - 1))
    cdef float64_t exponent = <float64_t>(<long>(bits >> 52) - 1023)
    bits = (bits & (((<uint64_t>1) << 52) - 1)) | (<uint64_t>1023 << 52)
    memcpy(&mantissa, &bits, 8)
    r = mantissa * step.reciprocal - 1.0
    return exponent + (step.logarithm + r * (
        1.4426950408889634 + r * (
            -0.7213475204444817 + r * (
                0.48089834696298783 + r * (
                    -0.36067376022224085 + r * 0.28853900817779268
                )
            )
        )
    ))


cdef inline float64_t xlog2x(const LogStep* steps, float64_t x) noexcept nogil:
    """Return x * log2(x), which counts as 0 below the tolerance."""
    if x < 1e-6:
        return 0.0
    return x * fast_log2(steps, x)
