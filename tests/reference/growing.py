"""How the plain C4.5 grows a tree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tests.reference.nodes import (
    Data,
    Floats,
    Node,
    Options,
    Rows,
    Split,
    class_weights,
    distribute,
    majority,
)
from tests.reference.tolerance import (
    equal,
    greater,
    greater_or_equal,
    smaller,
    smaller_or_equal,
)


def xlogx(x: Floats) -> Floats:
    """Return x * log2(x), 0 for x < 1e-6."""
    return np.where(x < 1e-6, 0.0, x * np.log2(np.where(x < 1e-6, 1.0, x)))


def gain_of(branches: Floats, total: float) -> float:
    """Information gain of a (branch, class) table of the known rows at a node."""
    known = branches.sum()
    before = xlogx(known) - xlogx(branches.sum(axis=0)).sum()
    after = xlogx(branches.sum(axis=1)).sum() - xlogx(branches).sum()
    gain = float(known / total * (before - after))
    return 0.0 if equal(gain, 0.0) else gain / float(known)


def ratio_of(branches: Floats, total: float, gain: float) -> float:
    """Gain ratio; the missing weight counts as one more branch of the split."""
    missing = total - branches.sum()
    info = xlogx(np.array(total)) - xlogx(branches.sum(axis=1)).sum() - xlogx(missing)
    return 0.0 if equal(float(info), 0.0) else gain / float(info / total)


class Grower:
    """Grows the unpruned tree, node by node."""

    def __init__(self, data: Data, options: Options) -> None:
        self.data = data
        self.options = options
        # Nominal attributes with so many values stay out of the mean gain.
        many = [
            kind > 0 and not smaller(kind, 0.3 * data.n_rows) for kind in data.kinds
        ]
        self.in_mean = [all(many) or not m for m in many]

    def grow(self, rows: Rows, weight: Floats) -> Node:
        """Grow the subtree of some rows."""
        node = Node(rows, weight, class_weights(self.data, rows, weight))
        node.empty = equal(node.counts.sum(), 0.0)
        node.split = self.choose(node)
        if node.split is not None:
            parts, branches = distribute(self.data, node.split, rows, weight)
            node.branch_weights = branches.sum(axis=1)
            node.children = [self.grow(*part) for part in parts]
        return node

    def choose(self, node: Node) -> Split | None:
        """Return the split with the best ratio among those of at least average gain."""
        total = float(node.counts.sum())
        if smaller(total, 2 * self.options.min_samples_leaf):
            return None
        if equal(total, node.counts[majority(node.counts)]):
            return None
        found = [self.candidate(a, node) for a in range(len(self.data.kinds))]
        candidates = [split for split in found if split is not None]
        gains = [split.gain for split in candidates if self.in_mean[split.attribute]]
        if not gains:
            return None
        best, best_ratio = None, 0.0
        for split in candidates:
            enough = split.gain >= sum(gains) / len(gains) - 1e-3
            if enough and greater(split.ratio, best_ratio):
                best, best_ratio = split, split.ratio
        return best

    def candidate(self, attribute: int, node: Node) -> Split | None:
        """Return the split that an attribute offers at a node."""
        values = self.data.columns[attribute][node.rows]
        known = ~np.isnan(values)
        values, rows, weight = values[known], node.rows[known], node.weight[known]
        total = float(node.counts.sum())
        n_values = self.data.kinds[attribute]
        if n_values == 0:
            return self.numeric(attribute, values, rows, weight, total)
        table = np.zeros((n_values, self.data.n_classes))
        np.add.at(table, (values.astype(int), self.data.y[rows]), weight)
        if self.options.binary_splits:
            return self.binary(attribute, table, total)
        return self.multiway(attribute, table, total)

    def multiway(self, attribute: int, table: Floats, total: float) -> Split | None:
        """Offer one branch per declared value."""
        if sum(map(self.is_heavy, table.sum(axis=1))) < 2:
            return None
        gain = gain_of(table, total)
        ratio = ratio_of(table, total, gain)
        return Split(attribute, "in", len(table), math.nan, gain, ratio)

    def is_heavy(self, weight: float) -> bool:
        """Whether a branch has the least weight."""
        return greater_or_equal(weight, self.options.min_samples_leaf)

    def binary(self, attribute: int, table: Floats, total: float) -> Split | None:
        """Offer one declared value against the others, the one with the best ratio."""
        best, best_ratio = None, 0.0
        for value in range(len(table)):
            branches = np.array([table[value], np.delete(table, value, 0).sum(axis=0)])
            if not all(map(self.is_heavy, branches.sum(axis=1))):
                continue
            gain = gain_of(branches, total)
            ratio = ratio_of(branches, total, gain)
            if best is None:  # admissible, but without a ratio it cannot be chosen
                best = Split(attribute, "eq", 2, math.nan, 0.0, 0.0)
            if greater(ratio, best_ratio):
                best = Split(attribute, "eq", 2, float(value), gain, ratio)
                best_ratio = ratio
        return best

    def numeric(
        self, attribute: int, values: Floats, rows: Rows, weight: Floats, total: float
    ) -> Split | None:
        """Cut where the gain is best, which is then corrected for the choice."""
        least = self.least_side(float(weight.sum()))
        if smaller(len(rows), 2 * least):
            return None
        best, best_gain, n_cuts = None, 0.0, 0
        for low, high, branches in self.cuts(values, rows, weight):
            if not all(greater_or_equal(s, least) for s in branches.sum(axis=1)):
                continue
            n_cuts += 1
            gain = gain_of(branches, total)
            if greater(gain, best_gain):
                best, best_gain = (low, high, branches), gain
        if best is None:
            return None
        if self.options.mdl_correction:
            best_gain -= math.log2(n_cuts) / total
        if smaller_or_equal(best_gain, 0.0):
            return None
        low, high, branches = best
        ratio = ratio_of(branches, total, best_gain)
        threshold = self.threshold(attribute, low, high)
        return Split(attribute, "le", 2, threshold, best_gain, ratio)

    def least_side(self, known: float) -> float:
        """Return the least weight on either side of a numeric cut."""
        least = 0.1 * known / self.data.n_classes
        if smaller_or_equal(least, self.options.min_samples_leaf):
            return self.options.min_samples_leaf
        return 25.0 if greater(least, 25.0) else least

    def cuts(
        self, values: Floats, rows: Rows, weight: Floats
    ) -> Iterator[tuple[float, float, Floats]]:
        """Walk through the places between neighbours that differ by more than 1e-5."""
        order = np.argsort(values, kind="stable")
        left = np.zeros(self.data.n_classes)
        right = class_weights(self.data, rows, weight)
        for here, there in pairwise(order):
            left[self.data.y[rows[here]]] += weight[here]
            right[self.data.y[rows[here]]] -= weight[here]
            if values[here] + 1e-5 < values[there]:
                yield float(values[here]), float(values[there]), np.array([left, right])

    def threshold(self, attribute: int, low: float, high: float) -> float:
        """Return the middle, or the largest value of the training set up to there."""
        middle = (low + high) / 2
        if middle == high:
            middle = low
        if not self.options.actual_thresholds:
            return middle
        column = self.data.columns[attribute]
        return float(column[column <= middle].max())
