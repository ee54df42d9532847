"""Why a cascade answers as it does: its learners are asked, from the top down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dissensus.bayes import NaiveBayesClassifier, interval_of, log_factors
from dissensus.ensemble.cascade._explanation import (
    CascadeExplanation,
    LearnerExplanation,
    Term,
    TreeTest,
)
from dissensus.linear import DiscriminantClassifier, LeastSquaresClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier, NamedTree
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True)
class Question:
    """Why a learner of a cascade gives a class its probability."""

    level: int
    position: int
    code: int


@dataclass(frozen=True, slots=True)
class ExplainedLearner:
    """A learner, the one row that it sees, and what is known of its attributes.

    `sources` has, for each attribute, the question that explains it, or None for an
    input; `names` and `labels` put questions into words.
    """

    member: Any
    row: Table
    proba: Floats
    code: int
    sources: list[Question | None]
    names: list[list[str]]
    labels: list[Any]

    @property
    def rival(self) -> int | None:
        """The most probable class but the one in question."""
        others = [code for code in range(len(self.proba)) if code != self.code]
        return max(others, key=lambda code: self.proba[code]) if others else None

    def value(self, attribute: int) -> Any:
        """Return the row's value of an attribute; None if it is missing."""
        column = self.row.columns[attribute]
        value = column.data[0]
        if column.attribute.is_nominal:
            return column.attribute.categories[value] if value >= 0 else None
        return None if np.isnan(value) else float(value)

    def source(self, attribute: int) -> tuple[str, Any] | None:
        """Return the learner and the class that an attribute comes from."""
        question = self.sources[attribute]
        if question is None:
            return None
        name = self.names[question.level][question.position]
        return name, self.labels[question.code]

    def terms(
        self, amounts: Floats, intervals: Callable[[int, float], str | None]
    ) -> tuple[Term, ...]:
        """Return what the attributes add, the largest first; nothing is left out."""
        found = []
        for attribute in np.argsort(-np.abs(amounts), kind="stable").tolist():
            amount, value = float(amounts[attribute]), self.value(attribute)
            if amount != 0.0:
                numeric = isinstance(value, float) and not self.is_nominal(attribute)
                interval = intervals(attribute, value) if numeric else None
                name, source = self.name(attribute), self.source(attribute)
                found.append(Term(name, value, amount, interval, source))
        return tuple(found)

    def is_nominal(self, attribute: int) -> bool:
        """Whether an attribute has labels."""
        return self.row.schema[attribute].is_nominal

    def name(self, attribute: int) -> str:
        """Return the name of an attribute."""
        return self.row.schema[attribute].name


Reasons = dict[str, Any]


def _tree_reasons(asked: ExplainedLearner) -> Reasons:
    tree = asked.member.tree_
    named = NamedTree(tree, asked.row.schema, asked.labels)
    node = int(asked.member._walk(asked.row)[0][0])
    tests: list[TreeTest] = []
    while node > 0:
        parent = int(tree.parent[node])
        attribute = int(tree.attribute[parent])
        value, source = asked.value(attribute), asked.source(attribute)
        tests.insert(0, TreeTest(named.condition(node), value, source))
        node = parent
    return {"kind": "tests", "tests": tuple(tests)}


def _bayes_reasons(asked: ExplainedLearner) -> Reasons:
    model = asked.member
    prior, factors = log_factors(model, asked.row)
    reasons = _log_odds(asked, prior, factors[:, 0])
    return _with_terms(asked, reasons, lambda a, value: interval_of(model, a, value))


def _plane_reasons(asked: ExplainedLearner) -> Reasons:
    heights, terms = asked.member._contributions(asked.row)
    return _with_terms(asked, _log_odds(asked, heights, terms[:, 0]), _no_interval)


def _regression_reasons(asked: ExplainedLearner) -> Reasons:
    heights, terms = asked.member._contributions(asked.row)
    base, amounts = float(heights[asked.code]), terms[:, 0, asked.code]
    reasons = {"kind": "output", "base": base, "terms": amounts}
    return _with_terms(asked, reasons, _no_interval)


def _log_odds(asked: ExplainedLearner, base: Floats, terms: Floats) -> Reasons:
    """Return the parts of the log-odds of the class against its rival."""
    code, rival = asked.code, asked.rival
    if rival is None:
        return {"kind": "unexplained"}
    return {
        "kind": "log-odds",
        "rival": asked.labels[rival],
        "base": float(base[code] - base[rival]),
        "terms": terms[:, code] - terms[:, rival],
    }


def _with_terms(
    asked: ExplainedLearner,
    reasons: Reasons,
    intervals: Callable[[int, float], str | None],
) -> Reasons:
    if "terms" in reasons:
        reasons["terms"] = asked.terms(reasons["terms"], intervals)
    return reasons


def _no_interval(attribute: int, value: float) -> None:  # noqa: ARG001 -- numbers stay
    return None


EXPLAINERS: dict[type, Callable[[ExplainedLearner], Reasons]] = {
    C45Classifier: _tree_reasons,
    DiscriminantClassifier: _plane_reasons,
    LeastSquaresClassifier: _regression_reasons,
    NaiveBayesClassifier: _bayes_reasons,
}


def explain_row(cascade: Any, row: Table) -> CascadeExplanation:
    """Explain what a fitted cascade answers for a table of one row.

    Parameters
    ----------
    cascade : CascadeClassifier
        Fitted.
    row : Table
        One row.

    Returns
    -------
    CascadeExplanation
        The deciding learner's reasons, and the reasons of the learners it asked.
    """
    tables = list(cascade._tables(row))
    labels = cascade._labels()
    code = int(cascade._codes_table(row)[0])
    questions = [Question(len(tables) - 1, 0, code)]
    parts: list[LearnerExplanation] = []
    for question in questions:  # grows while it is worked off
        asked = _ask(cascade, question, tables[question.level], labels)
        parts.append(_explained(question, asked))
        further = dict.fromkeys(_further(parts[-1], asked))  # each once
        questions += [new for new in further if new not in questions]
    parts.sort(key=lambda part: -part.level)
    return CascadeExplanation(labels[code], parts[0].probability, tuple(parts))


def _ask(
    cascade: Any, question: Question, table: Table, labels: list[Any]
) -> ExplainedLearner:
    member = cascade.levels_[question.level][question.position]
    proba = cascade._member_proba(member, table, len(labels))[0]
    sources = _sources(cascade, question.level, len(labels))
    return ExplainedLearner(
        member, table, proba, question.code, sources, cascade.names_, labels
    )


def _sources(cascade: Any, level: int, n_classes: int) -> list[Question | None]:
    """Return which question explains each attribute that a level sees."""
    sources: list[Question | None] = [None] * len(cascade.schema_)
    first = 0 if cascade.carry == "all" else max(level - 1, 0)
    for below in range(first, level):
        for position in range(len(cascade.levels_[below])):
            sources += [Question(below, position, code) for code in range(n_classes)]
    return sources


def _explained(question: Question, asked: ExplainedLearner) -> LearnerExplanation:
    reasons: Reasons = {"kind": "unexplained"}
    for kind, explain in EXPLAINERS.items():
        if isinstance(asked.member, kind):
            reasons = explain(asked)
    return LearnerExplanation(
        level=question.level,
        learner=asked.names[question.level][question.position],
        label=asked.labels[question.code],
        probability=float(asked.proba[question.code]),
        **reasons,
    )


def _further(part: LearnerExplanation, asked: ExplainedLearner) -> list[Question]:
    """Return the questions that a learner's reasons raise.

    Without reasons, all learners below are asked about the same class.
    """
    if part.kind == "unexplained":
        return [
            source for source in asked.sources if source and source.code == asked.code
        ]
    mentioned = [test.condition.attribute for test in part.tests]
    mentioned += [term.attribute for term in part.terms]
    found = [asked.sources[asked.row.schema.index(name)] for name in mentioned]
    return [question for question in found if question is not None]
