"""Whether two quantities go together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from dissensus.evaluation._levels import highest_level, is_significant, read_numbers
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient of correlation with its p-value.

    Attributes
    ----------
    kind : {"Pearson", "Spearman"}
        Which one.
    coefficient : float
        From -1 to 1; NaN if a quantity is constant or there are fewer than two pairs.
    pvalue : float
        Two-sided, for no correlation; NaN where the coefficient is, and for fewer than
        three pairs.
    n : int
        Number of complete pairs.
    n_missing : int
        Number of pairs left out because a value was NaN.
    """

    kind: str
    coefficient: float
    pvalue: float
    n: int
    n_missing: int

    @property
    def level(self) -> float | None:
        """Highest of 0.95, 0.99, 0.999 at which it is significant; None if at none."""
        return highest_level(self.pvalue)

    def is_significant(self, level: float = 0.95) -> bool:
        """Whether the p-value is below 1 - level; never if it is not defined."""
        return is_significant(self.pvalue, level)


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    r"""Measure how well a straight line fits two quantities.

    .. math:: r = \frac{\sum (x - \bar x)(y - \bar y)}
                       {\sqrt{\sum (x - \bar x)^2 \sum (y - \bar y)^2}},

    with the p-value of :math:`t = r \sqrt{(n - 2) / (1 - r^2)}` with n - 2 degrees of
    freedom.

    Parameters
    ----------
    x, y : array of shape (n_pairs,)
        The two quantities, for example diversity and error reduction of ensembles.

    Returns
    -------
    Correlation
        The coefficient and its p-value.

    Examples
    --------
    >>> from dissensus.evaluation import pearson
    >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]).coefficient, 12)
    0.8
    """
    return _correlation("Pearson", *_pairs(x, y))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Measure how well two quantities rise together, by their ranks.

    It is Pearson's coefficient of the ranks, where equals share the mean of theirs.

    Parameters
    ----------
    x, y : array of shape (n_pairs,)
        The two quantities.

    Returns
    -------
    Correlation
        The coefficient and its p-value, by Student's t as for Pearson's.

    Examples
    --------
    >>> from dissensus.evaluation import spearman
    >>> round(spearman([1, 2, 3, 4], [1, 10, 100, 1000]).coefficient, 12)
    1.0
    """
    first, second, n_missing = _pairs(x, y)
    ranks = stats.rankdata(first), stats.rankdata(second)
    return _correlation("Spearman", *ranks, n_missing)


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats, int]:
    first, second = read_numbers(x, "x", 1), read_numbers(y, "y", 1)
    if len(first) != len(second):
        raise ValueError(f"x has {len(first)} values, y has {len(second)}.")
    complete = ~(np.isnan(first) | np.isnan(second))
    return first[complete], second[complete], int((~complete).sum())


def _correlation(kind: str, x: Floats, y: Floats, n_missing: int) -> Correlation:
    n = len(x)
    coefficient = pvalue = float("nan")
    if n >= 2 and np.ptp(x) > 0.0 and np.ptp(y) > 0.0:
        x, y = _centred(x), _centred(y)
        product = (x / np.linalg.norm(x)) @ (y / np.linalg.norm(y))
        coefficient = float(np.clip(product, -1.0, 1.0))
    if n >= 3 and not np.isnan(coefficient):
        squared = 1.0 - coefficient**2
        t = np.inf if squared == 0.0 else abs(coefficient) * np.sqrt((n - 2) / squared)
        pvalue = float(2.0 * stats.t.sf(t, n - 2))
    return Correlation(kind, coefficient, pvalue, n, n_missing)


def _centred(values: Floats) -> Floats:
    """Return the deviations from the mean, in units of the range."""
    scaled = values / np.ptp(values)  # squares of tiny numbers would be 0
    return np.asarray(scaled - scaled.mean())
