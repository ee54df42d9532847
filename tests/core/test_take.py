"""The kernels that take rows of an encoded table, against sorting and looking up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dissensus._core._encode import sort_column
from dissensus._core._take import change_codes, mark_codes, take_orders


@pytest.mark.parametrize("n", [1, 2, 7, 40, 3000])
@pytest.mark.parametrize("most_copies", [1, 2, 9])
def test_a_taken_order_is_the_order_of_what_was_taken(
    n: int, most_copies: int, rng: np.random.Generator
) -> None:
    pools = ([np.nan, -1.0, 0.0, 2.5, 1e9], rng.normal(size=2 * n), [np.nan])
    columns = [rng.choice(values, size=n) for values in pools]
    counts = rng.integers(0, most_copies + 1, n)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    distinct, orders, ranks = zip(*map(sort_column, columns), strict=True)
    n_values = np.array([len(values) for values in distinct], dtype=np.int32)
    found = take_orders(list(orders), list(ranks), n_values, starts)
    for column, values, (kept, *taken) in zip(columns, distinct, found, strict=True):
        expected = sort_column(np.repeat(column, counts))
        for got, wanted in zip((values[kept], *taken), expected, strict=True):
            assert_array_equal(got, wanted)


def test_no_copy_of_any_row_leaves_nothing() -> None:
    values, order, ranks = sort_column(np.array([3.0, 1.0, 2.0]))
    n_values = np.array([len(values)], dtype=np.int32)
    (found,) = take_orders([order], [ranks], n_values, np.zeros(4, dtype=np.int32))
    assert [len(array) for array in found] == [0, 0, 0]


def test_no_column_has_no_order() -> None:
    nothing = np.empty(0, dtype=np.int32)
    assert take_orders([], [], nothing, np.zeros(4, dtype=np.int32)) == []


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_codes_are_marked_and_changed(dtype: Any, rng: np.random.Generator) -> None:
    codes = rng.choice([0, 2, 5], size=(30, 3)).astype(dtype)
    offsets = np.array([0, 6, 12], dtype=np.intp)
    marks = np.zeros(18, dtype=np.uint8)
    mark_codes(codes, offsets, marks)
    for j in range(3):
        found = np.flatnonzero(marks[6 * j : 6 * j + 6])
        assert_array_equal(found, np.unique(codes[:, j]))
    table = np.array([4, 9, 3, 9, 9, 1], dtype=np.int32)
    changed = codes.copy()
    change_codes(changed, 1, table)
    assert_array_equal(changed[:, 1], table[codes[:, 1]])
    assert_array_equal(changed[:, [0, 2]], codes[:, [0, 2]])
