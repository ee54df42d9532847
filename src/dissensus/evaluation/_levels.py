"""Levels of significance, and values that differ by rounding only."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dissensus.utils._typing import Floats

LEVELS = (0.95, 0.99, 0.999)
DIGITS = 13  # more are noise: 0.3 - 0.2 and 0.2 - 0.1 differ in the 17th


def is_significant(pvalue: float, level: float) -> bool:
    """Whether a p-value is below what the level allows; NaN never is."""
    check_level(level)
    return pvalue < 1.0 - level


def check_level(level: float) -> None:
    """Raise an error for a level that is no share, such as 95."""
    if not 0.0 < level < 1.0:
        raise ValueError(
            f"level is {level}. It must lie between 0 and 1: 0.95 stands for 95 %."
        )


def highest_level(pvalue: float) -> float | None:
    """Return the highest of 0.95, 0.99 and 0.999 at which a result is significant."""
    reached = [level for level in LEVELS if is_significant(pvalue, level)]
    return max(reached, default=None)


def without_noise(values: Floats, scale: Floats) -> Floats:
    """Round to 13 digits of the largest number that the values were made of.

    What should be equal then is, so that ties are ties and zeros are zeros.
    """
    largest = float(np.abs(scale).max(initial=0.0))
    if largest == 0.0:
        return values
    unit = 10.0 ** np.floor(np.log10(largest))
    return np.asarray(np.round(values / unit, DIGITS) * unit)


def read_numbers(values: ArrayLike, name: str, n_dimensions: int) -> Floats:
    """Return results as floats; NaN stands for a missing one, infinity is refused."""
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != n_dimensions:
        raise ValueError(
            f"{name} has the shape {numbers.shape}. It must have {n_dimensions} "
            "dimension(s)."
        )
    if np.isinf(numbers).any():
        raise ValueError(
            f"{name} has infinite values. Results must be finite; NaN stands for a "
            "missing one."
        )
    return numbers
