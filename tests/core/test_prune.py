"""Rows of weight 1 without missing values are pruned by a way of their own."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from dissensus._core.tree._grow import grow
from dissensus._core.tree._prune import prune
from dissensus.ensemble.local_cascade._grafts import class_weights_of
from dissensus.table import Table
from dissensus.tree._growing import gains_in_mean
from dissensus.tree._pessimistic import confidence_limits


def random_problem(
    rng: np.random.Generator,
) -> tuple[Table, NDArray[np.int32], int]:
    """Draw a table of both kinds of attributes whose classes depend on some of them."""
    n_rows, n_classes = int(rng.integers(20, 400)), int(rng.integers(2, 6))
    X = np.empty((n_rows, 5), dtype=object)
    X[:, 0] = rng.normal(size=n_rows)
    X[:, 1] = rng.integers(0, 8, size=n_rows).astype(float)
    for column in (2, 3, 4):
        X[:, column] = rng.choice(list("abcdef")[: column + 1], size=n_rows)
    signal = 2 * (X[:, 0].astype(float) > 0) + (X[:, 2] == "a") + (X[:, 4] == "b")
    noise = rng.integers(0, n_classes, size=n_rows)
    y = np.where(rng.random(n_rows) < 0.6, signal, noise) % n_classes
    return Table.from_any(X), y.astype(np.int32), n_classes


def pruned(
    table: Table, y: NDArray[np.int32], n_classes: int, binary: bool, weights: Any
) -> dict[str, Any]:
    nodes = grow(
        table.encoded,
        y,
        None,
        n_classes,
        in_mean=gains_in_mean(table.encoded, table.n_rows),
        min_leaf=1.0,
        binary=binary,
        mdl=False,
        actual_thresholds=True,
    )
    level, z = confidence_limits(0.25)
    prune(nodes, table.arrays, y, weights, level=level, z=z, raising=True)
    return nodes


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_the_two_ways_of_pruning_give_the_same_tree(seed: int, binary: bool) -> None:
    table, y, n_classes = random_problem(np.random.default_rng(seed))
    plain = pruned(table, y, n_classes, binary, None)
    weighted = pruned(table, y, n_classes, binary, np.ones(table.n_rows))
    assert_array_equal(plain["kind"], weighted["kind"])
    reached = np.flatnonzero(reachable(plain))
    for name in set(plain) - {"n_classes", "classes", "weights", "start"}:
        assert_array_equal(plain[name][reached], weighted[name][reached], name)
    for node in reached.tolist():
        assert_array_equal(
            class_weights_of(plain, node), class_weights_of(weighted, node)
        )


def reachable(nodes: dict[str, Any]) -> NDArray[np.bool_]:
    """Tell which nodes still hang below the root."""
    found = np.zeros(len(nodes["kind"]), dtype=bool)
    todo = [0]
    while todo:
        node = todo.pop()
        found[node] = True
        first, count = nodes["first_child"][node], nodes["n_children"][node]
        todo += range(first, first + count)
    return found
