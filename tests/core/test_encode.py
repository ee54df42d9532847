"""The sorting kernel against numpy's stable sort."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from dissensus._core.encode._encode import code_whole, sort_column

Floats = NDArray[np.float64]

ANY_FLOAT = st.floats(width=64)
TIES = st.sampled_from([-0.0, 0.0, 1.0, -1.0, 5e-324, 1e308, -1e308, np.nan])


def assert_sorted_as_numpy_does(column: Floats) -> None:
    values, order, ranks = sort_column(column)
    rows = np.flatnonzero(~np.isnan(column))
    expected = rows[np.argsort(column[rows], kind="stable")]
    distinct, inverse = np.unique(column[expected], return_inverse=True)
    assert_array_equal(order, expected)
    assert_array_equal(values, distinct)
    assert_array_equal(ranks, inverse)
    assert not np.signbit(values[values == 0]).any()  # -0.0 is written as 0.0
    assert values.dtype == np.float64
    assert order.dtype == ranks.dtype == np.int32


@given(arrays(np.float64, st.integers(0, 60), elements=ANY_FLOAT | TIES))
def test_any_column_is_sorted(column: Floats) -> None:
    assert_sorted_as_numpy_does(column)


@pytest.mark.parametrize("n", [4095, 4096, 4097, 20_000])
@pytest.mark.parametrize("digits", [1, 17])
def test_long_columns_are_sorted(n: int, digits: int, rng: np.random.Generator) -> None:
    column = np.round(rng.normal(scale=1e3, size=n), digits - 1)
    column[rng.random(n) < 0.1] = np.nan
    column[rng.random(n) < 0.1] *= 1e200
    assert_sorted_as_numpy_does(column)


@pytest.mark.parametrize("n", [0, 1, 2, 5000])
def test_columns_without_a_value_give_nothing(n: int) -> None:
    values, order, ranks = sort_column(np.full(n, np.nan))
    assert len(values) == len(order) == len(ranks) == 0


@pytest.mark.parametrize("n", [1, 2, 5000])
def test_constant_columns_keep_the_order_of_rows(n: int) -> None:
    values, order, ranks = sort_column(np.full(n, 7.0))
    assert_array_equal(values, [7.0])
    assert_array_equal(order, np.arange(n))
    assert_array_equal(ranks, np.zeros(n))


def test_columns_of_a_matrix_need_no_copy(rng: np.random.Generator) -> None:
    matrix = rng.normal(size=(100, 3))
    matrix.flags.writeable = False
    assert_sorted_as_numpy_does(matrix[:, 1])
    assert_sorted_as_numpy_does(matrix[::-2, 2])


WHOLE = st.sampled_from([-0.0, 0.0, 1.0, 2.0, -3.0, 40.0, 70.0, np.nan])


@given(arrays(np.float64, st.integers(1, 60), elements=WHOLE))
def test_whole_numbers_are_coded_as_sorting_would_rank_them(column: Floats) -> None:
    [found] = code_whole([column], 60)
    distinct, order, ranks = sort_column(column)
    if len(order) == 0:
        assert found is None
        return
    assert found is not None
    values, codes = found
    expected = np.full(len(column), -1)
    expected[order] = ranks
    assert_array_equal(values, distinct)
    assert_array_equal(codes, expected)
    assert not np.signbit(values[values == 0]).any()


@pytest.mark.parametrize(
    "column", [[1.0, 2.5], [0.0, 1e6], [1e300, 1.0], [np.nan, np.nan], [1.0, 2.0, 3.0]]
)
def test_other_columns_are_left_to_be_sorted(column: list[float]) -> None:
    assert code_whole([np.array(column)], 2) == [None]


def test_columns_are_coded_side_by_side() -> None:
    numbers = [[2.0, 7.0, 2.0, np.nan], [0.5, 1.0, 1.0, 2.0], [0.0, -1.0, 5.0, 0.0]]
    first, second, third = code_whole([np.array(column) for column in numbers], 2)
    assert first is not None
    assert_array_equal(first[0], [2.0, 7.0])
    assert_array_equal(first[1], [0, 1, 0, -1])
    assert second is None  # a fraction
    assert third is None  # three values
