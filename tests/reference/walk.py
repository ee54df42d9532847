"""A row's way down a fitted tree, one test after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dissensus.tree._tree import LEAF, MULTIWAY, NUMERIC, Tree

Floats = NDArray[np.float64]


def next_node(tree: Tree, node: int, row: Sequence[float]) -> int | None:
    """Return the child that a row goes to; None if the value it needs is missing."""
    value = row[tree.attribute[node]]
    if np.isnan(value):
        return None
    if tree.kind[node] == NUMERIC:
        branch = int(value > tree.threshold[node])
    elif tree.kind[node] == MULTIWAY:
        branch = int(value)
    else:
        branch = int(value != tree.threshold[node])
    return tree.children(node)[branch]


def find_leaf(tree: Tree, row: Sequence[float], stop: bool) -> tuple[int, bool]:
    """Return where a row ends, and whether a value was missing on its way.

    A missing value ends the walk if `stop`; else it goes on to the heaviest child.
    """
    node, lost = 0, False
    while tree.kind[node] != LEAF:
        child = next_node(tree, node, row)
        if child is None:
            lost = True
            if stop:
                break
            child = max(tree.children(node), key=lambda s: float(tree.branch_weight[s]))
        node = child
    return node, lost


def spread(tree: Tree, row: Sequence[float], answers: Floats, node: int = 0) -> Floats:
    """Return the distribution of a row that goes down every branch it may."""
    if tree.kind[node] == LEAF:
        return answers[node]
    child = next_node(tree, node, row)
    if child is not None:
        return spread(tree, row, answers, child)
    total = tree.value[node].sum()
    answer = np.zeros(answers.shape[1])
    for child in tree.children(node):
        if not tree.empty[child]:
            share = tree.branch_weight[child] / total
            answer += share * spread(tree, row, answers, child)
    return answer
