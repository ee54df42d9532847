"""The pessimistic error estimate of C4.5, as J48 computes it."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from tests.reference.tolerance import equal


def pessimistic_errors(total: float, errors: float, confidence: float) -> float:
    """Return training errors plus the extra ones; 0 for a leaf without weight."""
    if equal(total, 0.0):
        return 0.0
    return errors + extra_errors(total, errors, confidence)


def extra_errors(total: float, errors: float, confidence: float) -> float:
    """Return what the upper confidence limit adds to the training errors.

    The confidence is a single-precision number, and so is one minus it.
    """
    single = np.float32(confidence)
    confidence = float(single)
    if confidence > 0.5:
        return 0.0
    if errors < 1:
        base = total * (1 - math.pow(confidence, 1 / total))
        if errors == 0:
            return base
        return base + errors * (extra_errors(total, 1.0, confidence) - base)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z = NormalDist().inv_cdf(float(np.float32(1) - single))
    f = (errors + 0.5) / total
    root = math.sqrt(f / total - f * f / total + z * z / (4 * total * total))
    rate = (f + z * z / (2 * total) + z * root) / (1 + z * z / total)
    return rate * total - errors
