"""The local cascade as plain as possible: the paper's CGtree(D, J), by recursion.

It stands on the plain C4.5 of this folder. Models are given as functions; everything
else is written here: which classes count, which rows a model learns from, when it is
used, and which attributes a node may test.

An attribute, once built, has a value for every row, also for rows that never come to
its node: raising a subtree sends them there. But only the rows of the node where it was
built have a say in its thresholds. Differences below 1e-12 are taken for rounding
errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tests.reference.growing import Grower
from tests.reference.nodes import (
    Data,
    Floats,
    Node,
    Options,
    Rows,
    class_weights,
    distribute,
)
from tests.reference.pruning import Pruner, collapse
from tests.reference.tolerance import equal

# From columns of any rows to probabilities of the classes that a model tells apart.
Model = Callable[[list[Floats]], Floats]
# From kinds, columns, class codes, weights and number of classes to a model.
Learner = Callable[[list[int], list[Floats], NDArray[np.intp], Floats, int], Model]


@dataclass(frozen=True, slots=True)
class Constructor:
    """The parameters of `LocalCascadeClassifier` that say what is built, and when.

    A step is a learner and what it reads: "all", "nominal" or "numeric" attributes.
    """

    steps: list[tuple[Learner, str]]
    max_constructor_depth: int = 5
    min_class_ratio: float = 3
    max_constructor_error: float = 0.5
    counted_attributes: str = "all"


class LocalCascade:
    """Grows, prunes and asks one tree."""

    def __init__(self, data: Data, options: Options, constructor: Constructor) -> None:
        self.data = replace(data, kinds=[*data.kinds], columns=[*data.columns])
        self.options = options
        self.constructor = constructor
        self.n_original = len(data.kinds)
        self.seen = [*data.columns]  # by the rows of the node where it was built
        self.models: list[tuple[Model, list[int]]] = []
        rows = np.arange(data.n_rows)
        self.root = self.grow(rows, data.weight, [*range(self.n_original)], 0)
        self.root.empty = False  # there is no parent to answer instead
        if options.collapse:
            collapse(self.root)
        if options.prune:
            Pruner(self.data, options).prune(self.root)

    def grow(self, rows: Rows, weight: Floats, there: list[int], depth: int) -> Node:
        """Grow the subtree of some rows, which have the attributes `there`."""
        node = Node(rows, weight, class_weights(self.data, rows, weight))
        node.empty = equal(node.counts.sum(), 0.0)
        if depth < self.constructor.max_constructor_depth:
            for learner, reads in self.constructor.steps:
                there = there + self.build(learner, reads, node, there)
        own = replace(
            self.data,
            kinds=[self.data.kinds[a] for a in there],
            columns=[self.seen[a] for a in there],
        )
        node.split = Grower(own, self.options).choose(node)
        if node.split is not None:
            node.split = replace(node.split, attribute=there[node.split.attribute])
            parts, branches = distribute(self.data, node.split, rows, weight)
            node.branch_weights = branches.sum(axis=1)
            node.children = [self.grow(*part, there, depth + 1) for part in parts]
        return node

    def build(
        self, learner: Learner, reads: str, node: Node, there: list[int]
    ) -> list[int]:
        """Build attributes if the rules allow it; return their numbers."""
        kinds, columns = self.data.kinds, self.data.columns
        inputs = [
            a for a in there if reads in ("all", "nominal" if kinds[a] else "numeric")
        ]
        n_counted = len(inputs)
        if self.constructor.counted_attributes == "original":
            n_counted = sum(a < self.n_original for a in inputs)
        least = self.constructor.min_class_ratio * n_counted
        classes = [c for c, weight in enumerate(node.counts) if weight > least]
        if len(classes) < 2 or not inputs:
            return []
        y = self.data.y[node.rows]
        taught = np.isin(y, classes)
        model = learner(
            [kinds[a] for a in inputs],
            [columns[a][node.rows][taught] for a in inputs],
            np.searchsorted(classes, y[taught]),
            node.weight[taught],
            len(classes),
        )
        proba = model([columns[a] for a in inputs]).round(12)
        chosen = np.array(classes)[proba[node.rows].argmax(axis=1)]
        error = node.weight[chosen != y].sum() / node.weight.sum()
        if not error < self.constructor.max_constructor_error:
            return []
        made = [*range(len(columns), len(columns) + len(classes))]
        self.models.append((model, inputs))
        for column in proba.T:
            kinds.append(0)
            columns.append(column)
            here = np.full(len(column), np.nan)
            here[node.rows] = column[node.rows]
            self.seen.append(here)
        return made

    def distributions(self, kinds: list[int], columns: list[Floats]) -> Floats:
        """Return the class distribution of each row.

        A row is given everything that was ever built, then goes down the tree. For the
        tree an undeclared value counts as missing; models see it as it is.
        """
        known = [
            np.where(column < kind, column, np.nan) if kind else column
            for kind, column in zip(kinds, columns, strict=True)
        ]
        given = [*columns]
        for model, inputs in self.models:
            given += [*model([given[a] for a in inputs]).round(12).T]
        rows = zip(*known, *given[len(columns) :], strict=True)
        return np.array([self.distribution(list(row)) for row in rows])

    def distribution(self, row: list[float]) -> Floats:
        """Update the class distribution of the root on the way down, as Dtree does."""
        node = self.root
        answer = node.counts / node.counts.sum()
        while node.split is not None:
            value = np.array([row[node.split.attribute]])
            branch = int(node.split.branch_of(value)[0])
            if branch < 0:
                break
            child = node.children[branch]
            if not child.empty:
                factor = (child.counts + 1) / (node.counts + len(node.children))
                answer = answer * factor / (answer * factor).sum()
            node = child
        return np.asarray(answer)
