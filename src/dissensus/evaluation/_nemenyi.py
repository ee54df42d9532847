"""Which of several learners differ over several data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from dissensus.evaluation._levels import check_level
from dissensus.evaluation._ranks import average_ranks
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True, eq=False)
class NemenyiTest:
    """Which learners differ.

    Attributes
    ----------
    average_ranks : ndarray of shape (n_learners,)
        Mean rank of each learner; 1 is the best.
    pvalues : ndarray of shape (n_learners, n_learners)
        For each pair; 1 on the diagonal.
    n : int
        Number of complete data sets.
    n_missing : int
        Number of data sets left out because a learner has no result there.
    """

    average_ranks: Floats
    pvalues: Floats
    n: int
    n_missing: int

    def critical_difference(self, level: float = 0.95) -> float:
        """Return the difference of average ranks from which on two learners differ."""
        return critical_difference(len(self.average_ranks), self.n, level=level)

    def groups(self, level: float = 0.95) -> list[tuple[int, ...]]:
        """List the learners that cannot be told apart, best first.

        Each group is as large as it can be, has at least two learners, and is a bar of
        a critical difference diagram.
        """
        if not self.n or len(self.average_ranks) < 2:
            return []
        order = np.argsort(self.average_ranks, kind="stable")
        ranks = self.average_ranks[order]
        reach = self.critical_difference(level)
        found: list[tuple[int, ...]] = []
        end_before = 0
        for start, rank in enumerate(ranks):
            end = int(np.searchsorted(ranks, rank + reach, side="left"))
            if end - start > 1 and end > end_before:
                found.append(tuple(int(learner) for learner in order[start:end]))
                end_before = end
        return found


def nemenyi(scores: ArrayLike, *, greater_is_better: bool = True) -> NemenyiTest:
    r"""Test each pair of learners by the difference of their average ranks.

    Two learners differ if their average ranks do by at least the critical difference
    [1]_

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},

    where :math:`q_\alpha` comes from the studentized range of k learners and infinite
    degrees of freedom, divided by :math:`\sqrt 2`.

    Parameters
    ----------
    scores : array of shape (n_datasets, n_learners)
        One result of each learner on each data set; NaN if it has none.
    greater_is_better : bool, default=True
        True for accuracies, False for errors.

    Returns
    -------
    NemenyiTest
        Ranks and p-values, which allow for the number of pairs. NaN without a complete
        data set.

    See Also
    --------
    friedman : Whether there is a difference at all; to be asked first.

    References
    ----------
    .. [1] J. Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       Journal of Machine Learning Research 7, 2006, 1-30.

    Examples
    --------
    >>> from dissensus.evaluation import nemenyi
    >>> found = nemenyi([[0.9, 0.8, 0.1], [0.7, 0.6, 0.2], [0.8, 0.9, 0.3]] * 4)
    >>> found.groups()
    [(0, 1)]
    """
    ranks = average_ranks(scores, greater_is_better=greater_is_better)
    k = len(ranks.average)
    pvalues = np.full((k, k), np.nan)
    if ranks.n:
        scale = math.sqrt(k * (k + 1) / (6 * ranks.n))
        upper = np.triu_indices(k, 1)
        distance = np.abs(ranks.average[upper[0]] - ranks.average[upper[1]])
        if len(distance):
            tail = stats.studentized_range.sf(
                math.sqrt(2) * distance / scale, k, np.inf
            )
            pvalues[upper] = pvalues.T[upper] = np.clip(tail, 0.0, 1.0)
        np.fill_diagonal(pvalues, 1.0)
    return NemenyiTest(ranks.average, pvalues, ranks.n, ranks.n_missing)


def critical_difference(
    n_learners: int, n_datasets: int, *, level: float = 0.95
) -> float:
    """Return Nemenyi's critical difference of average ranks.

    Parameters
    ----------
    n_learners : int
        Number of learners, at least 2.
    n_datasets : int
        Number of data sets, at least 1.
    level : float, default=0.95
        The level of significance.

    Returns
    -------
    float
        As in `nemenyi`.

    Examples
    --------
    >>> from dissensus.evaluation import critical_difference
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    check_level(level)
    if n_learners < 2 or n_datasets < 1:
        raise ValueError(
            f"There are {n_learners} learners and {n_datasets} data sets. A difference "
            "needs at least two learners and one data set."
        )
    quantile = float(stats.studentized_range.ppf(level, n_learners, np.inf))
    scale = math.sqrt(n_learners * (n_learners + 1) / (6 * n_datasets))
    return quantile / math.sqrt(2) * scale
