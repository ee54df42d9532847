"""Readings of the cascade paper that the package itself has no parameter for."""

import math
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dissensus._core.tree._nodes import level_order
from dissensus._core.tree._pessimistic_errors import extra_errors
from dissensus.bayes import NaiveBayesClassifier
from dissensus.bayes._intervals import CUTTERS, CutPoints
from dissensus.ensemble import LocalCascadeClassifier
from dissensus.ensemble.local_cascade._constructor import Step
from dissensus.ensemble.local_cascade._growth import GrowthData, LocalGrowth
from dissensus.table import Schema
from dissensus.tree import C45Classifier
from dissensus.tree._answers import path
from dissensus.tree._class_weights import from_matrix
from dissensus.tree._pessimistic import confidence_limits
from dissensus.tree._tree import LEAF, Tree
from dissensus.utils._sklearn import StrOptions

NATURAL = "natural"
SLACK = 0.1  # J48 prunes where a leaf is at most so many errors worse


def natural_cuts(table: Any, *_: Any) -> CutPoints:
    """Cut into 2 ln n intervals of equal width instead of 2 log2 n."""
    cuts: CutPoints = []
    for column in table.columns:
        if column.attribute.is_nominal:
            cuts.append(None)
            continue
        values = column.in_order().values
        n_bins = max(1, math.floor(2 * math.log(max(len(values), 1)) + 0.5))
        low, high = (values[0], values[-1]) if len(values) else (0.0, 0.0)
        cuts.append(np.unique(low + np.arange(1, n_bins) * (high - low) / n_bins))
    return cuts


CUTTERS[NATURAL] = natural_cuts


class NaturalBayes(NaiveBayesClassifier):
    """Naive Bayes with fewer intervals: the natural logarithm in Dougherty's rule."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **NaiveBayesClassifier._parameter_constraints,
        "numeric": [StrOptions({NATURAL})],
    }


class InputStep(Step):
    """A learner of a node that does not read what nodes above it have built."""

    __slots__ = ()

    def inputs(self, schema: Schema) -> NDArray[np.intp]:
        """Return the positions of the inputs that it reads."""
        built = np.array(["@" in attribute.name for attribute in schema], dtype=bool)
        found = Step.inputs(self, schema)
        return found[~built[found]]


class InputsOnly(LocalCascadeClassifier):
    """A local cascade whose models read the inputs of the table only."""

    def _growth(self, training: GrowthData) -> LocalGrowth:
        growth = super()._growth(training)
        growth.levels = [
            [InputStep(step.name, step.estimator, step.reads) for step in level]
            for level in growth.levels
        ]
        return growth


class SmoothlyPruned(C45Classifier):
    """Dtree, pruned by the errors that its smoothed distributions expect."""

    def _fit_table(
        self, table: Any, y_codes: Any, n_classes: int, sample_weight: Any = None
    ) -> Any:
        super()._fit_table(table, y_codes, n_classes, sample_weight)
        self.tree_ = smoothly_pruned(self.tree_, self.confidence)
        return self


def smoothly_pruned(tree: Tree, confidence: float) -> Tree:
    """Return a tree cut back where a leaf would not err more by smoothed estimates."""
    answers, total = path(tree), tree.class_weights.totals
    errors = total * (1 - answers.max(axis=1))
    level, z = confidence_limits(confidence)
    as_leaf = errors + extra_errors(total, errors, level, z)
    names = {field.name for field in fields(tree)} - {"class_weights"}
    kept = {name: np.array(getattr(tree, name)) for name in names}
    best = as_leaf.copy()
    for node in range(len(total) - 1, -1, -1):  # children before their parents
        first, n_children = tree.first_child[node], tree.n_children[node]
        below = best[first : first + n_children].sum()
        if n_children and as_leaf[node] > below + SLACK:
            best[node] = below
        elif n_children:
            kept["kind"][node], kept["n_children"][node] = LEAF, 0
            kept["first_child"][node] = kept["attribute"][node] = -1
    old, first_child, parent = level_order(
        kept["kind"], kept["first_child"], kept["n_children"]
    )
    left: dict[str, Any] = {name: values[old] for name, values in kept.items()}
    left |= {"first_child": first_child, "parent": parent}
    return Tree(**left, class_weights=from_matrix(tree.value[old]))
