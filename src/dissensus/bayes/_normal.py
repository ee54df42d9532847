"""Numeric attributes by normal densities, one for each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from dissensus.table import Column
from dissensus.utils._typing import Floats

# Of one distinct value, and the least factor of a known value.
PRECISION_OF_ONE_VALUE = 0.01
SMALLEST = 1e-75


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal density for each class, of values rounded to a precision.

    Attributes
    ----------
    precision : float
        The mean distance of neighbouring distinct values.
    mean, deviation : ndarray of shape (n_classes,)
        Of the rounded values of each class.
    """

    precision: float
    mean: Floats
    deviation: Floats

    def factors(self, data: Floats) -> Floats:
        """Return the probability of each value's rounding interval, for each class.

        It is 1 for a missing value. The shape is (n_rows, n_classes).
        """
        half = self.precision / 2
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            distance = _rounded(data, self.precision)[:, np.newaxis] - self.mean
            above = ndtr((distance + half) / self.deviation)
            below = ndtr((distance - half) / self.deviation)
        factors = np.fmax(above - below, SMALLEST)
        factors[np.isnan(data)] = 1.0
        return factors


def fit_normal(
    column: Column,
    y_codes: NDArray[np.int32],
    n_classes: int,
    sample_weight: Floats | None,
) -> Normal:
    """Estimate a normal density for each class, as Weka's NaiveBayes does."""
    precision = _precision(column.in_order().values)
    known = ~np.isnan(column.data)
    y, values = y_codes[known], _rounded(column.data[known], precision)
    weight = np.ones(len(y)) if sample_weight is None else sample_weight[known]

    def per_class(numbers: Floats) -> Floats:
        return np.bincount(y, numbers, n_classes).astype(np.float64, copy=False)

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total, first = per_class(weight), per_class(weight * values)
        mean = np.where(total > 0, first / total, 0.0)
        square = per_class(weight * values**2)
        deviation = np.sqrt(np.abs(square - mean * first) / total)
    # A class without any value gets a narrow density at 0, as in Weka.
    return Normal(precision, mean, np.fmax(deviation, precision / 6))


def _precision(values: Floats) -> float:
    """Return the mean distance of neighbours among ascending distinct values."""
    if len(values) < 2:
        return PRECISION_OF_ONE_VALUE
    with np.errstate(over="ignore"):
        # A running sum adds the gaps one by one, as Weka does; np.sum does not.
        mean = float(np.cumsum(np.diff(values))[-1] / (len(values) - 1))
    return min(mean, np.finfo(np.float64).max)


def _rounded(data: Floats, precision: float) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.rint(data / precision) * precision
    return np.where(np.isinf(rounded), data, rounded)
