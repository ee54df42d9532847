"""From a table to a tree: grow, collapse, prune, number the nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus._core.tree._grow import grow
from dissensus._core.tree._nodes import level_order
from dissensus._core.tree._prune import collapse as collapse_nodes, prune as prune_nodes
from dissensus.table import Encoded, Table
from dissensus.tree._class_weights import of_leaves
from dissensus.tree._pessimistic import confidence_limits
from dissensus.tree._tree import Tree
from dissensus.utils._memory_limit import ALWAYS_ALLOWED, check_memory

# The nodes of a tree that is not finished, as `grow` returns them.
Nodes = dict[str, Any]
# What growing and pruning take for each row, without what each attribute adds, and for
# each node.
BYTES_OF_ROW = 160
BYTES_OF_NODE = 160
# What a finished tree takes over of each node.
KEPT = (
    *("attribute", "kind", "threshold", "n_children"),
    *("branch_weight", "empty", "gain", "gain_ratio"),
)


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
    check_growth(table, n_classes, binary=binary_splits, extra=extra)
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


def check_growth(
    table: Table, n_classes: int, *, binary: bool, extra: ExtraTask | None = None
) -> None:
    """Refuse a tree that would need too much memory to grow and to prune."""
    encoded = table.encoded
    n_attributes = encoded.n_attributes
    nominal = (encoded.n_values * encoded.is_nominal)[:n_attributes].tolist()
    most = max(nominal, default=0)
    # One table of counts, and the class weights of the branches.
    n_cells = (most + 3 + (0 if binary else most)) * n_classes
    if extra is not None:
        n_cells += (most + 1) * (extra.n_values + 2)
    # Histograms are made of attributes with at most two cells for each row.
    n_coded, n_sorted = len(encoded.coded), len(encoded.sorted)
    of_rows = table.n_rows * (BYTES_OF_ROW + 16 * n_sorted + 16 * n_coded)
    n_bytes = 8 * n_cells + BYTES_OF_NODE * most + of_rows
    if n_bytes <= ALWAYS_ALLOWED:
        return
    if of_rows > 8 * n_cells:
        what = f"A tree on {table.n_rows:,} rows of {n_attributes:,} attributes"
        cure = "Fit on fewer rows."
    else:
        name = table.schema.names[nominal.index(most)]
        what = (
            f"A tree that splits attribute {name!r} with its {most:,} values to tell "
            f"{n_classes:,} labels apart"
        )
        cure = "Group the values (max_values, ValueGrouper), or drop the attribute."
    check_memory(n_bytes, what, cure)


def cut_back(
    nodes: Nodes,
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


def numbered(nodes: Nodes) -> tuple[Tree, NDArray[np.intp]]:
    """Number the nodes that are left level by level; return their old numbers too."""
    old, first_child, parent = level_order(
        nodes["kind"], nodes["first_child"], nodes["n_children"]
    )
    kept = {name: nodes[name].take(old) for name in KEPT}
    weights = of_leaves(nodes, old, first_child, kept["n_children"], kept["empty"])
    tree = Tree(**kept, first_child=first_child, parent=parent, class_weights=weights)
    return tree, old
