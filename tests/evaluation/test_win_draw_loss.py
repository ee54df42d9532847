"""Wins, draws and losses, worked by hand."""

import math
from functools import partial

import pytest

from dissensus.evaluation import (
    corrected_resampled_ttest,
    paired_ttest,
    win_draw_loss,
)

# A clear win, a lead that may be chance, a tie, a clear loss.
A = [[0.9, 0.8, 0.95], [0.5, 0.9, 0.7], [0.3, 0.4, 0.5], [0.1, 0.2, 0.15]]
B = [[0.3, 0.21, 0.35], [0.6, 0.6, 0.6], [0.5, 0.4, 0.3], [0.7, 0.81, 0.75]]


def test_the_better_mean_wins() -> None:
    found = win_draw_loss(A, B)
    assert found.outcomes == ("win", "win", "draw", "loss")
    assert (found.wins, found.draws, found.losses, found.missing) == (2, 1, 1, 0)
    assert str(found) == "2-1-1"


def test_a_difference_that_may_be_chance_is_a_draw() -> None:
    found = win_draw_loss(A, B, test=paired_ttest)
    assert found.outcomes == ("win", "draw", "draw", "loss")


def test_the_smaller_error_wins() -> None:
    found = win_draw_loss(A, B, greater_is_better=False)
    assert found.outcomes == ("loss", "loss", "draw", "win")


def test_a_higher_level_turns_wins_into_draws() -> None:
    # Differences 0.02, 0.04, 0.06: t = 3.46 with 2 degrees of freedom, p = 0.074.
    a, b = [[0.52, 0.54, 0.56]], [[0.5, 0.5, 0.5]]
    assert win_draw_loss(a, b, test=paired_ttest, level=0.9).wins == 1
    assert win_draw_loss(a, b, test=paired_ttest, level=0.95).draws == 1


def test_the_corrected_test_finds_less() -> None:
    a, b = [[0.52, 0.54, 0.56, 0.55, 0.53]], [[0.5] * 5]
    corrected = partial(corrected_resampled_ttest, test_train_ratio=1.0)
    assert win_draw_loss(a, b, test=paired_ttest, level=0.99).wins == 1
    assert win_draw_loss(a, b, test=corrected, level=0.99).draws == 1


def test_means_that_are_equal_up_to_rounding_are_a_draw() -> None:
    assert win_draw_loss([[0.1 + 0.2]], [[0.3]]).draws == 1


def test_data_sets_may_have_different_numbers_of_folds() -> None:
    assert win_draw_loss([[0.9], [0.8, 0.8]], [[0.8], [0.9, 0.9]]).wins == 1


@pytest.mark.parametrize("test", [None, paired_ttest])
def test_a_data_set_without_results_is_missing(test: None) -> None:
    found = win_draw_loss([[math.nan, math.nan]], [[0.5, 0.6]], test=test)
    assert found.outcomes == ("missing",)
    assert found.missing == 1


def test_only_complete_pairs_count_for_the_means() -> None:
    # With all results of a its mean would be 0.5, and a would lose.
    assert win_draw_loss([[0.9, 0.1]], [[0.8, math.nan]]).wins == 1


def test_one_fold_is_missing_for_a_test_but_not_for_the_means() -> None:
    assert win_draw_loss([[0.9]], [[0.8]], test=paired_ttest).missing == 1
    assert win_draw_loss([[0.9]], [[0.8]]).wins == 1


def test_no_data_sets_give_no_outcomes() -> None:
    assert str(win_draw_loss([], [])) == "0-0-0"


def test_other_data_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="a has 1 data sets, b has 2"):
        win_draw_loss([[0.5]], [[0.5], [0.6]])


def test_other_folds_are_refused() -> None:
    with pytest.raises(ValueError, match="a has 1 results and b has 2"):
        win_draw_loss([[0.5]], [[0.5, 0.6]])
