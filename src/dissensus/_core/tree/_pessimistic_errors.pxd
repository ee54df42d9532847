# The pessimistic estimate of a leaf's errors.

from dissensus._core.common._typedefs cimport float64_t

cdef struct Confidence:
    float64_t level   # rounded to single precision, as J48 keeps it
    float64_t z       # quantile of the standard normal at 1 - level

cdef float64_t added_errors(
    const Confidence* confidence, float64_t n, float64_t errors
) noexcept nogil
