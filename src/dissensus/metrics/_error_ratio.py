"""Geometric means of errors, with a floor for errors of zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dissensus.utils._typing import Floats

FLOOR = 1e-4  # an error of 0.01 %


def geometric_mean_error(errors: ArrayLike, *, floor: ArrayLike = FLOOR) -> float:
    r"""Return the geometric mean of errors over data sets.

    .. math:: \Bigl(\prod_{i=1}^n \max(E_i, floor_i)\Bigr)^{1/n}

    Parameters
    ----------
    errors : array of shape (n_datasets,)
        Errors as shares from 0 to 1, not in percent.
    floor : float or array of shape (n_datasets,), default=0.0001
        What an error counts at least: without it, a single error of 0 would make the
        mean 0. The default is 0.01 %; `0.5 / n_test` for each data set is half an
        error.

    Returns
    -------
    float
        The mean; NaN if an error is missing.

    Examples
    --------
    >>> from dissensus.metrics import geometric_mean_error
    >>> round(geometric_mean_error([0.1, 0.4]), 12)
    0.2
    >>> round(geometric_mean_error([0.1, 0.0], floor=0.001), 12)
    0.01
    """
    return float(np.exp(np.mean(np.log(_floored(errors, floor, "errors")))))


def geometric_mean_error_ratio(
    errors_a: ArrayLike, errors_b: ArrayLike, *, floor: ArrayLike = FLOOR
) -> float:
    r"""Return the geometric mean of the ratios of two learners' errors.

    .. math:: \Bigl(\prod_{i=1}^n \frac{\max(E_{A,i}, floor_i)}
                                       {\max(E_{B,i}, floor_i)}\Bigr)^{1/n}

    Below 1, learner A is the better one; 0.9 reads "on average, A makes a tenth fewer
    errors" [1]_.

    Parameters
    ----------
    errors_a, errors_b : array of shape (n_datasets,)
        Errors of the two learners, as shares from 0 to 1, not in percent.
    floor : float or array of shape (n_datasets,), default=0.0001
        What an error counts at least, as in `geometric_mean_error`. A ratio to or from
        0 would otherwise be infinite or 0. A result that rests on the floor should be
        reported with it.

    Returns
    -------
    float
        The ratio; NaN if an error is missing.

    References
    ----------
    .. [1] G. I. Webb, "MultiBoosting: A Technique for Combining Boosting and Wagging",
       Machine Learning 40, 2000, 159-196.

    Examples
    --------
    >>> from dissensus.metrics import geometric_mean_error_ratio
    >>> round(geometric_mean_error_ratio([0.1, 0.2], [0.2, 0.1]), 12)
    1.0
    """
    first = _floored(errors_a, floor, "errors_a")
    second = _floored(errors_b, floor, "errors_b")
    if first.shape != second.shape:
        raise ValueError(
            f"errors_a has {len(first)} data sets, errors_b has {len(second)}. Both "
            "must be about the same data sets, in the same order."
        )
    return float(np.exp(np.mean(np.log(first) - np.log(second))))


def _floored(errors: ArrayLike, floor: ArrayLike, name: str) -> Floats:
    shares = np.asarray(errors, dtype=np.float64)
    least = np.asarray(floor, dtype=np.float64)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(
            f"{name} has the shape {shares.shape}. It must hold one error for each "
            "data set, and at least one."
        )
    if ((shares < 0.0) | (shares > 1.0)).any():
        raise ValueError(
            f"{name} has values outside 0 to 1. Give shares; divide percentages by 100."
        )
    if least.shape not in ((), shares.shape) or not (least > 0.0).all():
        raise ValueError(
            "floor must be a number above 0, or one such number for each data set."
        )
    return np.maximum(shares, least)
