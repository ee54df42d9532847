"""Columns that are taken in order stay sorted."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dissensus.table import Attribute, Column
from dissensus.table._column import take_in_order


@pytest.mark.parametrize("seed", range(20))
def test_rows_taken_in_order_are_sorted_as_by_sorting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 5, 40]))
    data = rng.choice([0.0, 1.0, 1.000001, 2.5, np.nan], n) + rng.integers(0, 2, n)
    rows = np.flatnonzero(rng.random(n) < 0.6)
    starts = np.searchsorted(rows, np.arange(n + 1)).astype(np.int32)
    column = Column(Attribute("x", "numeric"), data)
    column.in_order()
    labels = Column(Attribute("a", "nominal", ("p", "q")), rng.integers(0, 2, n))
    codes, taken = take_in_order([labels, column], rows, starts)
    assert_array_equal(codes.data, labels.data[rows])
    assert taken.is_sorted
    assert_array_equal(taken.data, data[rows])
    ours, expected = taken.in_order(), Column(column.attribute, data[rows]).in_order()
    assert_array_equal(ours.values, expected.values)
    assert_array_equal(ours.order, expected.order)
    assert_array_equal(ours.ranks, expected.ranks)
    assert ours.reach == expected.reach
    if expected.next_apart is None:
        assert ours.next_apart is None
    else:
        assert_array_equal(ours.next_apart, expected.next_apart)


def test_a_column_that_was_not_sorted_is_only_taken() -> None:
    column = Column(Attribute("x", "numeric"), np.array([3.0, 1.0, 2.0]))
    starts = np.array([0, 1, 1, 2], np.int32)
    (taken,) = take_in_order([column], np.array([0, 2]), starts)
    assert not taken.is_sorted
    assert taken.data.tolist() == [3.0, 2.0]
