"""The confidence of C4.5's pessimistic error estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dissensus._core.tree import _pessimistic_errors as _errors


def confidence_limits(confidence: float) -> tuple[float, float]:
    """Return the confidence as J48 keeps it, and its normal quantile.

    J48 keeps the confidence, and one minus it, in single precision. In double
    precision the estimate for 0.1 would differ by up to 2.5e-5.
    """
    level = float(np.float32(confidence))
    return level, float(ndtri(float(np.float32(1.0 - level))))


def extra_errors(
    n: NDArray[np.float64], errors: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """Return what the estimate adds to the errors seen among rows of weight n."""
    return _errors.extra_errors(n, errors, *confidence_limits(confidence))
