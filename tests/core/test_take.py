"""The kernels that take rows of an encoded table, against sorting and looking up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dissensus._core._encode import sort_column
from dissensus._core._take import change_codes, mark_codes, take_order


@pytest.mark.parametrize("n", [1, 2, 7, 40, 3000])
@pytest.mark.parametrize("most_copies", [1, 2, 9])
def test_a_taken_order_is_the_order_of_what_was_taken(
    n: int, most_copies: int, rng: np.random.Generator
) -> None:
    for values in ([np.nan, -1.0, 0.0, 2.5, 1e9], rng.normal(size=2 * n), [np.nan]):
        column = rng.choice(values, size=n)
        counts = rng.integers(0, most_copies + 1, n)
        distinct, order, ranks = sort_column(column)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        kept, *taken = take_order(order, ranks, len(distinct), starts)
        expected = sort_column(np.repeat(column, counts))
        for got, wanted in zip((distinct[kept], *taken), expected, strict=True):
            assert_array_equal(got, wanted)


def test_no_copy_of_any_row_leaves_nothing() -> None:
    values, order, ranks = sort_column(np.array([3.0, 1.0, 2.0]))
    for array in take_order(order, ranks, len(values), np.zeros(4, dtype=np.int32)):
        assert len(array) == 0


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
