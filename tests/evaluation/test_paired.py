"""Tests of two learners: worked by hand, against Weka, SciPy and the plain version."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from dissensus.evaluation import (
    PairedTest,
    corrected_resampled_ttest,
    mcnemar,
    paired_ttest,
    sign_test,
    wilcoxon,
)
from tests.reference.measures import signed_ranks_pvalue

corrected = partial(corrected_resampled_ttest, test_train_ratio=1 / 9)
ALL: dict[str, Callable[[Any, Any], PairedTest]] = {
    "paired": paired_ttest,
    "corrected": corrected,
    "wilcoxon": wilcoxon,
    "sign": sign_test,
}
every_test = pytest.mark.parametrize("test", ALL.values(), ids=ALL)
T_TESTS = pytest.mark.parametrize("test", [paired_ttest, corrected])

A = [0.9, 0.8, 0.95, 0.85, 0.9, 0.7, 0.88, 0.93, 0.81, 0.9]
B = [0.85, 0.82, 0.9, 0.8, 0.91, 0.72, 0.8, 0.9, 0.8, 0.86]

# Fourteen data sets, two of them ties, with two pairs of equal differences.
BEFORE = [
    *(0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661),
    *(0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957),
]
AFTER = [
    *(0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668),
    *(0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978),
]


def test_paired_ttest_worked_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, variance 1, t = 2 / sqrt(1/3).
    found = paired_ttest([3, 5, 7], [2, 3, 4])
    assert found.statistic == pytest.approx(2 * math.sqrt(3))
    assert found.difference == 2.0
    assert (found.n, found.n_missing) == (3, 0)
    # Two degrees of freedom: p = 1 - t / sqrt(t^2 + 2).
    assert found.pvalue == pytest.approx(1 - math.sqrt(12 / 14))


def test_corrected_ttest_worked_by_hand() -> None:
    # t = 2 / sqrt((1/3 + 1/2) * 1).
    found = corrected_resampled_ttest([3, 5, 7], [2, 3, 4], test_train_ratio=0.5)
    assert found.statistic == pytest.approx(2 / math.sqrt(5 / 6))
    assert found.pvalue == pytest.approx(1 - math.sqrt(4.8 / 6.8))


def test_ttests_equal_those_of_weka() -> None:
    # weka.experiment.PairedStatsCorrected and PairedStats of Weka 3.6.14.
    assert corrected(A, B).pvalue == pytest.approx(0.13421998678754646, abs=1e-12)
    assert paired_ttest(A, B).pvalue == pytest.approx(0.04047479993660722, abs=1e-12)


def test_paired_ttest_equals_that_of_scipy(rng: np.random.Generator) -> None:
    a, b = rng.random((2, 30))
    expected = stats.ttest_rel(a, b)
    found = paired_ttest(a, b)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-9)


def test_correction_for_ten_times_ten_folds_shrinks_t_as_the_formula_says() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 100))
    shrunk = corrected(a, b).statistic / paired_ttest(a, b).statistic
    assert shrunk == pytest.approx(math.sqrt((1 / 100) / (1 / 100 + 1 / 9)))


@pytest.mark.parametrize("ratio", [0.0, -1.0, math.inf, math.nan])
def test_a_ratio_that_is_none_is_refused(ratio: float) -> None:
    with pytest.raises(ValueError, match=r"1 / \(k - 1\)"):
        corrected_resampled_ttest(A, B, test_train_ratio=ratio)


def test_wilcoxon_of_fourteen_data_sets_worked_by_hand() -> None:
    # Ranks of AFTER - BEFORE: + 3.5 9 12 5 6 14 11 13 8 10, - 7 3.5, zeros 1.5 1.5.
    found = wilcoxon(AFTER, BEFORE)
    assert found.statistic == 12.0  # 7 + 3.5 + 1.5; the other sum is 93
    assert found.n == 14
    assert found.level == 0.99
    differences = np.round(np.subtract(AFTER, BEFORE), 6).tolist()
    assert found.pvalue == pytest.approx(signed_ranks_pvalue(differences), abs=1e-12)


def test_wilcoxon_of_five_wins_is_one_in_sixteen() -> None:
    assert wilcoxon([1, 2, 3, 4, 5], [0] * 5).pvalue == 2 / 32


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_wilcoxon_counts_all_signs_also_with_ties(differences: list[int]) -> None:
    found = wilcoxon(differences, [0] * len(differences))
    assert found.pvalue == pytest.approx(signed_ranks_pvalue(differences), abs=1e-12)


def test_wilcoxon_equals_that_of_scipy_without_ties(rng: np.random.Generator) -> None:
    a, b = rng.random((2, 25))
    expected = stats.wilcoxon(a, b, method="exact")
    found = wilcoxon(a, b)
    assert found.statistic == expected.statistic
    assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-12)


def test_wilcoxon_of_many_pairs_equals_the_normal_one_of_scipy(
    rng: np.random.Generator,
) -> None:
    a, b = rng.random((2, 250))
    expected = stats.wilcoxon(a, b, method="asymptotic", zero_method="zsplit")
    assert wilcoxon(a, b).pvalue == pytest.approx(expected.pvalue, abs=1e-9)


def test_counted_and_normal_wilcoxon_meet(rng: np.random.Generator) -> None:
    a, b = rng.random((2, 200))
    normal = stats.wilcoxon(a, b, method="asymptotic").pvalue
    assert wilcoxon(a, b).pvalue == pytest.approx(normal, abs=0.002)


def test_sign_test_worked_by_hand() -> None:
    # 8 wins of 10: 2 * (45 + 10 + 1) / 1024.
    found = sign_test([1] * 8 + [0] * 2, [0] * 8 + [1] * 2)
    assert found.statistic == 8.0
    assert found.pvalue == pytest.approx(2 * 56 / 1024)


def test_sign_test_splits_ties_and_leaves_an_odd_one_out() -> None:
    # 5 wins, 1 loss, 3 ties: 6 against 2 of 8.
    found = sign_test([1, 1, 1, 1, 1, 0, 5, 5, 5], [0, 0, 0, 0, 0, 1, 5, 5, 5])
    assert found.statistic == 6.0
    assert found.pvalue == pytest.approx(2 * (28 + 8 + 1) / 256)
    assert found.n == 9


@every_test
def test_changing_places_changes_the_sign_only(test: Callable[..., PairedTest]) -> None:
    one, other = test(AFTER, BEFORE), test(BEFORE, AFTER)
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.difference == pytest.approx(-other.difference)


@every_test
def test_no_difference_anywhere_has_a_pvalue_of_one(
    test: Callable[..., PairedTest],
) -> None:
    found = test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert found.pvalue == 1.0
    assert found.difference == 0.0
    assert not found.is_significant()
    assert found.level is None


@T_TESTS
def test_the_same_difference_everywhere_is_certain(
    test: Callable[..., PairedTest],
) -> None:
    found = test([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
    assert (found.statistic, found.pvalue) == (math.inf, 0.0)
    assert test([0.2, 0.3], [0.3, 0.4]).statistic == -math.inf


@every_test
def test_a_difference_of_rounding_only_is_none(test: Callable[..., PairedTest]) -> None:
    assert 0.1 + 0.2 != 0.3
    assert test([0.1 + 0.2] * 5, [0.3] * 5).pvalue == 1.0


def test_differences_that_are_equal_up_to_rounding_share_their_rank() -> None:
    assert 0.3 - 0.2 != 0.2 - 0.1
    found = wilcoxon([0.3, 0.1, 0.9], [0.2, 0.2, 0.4])
    assert found.statistic == 1.5


@T_TESTS
def test_one_fold_tells_nothing(test: Callable[..., PairedTest]) -> None:
    found = test([0.9], [0.1])
    assert math.isnan(found.statistic)
    assert math.isnan(found.pvalue)
    assert found.difference == pytest.approx(0.8)
    assert not found.is_significant()


@pytest.mark.parametrize("test", [wilcoxon, sign_test])
def test_one_data_set_can_go_either_way(test: Callable[..., PairedTest]) -> None:
    assert test([0.9], [0.1]).pvalue == 1.0


@every_test
@pytest.mark.parametrize("values", [[], [math.nan, math.nan]])
def test_no_pairs_give_a_missing_result(
    test: Callable[..., PairedTest], values: list[float]
) -> None:
    found = test(values, values)
    assert math.isnan(found.pvalue)
    assert math.isnan(found.difference)
    assert (found.n, found.n_missing) == (0, len(values))


@every_test
def test_pairs_with_a_missing_result_are_left_out_and_counted(
    test: Callable[..., PairedTest],
) -> None:
    found = test([*A, math.nan, 0.5], [*B, 0.4, math.nan])
    assert found.n_missing == 2
    assert (found.statistic, found.n) == (test(A, B).statistic, len(A))


@every_test
def test_infinite_results_are_refused(test: Callable[..., PairedTest]) -> None:
    with pytest.raises(ValueError, match="a has infinite values"):
        test([math.inf, 1.0], [1.0, 1.0])


@every_test
def test_unequal_numbers_of_results_are_refused(
    test: Callable[..., PairedTest],
) -> None:
    with pytest.raises(ValueError, match=r"a has 2 results, b has 1"):
        test([1.0, 2.0], [1.0])


@every_test
def test_a_table_of_results_is_refused(test: Callable[..., PairedTest]) -> None:
    with pytest.raises(ValueError, match=r"a has the shape \(1, 2\)"):
        test([[1.0, 2.0]], [[1.0, 2.0]])


@pytest.mark.parametrize(
    ("pvalue", "level"),
    [(0.06, None), (0.04, 0.95), (0.009, 0.99), (0.0009, 0.999), (math.nan, None)],
)
def test_level_is_the_highest_that_is_reached(
    pvalue: float, level: float | None
) -> None:
    found = PairedTest("test", 0.0, 0.0, pvalue, 5, 0)
    assert found.level == level
    assert found.is_significant(0.99) == (pvalue < 0.01)


def test_a_level_in_percent_is_refused() -> None:
    with pytest.raises(ValueError, match="0.95 stands for 95 %"):
        paired_ttest(A, B).is_significant(95)


def test_mcnemars_test_counts_rows_that_only_one_gets_right() -> None:
    a = [1.0] * 9 + [0.0] * 2 + [1.0] * 20 + [0.0] * 5
    b = [0.0] * 9 + [1.0] * 2 + [1.0] * 20 + [0.0] * 5
    result = mcnemar(a, b)
    assert (result.statistic, result.n) == (9.0, 36)
    # By hand: 2 (1 + 11 + 55) / 2^11.
    assert result.pvalue == pytest.approx(2 * 67 / 2048)
    assert result.difference == pytest.approx(7 / 36)
    assert mcnemar(b, a).pvalue == result.pvalue


def test_mcnemars_test_of_equal_and_of_absent_answers() -> None:
    assert mcnemar([1, 0], [1, 0]).pvalue == 1.0
    assert math.isnan(mcnemar([math.nan], [1.0]).pvalue)
