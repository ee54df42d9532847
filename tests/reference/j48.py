"""C4.5 release 8 as Weka's J48 grows it, as plain as possible.

This is the yardstick for the compiled trees: every rule is one short function, nothing
is fast. Numbers are compared with a tolerance of 1e-6 by the four functions `equal`,
`greater`, `smaller_or_equal`, `greater_or_equal`; comparisons written with an operator
are exact.

A data set is a list of `kinds` (0 for a numeric attribute, else the number of declared
values of a nominal one), one float column per attribute (nominal values as codes 0, 1,
..., NaN where missing), class codes and weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.reference.growing import Grower
from tests.reference.nodes import Data, Floats, Node, Options
from tests.reference.pruning import Pruner, collapse

__all__ = [
    "Data",
    "Node",
    "Options",
    "build",
    "distribution",
    "distributions",
    "nested",
    "walk",
]


def build(data: Data, options: Options) -> Node:
    """Grow, collapse and prune a tree."""
    rows = np.arange(data.n_rows)
    root = Grower(data, options).grow(rows, data.weight)
    root.empty = False  # there is no parent to answer instead
    if options.collapse:
        collapse(root)
    if options.prune:
        Pruner(data, options).prune(root)
    return root


def distribution(node: Node, values: list[float], smoothing: str = "none") -> Floats:
    """Return the class distribution of one row, given as a value per attribute."""
    if node.split is None:
        return leaf_distribution(node.counts, smoothing)
    value = np.array([values[node.split.attribute]])
    branch = int(node.split.branch_of(value)[0])
    if branch >= 0:
        child = node.children[branch]
        if child.empty:
            return leaf_distribution(node.counts, smoothing)
        return distribution(child, values, smoothing)
    answer = np.zeros(len(node.counts))
    for child, weight in zip(node.children, node.branch_weights, strict=True):
        if not child.empty:
            part = distribution(child, values, smoothing)
            answer += weight / node.counts.sum() * part
    return answer


def distributions(
    root: Node, kinds: list[int], columns: list[Floats], options: Options
) -> Floats:
    """Return the class distribution of each row; undeclared values count as missing."""
    known = [
        np.where(column < kind, column, np.nan) if kind else column
        for kind, column in zip(kinds, columns, strict=True)
    ]
    rows = zip(*known, strict=True)
    return np.array([distribution(root, list(r), options.smoothing) for r in rows])


def leaf_distribution(counts: Floats, smoothing: str) -> Floats:
    """Return relative frequencies, with Laplace's correction if wanted."""
    if smoothing == "laplace":
        counts = counts + 1
    answer: Floats = counts / counts.sum()
    return answer


def walk(node: Node) -> Iterator[Node]:
    """Walk through a node and all nodes below it."""
    yield node
    for child in node.children:
        yield from walk(child)


def nested(node: Node) -> dict[str, Any]:
    """Return the tree as nested dictionaries, in the form of Weka's outputs."""
    if node.split is None:
        leaf: dict[str, Any] = {"c": node.counts.tolist()}
        return {**leaf, "e": 1} if node.empty else leaf
    split = node.split
    inner = {"a": split.attribute, "k": split.kind, "g": split.gain, "r": split.ratio}
    if split.kind != "in":
        inner["t"] = split.threshold
    inner["w"] = node.branch_weights.tolist()
    return {**inner, "s": [nested(child) for child in node.children]}
