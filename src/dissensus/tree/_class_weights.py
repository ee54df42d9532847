"""The weights of the classes at the nodes of a tree, those that are not zero."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus._core.tree._class_weights import fill_rows, kept_weights

# Numbers of a matrix that is made of some nodes at a time: 8 MB.
CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class ClassWeights:
    """The class weights of leaves; those of an inner node are its children's sum.

    A node has the weights from ``starts[node]`` to ``starts[node + 1]``. An inner node
    has some only if its children's do not add up to them (J48 gives no rows to branches
    with less than a millionth of them), or if a child is empty and answers with them.

    Attributes
    ----------
    n_classes : int
        Number of classes.
    starts : ndarray of shape (n_nodes + 1,), intp
        Where the weights of each node begin.
    classes : ndarray of shape (n_weights,), int32
        The classes that the weights are of, ascending in each node.
    weights : ndarray of shape (n_weights,), float64
        The weights.
    totals : ndarray of shape (n_nodes,), float64
        Sum of the weights of each node, inner ones included.
    """

    n_classes: int
    starts: NDArray[np.intp]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    totals: NDArray[np.float64]

    @property
    def begin(self) -> NDArray[np.intp]:
        """Where the weights of each node begin."""
        return self.starts[:-1]

    @property
    def end(self) -> NDArray[np.intp]:
        """Where the weights of each node end."""
        return self.starts[1:]

    def row(self, node: int) -> NDArray[np.float64]:
        """Return the weights of all classes that are kept for a node."""
        here = slice(self.starts[node], self.starts[node + 1])
        values = np.zeros(self.n_classes)
        values[self.classes[here]] = self.weights[here]
        return values

    def __reduce__(self) -> tuple[type[ClassWeights], tuple[Any, ...]]:
        """Pickle as the plain arrays."""
        return ClassWeights, tuple(getattr(self, field.name) for field in fields(self))


def from_matrix(value: NDArray[np.float64]) -> ClassWeights:
    """Return the weights of a matrix of shape (n_nodes, n_classes), all kept."""
    nodes, classes = np.nonzero(value)
    starts = np.searchsorted(nodes, np.arange(len(value) + 1)).astype(np.intp)
    return ClassWeights(
        n_classes=value.shape[1],
        starts=starts,
        classes=classes.astype(np.int32),
        weights=value[nodes, classes].astype(np.float64),
        totals=value.sum(axis=1),
    )


def of_leaves(
    nodes: dict[str, Any],
    old: NDArray[np.intp],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    empty: NDArray[np.bool_],
) -> ClassWeights:
    """Return what a finished tree keeps of the weights of its nodes as they grew.

    Parameters
    ----------
    nodes : dict
        The nodes as `grow` returns them.
    old : ndarray of intp
        The numbers there of the nodes of the tree.
    first_child, n_children, empty : ndarray of shape (n_nodes,)
        The tree.
    """
    starts, classes, kept, exact = kept_weights(
        nodes, old, first_child, n_children, empty
    )
    n_classes, totals = nodes["n_classes"], nodes["total"].take(old)
    if not exact and n_classes >= 8:
        totals = _totals(nodes, old)
    return ClassWeights(n_classes, starts, classes, kept, totals)


def _totals(nodes: dict[str, Any], old: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the sums of the nodes' weights as numpy adds up the lines of a matrix.

    From eight numbers on it adds them in another order than one after the other, and
    predictions are to be the same to the last bit whatever the weights are kept as.
    """
    begin = nodes["start"].take(old)
    end = begin + nodes["n_present"].take(old)
    n_classes = nodes["n_classes"]
    step = max(1, CELLS_AT_ONCE // n_classes)
    totals = np.empty(len(old))
    for first in range(0, len(old), step):
        some = slice(first, first + step)
        lines = np.zeros((len(begin[some]), n_classes))
        fill_rows(begin[some], end[some], nodes["classes"], nodes["weights"], lines)
        totals[some] = lines.sum(axis=1)
    return totals
