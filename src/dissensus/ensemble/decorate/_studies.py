"""The two studies of the DECORATE paper, for any data and base learner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

from dissensus.ensemble._members import MAX_SEED, fresh_generator
from dissensus.ensemble.decorate._classifier import DecorateClassifier
from dissensus.metrics import (
    base_error_reduction,
    diversity,
    ensemble_error_reduction,
)
from dissensus.table import Table
from dissensus.utils._typing import Floats

RATIOS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30)


@dataclass(frozen=True, slots=True)
class DiversityStudy:
    """Diversity and gain of committees on test folds; one entry for each committee.

    Attributes
    ----------
    artificial_ratio : ndarray of shape (n_committees,)
        Artificial rows per training row.
    diversity : ndarray of shape (n_committees,)
        How often a member and the committee differ.
    ensemble_error_reduction : ndarray of shape (n_committees,)
        Mean error of the members less that of the committee.
    base_error_reduction : ndarray of shape (n_committees,)
        Error of the base learner less that of the committee.
    """

    artificial_ratio: Floats
    diversity: Floats
    ensemble_error_reduction: Floats
    base_error_reduction: Floats

    def correlations(self) -> dict[str, float]:
        """Return the correlation of diversity with both reductions of error.

        Returns
        -------
        correlations : dict
            Under "ensemble" and "base"; NaN if all committees are alike.
        """
        return {
            "ensemble": _correlation(self.diversity, self.ensemble_error_reduction),
            "base": _correlation(self.diversity, self.base_error_reduction),
        }


@dataclass(frozen=True, slots=True)
class CommitteeSizeStudy:
    """Accuracy on test folds of committees of growing size.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        The sizes wanted.
    accuracy : ndarray of shape (n_folds, n_sizes)
        Accuracy of the committee of that size, or of the largest that was reached.
    reached : ndarray of shape (n_folds,)
        Size of the largest committee.
    """

    sizes: NDArray[np.intp]
    accuracy: Floats
    reached: NDArray[np.intp]


def diversity_study(
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    ratios: Sequence[float] = RATIOS,
    n_estimators: int = 15,
    cv: Any = 10,
    random_state: Any = None,
) -> DiversityStudy:
    """Relate the diversity of committees to the error that they save.

    Parameters
    ----------
    X : array, frame or Table of shape (n_samples, n_features)
        The inputs.
    y : array of shape (n_samples,)
        The class labels.
    estimator : classifier, default=None
        What members are copies of; None is `C45Classifier()`.
    ratios : sequence of float, default=(0.1, 0.2, ..., 1.0)
        Values of `artificial_ratio`, which vary the diversity.
    n_estimators : int, default=15
        Size of the committees.
    cv : int or splitter, default=10
        How test folds are made; a number stands for shuffled, stratified folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and the committees.

    Returns
    -------
    study : DiversityStudy
        One entry for each fold and ratio.

    See Also
    --------
    committee_size_study : What the number of members does.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import diversity_study
    >>> X, y = load_iris(return_X_y=True)
    >>> study = diversity_study(X, y, ratios=(0.5, 1.0), cv=2, random_state=0)
    >>> study.artificial_ratio
    array([0.5, 1. , 0.5, 1. ])
    """
    rng = fresh_generator(random_state)
    found = []
    for train, test in _folds(X, y, cv, rng):
        for ratio in ratios:
            model = DecorateClassifier(
                estimator,
                n_estimators,
                artificial_ratio=ratio,
                random_state=_seed(rng),
            ).fit(*train)
            found.append((ratio, *_gains(model, *test)))
    return DiversityStudy(*np.array(found).T)


def committee_size_study(
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    sizes: Sequence[int] = SIZES,
    max_iter: int | None = None,
    train_share: float = 0.2,
    cv: Any = 10,
    random_state: Any = None,
) -> CommitteeSizeStudy:
    """Follow the accuracy of a committee while it grows.

    Parameters
    ----------
    X : array, frame or Table of shape (n_samples, n_features)
        The inputs.
    y : array of shape (n_samples,)
        The class labels.
    estimator : classifier, default=None
        What members are copies of; None is `C45Classifier()`.
    sizes : sequence of int, default=(1, 2, 3, 5, 7, 10, 15, 20, 25, 30)
        Sizes at which the accuracy is taken.
    max_iter : int, default=None
        Largest number of members tried; None is four times the largest size.
    train_share : float, default=0.2
        Share of a training fold that is learned from. The paper looks at a fifth, where
        its method gains most.
    cv : int or splitter, default=10
        How test folds are made; a number stands for shuffled, stratified folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and the committees.

    Returns
    -------
    study : CommitteeSizeStudy
        One line for each fold.

    See Also
    --------
    diversity_study : What the number of artificial rows does.

    Notes
    -----
    A small committee is the beginning of a large one, so one fit serves all sizes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import committee_size_study
    >>> X, y = load_iris(return_X_y=True)
    >>> study = committee_size_study(X, y, sizes=(1, 5), cv=2, random_state=0)
    >>> study.accuracy.shape
    (2, 2)
    """
    rng = fresh_generator(random_state)
    accuracy, reached = [], []
    for (X_train, y_train), (X_test, y_test) in _folds(X, y, cv, rng):
        n_rows = max(1, round(train_share * len(y_train)))
        rows = np.sort(rng.permutation(len(y_train))[:n_rows])
        model = DecorateClassifier(
            estimator,
            max(sizes),
            max_iter=max_iter or 4 * max(sizes),
            random_state=_seed(rng),
        ).fit(_rows(X_train, rows), y_train[rows])
        proba = np.cumsum(_member_answers(model, X_test), axis=0)
        codes = proba.argmax(axis=2)[np.minimum(sizes, len(proba)) - 1]
        accuracy.append((model.classes_[codes] == y_test).mean(axis=1))
        reached.append(len(proba))
    return CommitteeSizeStudy(np.array(sizes), np.array(accuracy), np.array(reached))


def _gains(
    model: DecorateClassifier, X: Any, y: NDArray[Any]
) -> tuple[float, float, float]:
    """Return the diversity and both error reductions on test rows."""
    proba = _member_answers(model, X)
    members = model.classes_[proba.argmax(axis=2)]
    committee = model.classes_[proba.sum(axis=0).argmax(axis=1)]
    return (
        diversity(members, committee),
        ensemble_error_reduction(y, members, committee),
        base_error_reduction(y, members[0], committee),
    )


def _member_answers(model: DecorateClassifier, X: Any) -> Floats:
    """Return the members' probabilities, of shape (n_members, n_rows, n_classes)."""
    table = Table.from_any(X, schema=model.schema_)
    k = model.n_classes_
    return np.stack([model._member_proba(m, table, k) for m in model.estimators_])


def _folds(X: Any, y: Any, cv: Any, rng: Generator) -> Iterator[Any]:
    """Give pairs of training and test sets, each as inputs and labels."""
    y = np.asarray(y)
    if isinstance(cv, int):
        cv = StratifiedKFold(cv, shuffle=True, random_state=_seed(rng))
    for train, test in check_cv(cv, y, classifier=True).split(np.zeros(len(y)), y):
        yield (_rows(X, train), y[train]), (_rows(X, test), y[test])


def _rows(X: Any, rows: NDArray[np.intp]) -> Any:
    if isinstance(X, Table):
        return X.take(rows)
    if nw.dependencies.is_into_dataframe(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    return np.asarray(X)[rows]


def _seed(rng: Generator) -> int:
    return int(rng.integers(MAX_SEED))


def _correlation(one: Floats, other: Floats) -> float:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
