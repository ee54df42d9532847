"""Why a model answers as it does for one row, whatever kind of model it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from dissensus.base import TableClassifier, read_inputs
from dissensus.ensemble import (
    EXPLAINERS,
    EnsembleClassifier,
    ExplainedLearner,
    LearnerExplanation,
    TaskEnsembleClassifier,
    value_text,
)
from dissensus.table import Table
from dissensus.tree import plain
from dissensus.utils._typing import Floats

MAX_LINES = 20  # members that are told one by one


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a model answers for one row, and why.

    Attributes
    ----------
    label : object
        The class that is predicted.
    proba : dict of {object: float}
        The probability of each class, the most probable first.
    reasons : tuple of str
        Lines of text.
    """

    label: Any
    proba: dict[Any, float]
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        """Return the answer, the probabilities and the reasons as text."""
        shown = list(self.proba.items())[:MAX_LINES]
        chances = ", ".join(f"{plain(c)} {value_text(p)}" for c, p in shown)
        answer = [f"The answer is {plain(self.label)}.", f"Probabilities: {chances}"]
        return "\n".join([*answer, *self.reasons])


def explain(model: Any, X: Any, row: int = 0) -> Explanation:
    """Say why a model answers as it does for one row.

    Parameters
    ----------
    model : classifier
        A fitted model.
    X : array, frame or Table of shape (n_samples, n_features)
        The inputs.
    row : int, default=0
        Number of the row in `X`.

    Returns
    -------
    Explanation
        The answer and its reasons: the tests of a tree; what each attribute adds to
        naive Bayes or to a discriminant; the deciding levels of a cascade; MACLEN's
        votes by attribute; how the members of another ensemble are split.

    Examples
    --------
    >>> from dissensus import C45Classifier, load_dataset
    >>> from dissensus.report import explain
    >>> iris = load_dataset("iris")
    >>> print(explain(C45Classifier().fit(iris.X, iris.y), iris.X, 60))
    The answer is versicolor.
    Probabilities: versicolor 0.9792, virginica 0.02083, setosa 0
    The tree came to this after these tests:
        petal width (cm) = 1 > 0.6
        petal width (cm) = 1 <= 1.7
        petal length (cm) = 3.5 <= 4.9
    """
    check_is_fitted(model)
    if not isinstance(model, TableClassifier):
        return _plain(model, _row_of(X, row))
    table = read_inputs(model, X, reset=False)
    if not -table.n_rows <= row < table.n_rows:
        raise ValueError(
            f"There is no row {row}: X has {table.n_rows}, numbered from 0."
        )
    one = table.take([row % table.n_rows])
    proba = model._proba_table(one)[0]
    code = int(model._codes_table(one)[0])
    labels = np.asarray(model.classes_).tolist()
    return Explanation(
        labels[code],
        _ranked(labels, proba),
        tuple(_reasons(model, one, proba, code, labels)),
    )


def _plain(model: Any, X: Any) -> Explanation:
    """Explain a model of a kind that has no explainer: its answer only."""
    labels = np.asarray(model.classes_).tolist()
    label = np.asarray(model.predict(X)).tolist()[0]
    proba = {}
    if hasattr(model, "predict_proba"):
        proba = _ranked(labels, np.asarray(model.predict_proba(X))[0])
    return Explanation(label, proba, (_silent(model),))


def _silent(model: Any) -> str:
    return f"{type(model).__name__} gives no reasons."


def _row_of(X: Any, row: int) -> Any:
    if isinstance(X, Table):
        return X.take([row]).to_frame("polars")
    return X.iloc[[row]] if hasattr(X, "iloc") else X[row : row + 1]


def _ranked(labels: Sequence[Any], proba: Floats) -> dict[Any, float]:
    order = np.argsort(-proba, kind="stable").tolist()
    return {labels[code]: float(proba[code]) for code in order}


def _reasons(
    model: Any, row: Table, proba: Floats, code: int, labels: list[Any]
) -> list[str]:
    """Return the reasons of a classifier of this package."""
    if hasattr(model, "explain"):
        return str(model.explain(row)).splitlines()[1:]
    if type(model) in EXPLAINERS:
        return _of_learner(model, row, proba, code, labels)
    if isinstance(model, TaskEnsembleClassifier):
        return _of_tasks(model, row, code, labels)
    if isinstance(model, EnsembleClassifier) and hasattr(model, "estimators_"):
        return _of_members(model, row, labels)
    return [_silent(model)]


def _of_learner(
    model: Any, row: Table, proba: Floats, code: int, labels: list[Any]
) -> list[str]:
    """Return the tests of a tree, or what each attribute adds."""
    sources: list[Any] = [None] * row.n_attributes
    asked = ExplainedLearner(model, row, proba, code, sources, [], labels)
    reasons = EXPLAINERS[type(model)](asked)
    part = LearnerExplanation(0, "", labels[code], float(proba[code]), **reasons)
    lines = part.text(MAX_LINES).splitlines()[1:]
    if part.kind == "tests":
        return ["The tree came to this after these tests:", *lines]
    if part.kind == "log-odds":
        rival = plain(part.rival)
        return [f"Its log-odds against {rival} are {part.total:+.3f}:", *lines]
    return [f"The output of its regression is {part.total:+.3f}:", *lines]


def _of_tasks(model: Any, row: Table, code: int, labels: list[Any]) -> list[str]:
    """Return the votes of members that predict the class with an attribute's value."""
    votes = model.member_votes(row)[0]
    values = _values(row)
    lines = []
    for number in np.argsort(-votes[:, code], kind="stable").tolist():
        task = model.tasks_[number]
        best = int(votes[number].argmax())
        lines.append(
            f"    {value_text(float(votes[number, code])):7}"
            f" with {plain(task.name)} = {values[task.attribute]}"
            + ("" if best == code else f"  (says {plain(labels[best])})")
        )
    heading = f"Each member gives {plain(labels[code])} a probability:"
    return [heading, *_cut(lines)]


def _of_members(model: Any, row: Table, labels: list[Any]) -> list[str]:
    """Return how the members of an ensemble are split."""
    n_classes = len(labels)
    members = [model._member_proba(m, row, n_classes)[0] for m in model.estimators_]
    best = [int(proba.argmax()) for proba in members]
    split = ", ".join(
        f"{plain(labels[code])} {count}" for code, count in Counter(best).most_common()
    )
    weights = getattr(model, "estimator_weights_", None)
    lines = []
    for number, proba in enumerate(members):
        weight = (
            "" if weights is None else f", weight {value_text(float(weights[number]))}"
        )
        answer = plain(labels[best[number]])
        chance = value_text(float(proba[best[number]]))
        lines.append(f"    member {number + 1}: {answer} ({chance}{weight})")
    return [f"Its {len(members)} members are split: {split}.", *_cut(lines)]


def _values(row: Table) -> list[str]:
    """Return the values of a row as texts."""
    texts = []
    for column in row.columns:
        value: Any = column.data[0]
        if column.attribute.is_nominal:
            known = 0 <= value < column.attribute.n_values
            texts.append(plain(column.attribute.categories[value]) if known else "?")
        else:
            texts.append("?" if np.isnan(value) else value_text(float(value)))
    return texts


def _cut(lines: list[str]) -> list[str]:
    rest = len(lines) - MAX_LINES
    return lines if rest <= 0 else [*lines[:MAX_LINES], f"    ... and {rest} more"]
