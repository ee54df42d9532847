"""The values that stand in for missing ones: mean and mode."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def fill_value(kind: int, column: NDArray[np.float64]) -> float:
    """Return the mean of a numeric column, or the first most frequent code."""
    known = column[~np.isnan(column)]
    if kind == 0:
        return float(sum(known) / len(known))
    return float(np.argmax(np.bincount(known.astype(int), minlength=kind)))
