"""Numbers near the ends of the range of floating point, moved to its middle.

A column may hold 1e308 or 5e-324, and its squares would be infinite or 0. Multiplied by
a power of 2 it has the same digits, and room on both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.utils._typing import Floats

LARGEST = float(np.finfo(np.float64).max)
# Within 2**-200 and 2**200 two squares, times a weight, are far from both ends.
ROOM = 200


def exponent_of(values: Floats) -> int:
    """Return by which power of 2 to divide numbers; NaN does not count.

    Examples
    --------
    >>> import numpy as np
    >>> exponent_of(np.array([0.5, 1e9])), exponent_of(np.array([3.0, -1e300]))
    (0, 997)
    >>> exponent_of(np.array([])), exponent_of(np.array([np.nan, 0.0, 5e-324]))
    (0, -1073)
    """
    largest = np.fmax.reduce(np.abs(values), initial=0.0)
    exponent = int(np.frexp(largest)[1])
    return exponent if abs(exponent) > ROOM else 0


def divided(values: Any, exponent: Any) -> Floats:
    """Return numbers over powers of 2, infinite where that is too large."""
    if not np.any(exponent):
        return np.asarray(values)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(values, np.negative(exponent)))


def multiplied(values: Any, exponent: Any) -> Floats:
    """Return numbers times powers of 2, at most the largest number there is.

    Examples
    --------
    >>> multiplied([1.5, -3.0], 1023)
    array([ 1.34826985e+308, -1.79769313e+308])
    """
    if not np.any(exponent):
        return np.asarray(values)
    with np.errstate(over="ignore", under="ignore"):
        return np.clip(np.ldexp(values, exponent), -LARGEST, LARGEST)
