"""How the plain C4.5 collapses and prunes a tree."""

from __future__ import annotations

import math

import numpy as np

from tests.reference.errors import pessimistic_errors
from tests.reference.nodes import (
    Data,
    Floats,
    Node,
    Options,
    Rows,
    class_weights,
    distribute,
    errors,
    leaves,
    make_leaf,
)
from tests.reference.tolerance import equal, greater_or_equal, smaller_or_equal


def collapse(node: Node) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors."""
    if node.split is None:
        return
    if sum(errors(leaf.counts) for leaf in leaves(node)) >= errors(node.counts) - 1e-3:
        make_leaf(node)
    for child in node.children:
        collapse(child)


class Pruner:
    """Prunes bottom up by pessimistic errors, by leaf or by raising a branch."""

    def __init__(self, data: Data, options: Options) -> None:
        self.data = data
        self.options = options

    def estimate(self, counts: Floats) -> float:
        """Return the pessimistic number of errors of a leaf."""
        return pessimistic_errors(
            float(counts.sum()), errors(counts), self.options.confidence
        )

    def prune(self, node: Node) -> None:
        """Prune a subtree in place."""
        if node.split is None:
            return
        for child in node.children:
            self.prune(child)
        largest = node.children[largest_branch(node.branch_weights)]
        as_leaf = self.estimate(node.counts)
        as_tree = sum(self.estimate(leaf.counts) for leaf in leaves(node))
        as_branch = math.inf
        if self.options.subtree_raising:
            as_branch = self.trial(largest, node.rows, node.weight)
        if smaller_or_equal(as_leaf, as_tree + 0.1) and smaller_or_equal(
            as_leaf, as_branch + 0.1
        ):
            make_leaf(node)
        elif smaller_or_equal(as_branch, as_tree + 0.1):
            node.split, node.children = largest.split, largest.children
            self.refill(node, node.rows, node.weight)
            self.prune(node)

    def trial(self, node: Node, rows: Rows, weight: Floats) -> float:
        """Estimate the errors of a subtree if these rows came to it."""
        if node.split is None:
            return self.estimate(class_weights(self.data, rows, weight))
        parts, _ = distribute(self.data, node.split, rows, weight)
        return sum(
            self.trial(child, *part)
            for child, part in zip(node.children, parts, strict=True)
        )

    def refill(self, node: Node, rows: Rows, weight: Floats) -> None:
        """Give a subtree new rows; its tests stay, everything stored is new."""
        node.rows, node.weight = rows, weight
        node.counts = class_weights(self.data, rows, weight)
        if node.split is None:
            node.empty = node.empty and equal(node.counts.sum(), 0.0)
            node.branch_weights = np.zeros(0)
            return
        parts, branches = distribute(self.data, node.split, rows, weight)
        node.branch_weights = branches.sum(axis=1)
        for child, part in zip(node.children, parts, strict=True):
            self.refill(child, *part)


def largest_branch(weights: Floats) -> int:
    """Return the heaviest branch, the last of equals."""
    best, best_weight = 0, 0.0
    for branch, weight in enumerate(weights):
        if greater_or_equal(weight, best_weight):
            best, best_weight = branch, weight
    return best
