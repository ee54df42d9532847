"""How many data sets a learner wins, draws and loses against another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dissensus.evaluation._levels import read_numbers, without_noise
from dissensus.evaluation._paired import PairedTest

Outcome = Literal["win", "draw", "loss", "missing"]


@dataclass(frozen=True, slots=True)
class WinDrawLoss:
    """Wins, draws and losses of the first learner.

    Attributes
    ----------
    wins, draws, losses : int
        Numbers of data sets.
    missing : int
        Number of data sets on which nothing can be said, because a learner has no
        result there or too few for the test.
    outcomes : tuple of {"win", "draw", "loss", "missing"}
        The outcome on each data set.
    """

    wins: int
    draws: int
    losses: int
    missing: int
    outcomes: tuple[Outcome, ...]

    def __str__(self) -> str:
        """Return the three numbers as papers print them."""
        return f"{self.wins}-{self.draws}-{self.losses}"


def win_draw_loss(
    a: Sequence[ArrayLike],
    b: Sequence[ArrayLike],
    *,
    test: Callable[[ArrayLike, ArrayLike], PairedTest] | None = None,
    level: float = 0.95,
    greater_is_better: bool = True,
) -> WinDrawLoss:
    """Count the data sets on which one learner is better than another.

    Parameters
    ----------
    a, b : sequence of arrays, one for each data set
        Results of the two learners, fold by fold.
    test : callable, default=None
        A test of two arrays, such as `paired_ttest` or `corrected_resampled_ttest`
        with its ratio fixed: a difference that is not significant is a draw. If None,
        the better mean wins.
    level : float, default=0.95
        The level of significance for `test`.
    greater_is_better : bool, default=True
        True for accuracies, False for errors.

    Returns
    -------
    WinDrawLoss
        The counts, from the point of view of `a`.

    Examples
    --------
    >>> from functools import partial
    >>> from dissensus.evaluation import corrected_resampled_ttest, win_draw_loss
    >>> a = [[0.9, 0.8, 0.9, 0.8], [0.7, 0.8, 0.6, 0.9]]
    >>> b = [[0.5, 0.4, 0.6, 0.4], [0.6, 0.8, 0.7, 0.7]]
    >>> print(win_draw_loss(a, b))
    2-0-0
    >>> test = partial(corrected_resampled_ttest, test_train_ratio=1 / 3)
    >>> print(win_draw_loss(a, b, test=test))
    1-1-0
    """
    if len(a) != len(b):
        raise ValueError(
            f"a has {len(a)} data sets, b has {len(b)}. Both must be about the same."
        )
    sign = 1.0 if greater_is_better else -1.0
    outcomes = []
    for first, second in zip(a, b, strict=True):
        if test is None:
            difference = _difference_of_means(first, second)
        else:
            difference = _significant_difference(test(first, second), level)
        outcomes.append(_outcome(sign * difference))
    return WinDrawLoss(
        outcomes.count("win"),
        outcomes.count("draw"),
        outcomes.count("loss"),
        outcomes.count("missing"),
        tuple(outcomes),
    )


def _significant_difference(found: PairedTest, level: float) -> float:
    """Return the difference, 0 if it may be chance, NaN if that cannot be told."""
    if np.isnan(found.pvalue):
        return float("nan")
    return found.difference if found.is_significant(level) else 0.0


def _difference_of_means(first: ArrayLike, second: ArrayLike) -> float:
    """Return the difference of the means over the pairs that are complete."""
    a, b = read_numbers(first, "a", 1), read_numbers(second, "b", 1)
    if len(a) != len(b):
        raise ValueError(
            f"On one data set a has {len(a)} results and b has {len(b)}. They must be "
            "pairs: the same folds in the same order."
        )
    complete = ~(np.isnan(a) | np.isnan(b))
    if not complete.any():
        return float("nan")
    means = np.array([a[complete].mean(), b[complete].mean()])
    return float(without_noise(means[:1] - means[1:], means)[0])


def _outcome(difference: float) -> Outcome:
    if np.isnan(difference):
        return "missing"
    if difference == 0.0:
        return "draw"
    return "win" if difference > 0.0 else "loss"
