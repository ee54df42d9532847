"""The generators of artificial examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dissensus.ensemble.decorate._artificial import (
    GENERATORS,
    bandwidth,
    group_moments,
    row_source,
)
from dissensus.table import Table
from tests.estimator_data import as_objects, as_pandas, make_problem

N = 40_000
NAN = np.nan


def draw(
    generator: Any, X: Any, y: Any = None, weights: Any = None, n: int = N
) -> Table:
    table = Table.from_any(X)
    codes = np.zeros(table.n_rows) if y is None else np.asarray(y)
    source = row_source(generator, table, codes.astype(np.int32), weights, kind="array")
    return source(n, np.random.default_rng(0))


def shares(codes: Any, n_values: int) -> Any:
    return np.bincount(codes, minlength=n_values) / len(codes)


def correlation(cells: Any) -> float:
    return float(np.corrcoef(cells[:, 0], cells[:, 1])[0, 1])


def test_numbers_are_normal_with_the_sample_deviation() -> None:
    column = draw("independent", [[1.0], [2.0], [NAN], [6.0]]).numeric.ravel()
    assert column.mean() == pytest.approx(3.0, abs=0.05)
    assert column.std() == pytest.approx(np.std([1.0, 2.0, 6.0], ddof=1), rel=0.02)
    assert abs(((column - 3) ** 3).mean()) < 1.0  # no skew
    assert column.min() < 0  # not cut off at the extremes
    assert column.max() > 10


def test_labels_follow_their_frequencies_with_one_more_of_each() -> None:
    declared = pd.Categorical(["a", "a", "a", None, "b"], categories=["b", "a", "z"])
    table = draw("independent", pd.DataFrame({"x": declared}))
    assert_allclose(
        shares(table.nominal.ravel(), 3), np.array([2, 4, 1]) / 7, atol=0.01
    )


def test_independent_attributes_are_independent() -> None:
    X = np.column_stack([np.arange(50.0), np.arange(50.0)])
    cells = draw("independent", X).numeric
    assert abs(correlation(cells)) < 0.02


def test_weights_count_for_numbers_and_not_for_labels() -> None:
    X = pd.DataFrame({"n": [0.0, 10.0], "l": ["a", "b"]})
    table = draw("independent", X, weights=np.array([3.0, 1.0]))
    assert table.numeric.mean() == pytest.approx(2.5, abs=0.1)
    assert_allclose(shares(table.nominal.ravel(), 2), [0.5, 0.5], atol=0.01)


def test_class_conditional_rows_look_like_one_class_each() -> None:
    X = pd.DataFrame(
        {
            "n": [0.0, 1.0, 100.0, 101.0, 101.5, 100.5],
            "l": ["a", "a", "b", "b", "b", "b"],
        }
    )
    table = draw("class-conditional", X, [0, 0, 2, 2, 2, 2])
    high = table.numeric.ravel() > 50
    assert high.mean() == pytest.approx(4 / 6, abs=0.01)
    labels = table.nominal.ravel()
    assert_allclose(shares(labels[~high], 2), [3 / 4, 1 / 4], atol=0.02)
    assert_allclose(shares(labels[high], 2), [1 / 6, 5 / 6], atol=0.02)


def test_kernel_rows_keep_what_the_attributes_have_in_common() -> None:
    rng = np.random.default_rng(1)
    first = rng.normal(size=500)
    X = np.column_stack([first, first, np.where(first > 0, 5.0, NAN)])
    table = draw("kernel", X)
    assert correlation(table.numeric) > 0.8
    assert not np.isnan(table.numeric).any()


def test_the_kernel_is_narrower_with_more_rows() -> None:
    assert bandwidth(1, 1) == 1.0
    assert bandwidth(100, 1) == pytest.approx((4 / 300) ** 0.2)
    assert bandwidth(100, 9) > bandwidth(1000, 9) > bandwidth(10_000, 9)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("n_rows", [1, 2, 150])
def test_no_value_is_missing_or_undeclared(generator: str, n_rows: int) -> None:
    cells, y = make_problem(missing=0.3)
    X = as_pandas(cells)[:n_rows]
    table = draw(generator, X, y[:n_rows], n=200)
    assert table.n_rows == 200
    assert table.schema == Table.from_any(X).schema
    assert not np.isnan(table.numeric).any()
    for column in table.columns[:2]:
        assert column.data.dtype == np.int32
        assert column.data.min() >= 0
        assert column.data.max() < column.attribute.n_values


@pytest.mark.parametrize("generator", GENERATORS)
def test_columns_of_which_nothing_is_known(generator: str) -> None:
    X = pd.DataFrame({"n": [NAN, NAN], "l": pd.Categorical([None, None])})
    table = draw(generator, X, [0, 1], n=5)
    assert_array_equal(table.numeric, np.zeros((5, 1)))
    assert_array_equal(table.nominal, np.full((5, 1), -1))  # no value is declared


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_same_seed_gives_the_same_rows(generator: str) -> None:
    cells, y = make_problem()
    first, second = (draw(generator, as_pandas(cells), y, n=50) for _ in range(2))
    assert_array_equal(first.numeric, second.numeric)
    assert_array_equal(first.nominal, second.nominal)


def plain_moments(values: Any, weights: Any) -> tuple[float, float]:
    known = [(v, w) for v, w in zip(values, weights, strict=True) if not np.isnan(v)]
    if not known:
        return 0.0, 0.0
    total = sum(w for _, w in known)
    mean = sum(v * w for v, w in known) / total
    if len(known) == 1:
        return mean, 0.0
    square = sum(w * (v - mean) ** 2 for v, w in known) / total
    return mean, float(np.sqrt(square * len(known) / (len(known) - 1)))


@pytest.mark.parametrize("seed", range(20))
def test_moments_of_groups_equal_the_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    values = np.where(rng.random(n) < 0.3, NAN, rng.normal(1e3, 1.0, n))
    groups, weights = rng.integers(0, 4, n), rng.uniform(0.1, 3, n)
    means, deviations = group_moments(values, groups, 5, weights)
    expected = [
        plain_moments(values[groups == g], weights[groups == g]) for g in range(5)
    ]
    assert_allclose(np.column_stack([means, deviations]), expected, atol=1e-9)
    scaled = group_moments(values, groups, 5, weights * 1e-3)
    assert_allclose(scaled[1], deviations, atol=1e-9)


@pytest.mark.parametrize("kind", ["array", "pandas"])
def test_a_function_gets_the_callers_kind_and_gives_rows(kind: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells) if kind == "pandas" else as_objects(cells)
    seen: list[Any] = []

    def half(X: Any, y: Any, n: int, rng: np.random.Generator) -> Any:
        seen.append((type(X), len(y), n))
        rows = rng.integers(len(y), size=n)
        return X.iloc[rows] if kind == "pandas" else X[rows]

    table = Table.from_any(X)
    source = row_source(half, table, y.astype(np.int32), None, kind=kind)
    rows = source(7, np.random.default_rng(0))
    assert seen == [(type(X), 150, 7)]
    assert rows.n_rows == 7
    assert rows.schema == table.schema


def test_a_function_that_gives_no_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="0 sample"):
        draw(lambda X, y, n, rng: X[:0], np.zeros((3, 1)))
