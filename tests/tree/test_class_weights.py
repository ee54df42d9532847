"""A tree keeps the class weights of its leaves; those of inner nodes are sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from dissensus._core.tree._grow import grow
from dissensus.ensemble.local_cascade._grafts import class_weights_of
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.tree._class_weights import from_matrix
from dissensus.tree._growing import gains_in_mean, numbered
from dissensus.tree._tree import LEAF, Tree
from tests.reference.random_data import make_case, make_frame

Floats = NDArray[np.float64]


def grown(
    table: Table, y: Any, n_classes: int, weights: Floats | None
) -> tuple[Tree, Floats]:
    """Grow a tree; return it with the weights that its nodes had while it grew."""
    nodes = grow(
        table.encoded,
        y,
        weights,
        n_classes,
        in_mean=gains_in_mean(table.encoded, table.n_rows),
        min_leaf=1.0,
        binary=False,
        mdl=False,
        actual_thresholds=True,
    )
    tree, old = numbered(nodes)
    return tree, np.array([class_weights_of(nodes, node) for node in old])


def is_kept(tree: Tree) -> NDArray[np.bool_]:
    return np.diff(tree.class_weights.starts) > 0


def test_leaves_alone_keep_weights() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), rng.integers(0, 12, size=500)
    tree = C45Classifier(prune=False).fit(X, y).tree_
    assert tree.n_leaves > 20
    assert_array_equal(is_kept(tree), tree.kind == LEAF)
    assert len(tree.class_weights.weights) <= 500
    assert_array_equal(tree.node_weights(0), np.bincount(y))


def test_parent_of_an_empty_leaf_keeps_what_it_answers_with() -> None:
    dtype = pd.CategoricalDtype(["a", "b", "c"])
    X = pd.DataFrame({"x": pd.Series(["a", "a", "b", "b"] * 3, dtype=dtype)})
    model = C45Classifier().fit(X, [0, 0, 1, 1] * 3)
    assert_array_equal(is_kept(model.tree_), [True, True, True, False])
    unseen = pd.DataFrame({"x": pd.Series(["c"], dtype=dtype)})
    assert_array_equal(model.predict_proba(unseen), [[0.5, 0.5]])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_inner_nodes_have_the_weights_that_they_had(seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    case = make_case(seed)
    table = Table.from_any(make_frame(case.kinds, case.columns))
    y = case.y.astype(np.int32)
    weights = rng.uniform(0.1, 5.0, size=len(y)) if weighted else None
    tree, exact = grown(table, y, int(y.max()) + 1, weights)
    assert_allclose(tree.value, exact, rtol=1e-12, atol=1e-12 * exact[0].sum())
    for node in range(tree.n_nodes):
        assert_allclose(
            tree.node_weights(node), exact[node], rtol=1e-12, atol=1e-12 * exact.sum()
        )
    leaf = tree.kind == LEAF
    assert_array_equal(tree.value[leaf], exact[leaf])
    assert_array_equal(tree.class_weights.totals, exact.sum(axis=1))


def test_node_whose_children_lose_rows_keeps_its_own() -> None:
    # The share of the third branch is below J48's tolerance: it gets no missing rows.
    X = np.array([["a"], ["b"], ["c"], ["a"], ["b"], [None]], dtype=object)
    y = np.array([0, 1, 1, 0, 1, 0], dtype=np.int32)
    weights = np.array([1e6, 1e6, 0.5, 1e6, 1e6, 1e5])
    tree, exact = grown(Table.from_any(X), y, 2, weights)
    assert tree.n_nodes == 4
    assert abs(exact[1:].sum(axis=0) - exact[0]).max() > 1e-3
    assert is_kept(tree)[0]
    assert_array_equal(tree.value, exact)


def test_matrix_of_weights_is_taken_as_it_is() -> None:
    value = np.array([[3.0, 1.5, 0.0], [0.0, 1.5, 0.0], [3.0, 0.0, 0.0]])
    known = from_matrix(value)
    assert_array_equal(known.starts, [0, 2, 3, 4])
    assert_array_equal([known.row(node) for node in range(3)], value)
    assert_array_equal(known.totals, value.sum(axis=1))
