"""The pessimistic estimate of a leaf's errors.

Of n training rows at a leaf, e were wrong; the upper limit of a binomial confidence
interval says how many errors to expect of n new rows. What it adds to e is the price
that a leaf pays, and what pruning weighs.
"""

from libc.math cimport pow, sqrt

import numpy as np


cdef inline float64_t added_without_errors(
    const Confidence* confidence, float64_t n
) noexcept nogil:
    return n * (1.0 - pow(confidence.level, 1.0 / n))


cdef float64_t added_errors(
    const Confidence* confidence, float64_t n, float64_t errors
) noexcept nogil:
    """Return the errors to add to those seen among rows of weight n."""
    cdef float64_t base, f, z = confidence.z, upper
    if confidence.level > 0.5:
        return 0.0
    if errors < 1.0:
        base = added_without_errors(confidence, n)
        if errors == 0.0:
            return base
        return base + errors * (added_errors(confidence, n, 1.0) - base)
    if errors + 0.5 >= n:
        return n - errors if n > errors else 0.0
    f = (errors + 0.5) / n
    upper = (
        f + z * z / (2.0 * n) + z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
    ) / (1.0 + z * z / n)
    return upper * n - errors


def extra_errors(n, errors, float64_t level, float64_t z):
    """Return the errors that the estimate adds, for arrays of weights and errors.

    Parameters
    ----------
    n, errors : ndarray of shape (n_leaves,), float64
        Weight of the rows and of those that are wrong.
    level, z : float
        Confidence and its normal quantile, see `confidence_limits`.
    """
    cdef const float64_t[::1] weights = n
    cdef const float64_t[::1] wrong = errors
    cdef Confidence confidence
    cdef Py_ssize_t i
    confidence.level = level
    confidence.z = z
    added = np.empty(weights.shape[0])
    cdef float64_t[::1] out = added
    with nogil:
        for i in range(weights.shape[0]):
            out[i] = added_errors(&confidence, weights[i], wrong[i])
    return added
