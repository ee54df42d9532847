"""From a table to a tree: grow, collapse, prune, number the nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus._core._grow import grow
from dissensus._core._nodes import level_order
from dissensus._core._prune import collapse as collapse_nodes
from dissensus._core._prune import prune as prune_nodes
from dissensus.table._encoded import Encoded
from dissensus.table._table import Table
from dissensus.tree._pessimistic import confidence_limits
from dissensus.tree._tree import Tree


@dataclass(frozen=True, slots=True)
class ExtraTask:
    """A second target: the codes of the rows, -1 for missing, and its weight."""

    codes: NDArray[np.int32]
    n_values: int
    weight: float


def grow_tree(
    table: Table,
    y: NDArray[np.int32],
    n_classes: int,
    weights: NDArray[np.float64] | None,
    *,
    min_samples_leaf: int,
    binary_splits: bool,
    mdl_correction: bool,
    actual_thresholds: bool,
    collapse: bool,
    confidence: float | None,
    subtree_raising: bool,
    extra: ExtraTask | None = None,
) -> Tree:
    """Grow a C4.5 tree; a confidence of None leaves it unpruned.

    With an extra task, its gain counts beside that of the class where a split is
    chosen; thresholds, leaves and pruning go by the class alone.
    """
    encoded = table.encoded
    nodes = grow(
        encoded,
        y,
        weights,
        n_classes,
        in_mean=gains_in_mean(encoded, table.n_rows),
        min_leaf=float(min_samples_leaf),
        binary=binary_splits,
        mdl=mdl_correction,
        actual_thresholds=actual_thresholds,
        **_extra_arguments(extra),
    )
    cut_back(
        nodes,
        table.arrays,
        y,
        weights,
        collapse=collapse,
        confidence=confidence,
        subtree_raising=subtree_raising,
    )
    return numbered(nodes)[0]


def cut_back(
    nodes: dict[str, NDArray[Any]],
    columns: list[NDArray[Any]],
    y: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    *,
    collapse: bool,
    confidence: float | None,
    subtree_raising: bool,
) -> None:
    """Collapse and prune a grown tree in place; its columns hold all training rows."""
    if collapse:
        collapse_nodes(nodes)
    if confidence is not None:
        level, z = confidence_limits(confidence)
        prune_nodes(
            nodes, columns, y, weights, level=level, z=z, raising=subtree_raising
        )


def _extra_arguments(extra: ExtraTask | None) -> dict[str, Any]:
    if extra is None:
        return {}
    codes = np.maximum(extra.codes, -1).astype(np.int32)
    return {"extra": codes, "n_extra": extra.n_values, "extra_weight": extra.weight}


def gains_in_mean(encoded: Encoded, n_rows: int) -> NDArray[np.uint8]:
    """Tell whose gain enters the mean that a candidate's gain must reach.

    A nominal attribute with many values for the number of rows of the whole training
    set does not, unless all attributes are so. The bar of 0.3 has J48's tolerance.
    """
    is_nominal = encoded.is_nominal[: encoded.n_attributes] == 1
    n_values = encoded.n_values[: encoded.n_attributes]
    many = is_nominal & (0.3 * n_rows - n_values <= 1e-6)
    return (~many | many.all()).astype(np.uint8)


def numbered(nodes: dict[str, NDArray[Any]]) -> tuple[Tree, NDArray[np.intp]]:
    """Number the nodes that are left level by level; return their old numbers too."""
    old, first_child, parent = level_order(
        nodes["kind"], nodes["first_child"], nodes["n_children"]
    )
    kept = {name: values.take(old, axis=0) for name, values in nodes.items()}
    return Tree(**{**kept, "first_child": first_child, "parent": parent}), old
