"""The kernels that take rows of an encoded table, against sorting and looking up."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from dissensus._core.encode._take import change_codes, mark_codes, take_sorted
from dissensus.table._encoded import sort_values


def sorted_parts(column: NDArray[np.float64]) -> tuple[Any, ...]:
    found = sort_values(column)
    return found.values, found.order, found.ranks, found.next_apart


@pytest.mark.parametrize("n", [1, 2, 7, 40, 3000])
@pytest.mark.parametrize("most_copies", [1, 2, 9])
def test_what_was_taken_is_as_if_it_had_been_sorted(
    n: int, most_copies: int, rng: np.random.Generator
) -> None:
    close = rng.integers(0, 5, 2 * n) + 4e-6 * rng.integers(0, 5, 2 * n)
    far = [np.nan, -1.0, 0.0, 2.5, 1e9]
    pools = (far, rng.normal(size=2 * n), close, [np.nan])
    columns = [rng.choice(values, size=n) for values in pools]
    counts = rng.integers(0, most_copies + 1, n)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    taken = take_sorted([sorted_parts(column) for column in columns], starts)
    for column, found in zip(columns, taken, strict=True):
        expected = astuple(sort_values(np.repeat(column, counts)))
        for got, wanted in zip(found, expected, strict=True):
            assert_array_equal(got, wanted)


def test_no_copy_of_any_row_leaves_nothing() -> None:
    parts = sorted_parts(np.array([3.0, 1.0, 2.0]))
    (found,) = take_sorted([parts], np.zeros(4, dtype=np.int32))
    assert [len(array) for array in found[:3]] == [0, 0, 0]


def test_no_column_has_no_order() -> None:
    assert take_sorted([], np.zeros(4, dtype=np.int32)) == []


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
