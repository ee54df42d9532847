"""Data, splits and nodes of the plain C4.5, and how rows go through a split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tests.reference.tolerance import greater

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Options:
    """The parameters of `C45Classifier`, by the same names."""

    confidence: float = 0.25
    min_samples_leaf: float = 2
    prune: bool = True
    subtree_raising: bool = True
    collapse: bool = True
    binary_splits: bool = False
    mdl_correction: bool = True
    actual_thresholds: bool = True
    smoothing: str = "none"


@dataclass(frozen=True, slots=True)
class Data:
    """A training set."""

    kinds: list[int]
    columns: list[Floats]
    y: NDArray[np.intp]
    weight: Floats
    n_classes: int

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self.y)


@dataclass(frozen=True, slots=True)
class Split:
    """A test on one attribute: "le" (x <= t), "in" (each value) or "eq" (x == t)."""

    attribute: int
    kind: str
    n_branches: int
    threshold: float
    gain: float
    ratio: float

    def branch_of(self, values: Floats) -> NDArray[np.intp]:
        """Return the branch of each value, -1 where it is missing."""
        if self.kind == "in":
            branch = np.where(np.isnan(values), -1, values)
        elif self.kind == "le":
            branch = np.where(values <= self.threshold, 0, 1)
        else:
            branch = np.where(values == self.threshold, 0, 1)
        return np.where(np.isnan(values), -1, branch).astype(np.intp)


@dataclass(slots=True)
class Node:
    """A node with its rows, their weights here, and the stored class weights."""

    rows: Rows
    weight: Floats
    counts: Floats
    split: Split | None = None
    children: list[Node] = field(default_factory=list)
    branch_weights: Floats = field(default_factory=lambda: np.zeros(0))
    empty: bool = False


def class_weights(data: Data, rows: Rows, weight: Floats) -> Floats:
    """Add up the weight of each class, row by row."""
    counts = np.zeros(data.n_classes)
    np.add.at(counts, data.y[rows], weight)
    return counts


def majority(counts: Floats) -> int:
    """Return the first class, replaced only by a class that is greater."""
    best, weight = 0, 0.0
    for label, count in enumerate(counts):
        if greater(count, weight):
            best, weight = label, count
    return best


def errors(counts: Floats) -> float:
    """Return the weight outside the majority class."""
    return float(counts.sum() - counts[majority(counts)])


def distribute(
    data: Data, split: Split, rows: Rows, weight: Floats
) -> tuple[list[tuple[Rows, Floats]], Floats]:
    """Send rows through a split.

    Returns the rows and weights of each branch, and the (branch, class) weights to be
    stored. A row with a missing value is shared by the known weight of the branches.
    """
    branch = split.branch_of(data.columns[split.attribute][rows])
    known = [weight[branch == b].sum() for b in range(split.n_branches)]
    total = sum(known)
    parts, stored = [], []
    for b in range(split.n_branches):
        share = known[b] / total if total > 0 else 1 / split.n_branches
        shared = np.where(branch == -1, weight * share, weight)
        goes = (branch == b) | (branch == -1)
        stored.append(class_weights(data, rows[goes], shared[goes]))
        if not greater(share, 0.0):
            goes = branch == b
        parts.append((rows[goes], shared[goes]))
    return parts, np.array(stored)


def leaves(node: Node) -> Iterator[Node]:
    """Walk through the leaves below a node."""
    if node.split is None:
        yield node
    for child in node.children:
        yield from leaves(child)


def make_leaf(node: Node) -> None:
    """Forget the test and the children; the class weights stay."""
    node.split, node.children, node.branch_weights = None, [], np.zeros(0)
