"""What the nodes of a tree answer: class distributions by kind of smoothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dissensus.tree._tree import Tree

Matrix = NDArray[np.float64]


def frequencies(tree: Tree) -> Matrix:
    """Return relative frequencies; an empty leaf has its parent's."""
    return _normalised(_counts(tree))


def laplace(tree: Tree) -> Matrix:
    """Return frequencies with one more row of each class."""
    return _normalised(_counts(tree) + 1.0)


def path(tree: Tree) -> Matrix:
    """Return the root's frequencies, updated test by test on the way to each node.

    The step from a node to its son multiplies the probability of class c by
    ``P(son | node, c) = (n_c(son) + 1) / (n_c(node) + B)``, B = number of branches, and
    normalises; without the added ones it would give back the leaf's frequencies.
    """
    answers = np.empty_like(tree.value)
    answers[0] = _normalised(tree.value[:1])[0]
    inner = np.flatnonzero(tree.n_children)
    for node in inner:  # parents come before their sons
        first, n_sons = tree.first_child[node], tree.n_children[node]
        sons = slice(first, first + n_sons)
        factor = (tree.value[sons] + 1.0) / (tree.value[node] + n_sons)
        answers[sons] = _normalised(answers[node] * factor)
        answers[sons][tree.empty[sons]] = answers[node]
    return answers


ANSWERS: dict[str, Callable[[Tree], Matrix]] = {
    "none": frequencies,
    "laplace": laplace,
    "path": path,
}


def _counts(tree: Tree) -> Matrix:
    counts = tree.value
    if tree.empty.any():
        counts = counts.copy()
        counts[tree.empty] = tree.value[tree.parent[tree.empty]]
    return counts


def _normalised(counts: Matrix) -> Matrix:
    return counts / counts.sum(axis=1, keepdims=True)
