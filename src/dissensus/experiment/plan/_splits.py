"""Which rows are trained and tested on; the same for all learners."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold

from dissensus.evaluation import stratified_folds

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]


def make_folds(
    y_codes: NDArray[Any],
    n_folds: int,
    seed: int,
    groups: NDArray[Any] | None = None,
) -> list[Split]:
    """Return the rows to train and to test on, fold by fold.

    Parameters
    ----------
    y_codes : ndarray of shape (n_rows,)
        Class codes, whose shares all folds have as far as possible.
    n_folds : int
        Number of folds.
    seed : int
        Seed of the shuffling.
    groups : ndarray of shape (n_rows,), default=None
        Rows of one group stay in one fold.
    """
    if groups is None:
        return stratified_folds(y_codes, n_folds, rng=seed)
    # StratifiedGroupKFold takes seeds of 32 bits only.
    splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # "The least populated class has only 3 members": so it is, in small tables.
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(y_codes, y_codes, groups))


def given_folds(numbers: NDArray[Any]) -> list[Split]:
    """Return the rows of folds that are given: the fold in which each row is tested."""
    return [
        (np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold))
        for fold in range(int(numbers.max()) + 1)
    ]
