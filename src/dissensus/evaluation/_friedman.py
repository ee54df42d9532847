"""Whether several learners differ over several data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from dissensus.evaluation._levels import highest_level, is_significant
from dissensus.evaluation._ranks import average_ranks
from dissensus.utils._typing import Floats

NAN = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class FriedmanTest:
    """Whether several learners differ at all.

    Attributes
    ----------
    average_ranks : ndarray of shape (n_learners,)
        Mean rank of each learner; 1 is the best.
    chi_square : float
        Friedman's statistic.
    chi_square_pvalue : float
        Its p-value.
    statistic : float
        Iman and Davenport's F.
    pvalue : float
        Its p-value, the one to use.
    n : int
        Number of complete data sets.
    n_missing : int
        Number of data sets left out because a learner has no result there.
    """

    average_ranks: Floats
    chi_square: float
    chi_square_pvalue: float
    statistic: float
    pvalue: float
    n: int
    n_missing: int

    @property
    def level(self) -> float | None:
        """Highest of 0.95, 0.99, 0.999 at which it is significant; None if at none."""
        return highest_level(self.pvalue)

    def is_significant(self, level: float = 0.95) -> bool:
        """Whether `pvalue` is below 1 - level; never if it is not defined."""
        return is_significant(self.pvalue, level)


def friedman(scores: ArrayLike, *, greater_is_better: bool = True) -> FriedmanTest:
    r"""Test whether learners differ, by their ranks on the data sets.

    With N data sets, k learners, the ranks :math:`r_{ij}` and their means
    :math:`R_j`,

    .. math::
        \chi^2_F = \frac{(k - 1)\, N^2 \sum_j (R_j - \frac{k + 1}{2})^2}
                   {\sum_{ij} r_{ij}^2 - N k (k + 1)^2 / 4},
        \qquad
        F_F = \frac{(N - 1) \chi^2_F}{N (k - 1) - \chi^2_F},

    with k - 1, and k - 1 and (k - 1)(N - 1) degrees of freedom.

    Parameters
    ----------
    scores : array of shape (n_datasets, n_learners)
        One result of each learner on each data set; NaN if it has none.
    greater_is_better : bool, default=True
        True for accuracies, False for errors.

    Returns
    -------
    FriedmanTest
        With both statistics. If all learners are equal everywhere they are 0 and p is
        1; without a complete data set, or with one learner, they are NaN.

    See Also
    --------
    nemenyi : Which pairs differ, if any do.

    Notes
    -----
    Without ties this is the formula of [1]_,
    :math:`\frac{12 N}{k (k + 1)} [\sum_j R_j^2 - k (k + 1)^2 / 4]`; with ties that one
    is too small. :math:`F_F` was introduced because the other is too conservative [2]_.
    If all data sets rank the learners alike, :math:`F_F` is infinite, and `pvalue` is
    the exact chance of that: :math:`k!^{1 - N}` where there are no ties.

    References
    ----------
    .. [1] J. Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       Journal of Machine Learning Research 7, 2006, 1-30.
    .. [2] R. L. Iman and J. M. Davenport, "Approximations of the Critical Region of
       the Friedman Statistic", Communications in Statistics A 9, 1980, 571-595.

    Examples
    --------
    >>> from dissensus.evaluation import friedman
    >>> scores = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.9, 0.7], [0.3, 0.2, 0.1]]
    >>> found = friedman(scores)
    >>> found.chi_square, found.statistic
    (6.5, 13.0)
    """
    ranks = average_ranks(scores, greater_is_better=greater_is_better)
    n, k = ranks.n, len(ranks.average)
    if n == 0 or k < 2:
        return FriedmanTest(ranks.average, NAN, NAN, NAN, NAN, n, ranks.n_missing)
    rows = ranks.by_dataset[~np.isnan(ranks.by_dataset).any(axis=1)]
    # Quarters throughout, so that spread and distance are exact and 0 is 0.
    spread = float((rows**2).sum()) - n * k * (k + 1) ** 2 / 4
    totals = rows.sum(axis=0) - n * (k + 1) / 2
    distance = float((totals**2).sum())
    chi_square = (k - 1) * distance / spread if spread else 0.0
    if spread and distance == n * spread:
        statistic, pvalue = math.inf, _chance_of_agreement(rows)
    else:
        statistic = (n - 1) * chi_square / (n * (k - 1) - chi_square)
        pvalue = (
            float(stats.f.sf(statistic, k - 1, (k - 1) * (n - 1))) if n > 1 else 1.0
        )
    return FriedmanTest(
        ranks.average,
        chi_square,
        float(stats.chi2.sf(chi_square, k - 1)),
        statistic,
        pvalue,
        n,
        ranks.n_missing,
    )


def _chance_of_agreement(rows: Floats) -> float:
    """Return the chance that rankings drawn at random are all the same."""
    n, k = rows.shape
    _, ties = np.unique(rows[0], return_counts=True)
    orders = math.factorial(k) / math.prod(math.factorial(int(tie)) for tie in ties)
    return float(orders) ** (1 - n)
