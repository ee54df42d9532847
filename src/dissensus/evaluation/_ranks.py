"""Ranks of learners over data sets, and means of their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from dissensus.evaluation._levels import read_numbers, without_noise
from dissensus.metrics import FLOOR, geometric_mean_error
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Ranks of learners: 1 is the best, equals share the mean of their places.

    Attributes
    ----------
    average : ndarray of shape (n_learners,)
        Mean rank over the complete data sets; NaN if there is none.
    by_dataset : ndarray of shape (n_datasets, n_learners)
        The ranks on each data set; NaN on incomplete ones.
    n : int
        Number of complete data sets.
    n_missing : int
        Number of data sets left out because a learner has no result there.
    """

    average: Floats
    by_dataset: Floats
    n: int
    n_missing: int


def average_ranks(scores: ArrayLike, *, greater_is_better: bool = True) -> Ranks:
    """Rank the learners on each data set and average over the data sets.

    Parameters
    ----------
    scores : array of shape (n_datasets, n_learners)
        One result of each learner on each data set; NaN if it has none.
    greater_is_better : bool, default=True
        True for accuracies, False for errors.

    Returns
    -------
    Ranks
        The average ranks; smaller is better.

    Examples
    --------
    >>> from dissensus.evaluation import average_ranks
    >>> average_ranks([[0.9, 0.8, 0.7], [0.8, 0.8, 0.9]]).average
    array([1.75, 2.25, 2.  ])
    """
    table = read_scores(scores)
    complete = ~np.isnan(table).any(axis=1)
    ranks = np.full(table.shape, np.nan)
    rows = without_noise(table[complete], table[complete])
    if len(rows):
        ranks[complete] = rankdata(-rows if greater_is_better else rows, axis=1)
        average = ranks[complete].mean(axis=0)
    else:
        average = np.full(table.shape[1], np.nan)
    n = int(complete.sum())
    return Ranks(average, ranks, n, len(table) - n)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorSummary:
    """The last lines of a table of errors, one number for each learner.

    Attributes
    ----------
    arithmetic_mean : ndarray of shape (n_learners,)
        Mean error over the complete data sets.
    geometric_mean : ndarray of shape (n_learners,)
        Geometric mean of the errors, each at least `floor`.
    average_rank : ndarray of shape (n_learners,)
        Mean rank; 1 is the best.
    floor : float
        What an error counted at least in the geometric mean.
    n : int
        Number of complete data sets.
    n_missing : int
        Number of data sets left out because a learner has no result there.
    """

    arithmetic_mean: Floats
    geometric_mean: Floats
    average_rank: Floats
    floor: float
    n: int
    n_missing: int


def summarize_errors(errors: ArrayLike, *, floor: float = FLOOR) -> ErrorSummary:
    """Summarize the errors of learners over data sets.

    Parameters
    ----------
    errors : array of shape (n_datasets, n_learners)
        Errors as shares from 0 to 1; NaN if a learner has none on a data set.
    floor : float, default=0.0001
        What an error counts at least in the geometric mean.

    Returns
    -------
    ErrorSummary
        Arithmetic mean, geometric mean and average rank of each learner, all over the
        data sets on which every learner has a result. NaN if there is none.

    See Also
    --------
    dissensus.metrics.geometric_mean_error_ratio : Two learners compared.

    Examples
    --------
    >>> from dissensus.evaluation import summarize_errors
    >>> found = summarize_errors([[0.1, 0.2], [0.4, 0.2]])
    >>> found.arithmetic_mean
    array([0.25, 0.2 ])
    >>> found.geometric_mean
    array([0.2, 0.2])
    """
    table = read_scores(errors)
    ranks = average_ranks(table, greater_is_better=False)
    rows = table[~np.isnan(table).any(axis=1)]
    undefined = np.full(table.shape[1], np.nan)
    geometric = [
        geometric_mean_error(column, floor=floor) for column in rows.T if ranks.n
    ]
    return ErrorSummary(
        rows.mean(axis=0) if ranks.n else undefined,
        np.array(geometric) if ranks.n else undefined,
        ranks.average,
        floor,
        ranks.n,
        ranks.n_missing,
    )


def read_scores(scores: ArrayLike) -> Floats:
    """Return results as a matrix with a row for each data set."""
    table = read_numbers(scores, "scores", 2)
    if not table.shape[1]:
        raise ValueError("scores has no columns. It needs one for each learner.")
    return table
