"""A grown tree as a record of plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from dissensus._core.tree._class_weights import fill_rows, sum_up
from dissensus.tree._class_weights import ClassWeights, from_matrix
from dissensus.utils._memory_limit import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Kinds of node; the compiled kernels use the same numbers (`_core/tree/_nodes.pxd`).
LEAF = 0
NUMERIC = 1
MULTIWAY = 2
ONE_VALUE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The nodes of a fitted tree, one array per property.

    Node 0 is the root. Nodes are numbered level by level and siblings are adjacent,
    so that child `j` of node `i` is node ``first_child[i] + j``.

    Attributes
    ----------
    attribute : ndarray of shape (n_nodes,), int32
        Index of the tested attribute, -1 at a leaf.
    kind : ndarray of shape (n_nodes,), uint8
        0 leaf; 1 numeric test with children ``x <= threshold`` and ``x > threshold``;
        2 one child for each declared value; 3 children "is the value" and "is another".
    threshold : ndarray of shape (n_nodes,), float64
        Threshold of a numeric test, code of the value for kind 3, NaN otherwise.
    first_child, n_children, parent : ndarray of shape (n_nodes,), int32
        How the nodes hang together; -1 where there is no such node.
    class_weights : ClassWeights
        Weight of the training rows of each class at the leaves. (A matrix of shape
        (n_nodes, n_classes) is taken too, as model files of format 1 have it.)
    branch_weight : ndarray of shape (n_nodes,), float64
        Weight that the parent's split sends to the node, with the shares of rows whose
        value is missing.
    empty : ndarray of shape (n_nodes,), bool
        True at a leaf that no training row reached; it answers with its parent's
        distribution.
    gain, gain_ratio : ndarray of shape (n_nodes,), float64
        Of the node's test when it was chosen; NaN at a leaf.
    """

    attribute: NDArray[np.int32]
    kind: NDArray[np.uint8]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    parent: NDArray[np.int32]
    class_weights: ClassWeights
    branch_weight: NDArray[np.float64]
    empty: NDArray[np.bool_]
    gain: NDArray[np.float64]
    gain_ratio: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Take a matrix of class weights."""
        if isinstance(self.class_weights, np.ndarray):
            known = from_matrix(self.class_weights)
            object.__setattr__(self, "class_weights", known)

    @property
    def value(self) -> NDArray[np.float64]:
        """Weight of the training rows of each class, of shape (n_nodes, n_classes).

        Made anew each time, inner nodes from the leaves up; `node_weights` is one line.
        """
        known, shape = self.class_weights, (self.n_nodes, self.class_weights.n_classes)
        check_memory(
            8 * shape[0] * shape[1],
            f"The class weights of {shape[0]:,} nodes for {shape[1]:,} classes",
            "Ask for those of single nodes with node_weights.",
        )
        value = np.zeros(shape)
        fill_rows(known.begin, known.end, known.classes, known.weights, value)
        sum_up(self.first_child, self.n_children, known.starts, value)
        return value

    def node_weights(self, node: int) -> NDArray[np.float64]:
        """Return the weight of the training rows of each class at one node."""
        weights = np.zeros(self.class_weights.n_classes)
        known, todo = self.class_weights, [node]
        while todo:
            here = todo.pop()
            if self.kind[here] == LEAF or known.starts[here + 1] > known.starts[here]:
                weights += known.row(here)
            else:
                todo += self.children(here)
        return weights

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.attribute)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int(np.count_nonzero(self.kind == LEAF))

    @property
    def depths(self) -> NDArray[np.int32]:
        """Depth of each node; the root has depth 0."""
        depths = np.zeros(self.n_nodes, dtype=np.int32)
        for node in range(1, self.n_nodes):  # parents come before their children
            depths[node] = depths[self.parent[node]] + 1
        return depths

    @property
    def max_depth(self) -> int:
        """Largest depth of a node."""
        return int(self.depths.max())

    def children(self, node: int) -> range:
        """Return the children of a node, in the order of its branches."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def paths(self) -> csr_matrix:
        """Return for each node, as a sparse row, the nodes from the root to it."""
        lengths = self.depths + 1
        starts = np.concatenate([[0], np.cumsum(lengths)])
        nodes = np.empty(starts[-1], dtype=np.int32)
        for node in range(self.n_nodes):
            above = slice(0, 0)
            if node > 0:
                parent = self.parent[node]
                above = slice(starts[parent], starts[parent + 1])
            nodes[starts[node] : starts[node + 1] - 1] = nodes[above]
            nodes[starts[node + 1] - 1] = node
        ones = np.ones(len(nodes), dtype=np.int8)
        return csr_matrix((ones, nodes, starts), shape=(self.n_nodes, self.n_nodes))

    def importances(self, n_attributes: int) -> NDArray[np.float64]:
        """Return the share of each attribute in the information that splits gain."""
        bits = _information(self.value)
        gained = np.zeros(n_attributes)
        for node in np.flatnonzero(self.kind != LEAF).tolist():
            children = self.children(node)
            gained[self.attribute[node]] += (
                bits[node] - bits[children.start : children.stop].sum()
            )
        gained = np.maximum(gained, 0.0)  # shared-out rows leave rounding errors
        total = gained.sum()
        return gained / total if total > 0 else gained

    def __reduce__(self) -> tuple[type[Tree], tuple[NDArray[np.generic], ...]]:
        """Pickle as the plain arrays."""
        return Tree, tuple(getattr(self, field.name) for field in fields(self))


def _information(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weight times entropy of each row of class weights, in bits."""
    total = weights.sum(axis=1)
    return -(
        np.where(weights > 0, weights * np.log2(np.maximum(weights, 1e-300)), 0).sum(1)
        - np.where(total > 0, total * np.log2(np.maximum(total, 1e-300)), 0)
    )
