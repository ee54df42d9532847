"""Ranks, Friedman, Nemenyi and Holm: worked by hand and against other packages."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray
from scipy import stats

from dissensus.evaluation import (
    average_ranks,
    critical_difference,
    friedman,
    holm,
    nemenyi,
    summarize_errors,
)

# Ranks 44, 28, 40.5 and 27.5 in all, with ties on four of fourteen data sets.
RANKS = np.array(
    [
        *([4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1]),
        *([1, 2.5, 4, 2.5], [3, 2, 4, 1], [2.5, 2.5, 4, 1], [4, 3, 2, 1]),
        *([2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3]),
        [3, 1, 4, 2],
    ]
)
# Without ties: ranks (1 2 3), (1 2 3), (2 1 3), (1 2 3).
UNTIED = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.9, 0.7], [0.3, 0.2, 0.1]]


def random_scores(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    """Draw scores of one decimal, so that many are tied."""
    return rng.random((n, k)).round(1)


def test_ranks_worked_by_hand() -> None:
    found = average_ranks([[0.9, 0.8, 0.8, 0.7], [0.5, 0.5, 0.5, 0.6]])
    assert found.by_dataset.tolist() == [[1, 2.5, 2.5, 4], [3, 3, 3, 1]]
    assert found.average.tolist() == [2, 2.75, 2.75, 2.5]
    assert (found.n, found.n_missing) == (2, 0)


def test_the_smallest_error_has_the_first_rank() -> None:
    errors = [[0.1, 0.2, 0.3]]
    assert average_ranks(errors, greater_is_better=False).average.tolist() == [1, 2, 3]


def test_scores_that_are_equal_up_to_rounding_share_their_rank() -> None:
    assert average_ranks([[0.1 + 0.2, 0.3]]).average.tolist() == [1.5, 1.5]


def test_an_incomplete_data_set_is_left_out_and_counted() -> None:
    found = average_ranks([[0.9, 0.8], [math.nan, 0.8]])
    assert found.average.tolist() == [1, 2]
    assert (found.n, found.n_missing) == (1, 1)
    assert np.isnan(found.by_dataset[1]).all()


def test_ranks_without_a_complete_data_set_are_missing() -> None:
    assert np.isnan(average_ranks([[math.nan, 0.8]]).average).all()
    assert np.isnan(average_ranks(np.empty((0, 3))).average).all()


def test_summary_worked_by_hand() -> None:
    found = summarize_errors([[0.1, 0.2], [0.4, 0.2], [0.2, math.nan]], floor=0.01)
    assert found.arithmetic_mean == pytest.approx(np.array([0.25, 0.2]))
    assert found.geometric_mean == pytest.approx(np.array([0.2, 0.2]))
    assert found.average_rank.tolist() == [1.5, 1.5]
    assert (found.floor, found.n, found.n_missing) == (0.01, 2, 1)


def test_summary_without_a_complete_data_set_is_missing() -> None:
    found = summarize_errors([[math.nan, 0.1]])
    assert np.isnan(found.arithmetic_mean).all()
    assert np.isnan(found.geometric_mean).all()


def test_friedman_without_ties_worked_by_hand() -> None:
    # 12 * 4 / (3 * 4) * (1.25^2 + 1.75^2 + 3^2 - 12); F = 3 * 6.5 / (4 * 2 - 6.5).
    found = friedman(UNTIED)
    assert found.average_ranks.tolist() == [1.25, 1.75, 3.0]
    assert found.chi_square == pytest.approx(6.5)
    assert found.statistic == pytest.approx(13.0)
    assert found.chi_square_pvalue == pytest.approx(math.exp(-6.5 / 2))
    assert found.pvalue == pytest.approx(float(stats.f.sf(13.0, 2, 6)))


def test_friedman_with_ties_worked_by_hand() -> None:
    found = friedman(RANKS, greater_is_better=False)
    assert found.average_ranks * 14 == pytest.approx(np.array([44, 28, 40.5, 27.5]))
    # Squared ranks: 30 a row, less 0.5 for each pair of ties and 5 for all four.
    spread = 14 * 30 - 3 * 0.5 - 5 - 14 * 25
    distance = 9**2 + 7**2 + 5.5**2 + 7.5**2
    chi_square = 3 * distance / spread
    assert found.chi_square == pytest.approx(chi_square)
    assert found.statistic == pytest.approx(13 * chi_square / (42 - chi_square))
    assert found.level == 0.95


@pytest.mark.parametrize(("n", "k"), [(5, 3), (20, 6)])
def test_friedman_equals_that_of_scipy(
    n: int, k: int, rng: np.random.Generator
) -> None:
    scores = random_scores(rng, n, k)
    expected = stats.friedmanchisquare(*scores.T)
    found = friedman(scores)
    assert found.chi_square == pytest.approx(expected.statistic, abs=1e-9)
    assert found.chi_square_pvalue == pytest.approx(expected.pvalue, abs=1e-9)


def test_learners_that_are_equal_everywhere_do_not_differ() -> None:
    found = friedman(np.full((5, 3), 0.7))
    assert (found.chi_square, found.statistic, found.pvalue) == (0.0, 0.0, 1.0)


def test_rankings_that_all_agree_have_the_exact_chance_of_it() -> None:
    found = friedman([[0.3, 0.2, 0.1]] * 4)
    assert found.chi_square == pytest.approx(8.0)
    assert found.statistic == math.inf
    assert found.pvalue == pytest.approx(1 / 6**3)


def test_agreement_with_ties_counts_the_orders_of_ties_once() -> None:
    # Three orders of (1, 2.5, 2.5).
    assert friedman([[0.3, 0.1, 0.1]] * 3).pvalue == pytest.approx(1 / 9)


def test_one_data_set_proves_nothing() -> None:
    assert friedman([[0.9, 0.5, 0.1]]).pvalue == 1.0
    assert friedman([[0.5, 0.5, 0.5]]).pvalue == 1.0


def test_friedman_is_missing_without_data_or_rivals() -> None:
    assert math.isnan(friedman([[math.nan, 0.5]]).pvalue)
    assert math.isnan(friedman([[0.5], [0.6]]).pvalue)
    assert not friedman([[0.5], [0.6]]).is_significant()


@pytest.mark.parametrize(
    ("k", "expected"),
    # The table of q at 95 % that textbooks print, cut off after three digits.
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (10, 3.164)],
)
def test_critical_difference_has_the_tabulated_quantile(
    k: int, expected: float
) -> None:
    quantile = critical_difference(k, 1) / math.sqrt(k * (k + 1) / 6)
    assert quantile == pytest.approx(expected, abs=0.001)


def test_critical_difference_of_four_learners_on_fourteen_data_sets() -> None:
    expected = 2.569 * math.sqrt(4 * 5 / (6 * 14))
    assert critical_difference(4, 14) == pytest.approx(expected, abs=0.001)
    assert nemenyi(RANKS).critical_difference() == critical_difference(4, 14)


@pytest.mark.parametrize("level", [0.95, 0.99, 0.999])
def test_two_learners_at_the_critical_difference_have_the_pvalue_of_the_level(
    level: float,
) -> None:
    # Of two learners over 100 data sets: ranks 1 + share, 2 - share.
    reach = critical_difference(2, 100, level=level)
    wins = int(100 * (1 + reach) / 2)
    for won, differ in ((wins, False), (wins + 1, True)):
        scores = [[1, 0]] * won + [[0, 1]] * (100 - won)
        assert (nemenyi(scores).pvalues[0, 1] < 1 - level) == differ
        assert (nemenyi(scores).groups(level) == []) == differ


def test_nemenyi_of_two_learners_is_a_normal_test() -> None:
    found = nemenyi([[1, 0]] * 60 + [[0, 1]] * 40)
    z = (1.6 - 1.4) / math.sqrt(2 * 3 / (6 * 100))
    assert found.pvalues[0, 1] == pytest.approx(2 * stats.norm.sf(z), abs=1e-9)


def test_nemenyi_equals_that_of_scikit_posthocs(rng: np.random.Generator) -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    scores = random_scores(rng, 15, 6)
    expected = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    assert nemenyi(scores).pvalues == pytest.approx(expected, abs=1e-9)


def test_ranks_and_critical_difference_equal_those_of_autorank(
    rng: np.random.Generator,
) -> None:
    autorank = pytest.importorskip("autorank")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rng.random((15, 4)) ** 9, columns=list("abcd"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the packages that it is made of
        expected = autorank.autorank(frame, force_mode="nonparametric", verbose=False)
    found = nemenyi(frame.to_numpy())
    ranks = expected.rankdf.loc[list("abcd"), "meanrank"].to_numpy()
    assert found.average_ranks == pytest.approx(ranks)
    # Its quantile is an approximation of five digits.
    assert found.critical_difference() == pytest.approx(expected.cd, rel=1e-4)


def test_groups_are_the_bars_of_the_diagram() -> None:
    # Ranks 1, 2, 3, 4 over many data sets with enough noise for chains of two.
    found = nemenyi([[4, 3, 2, 1]] * 12)
    assert 1 < found.critical_difference() < 2
    assert found.groups() == [(0, 1), (1, 2), (2, 3)]
    assert nemenyi([[4, 3, 2, 1]] * 2).groups() == [(0, 1, 2, 3)]


def test_groups_come_in_the_order_of_ranks() -> None:
    assert nemenyi([[1, 3, 4, 2]] * 12).groups() == [(2, 1), (1, 3), (3, 0)]


def test_nemenyi_is_missing_without_data() -> None:
    found = nemenyi([[math.nan, 0.5]])
    assert np.isnan(found.pvalues).all()
    assert found.groups() == []


def test_one_learner_differs_from_nobody() -> None:
    found = nemenyi([[0.5], [0.6]])
    assert found.pvalues.tolist() == [[1.0]]
    assert found.groups() == []


@pytest.mark.parametrize(("k", "n"), [(1, 5), (3, 0)])
def test_a_critical_difference_of_nothing_is_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="at least two learners and one data set"):
        critical_difference(k, n)


def test_holm_worked_by_hand() -> None:
    # In order 0.01 * 4, 0.02 * 3, 0.03 * 2 (not below the one before), 0.5 * 1.
    found = holm([0.5, 0.03, 0.01, 0.02])
    assert found == pytest.approx(np.array([0.5, 0.06, 0.04, 0.06]))


def test_holm_never_exceeds_one() -> None:
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]


def test_holm_does_not_count_tests_that_were_not_made() -> None:
    found = holm([[0.01, math.nan], [0.02, math.nan]])
    expected = np.array([[0.02, math.nan], [0.02, math.nan]])
    assert np.array_equal(found, expected, equal_nan=True)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_adjusts_upwards_and_keeps_the_order(pvalues: list[float]) -> None:
    found = holm(pvalues)
    assert (found >= np.array(pvalues)).all()
    order = np.argsort(pvalues, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.5])


def test_scores_must_have_a_row_for_each_data_set() -> None:
    with pytest.raises(ValueError, match=r"scores has the shape \(2,\)"):
        friedman([0.5, 0.6])
    with pytest.raises(ValueError, match="one for each learner"):
        average_ranks(np.empty((3, 0)))
