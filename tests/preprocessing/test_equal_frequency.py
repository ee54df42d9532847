"""EqualFrequencyDiscretizer: cut points, corners and Weka's lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus.preprocessing import EqualFrequencyDiscretizer
from tests.oracles import (
    DATA_SETS,
    PARTS,
    Oracle,
    assert_same_cut_points,
    load_oracle,
    needs_oracles,
)
from tests.reference.cuts import equal_frequency


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


@needs_oracles
@pytest.mark.parametrize("part", PARTS)
def test_cut_points_equal_those_of_weka(oracle: Oracle, part: str) -> None:
    discretizer = EqualFrequencyDiscretizer().fit(oracle.train(part)[0])
    assert_same_cut_points(discretizer.cut_points_, oracle.result("freq10", part))


def cuts_of(values: Any, n_bins: Any = 10, weight: Any = None) -> list[float]:
    """Return the cut points of one column."""
    X = np.asarray(values, dtype=float)[:, np.newaxis]
    discretizer = EqualFrequencyDiscretizer(n_bins).fit(X, sample_weight=weight)
    (cuts,) = discretizer.cut_points_
    assert cuts is not None
    return [float(cut) for cut in cuts]


@given(
    rows=st.lists(
        st.tuples(st.integers(-20, 20), st.integers(1, 12)), min_size=1, max_size=60
    ),
    weight=st.sampled_from([0, 1, 0.25]),
    n_bins=st.integers(1, 12),
)
def test_cut_points_equal_those_of_the_reference(
    rows: list[tuple[int, int]], weight: float, n_bins: int
) -> None:
    values = [float(value) for value, _ in rows]
    weights = [w * weight or 1.0 for _, w in rows]  # exact in binary
    expected = equal_frequency(values, weights, n_bins)
    assert cuts_of([*values, np.nan], n_bins, [*weights, 9.0]) == expected


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=30
    ),
    n_bins=st.integers(1, 5),
)
def test_whole_weights_count_as_repeated_rows(
    rows: list[tuple[int, int]], n_bins: int
) -> None:
    values, times = zip(*rows, (5, 1), strict=True)
    repeated = cuts_of(np.repeat(values, times), n_bins)
    assert cuts_of(values, n_bins, times) == repeated


def test_different_values_are_shared_out_evenly() -> None:
    assert cuts_of(np.arange(12), 4) == [2.5, 5.5, 8.5]


def test_a_heavy_value_takes_an_interval_and_the_rest_is_shared_anew() -> None:
    assert cuts_of([0] * 8 + [1, 2, 3, 4], 3) == [0.5, 2.5]


@pytest.mark.parametrize("values", [[3.0, 3.0], [np.nan, np.nan], [1.5]])
def test_a_column_with_one_value_is_one_interval(values: list[float]) -> None:
    assert cuts_of(values) == []


def test_fewer_values_than_bins_are_all_kept_apart() -> None:
    assert cuts_of([1, 2, 3], 10) == [1.5, 2.5]


def test_one_bin_is_no_cut() -> None:
    assert cuts_of([0.0, 1.0, 2.0], 1) == []


def test_neighbouring_and_huge_numbers_are_cut_between_them() -> None:
    low = np.nextafter(1.0, 2.0)
    for values in ([low, np.nextafter(low, 2.0)], [1.0e308, 1.7e308]):
        X = np.array(values)[:, np.newaxis]
        codes = EqualFrequencyDiscretizer(2).fit(X).transform(X)
        assert codes.ravel().tolist() == [0, 1]
