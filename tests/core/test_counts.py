"""The counting kernels against plain Python."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from dissensus.bayes import _pairs
from dissensus.bayes._codes import Codes, pack
from dissensus.bayes._counts import Counts
from tests.bayes.random_data import Case, make_case


def counts_of(case: Case, n_jobs: int = 1) -> Counts:
    codes = pack(case.columns, case.n_values, len(case.y))
    counts = Counts.zeros(codes.n_values, case.n_classes, with_pairs=True)
    counts.add(codes, case.y, case.weight, n_jobs=n_jobs)
    return counts


def assert_same_counts(counts: Counts, other: Counts) -> None:
    assert counts.pairs is not None
    assert other.pairs is not None
    assert_array_equal(counts.classes, other.classes)
    assert_array_equal(counts.values, other.values)
    assert_array_equal(counts.pairs, other.pairs)


@pytest.mark.parametrize("few", [0, 2, 12])
@pytest.mark.parametrize("seed", range(40))
def test_counts_equal_the_reference(
    seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pairs, "FEW", few)
    case = make_case(seed)
    data, counts = case.training(), counts_of(case)
    starts = counts.starts
    places = [
        (a, v, starts[a] + v)
        for a, declared in enumerate(case.n_values)
        for v in range(declared)
    ]
    assert counts.pairs is not None
    for c in range(case.n_classes):
        assert counts.classes[c] == data.count(c)
        for a, v, place in places:
            assert counts.values[c, place] == data.count(c, **{f"a{a}": v})
        for (a, u, here), (b, v, there) in product(places, places):
            expected = data.count(c, **{f"a{a}": u, f"a{b}": v}) if a != b else 0
            if here == there:
                expected = data.count(c, **{f"a{a}": u})
            assert counts.pairs[c, here, there] == expected


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_counts_do_not_depend_on_the_number_of_threads(seed: int, n_jobs: int) -> None:
    case = make_case(seed)
    assert_same_counts(counts_of(case, n_jobs), counts_of(case))


def large_codes(
    rng: np.random.Generator, n: int, n_values: list[int]
) -> tuple[Codes, NDArray[np.int32]]:
    columns = [rng.integers(-1, v, n).astype(np.int32) for v in n_values]
    y = rng.integers(0, 3, n).astype(np.int32)
    return pack(columns, n_values, n), y


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("few", [0, 12])
def test_many_rows_are_counted_in_blocks(
    rng: np.random.Generator,
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    weighted: bool,
) -> None:
    monkeypatch.setattr(_pairs, "FEW", few)
    n_values = [2, 300, 7, 1, 12, 13]
    codes, y = large_codes(rng, 110_000, n_values)
    assert codes.codes.dtype == np.uint16
    weight = rng.integers(0, 4, len(y)) / 2 if weighted else None
    counts = Counts.zeros(codes.n_values, 3, with_pairs=True)
    counts.add(codes, y, weight)
    assert counts.pairs is not None
    for a, b in product(range(6), range(6)):
        expected = np.zeros((3, n_values[a] + 1, n_values[b] + 1))
        weights: Any = 1.0 if weight is None else weight
        np.add.at(expected, (y, codes.codes[a], codes.codes[b]), weights)
        found = counts.pairs[:, counts.place(a), counts.place(b)]
        assert_array_equal(found, expected[:, :-1, :-1])


def test_codes_are_as_small_as_their_values_allow() -> None:
    column = np.array([0, -1, 254, -2], dtype=np.int32)
    assert pack([column], [255], 4).codes.tolist() == [[0, 255, 254, 255]]
    assert pack([column], [255], 4).codes.dtype == np.uint8
    assert pack([column], [256], 4).codes.dtype == np.uint16
    assert pack([column], [70_000], 4).codes.dtype == np.uint32


def test_missing_may_be_a_value_and_unseen_never_is() -> None:
    column = np.array([0, -1, 1, -2], dtype=np.int32)
    codes = pack([column], [3], 4, missing_is_value=True)
    assert codes.n_values.tolist() == [3]
    assert codes.codes.tolist() == [[0, 2, 1, 3]]


def test_known_weights_leave_missing_values_out() -> None:
    columns = [np.array([0, -1, 1], dtype=np.int32), np.array([-1, -1, 0], np.int32)]
    codes = pack(columns, [2, 1], 3)
    counts = Counts.zeros(codes.n_values, 2, with_pairs=False)
    counts.add(codes, np.array([0, 1, 1], np.int32), np.array([0.5, 1.0, 2.0]))
    assert_array_equal(counts.known(), [[0.5, 0.0], [2.0, 2.0]])
    assert_array_equal(counts.classes, [0.5, 3.0])


@pytest.mark.parametrize("seed", range(10))
def test_counts_of_two_parts_add_up(seed: int) -> None:
    case = make_case(seed)
    codes = pack(case.columns, case.n_values, len(case.y))
    half = len(case.y) // 2
    parts = []
    for rows in (np.arange(half), np.arange(half, len(case.y))):
        part = Counts.zeros(codes.n_values, case.n_classes, with_pairs=True)
        weight = None if case.weight is None else case.weight[rows]
        part.add(codes.take(rows), case.y[rows], weight)
        parts.append(part)
    parts[0].merge(parts[1])
    assert_same_counts(parts[0], counts_of(case))
