"""A local cascade in words: its models, and why it answers as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dissensus.ensemble.cascade._explain import EXPLAINERS, ExplainedLearner, Reasons
from dissensus.ensemble.cascade._explanation import (
    CascadeExplanation,
    LearnerExplanation,
    TreeTest,
)
from dissensus.ensemble.local_cascade._constructor import Construction
from dissensus.ensemble.local_cascade._tree import Walk
from dissensus.linear import DiscriminantClassifier
from dissensus.table import Column, Schema, Table
from dissensus.tree import NamedTree, plain

# So many terms of a hyperplane are printed.
MOST_TERMS = 8


def describe(
    construction: Construction, schema: Schema, labels: list[Any]
) -> list[str]:
    """Return a model as lines of text; hyperplanes are written out.

    Parameters
    ----------
    construction : Construction
        The model.
    schema : Schema
        All attributes, the inputs and the built ones.
    labels : list
        The classes.
    """
    model, n_inputs = construction.model, len(construction.inputs)
    plural = "s" if n_inputs > 1 else ""
    lines = [
        f"{construction.name}: {type(model).__name__} on {n_inputs} attribute{plural}, "
        f"training error {construction.error:.4g}"
    ]
    if isinstance(model, DiscriminantClassifier) and model.encode == "none":
        names = [plain(schema[number].name) for number in construction.inputs]
        for position, code in enumerate(construction.classes):
            height, weights = model.intercept_[position], model.coef_[position]
            terms = [
                f" {weight:+.4g} {name}"
                for name, weight in zip(names, weights, strict=True)
                if weight
            ]
            rest = f" and {len(terms) - MOST_TERMS} more" if terms[MOST_TERMS:] else ""
            plane = "".join(terms[:MOST_TERMS])
            lines.append(f"  H({plain(labels[code])}) = {height:.4g}{plane}{rest}")
    return lines


@dataclass(frozen=True, slots=True)
class ExplainedNode(ExplainedLearner):
    """A model of a node, as `ExplainedLearner`; `makers` has the source of attributes.

    Codes and labels are those of the classes that the model tells apart.
    """

    makers: list[tuple[str, Any] | None]

    def source(self, attribute: int) -> tuple[str, Any] | None:
        """Return the model and the class that an attribute comes from."""
        return self.makers[attribute]


class RowExplainer:
    """Explains the answer for one row.

    Parameters
    ----------
    walk : Walk
        The one row, that has walked to its end.
    schema : Schema
        All attributes, the inputs and the built ones.
    labels : list
        The classes.
    """

    def __init__(self, walk: Walk, schema: Schema, labels: list[Any]) -> None:
        self.walk = walk
        self.tree = walk.tree
        self.labels = labels
        columns = zip(schema, walk.arrays, strict=True)
        self.row = Table(schema, [Column(a, data) for a, data in columns], 1)
        self.makers: list[tuple[str, Any] | None] = [None] * len(schema)
        self.by_name = {c.name: c for c in walk.constructions}
        for construction in walk.constructions:
            for number, code in zip(
                construction.made, construction.classes, strict=True
            ):
                self.makers[number] = construction.name, labels[code]

    def explain(self, node: int, code: int, probability: float) -> CascadeExplanation:
        """Return the tests on the way to a node, and the models that they ask."""
        tests = self._tests(node)
        asked = [test.source for test in tests if test.source is not None]
        questions = list(dict.fromkeys(asked))
        parts: list[LearnerExplanation] = []
        for name, label in questions:  # grows while it is worked off
            parts.append(self._part(self.by_name[name], label))
            found = [test.source for test in parts[-1].tests]
            found += [term.source for term in parts[-1].terms]
            further = dict.fromkeys(found)  # each once
            questions += [new for new in further if new and new not in questions]
        order = [construction.name for construction in self.walk.constructions]
        parts.sort(key=lambda part: -order.index(part.learner))
        top = LearnerExplanation(
            level=max((part.level for part in parts), default=-1) + 1,
            learner="tree",
            label=self.labels[code],
            probability=probability,
            kind="tests",
            tests=tuple(tests),
        )
        return CascadeExplanation(top.label, probability, (top, *parts))

    def _tests(self, node: int) -> list[TreeTest]:
        """Return the tests on the way to a node."""
        named = NamedTree(self.tree, self.row.schema, self.labels)
        asked = ExplainedNode(None, self.row, np.zeros(0), 0, [], [], [], self.makers)
        tests: list[TreeTest] = []
        while node > 0:
            parent = int(self.tree.parent[node])
            attribute = int(self.tree.attribute[parent])
            value, source = asked.value(attribute), self.makers[attribute]
            tests.insert(0, TreeTest(named.condition(node), value, source))
            node = parent
        return tests

    def _part(self, construction: Construction, label: Any) -> LearnerExplanation:
        """Say why a model gives a class its probability."""
        labels = [self.labels[code] for code in construction.classes]
        columns = [self.row.columns[number] for number in construction.inputs]
        schema = Schema(tuple(column.attribute for column in columns))
        proba = [self.row.columns[number].data[0] for number in construction.made]
        asked = ExplainedNode(
            member=construction.model,
            row=Table(schema, columns, 1),
            proba=np.array(proba),
            code=labels.index(label),
            sources=[],
            names=[],
            labels=labels,
            makers=[self.makers[number] for number in construction.inputs],
        )
        reasons: Reasons = {"kind": "unexplained"}
        for kind, explain in EXPLAINERS.items():
            if isinstance(construction.model, kind):
                reasons = explain(asked)
        return LearnerExplanation(
            level=int(self.tree.depths[construction.node]),
            learner=construction.name,
            label=label,
            probability=float(proba[asked.code]),
            **reasons,
        )
