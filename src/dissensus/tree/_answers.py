"""What the nodes of a tree answer: class distributions by kind of smoothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissensus._core.tree._class_weights import fill_rows
from dissensus.tree._tree import Tree
from dissensus.utils._memory_limit import check_memory

Matrix = NDArray[np.float64]

# So few classes are added up faster with their zeros (four classes: 1.1 times).
FEW = 8


@dataclass(frozen=True, slots=True, eq=False)
class LeafAnswers:
    """The probabilities that leaves answer with, those that are not zero.

    Attributes
    ----------
    shape : tuple of int
        Number of nodes and of classes.
    begin, end : ndarray of shape (n_nodes,), intp
        Where the answers of each leaf lie; inner nodes may have none.
    classes : ndarray of int32
        The classes that the probabilities are of.
    proba : ndarray of float64
        The probabilities.
    """

    shape: tuple[int, int]
    begin: NDArray[np.intp]
    end: NDArray[np.intp]
    classes: NDArray[np.int32]
    proba: NDArray[np.float64]

    def matrix(self) -> Matrix:
        """Return the probabilities of all classes, with zeros."""
        answers = np.zeros(self.shape)
        fill_rows(self.begin, self.end, self.classes, self.proba, answers)
        return answers


def frequencies(tree: Tree) -> Matrix | LeafAnswers:
    """Return relative frequencies; an empty leaf has its parent's."""
    known = tree.class_weights
    begin, end = known.begin, known.end
    totals = np.repeat(known.totals, end - begin)
    if tree.empty.any():
        answering = np.where(tree.empty, tree.parent, np.arange(tree.n_nodes))
        begin, end = begin[answering], end[answering]
    shape = tree.n_nodes, known.n_classes
    answers = LeafAnswers(shape, begin, end, known.classes, known.weights / totals)
    return answers.matrix() if known.n_classes <= FEW else answers


def laplace(tree: Tree) -> Matrix:
    """Return frequencies with one more row of each class."""
    _check_size(tree)
    counts = tree.value
    if tree.empty.any():
        counts[tree.empty] = counts[tree.parent[tree.empty]]
    return _normalised(counts + 1.0)


def path(tree: Tree) -> Matrix:
    """Return the root's frequencies, updated test by test on the way to each node.

    The step from a node to its child multiplies the probability of class c by
    ``P(child | node, c) = (n_c(child) + 1) / (n_c(node) + B)``, B = number of branches,
    and normalises; without the added ones it would give back the leaf's frequencies.
    """
    _check_size(tree)
    value = tree.value
    answers = np.empty_like(value)
    answers[0] = _normalised(value[:1])[0]
    inner = np.flatnonzero(tree.n_children)
    for node in inner:  # parents come before their children
        first, n_children = tree.first_child[node], tree.n_children[node]
        children = slice(first, first + n_children)
        factor = (value[children] + 1.0) / (value[node] + n_children)
        answers[children] = _normalised(answers[node] * factor)
        answers[children][tree.empty[children]] = answers[node]
    return answers


ANSWERS: dict[str, Callable[[Tree], Matrix | LeafAnswers]] = {
    "none": frequencies,
    "laplace": laplace,
    "path": path,
}


def _check_size(tree: Tree) -> None:
    """Refuse matrices of all nodes and classes that would not fit in memory."""
    n_nodes, n_classes = tree.n_nodes, tree.class_weights.n_classes
    check_memory(
        24 * n_nodes * n_classes,
        f"The smoothed answers of {n_nodes:,} nodes for {n_classes:,} classes",
        "Use smoothing='none', or merge classes.",
    )


def _normalised(counts: Matrix) -> Matrix:
    return counts / counts.sum(axis=1, keepdims=True)
