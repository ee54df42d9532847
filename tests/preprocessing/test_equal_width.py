"""EqualWidthDiscretizer: cut points, corners and Weka's lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus.preprocessing import EqualWidthDiscretizer
from dissensus.preprocessing._equal_width import dougherty_bins
from tests.oracles import (
    DATA_SETS,
    PARTS,
    Oracle,
    assert_same_cut_points,
    load_oracle,
    needs_oracles,
)
from tests.reference.cuts import equal_width


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


@needs_oracles
@pytest.mark.parametrize("part", PARTS)
def test_cut_points_equal_those_of_weka(oracle: Oracle, part: str) -> None:
    discretizer = EqualWidthDiscretizer().fit(oracle.train(part)[0])
    assert_same_cut_points(discretizer.cut_points_, oracle.result("width10", part))


def cuts_of(values: Any, n_bins: Any = 10) -> list[float]:
    """Return the cut points of one column."""
    X = np.asarray(values, dtype=float)[:, np.newaxis]
    (cuts,) = EqualWidthDiscretizer(n_bins).fit(X).cut_points_
    assert cuts is not None
    return [float(cut) for cut in cuts]


@given(
    values=st.lists(st.integers(-500, 500), min_size=1, max_size=30),
    scale=st.sampled_from([1.0, 0.1, 1 / 3]),
    n_bins=st.integers(1, 12),
)
def test_cut_points_equal_those_of_the_reference(
    values: list[int], scale: float, n_bins: int
) -> None:
    known = [value * scale for value in values]
    expected = equal_width(known, n_bins)
    assert cuts_of([*known, np.nan], n_bins) == pytest.approx(expected, rel=1e-12)


def test_the_intervals_have_names_that_print_well() -> None:
    X = np.array([[0.1], [0.2], [1.0]])
    discretizer = EqualWidthDiscretizer(3).fit(X)
    names = discretizer.schema_out_[0].categories
    assert names == ("(-inf, 0.4]", "(0.4, 0.7]", "(0.7, inf)")


def test_a_value_on_a_cut_belongs_to_the_lower_interval() -> None:
    discretizer = EqualWidthDiscretizer(2).fit([[0.0], [10.0]])
    assert discretizer.transform([[5.0], [5.1], [-9.0], [99.0]]).ravel().tolist() == [
        *(0, 1, 0, 1)
    ]


@pytest.mark.parametrize("values", [[3.0, 3.0], [np.nan, np.nan], [1.5]])
def test_a_column_without_a_range_is_one_interval(values: list[float]) -> None:
    assert cuts_of(values) == []


def test_one_bin_is_no_cut() -> None:
    assert cuts_of([0.0, 1.0], 1) == []


def test_neighbouring_numbers_have_no_more_cuts_than_fit_between_them() -> None:
    low = 1.0
    cuts = cuts_of([low, np.nextafter(low, 2.0)])
    assert cuts == [low]


def test_a_huge_range_is_cut_too() -> None:
    assert cuts_of([-1.6e308, 1.6e308], 4) == pytest.approx([-8e307, 0.0, 8e307])


def test_rows_of_weight_zero_do_not_widen_the_range() -> None:
    X = np.array([[0.0], [10.0], [1e6]])
    discretizer = EqualWidthDiscretizer(2).fit(X, sample_weight=[1, 2, 0])
    assert discretizer.cut_points_[0].tolist() == [5.0]


@pytest.mark.parametrize(
    ("n_values", "n_bins"), [(1, 1), (2, 2), (3, 3), (4, 4), (100, 13), (1000, 20)]
)
def test_bins_after_dougherty_are_twice_the_binary_logarithm(
    n_values: int, n_bins: int
) -> None:
    assert dougherty_bins(n_values) == n_bins
    cuts = cuts_of(np.arange(n_values), "dougherty")
    assert len(cuts) == n_bins - 1


def test_wrong_numbers_of_bins_are_refused() -> None:
    for n_bins in (0, 2.5, "sturges"):
        with pytest.raises(ValueError, match="'n_bins' parameter of EqualWidth"):
            cuts_of([1.0, 2.0], n_bins)
