"""Folds, growing parts and wrong labels."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus.evaluation import (
    inject_class_noise,
    nested_fractions,
    stratified_folds,
)
from dissensus.evaluation._splits import FRACTIONS

labels = st.lists(st.sampled_from("aabbbbbcde"), min_size=2, max_size=80)
seeds = st.integers(0, 99)


@given(labels, st.integers(2, 12), seeds)
def test_folds_divide_the_rows_and_differ_by_one_of_each_class(
    y: list[str], n_folds: int, seed: int
) -> None:
    n_folds = min(n_folds, len(y))
    splits = stratified_folds(y, n_folds, rng=seed)
    tests = np.concatenate([test for _, test in splits])
    assert sorted(tests) == list(range(len(y)))
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(len(y)))
    for rows in (np.array(y) == np.array([c])[:, None] for c in {*y}):
        counts = [rows[0][test].sum() for _, test in splits]
        assert max(counts) - min(counts) <= 1
    sizes = [len(test) for _, test in splits]
    assert max(sizes) - min(sizes) <= 1


def test_folds_differ_between_seeds_and_not_between_calls() -> None:
    y = [0, 1] * 20
    first, again, other = (stratified_folds(y, 4, rng=seed)[0][1] for seed in (1, 1, 2))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


@pytest.mark.parametrize("n_folds", [1, 4])
def test_a_number_of_folds_that_cannot_be_is_refused(n_folds: int) -> None:
    with pytest.raises(ValueError, match=f"n_folds is {n_folds}, but there are 3 rows"):
        stratified_folds([0, 1, 1], n_folds)


def test_fractions_are_those_of_the_study() -> None:
    sizes = [len(rows) for rows in nested_fractions([0, 1] * 100, rng=0).values()]
    assert sizes == [2, 4, 10, 20, 40, 60, 80, 100, 150, 200]


@given(labels, seeds)
def test_each_part_is_a_part_of_the_next(y: list[str], seed: int) -> None:
    parts = nested_fractions(y, rng=seed)
    assert list(parts) == list(FRACTIONS)
    before: list[int] = []
    for fraction, rows in parts.items():
        assert rows[: len(before)].tolist() == before
        assert len(rows) == max(1, int(fraction * len(y) + 0.5 + 1e-9))
        before = rows.tolist()
    assert sorted(before) == list(range(len(y)))


@given(labels, seeds)
def test_each_part_has_the_classes_in_the_shares_of_the_whole(
    y: list[str], seed: int
) -> None:
    given_labels = np.array(y)
    for rows in nested_fractions(y, rng=seed).values():
        for label in {*y}:
            share = len(rows) * (given_labels == label).mean()
            assert abs((given_labels[rows] == label).sum() - share) < 1.5


def test_parts_differ_between_seeds_and_not_between_calls() -> None:
    y = [0, 1] * 20
    first, again, other = (
        nested_fractions(y, [0.5], rng=seed)[0.5].tolist() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_classes_of_equal_size_take_their_first_turn_at_random() -> None:
    y = [0, 1] * 20
    first = {
        int(nested_fractions(y, [0.01], rng=seed)[0.01][0]) % 2 for seed in range(20)
    }
    assert first == {0, 1}


def test_shares_are_rounded_half_up_in_spite_of_binary_fractions() -> None:
    assert len(nested_fractions(range(50), [0.29], rng=0)[0.29]) == 15
    assert len(nested_fractions(range(50), [0.07], rng=0)[0.07]) == 4


@pytest.mark.parametrize("fraction", [0.0, 1.5, 50, float("nan")])
def test_a_fraction_that_is_none_is_refused(fraction: float) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        nested_fractions([0, 1], [fraction])


@pytest.mark.parametrize("y", [[], [[0, 1]]])
def test_labels_that_are_no_list_are_refused(y: list[Any]) -> None:
    with pytest.raises(ValueError, match="one label per row"):
        nested_fractions(y)
    with pytest.raises(ValueError, match="one label per row"):
        stratified_folds(y)


@given(labels, st.floats(0, 1), seeds)
def test_noise_changes_exactly_the_share_of_rows(
    y: list[str], share: float, seed: int
) -> None:
    noisy = inject_class_noise(y, share, classes=list("abcde"), rng=seed)
    changed = int((noisy != np.array(y)).sum())
    assert abs(changed - share * len(y)) <= 0.5 + 1e-8
    assert {*noisy.tolist()} <= {*"abcde"}


def test_noise_chooses_all_other_labels_alike() -> None:
    y = np.zeros(30_000, dtype=int)
    noisy = inject_class_noise(y, 1.0, classes=[0, 1, 2, 3], rng=0)
    counts = np.bincount(noisy, minlength=4)
    assert counts[0] == 0
    assert counts[1:] == pytest.approx(10_000, rel=0.03)


def test_noise_leaves_its_input_alone_and_repeats_itself() -> None:
    y = np.array([0, 1] * 20)
    first, again = (inject_class_noise(y, 0.25, rng=3) for _ in range(2))
    assert y.tolist() == [0, 1] * 20
    assert first.tolist() == again.tolist()
    assert (first != y).sum() == 10


def test_noise_of_five_percent_in_a_few_rows_may_be_none() -> None:
    assert inject_class_noise([0, 1, 0], rng=0).tolist() == [0, 1, 0]
    assert inject_class_noise([], rng=0).tolist() == []


def test_noise_without_another_label_is_refused() -> None:
    with pytest.raises(ValueError, match="no label but 'a'"):
        inject_class_noise(["a"] * 40)


def test_noise_with_a_label_outside_the_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="which is not in classes"):
        inject_class_noise([0, 1, 2], classes=[0, 1])


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        inject_class_noise([0, 1], share)


def test_labels_of_several_types_or_missing_ones_are_named() -> None:
    mixed = np.array(["a", 1] * 4, dtype=object)
    uses: list[Any] = [stratified_folds, nested_fractions, inject_class_noise]
    for use in uses:
        with pytest.raises(ValueError, match="several types: int, str"):
            use(mixed)
        with pytest.raises(ValueError, match="no label in row 0"):
            use([None, "a"] * 4)
