"""Class probabilities of rows by models that have not seen them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils.validation import check_consistent_length

from dissensus.ensemble._members import (
    MAX_SEED,
    Codes,
    InputKind,
    checked,
    fit_member,
    member_proba,
    new_member,
)
from dissensus.table import Table
from dissensus.utils._typing import Floats

Positions = NDArray[np.intp]
Folds = list[tuple[Positions, Positions]]


@dataclass(frozen=True, slots=True)
class Rows:
    """What folds must know of the rows that were given and of those that are left.

    Attributes
    ----------
    groups : ndarray or None
        Groups of the rows that are left, which must not be divided.
    numbers : ndarray or None
        For every row given its number among those left, -1 if it has no weight; None
        if all are left.
    """

    groups: NDArray[Any] | None = None
    numbers: Positions | None = None

    @classmethod
    def of(cls, y: Any, sample_weight: Any, groups: Any) -> Rows:
        """Read groups and weights as the caller gave them."""
        if groups is not None:
            check_consistent_length(groups, y)
            groups = np.asarray(groups)
        weight = np.asarray(1.0 if sample_weight is None else sample_weight)
        if weight.ndim == 0 or weight.all():
            return cls(groups)
        kept = weight != 0
        numbers = np.where(kept, np.cumsum(kept) - 1, -1)
        return cls(None if groups is None else groups[kept], numbers)

    def left(self, given: Any) -> Positions:
        """Return the numbers, among the rows left, of rows given."""
        positions = np.asarray(given)
        if self.numbers is None:
            return positions
        numbers = self.numbers[positions]
        return numbers[numbers >= 0]


@dataclass(frozen=True, slots=True)
class Training:
    """Rows to learn from, with all that `fit_member` asks for."""

    table: Table
    y_codes: Codes
    n_classes: int
    sample_weight: Floats | None
    kind: InputKind

    def of(self, table: Table) -> Training:
        """Return the same rows with other attributes."""
        return replace(self, table=table)

    def take(self, rows: Positions) -> Training:
        """Return some of the rows."""
        weight = None if self.sample_weight is None else self.sample_weight[rows]
        return replace(
            self,
            table=self.table.take(rows),
            y_codes=self.y_codes[rows],
            sample_weight=weight,
        )

    def fit(self, member: Any) -> Any:
        """Fit a member, not a copy, on the rows and return it."""
        return fit_member(
            checked(member),
            self.table,
            self.y_codes,
            self.n_classes,
            self.sample_weight,
            kind=self.kind,
        )

    def proba(self, member: Any, table: Table) -> Floats:
        """Return a fitted member's class probabilities for the rows of a table."""
        return member_proba(member, table, self.n_classes, kind=self.kind)


def make_folds(
    y_codes: Codes, rows: Rows, cv: Any, n_repeats: int, rng: RandomState
) -> Folds:
    """Return pairs of training and test rows; empty if the rows cannot be divided.

    Parameters
    ----------
    y_codes : ndarray of int32
        Classes; every fold gets its share of each.
    rows : Rows
        Groups of rows that are not divided.
    cv : int, splitter, iterable or None
        Number of folds, or how to make them, or the folds themselves.
    n_repeats : int
        How often the rows are divided anew, if `cv` is a number.
    rng : RandomState
        Shuffles the rows.
    """
    if cv is not None and not isinstance(cv, Integral):
        if hasattr(cv, "split"):
            return list(cv.split(np.zeros((len(y_codes), 1)), y_codes, rows.groups))
        return [(rows.left(train), rows.left(test)) for train, test in cv]
    units = len(y_codes) if rows.groups is None else len(np.unique(rows.groups))
    if rows.groups is not None and units < 2:
        raise ValueError(
            "groups has one group only, but rows of a group are not divided. Give at "
            "least two groups, or none."
        )
    n_folds = min(int(cv or 5), units)
    if n_folds < 2:
        return []
    strata = _strata(y_codes, n_folds)
    kind = StratifiedKFold if rows.groups is None else StratifiedGroupKFold
    folds: Folds = []
    for seed in rng.randint(MAX_SEED, size=n_repeats):
        splitter = kind(n_folds, shuffle=True, random_state=int(seed))
        pairs = splitter.split(np.zeros((len(strata), 1)), strata, rows.groups)
        folds += [(train, test) for train, test in pairs if len(train) and len(test)]
    return folds


def _strata(y_codes: Codes, n_folds: int) -> NDArray[np.intp]:
    """Return the classes, those too rare for every fold joined to one another.

    If they are too rare even together, they join the largest class.
    """
    counts = np.bincount(y_codes)
    rare = counts < n_folds
    strata = np.arange(len(counts))
    strata[rare] = len(counts)
    if 0 < counts[rare].sum() < n_folds:
        strata[rare] = counts.argmax()
    return strata[y_codes]


@dataclass(frozen=True, slots=True)
class CrossFit:
    """A learner fitted on one part of the rows and asked about another.

    Attributes
    ----------
    train, test : ndarray of int
        The two parts.
    member : classifier
        Fitted on `train`.
    proba : ndarray of shape (n_test, n_classes)
        Its class probabilities for `test`.
    """

    train: Positions
    test: Positions
    member: Any
    proba: Floats


def cross_fit(
    estimator: Any, training: Training, folds: Folds, rng: RandomState | None = None
) -> Iterator[CrossFit]:
    """Fit a copy of a learner for every fold.

    Parameters
    ----------
    estimator : classifier
        Copied and fitted once per fold.
    training : Training
        The rows.
    folds : list of pairs of ndarray
        Training and test rows.
    rng : RandomState, default=None
        Gives the copies seeds of their own; None leaves them their seeds.

    Yields
    ------
    fit : CrossFit
        One for each fold.
    """
    for train, test in folds:
        part = training.take(train)
        member = part.fit(new_member(estimator, rng))
        proba = part.proba(member, training.table.take(test))
        yield CrossFit(train, test, member, proba)


def out_of_fold(fits: Iterable[CrossFit], n_rows: int) -> Floats:
    """Return each row's class probabilities by models that did not learn from it.

    Parameters
    ----------
    fits : iterable of CrossFit
        A row tested several times gets the mean.
    n_rows : int
        Number of rows, all of which must be tested.

    Returns
    -------
    proba : ndarray of shape (n_rows, n_classes)
        The probabilities.
    """
    total: Floats | None = None
    times = np.zeros((n_rows, 1))
    for fit in fits:
        if total is None:
            total = np.zeros((n_rows, fit.proba.shape[1]))
        total[fit.test] += fit.proba
        times[fit.test] += 1.0
    if total is None or not times.all():
        raise ValueError(
            f"cv leaves row {int(times.argmin())} out of every test fold. Use a "
            "splitter, such as StratifiedKFold, that tests every row."
        )
    return total / times
