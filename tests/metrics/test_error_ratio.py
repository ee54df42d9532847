"""Geometric means of errors, worked by hand."""

import math

import numpy as np
import pytest

from dissensus.metrics import geometric_mean_error, geometric_mean_error_ratio


def test_ratio_worked_by_hand() -> None:
    # 0.1/0.2 * 0.3/0.1 * 0.2/0.3 = 1; then 1/2 * 1/4 = 1/8, its root.
    assert geometric_mean_error_ratio([0.1, 0.3, 0.2], [0.2, 0.1, 0.3]) == 1.0
    ratio = geometric_mean_error_ratio([0.1, 0.1], [0.2, 0.4])
    assert ratio == pytest.approx(math.sqrt(1 / 8))


def test_ratio_is_inverted_when_the_learners_change_places() -> None:
    a, b = [0.1, 0.25, 0.0], [0.2, 0.05, 0.1]
    product = geometric_mean_error_ratio(a, b) * geometric_mean_error_ratio(b, a)
    assert product == pytest.approx(1.0)


def test_an_error_of_zero_counts_as_the_floor() -> None:
    ratio = geometric_mean_error_ratio([0.0, 0.1], [0.1, 0.1])
    assert ratio == pytest.approx(math.sqrt(0.0001 / 0.1))
    assert geometric_mean_error_ratio([0.0], [0.0]) == 1.0


def test_the_floor_may_be_half_an_error_of_each_test_set() -> None:
    floor = 0.5 / np.array([50, 100])
    ratio = geometric_mean_error_ratio([0.0, 0.0], [0.1, 0.2], floor=floor)
    assert ratio == pytest.approx(math.sqrt(0.01 / 0.1 * 0.005 / 0.2))


def test_geometric_mean_worked_by_hand() -> None:
    assert geometric_mean_error([0.1, 0.2, 0.4]) == pytest.approx(0.2)


def test_a_missing_error_makes_the_result_missing() -> None:
    assert math.isnan(geometric_mean_error([0.1, np.nan]))
    assert math.isnan(geometric_mean_error_ratio([0.1], [np.nan]))


@pytest.mark.parametrize("errors", [[12.5, 3.0], [-0.1, 0.2]])
def test_percentages_and_negative_errors_are_refused(errors: list[float]) -> None:
    with pytest.raises(ValueError, match="Give shares; divide percentages by 100"):
        geometric_mean_error(errors)


@pytest.mark.parametrize("floor", [0.0, -1.0, [0.1, 0.1, 0.1], np.nan])
def test_a_floor_that_is_none_is_refused(floor: float) -> None:
    with pytest.raises(ValueError, match="floor must be a number above 0"):
        geometric_mean_error([0.1, 0.2], floor=floor)


def test_errors_of_other_data_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="the same data sets"):
        geometric_mean_error_ratio([0.1], [0.1, 0.2])


def test_no_errors_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        geometric_mean_error([])
