"""Any allocation of the kernels may fail, and no size is taken on trust."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from dissensus import AODEClassifier, MaclenClassifier, MTForestClassifier
from dissensus._core.common._memory import allocation_count, fail_at, live_blocks
from dissensus._core.tree._grow import grow
from dissensus._core.tree._walk import find_leaves
from dissensus.preprocessing import MDLDiscretizer
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.tree._growing import gains_in_mean

N_ROWS = 60


@cache
def mixed_rows(missing: float) -> Table:
    """Numbers with many and with few values, and two nominal columns; encoded."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {
            "many": rng.normal(size=N_ROWS).round(3),
            "few": rng.integers(0, 4, size=N_ROWS).astype(float),
            "colour": rng.choice(["red", "green", "blue"], size=N_ROWS),
            "size": rng.choice(["s", "m", "l", "xl"], size=N_ROWS),
        }
    )
    X = X.mask(rng.random(X.shape) < missing)
    return Table.from_any(X.astype({"colour": "category", "size": "category"}))


def target(n_classes: int) -> Any:
    return np.random.default_rng(8).integers(0, n_classes, size=N_ROWS)


def weights() -> Any:
    return np.random.default_rng(9).uniform(0.1, 2.0, size=N_ROWS)


def tree(missing: float, weighted: bool, **parameters: Any) -> Any:
    X, y = mixed_rows(missing), target(3)
    model = C45Classifier(min_samples_leaf=1, **parameters)
    model.fit(X, y, sample_weight=weights() if weighted else None)
    return model.predict_proba(X)


def nominal_tree() -> Any:
    X, y = mixed_rows(0.0).drop(0).drop(0), target(6)
    return C45Classifier(min_samples_leaf=1).fit(X, y).predict_proba(X)


def smoothed(smoothing: str) -> Any:
    return tree(0.2, True, smoothing=smoothing)


def ensemble(estimator: Any) -> Any:
    X = mixed_rows(0.1)
    return estimator.fit(X, target(2)).predict_proba(X)


def encoding() -> Any:
    X = np.column_stack([np.arange(N_ROWS) % 7, np.arange(N_ROWS) * 0.1])
    encoded = Table.from_any(X).take(np.arange(0, N_ROWS, 2)).encoded
    return encoded.codes


def intervals() -> Any:
    X = mixed_rows(0.1).numeric
    return MDLDiscretizer().fit(X, target(2), sample_weight=weights()).transform(X)


WORK: dict[str, Callable[[], Any]] = {
    "tree": lambda: tree(0.0, False),
    "tree, unpruned": lambda: tree(0.0, False, prune=False),
    "tree, missing values": lambda: tree(0.2, False),
    "tree, missing values and weights": lambda: tree(0.2, True),
    "tree, binary splits": lambda: tree(0.2, True, binary_splits=True),
    "tree, no raising": lambda: tree(0.0, True, subtree_raising=False),
    "tree, nominal": nominal_tree,
    "tree, laplace": lambda: smoothed("laplace"),
    "tree, path": lambda: smoothed("path"),
    "extra task": lambda: ensemble(MTForestClassifier()),
    "product labels": lambda: ensemble(MaclenClassifier()),
    "pairs": lambda: ensemble(AODEClassifier()),
    "encoding": encoding,
    "intervals": intervals,
}


@pytest.fixture(autouse=True)
def _no_failure_left() -> Iterator[None]:
    yield
    fail_at(0)


@pytest.mark.parametrize("name", WORK)
def test_any_allocation_may_fail(name: str) -> None:
    work = WORK[name]
    expected = work()  # the table is encoded now
    before, start = live_blocks(), allocation_count()
    work()
    n_allocations = allocation_count() - start
    assert live_blocks() == before
    assert n_allocations > 0
    for n in range(1, n_allocations + 1):
        fail_at(n)
        with pytest.raises(MemoryError, match=r"no memory left for .* were asked for"):
            work()
        assert live_blocks() == before, f"allocation {n} of {n_allocations}"
    fail_at(0)
    assert_array_equal(work(), expected)


def test_failure_is_one_only() -> None:
    fail_at(1)
    with pytest.raises(MemoryError):
        tree(0.0, False)
    assert tree(0.0, False).shape == (N_ROWS, 3)


def grown(y: Any, n_classes: int, n_values: int = 3, **changes: Any) -> Any:
    labels = pd.Categorical(["a", "b"] * 4, categories=[*"ab", *range(n_values - 2)])
    table = Table.from_any(pd.DataFrame({"c": labels, "x": np.arange(8.0)}))
    options: dict[str, Any] = {
        "in_mean": gains_in_mean(table.encoded, table.n_rows),
        "min_leaf": 1.0,
        "binary": False,
        "mdl": False,
        "actual_thresholds": True,
    }
    return grow(table.encoded, y, None, n_classes, **(options | changes))


CODES = np.array([0, 1] * 4, dtype=np.int32)


def test_product_of_counts_that_no_address_can_hold_is_refused() -> None:
    before = live_blocks()
    with pytest.raises(MemoryError, match=r"1,125,899,906,842,624 bytes.*no memory"):
        grown(CODES, 2**50, n_values=10_000)
    assert live_blocks() == before


def test_block_larger_than_the_machine_is_refused() -> None:
    before = live_blocks()
    with pytest.raises(MemoryError, match=r"would need 32 TiB of memory, and 50%"):
        grown(CODES, 2**40)
    assert live_blocks() == before


@pytest.mark.parametrize(
    "y",
    [CODES.astype(np.int64), CODES.astype(np.float32), CODES.astype(">i4")],
    ids=["wide", "float", "big-endian"],
)
def test_array_of_another_type_is_refused(y: Any) -> None:
    with pytest.raises(TypeError, match=r"needs int32. Got .* instead"):
        grown(y, 2)


def test_array_with_gaps_is_refused() -> None:
    with pytest.raises(ValueError, match="not C-contiguous"):
        grown(np.repeat(CODES, 2)[::2], 2)


def test_array_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match=r"needs 8 numbers. Got 7 instead"):
        grown(CODES[:7], 2)
    with pytest.raises(ValueError, match=r"needs 2 numbers. Got 1 instead"):
        grown(CODES, 2, in_mean=np.ones(1, dtype=np.uint8))


def test_walk_refuses_columns_of_another_kind() -> None:
    X = np.arange(8.0)[:, np.newaxis]
    tree = C45Classifier(min_samples_leaf=1).fit(X, [0] * 4 + [1] * 4).tree_
    with pytest.raises(TypeError, match=r"float64 numbers or int32 codes. Got float32"):
        find_leaves(tree, [X[:, 0].astype(np.float32)], 8, False)
    with pytest.raises(ValueError, match=r"needs 9 rows. Got 8 instead"):
        find_leaves(tree, [X[:, 0]], 9, False)
    with pytest.raises(ValueError, match="not grown from columns such as these"):
        find_leaves(tree, [CODES], 8, False)
