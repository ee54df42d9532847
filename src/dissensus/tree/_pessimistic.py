"""The confidence of C4.5's pessimistic error estimate."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri


def confidence_limits(confidence: float) -> tuple[float, float]:
    """Return the confidence as J48 keeps it, and its normal quantile.

    J48 keeps the confidence, and one minus it, in single precision. In double
    precision the estimate for 0.1 would differ by up to 2.5e-5.
    """
    level = float(np.float32(confidence))
    return level, float(ndtri(float(np.float32(1.0 - level))))
