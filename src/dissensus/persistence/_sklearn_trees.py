"""Check the trees of scikit-learn, whose compiled code steps where a node says."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAF = -1
FIELDS = {
    "left_child": "i",
    "right_child": "i",
    "feature": "i",
    "threshold": "f",
    "impurity": "f",
    "n_node_samples": "i",
    "weighted_n_node_samples": "f",
    "missing_go_to_left": "u",
}
MAX_DEPTH = 2**31 - 1


def check_tree_state(arguments: Any, state: Any) -> bool:
    """Return whether scikit-learn can make a sound tree of this.

    Parameters
    ----------
    arguments : tuple
        Number of features, numbers of classes, number of outputs.
    state : dict
        Depth, number of nodes, the nodes and their values.
    """
    n_features, n_classes, n_outputs = arguments
    nodes, values = state["nodes"], state["values"]
    if not all(isinstance(a, np.ndarray) for a in (n_classes, nodes, values)):
        return False
    numbers = (n_features, n_outputs, state["node_count"], state["max_depth"])
    if any(type(number) is not int for number in numbers):
        return False
    classes_fit = n_classes.dtype == np.intp and n_classes.shape == (1,)
    if not classes_fit or n_outputs != 1 or not 1 <= n_classes[0] < 2**31:
        return False
    if not 0 <= n_features < 2**31 or not 0 <= state["max_depth"] <= MAX_DEPTH:
        return False
    if nodes.ndim != 1 or len(nodes) == 0 or state["node_count"] != len(nodes):
        return False
    shape = (len(nodes), 1, int(n_classes[0]))
    if values.dtype != np.float64 or values.shape != shape:
        return False
    return bool(np.isfinite(values).all()) and _are_nodes(nodes, n_features)


def _are_nodes(nodes: NDArray[Any], n_features: int) -> bool:
    kinds = {name: nodes.dtype[name].kind for name in nodes.dtype.names or ()}
    if kinds != FIELDS:
        return False
    left, right = nodes["left_child"], nodes["right_child"]
    inner = left != LEAF
    if not (right[~inner] == LEAF).all() or np.isnan(nodes["threshold"][inner]).any():
        return False
    feature = nodes["feature"][inner]
    if not ((feature >= 0) & (feature < n_features)).all():
        return False
    return is_tree(
        np.flatnonzero(inner), np.stack([left[inner], right[inner]]), len(nodes)
    )


def is_tree(parents: NDArray[Any], children: NDArray[Any], n_nodes: int) -> bool:
    """Return whether every node but the first is the child of just one earlier node.

    Parameters
    ----------
    parents : ndarray of shape (n_inner,)
        The nodes that have children.
    children : ndarray of shape (n_branches, n_inner)
        Their children.
    n_nodes : int
        Number of all nodes.
    """
    if children.size != n_nodes - 1:
        return False
    if not ((children > parents) & (children < n_nodes)).all():
        return False
    return len(np.unique(children)) == children.size
