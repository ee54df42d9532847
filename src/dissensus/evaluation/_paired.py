"""Tests of two learners on the same folds or the same data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import stdtr

from dissensus.evaluation._levels import (
    highest_level,
    is_significant,
    read_numbers,
    without_noise,
)
from dissensus.utils._typing import Floats

NAN = float("nan")
MAX_EXACT = 200  # differences up to which signed ranks are counted; 200 take 50 ms


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What a test says about two learners.

    Attributes
    ----------
    test : str
        The name of the test.
    difference : float
        Mean of a - b; NaN without a complete pair.
    statistic : float
        The test's own number; NaN where it is not defined.
    pvalue : float
        Two-sided; NaN where it is not defined.
    n : int
        Number of complete pairs.
    n_missing : int
        Number of pairs left out because a result was NaN.
    """

    test: str
    difference: float
    statistic: float
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


def paired_ttest(a: ArrayLike, b: ArrayLike) -> PairedTest:
    r"""Test with Student's t whether the mean of the differences is 0.

    With the k differences :math:`d = a - b`, their mean and their variance
    :math:`s^2` (divisor k - 1),

    .. math:: t = \frac{\bar d}{\sqrt{s^2 / k}}

    has k - 1 degrees of freedom.

    Parameters
    ----------
    a, b : array of shape (n_pairs,)
        Results of the two learners, pair by pair.

    Returns
    -------
    PairedTest
        `statistic` is t. Without a difference anywhere, t is 0 and p is 1. If all
        differences are the same and not 0, t is infinite and p is 0. With fewer than
        two pairs both are NaN.

    See Also
    --------
    corrected_resampled_ttest : The one to use on folds.

    Notes
    -----
    The test takes the differences for independent. Those of a cross-validation are
    not, as any two training sets overlap: it then finds too much.

    Examples
    --------
    >>> from dissensus.evaluation import paired_ttest
    >>> result = paired_ttest([3.0, 5.0, 7.0], [2.0, 3.0, 4.0])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (3.4641, 0.0742)
    """
    return _ttest("paired t-test", a, b, 0.0)


def corrected_resampled_ttest(
    a: ArrayLike, b: ArrayLike, *, test_train_ratio: float
) -> PairedTest:
    r"""Test the mean difference over folds or resamples, allowing for their overlap.

    As `paired_ttest`, with a variance that grows with the share of the data tested on
    [1]_:

    .. math:: t = \frac{\bar d}{\sqrt{(1/k + n_{test}/n_{train})\, s^2}}.

    Parameters
    ----------
    a, b : array of shape (n_pairs,)
        Results of the two learners, fold by fold, over all repeats.
    test_train_ratio : float
        Size of the test set over that of the training set: 1/9 in ten folds,
        1 / (folds - 1) in general.

    Returns
    -------
    PairedTest
        As from `paired_ttest`.

    Notes
    -----
    This is the default of Weka's Experimenter. Leaving pairs out (`n_missing`) lowers
    k and nothing else.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", Machine
       Learning 52, 2003, 239-281.

    Examples
    --------
    >>> from dissensus.evaluation import corrected_resampled_ttest
    >>> result = corrected_resampled_ttest(
    ...     [3.0, 5.0, 7.0], [2.0, 3.0, 4.0], test_train_ratio=1 / 2
    ... )
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.1909, 0.1598)
    """
    if not (test_train_ratio > 0.0 and math.isfinite(test_train_ratio)):
        raise ValueError(
            f"test_train_ratio is {test_train_ratio}. It must be above 0: for k folds "
            "it is 1 / (k - 1)."
        )
    return _ttest("corrected resampled t-test", a, b, test_train_ratio)


def wilcoxon(a: ArrayLike, b: ArrayLike) -> PairedTest:
    r"""Test with Wilcoxon's signed ranks whether one learner tends to be better.

    The differences are ranked by size, equals sharing the mean of their ranks.
    :math:`R^+` and :math:`R^-` are the sums of the ranks of the positive and the
    negative ones; ranks of zeros are split evenly between the two [1]_.

    Parameters
    ----------
    a, b : array of shape (n_pairs,)
        Results of the two learners, data set by data set.

    Returns
    -------
    PairedTest
        `statistic` is the smaller of :math:`R^+` and :math:`R^-`. The p-value is exact
        (see Notes). Without a difference anywhere it is 1, without a pair NaN.

    Notes
    -----
    p is the share of the :math:`2^m` ways to give the m differences their signs
    that lie as far from the even split as the one observed, counted for the ranks as
    they are: ties need no correction. Above 200 differences the normal distribution of
    the same variance stands in for the count.

    References
    ----------
    .. [1] J. Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       Journal of Machine Learning Research 7, 2006, 1-30.

    Examples
    --------
    >>> from dissensus.evaluation import wilcoxon
    >>> result = wilcoxon([5.0, 7.0, 9.0, 8.0, 6.0], [4.0, 5.0, 6.0, 4.0, 1.0])
    >>> result.statistic, result.pvalue
    (0.0, 0.0625)
    """
    d, n_missing = _differences(a, b)
    ranks = stats.rankdata(np.abs(d))
    zeros = float(ranks[d == 0.0].sum()) / 2.0
    positive = float(ranks[d > 0.0].sum()) + zeros
    negative = float(ranks[d < 0.0].sum()) + zeros
    pvalue = _signed_rank_pvalue(ranks[d != 0.0], positive - zeros) if len(d) else NAN
    statistic = min(positive, negative) if len(d) else NAN
    return PairedTest(
        "Wilcoxon signed ranks", _mean(d), statistic, pvalue, len(d), n_missing
    )


def sign_test(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test by counting who wins more often.

    If both are equally good, the number of wins follows the binomial distribution of n
    and one half. Ties are split evenly between the two; an odd one is left out [1]_.

    Parameters
    ----------
    a, b : array of shape (n_pairs,)
        Results of the two learners, data set by data set.

    Returns
    -------
    PairedTest
        `statistic` is the number of pairs in which `a` is larger, with its half of the
        ties. The p-value is 1 if all are ties, NaN without a pair.

    References
    ----------
    .. [1] J. Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       Journal of Machine Learning Research 7, 2006, 1-30.

    Examples
    --------
    >>> from dissensus.evaluation import sign_test
    >>> result = sign_test([2, 2, 2, 2, 2, 2], [1, 1, 1, 1, 1, 3])
    >>> result.statistic, result.pvalue
    (5.0, 0.21875)
    """
    d, n_missing = _differences(a, b)
    if not len(d):
        return PairedTest("sign test", NAN, NAN, NAN, 0, n_missing)
    half_of_ties = int((d == 0.0).sum()) // 2
    wins = int((d > 0.0).sum()) + half_of_ties
    losses = int((d < 0.0).sum()) + half_of_ties
    pvalue = _even_odds(wins, losses)
    return PairedTest("sign test", _mean(d), float(wins), pvalue, len(d), n_missing)


def mcnemar(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test two classifiers on the rows of one test set, by McNemar's exact test.

    Only rows that one of the two gets right and the other wrong tell them apart. If
    both are equally good, the number of those that `a` gets right follows the binomial
    distribution of their number and one half [1]_.

    Parameters
    ----------
    a, b : array of shape (n_rows,)
        For each row 1 where the classifier is right, 0 where it is wrong.

    Returns
    -------
    PairedTest
        `difference` is that of the accuracies, `statistic` the number of rows that only
        `a` gets right. The p-value is 1 if no row tells them apart, NaN without rows.

    See Also
    --------
    corrected_resampled_ttest : The test for folds.

    Notes
    -----
    The test is about the two classifiers as they were fitted, on rows like these. That
    another training set would have given others is not in it.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing Supervised
       Classification Learning Algorithms", Neural Computation 10, 1998, 1895-1923.

    Examples
    --------
    >>> from dissensus.evaluation import mcnemar
    >>> result = mcnemar([1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1])
    >>> result.statistic, result.pvalue
    (6.0, 0.03125)
    """
    d, n_missing = _differences(a, b)
    name = "McNemar's exact test"
    if not len(d):
        return PairedTest(name, NAN, NAN, NAN, 0, n_missing)
    wins, losses = int((d > 0.0).sum()), int((d < 0.0).sum())
    return PairedTest(
        name, _mean(d), float(wins), _even_odds(wins, losses), len(d), n_missing
    )


def _even_odds(wins: int, losses: int) -> float:
    """Return the two-sided p-value of wins and losses that are equally likely."""
    if not wins + losses:
        return 1.0
    return float(stats.binomtest(wins, wins + losses).pvalue)


def _differences(a: ArrayLike, b: ArrayLike) -> tuple[Floats, int]:
    """Return a - b where both are there, and the number of pairs left out."""
    first, second = read_numbers(a, "a", 1), read_numbers(b, "b", 1)
    if len(first) != len(second):
        raise ValueError(
            f"a has {len(first)} results, b has {len(second)}. They must be pairs: the "
            "same folds or data sets in the same order."
        )
    complete = ~(np.isnan(first) | np.isnan(second))
    first, second = first[complete], second[complete]
    d = without_noise(first - second, np.concatenate([first, second]))
    return d, int((~complete).sum())


def _mean(d: Floats) -> float:
    return float(d.mean()) if len(d) else NAN


def _ttest(name: str, a: ArrayLike, b: ArrayLike, ratio: float) -> PairedTest:
    d, n_missing = _differences(a, b)
    k, mean = len(d), _mean(d)
    if k < 2:
        return PairedTest(name, mean, NAN, NAN, k, n_missing)
    # Equal differences have a variance of exactly 0, but not always a computed one.
    variance = 0.0 if (d == d[0]).all() else float(d.var(ddof=1))
    if variance == 0.0:
        t = 0.0 if d[0] == 0.0 else math.copysign(math.inf, d[0])
    else:
        t = mean / math.sqrt((1.0 / k + ratio) * variance)
    # SciPy's stats.t.sf is this, with half of the test's time in checks on top.
    pvalue = 2.0 * float(stdtr(k - 1, -abs(t)))
    return PairedTest(name, mean, t, pvalue, k, n_missing)


def _signed_rank_pvalue(ranks: Floats, positive: float) -> float:
    """Return the chance of a sum of ranks at least as far from its mean, two-sided."""
    # Ranks are multiples of one half: doubled, their sums are whole numbers.
    steps = np.rint(2.0 * ranks).astype(np.int64)
    total = int(steps.sum())
    distance = abs(2 * round(2.0 * positive) - total)
    if len(steps) > MAX_EXACT:
        deviation = math.sqrt(float((steps.astype(np.float64) ** 2).sum()))
        return 2.0 * float(stats.norm.sf(distance / deviation))
    share = np.zeros(total + 1)
    share[0] = 1.0
    for step in steps:
        share[step:] = (share[step:] + share[:-step]) / 2.0
        share[:step] /= 2.0
    far = np.abs(2 * np.arange(total + 1) - total) >= distance
    return min(1.0, float(share[far].sum()))
