"""Correlations: worked by hand and against SciPy."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from dissensus.evaluation import Correlation, pearson, spearman

both = pytest.mark.parametrize("correlation", [pearson, spearman])


def test_pearson_worked_by_hand() -> None:
    # Deviations (-2 -1 0 1 2) and (-1 -2 1 0 2): 8 / sqrt(10 * 10).
    found = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert found.coefficient == pytest.approx(0.8)
    t = 0.8 * math.sqrt(3 / 0.36)
    assert found.pvalue == pytest.approx(2 * float(stats.t.sf(t, 3)))


def test_spearman_worked_by_hand_with_a_tie() -> None:
    # Ranks (1 2.5 2.5 4) and (1 2 4 3): deviations give 3 / sqrt(4.5 * 5).
    found = spearman([1, 5, 5, 9], [0, 1, 100, 7])
    assert found.coefficient == pytest.approx(3 / math.sqrt(4.5 * 5))


def test_both_equal_those_of_scipy(rng: np.random.Generator) -> None:
    x = rng.integers(6, size=40)
    y = x + rng.integers(12, size=40)
    for found, expected in (
        (pearson(x, y), stats.pearsonr(x, y)),
        (spearman(x, y), stats.spearmanr(x, y)),
    ):
        assert found.coefficient == pytest.approx(expected.statistic, abs=1e-12)
        assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-12)


@both
def test_a_straight_line_is_perfect(
    correlation: Callable[..., Correlation],
) -> None:
    found = correlation([1, 2, 3, 4], [8, 6, 4, 2])
    assert found.coefficient == pytest.approx(-1.0)
    assert found.pvalue == pytest.approx(0.0, abs=1e-12)
    assert found.level == 0.999


@both
def test_a_constant_has_no_correlation(
    correlation: Callable[..., Correlation],
) -> None:
    found = correlation([1, 1, 1, 1], [1, 2, 3, 4])
    assert math.isnan(found.coefficient)
    assert math.isnan(found.pvalue)
    assert not found.is_significant()


@both
def test_two_pairs_have_no_pvalue_and_one_has_no_coefficient(
    correlation: Callable[..., Correlation],
) -> None:
    two = correlation([1, 2], [3, 5])
    assert two.coefficient == pytest.approx(1.0)
    assert math.isnan(two.pvalue)
    assert math.isnan(correlation([1], [2]).coefficient)
    assert math.isnan(correlation([], []).coefficient)


@both
def test_missing_values_are_left_out_and_counted(
    correlation: Callable[..., Correlation],
) -> None:
    found = correlation([1, 2, 3, math.nan, 9], [1, 3, 2, 5, math.nan])
    assert (found.n, found.n_missing) == (3, 2)
    assert found.coefficient == pytest.approx(0.5)


def test_tiny_numbers_correlate_like_large_ones() -> None:
    x = np.array([1.0, 2.0, 4.0]) * 1e-200
    assert pearson(x, x).coefficient == pytest.approx(1.0)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="x has 2 values, y has 1"):
        pearson([1, 2], [1])
