"""How the score of an ensemble grows with the number of its members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from dissensus.base import read_inputs, to_array
from dissensus.ensemble import EnsembleClassifier, LeveledClassifier
from dissensus.evaluation._fitting import read_trial_data
from dissensus.metrics import find_measure
from dissensus.table import Table
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True, eq=False)
class CommitteeCurve:
    """Scores by number of members.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of members, ascending; the first ones of the ensemble.
    scores : ndarray of shape (n_sizes,)
        The scores of those committees.
    measure : str
        What the scores are.
    """

    sizes: NDArray[np.intp]
    scores: Floats
    measure: str


def committee_curve(
    ensemble: Any,
    X: Any,
    y: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    measure: str = "accuracy",
) -> CommitteeCurve:
    """Score the committees of an ensemble's first member, first two, first three...

    Parameters
    ----------
    ensemble : fitted classifier
        With `staged_predict_proba`, as boosting has, with `member_votes`, as MACLEN
        and MTForest have, or with `estimators_` whose probabilities are averaged, as
        in bagging, forests, voting and DECORATE.
    X : array, frame or Table of shape (n_rows, n_attributes)
        The test inputs.
    y : array of shape (n_rows,)
        Their labels.
    sizes : sequence of int, default=None
        Numbers of members to score, at least 1; larger ones than the ensemble has are
        left out. None for all.
    measure : str, default="accuracy"
        A name of `dissensus.metrics.find_measure`.

    Returns
    -------
    CommitteeCurve
        A score for each size.

    Notes
    -----
    Each member predicts once, and the ensemble once more: if the committee of all
    members gives other probabilities than the ensemble, they are not averaged there,
    and an error says so.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from dissensus.evaluation import committee_curve
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(5, random_state=0).fit(X[::2], y[::2])
    >>> committee_curve(forest, X[1::2], y[1::2], sizes=[1, 5, 50]).sizes
    array([1, 5])
    """
    check_is_fitted(ensemble)
    chosen = find_measure(measure)
    wanted = None if sizes is None else {int(size) for size in sizes}
    if wanted is not None and (not wanted or min(wanted) < 1):
        raise ValueError("sizes must hold numbers of members, each at least 1.")
    labels = read_trial_data(X, y).y
    classes = _all_classes(ensemble.classes_, labels)
    codes = np.searchsorted(classes, labels)
    columns = np.searchsorted(classes, ensemble.classes_)
    found: dict[int, float] = {}
    for size, stage in enumerate(staged_proba(ensemble, X), start=1):
        if wanted is None or size in wanted:
            proba = np.zeros((len(codes), len(classes)))
            proba[:, columns] = stage
            answer = proba if chosen.uses_proba else proba.argmax(axis=1)
            found[size] = chosen.function(codes, answer)
    return CommitteeCurve(
        np.array(list(found), dtype=np.intp), np.array(list(found.values())), measure
    )


def staged_proba(ensemble: Any, X: Any) -> Iterator[Floats]:
    """Yield the class probabilities after one member, two members, and so on."""
    if hasattr(ensemble, "staged_predict_proba"):
        yield from ensemble.staged_predict_proba(X)
        return
    if isinstance(ensemble, LeveledClassifier) or not hasattr(ensemble, "estimators_"):
        raise ValueError(
            f"{type(ensemble).__name__} has no members whose probabilities are "
            "averaged, so there are no smaller committees of it."
        )
    total = stage = np.zeros(())
    for size, proba in enumerate(_member_probas(ensemble, X), start=1):
        total = total + proba
        stage = total / size
        yield stage
    if not np.allclose(stage, ensemble.predict_proba(X), atol=1e-6):
        raise ValueError(
            f"{type(ensemble).__name__} does not average the probabilities of its "
            "members, so smaller committees of it cannot be told."
        )


def _all_classes(known: NDArray[Any], given: NDArray[Any]) -> NDArray[Any]:
    """Return the labels of the ensemble and those of the test rows, sorted."""
    if (known.dtype.kind in "iufb") != (given.dtype.kind in "iufb"):
        raise ValueError(
            f"y has labels such as {given[0]!r}, the ensemble knows {known[0]!r}. Both "
            "must be of the same type."
        )
    return np.union1d(known, given)


def _member_probas(ensemble: Any, X: Any) -> Iterator[Floats]:
    """Yield the probabilities of each member, over the classes of the ensemble."""
    if hasattr(ensemble, "member_votes"):
        yield from np.moveaxis(ensemble.member_votes(X), 1, 0)
        return
    n_classes = len(ensemble.classes_)
    members = list(np.ravel(np.array(ensemble.estimators_, dtype=object)))
    if isinstance(ensemble, EnsembleClassifier):
        _check_same_classes(ensemble, members)
        table = read_inputs(ensemble, X, reset=False)
        for member in members:
            yield ensemble._member_proba(member, table, n_classes)
        return
    features = getattr(ensemble, "estimators_features_", [slice(None)] * len(members))
    for member, chosen in zip(members, features, strict=True):
        inputs = X if hasattr(member, "feature_names_in_") else _as_array(X)[:, chosen]
        proba = np.zeros((len(inputs), n_classes))
        proba[:, _class_columns(member, ensemble)] = member.predict_proba(inputs)
        yield proba


def _check_same_classes(ensemble: Any, members: list[Any]) -> None:
    """Raise an error if members answer another question than the ensemble."""
    n_classes = len(ensemble.classes_)
    if any(len(member.classes_) > n_classes for member in members):
        raise ValueError(
            f"The members of {type(ensemble).__name__} have classes of their own, so "
            "their probabilities cannot be averaged."
        )


def _class_columns(member: Any, ensemble: Any) -> NDArray[np.intp]:
    """Return the columns of a member's classes: codes, as a rule, or labels."""
    own = np.asarray(member.classes_)
    codes = np.arange(len(ensemble.classes_))
    if np.isin(own, codes).all():
        return own.astype(np.intp)
    return np.searchsorted(ensemble.classes_, own)


def _as_array(X: Any) -> NDArray[Any]:
    return to_array(X) if isinstance(X, Table) else np.asarray(X)
