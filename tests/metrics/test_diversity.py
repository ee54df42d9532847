"""Diversity and what a committee gains by it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dissensus.metrics import (
    base_error_reduction,
    disagreement,
    diversity,
    ensemble_error_reduction,
    squared_diversity,
)

TRUTH = np.array(["a", "b", "a", "c"])


def draw(rng: np.random.Generator, n_members: int = 5, n_samples: int = 40) -> Any:
    return rng.choice(["a", "b", "c"], size=(n_members, n_samples))


def test_members_that_agree_have_no_diversity() -> None:
    same = np.tile(TRUTH, (3, 1))
    assert disagreement(same) == 0.0
    assert diversity(same, TRUTH) == 0.0
    assert squared_diversity(np.ones((3, 2)), np.ones(2)) == 0.0


def test_disagreement_is_the_mean_over_pairs(rng: np.random.Generator) -> None:
    labels = draw(rng)
    pairs = [(one != other).mean() for one, other in combinations(labels, 2)]
    assert disagreement(labels) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_members_that_never_agree_have_disagreement_one() -> None:
    assert disagreement([["a", "b"], ["b", "c"], ["c", "a"]]) == 1.0


def test_a_single_member_does_not_disagree() -> None:
    assert disagreement([["a", "b"]]) == 0.0


def test_diversity_and_disagreement_worked_by_hand() -> None:
    members = [list("aabc"), list("abbc"), list("abac")]
    # From the committee a a b c: none, one and two of four labels differ.
    assert diversity(members, list("aabc")) == 3 / 12
    # Pairs differ in one, two and one of four labels.
    assert disagreement(members) == pytest.approx(4 / 12)


def test_diversity_is_the_mean_of_equation_1(rng: np.random.Generator) -> None:
    labels, committee = draw(rng), draw(rng, 1)[0]
    d = [[float(c != w) for c, w in zip(m, committee, strict=True)] for m in labels]
    assert diversity(labels, committee) == pytest.approx(np.mean(d), abs=1e-12)


def test_error_of_a_mean_is_mean_error_less_diversity(rng: np.random.Generator) -> None:
    members, truth = rng.normal(size=(6, 30)), rng.normal(size=30)
    mean = members.mean(axis=0)
    member_error = ((members - truth) ** 2).mean()
    error = ((mean - truth) ** 2).mean()
    expected = member_error - squared_diversity(members, mean)
    assert error == pytest.approx(expected, abs=1e-12)


def test_error_reductions_count_errors() -> None:
    members = [["a", "b", "a", "a"], ["b", "b", "a", "c"]]  # one error each
    assert ensemble_error_reduction(TRUTH, members, TRUTH) == 0.25
    assert ensemble_error_reduction(TRUTH, members, ["b", "b", "b", "c"]) == -0.25
    assert base_error_reduction(TRUTH, members[0], TRUTH) == 0.25
    assert base_error_reduction(TRUTH, TRUTH, members[0]) == -0.25


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: disagreement(["a", "b"]), r"shape \(2,\)"),
        (lambda: disagreement(np.empty((3, 0))), r"shape \(3, 0\)"),
        (lambda: diversity([["a", "b"]], ["a"]), "each of the 2 rows"),
        (lambda: squared_diversity([[1.0]], [[1.0]]), r"shape \(1, 1\)"),
        (lambda: ensemble_error_reduction(["a"], [["a", "b"]], ["a"]), "2 rows"),
        (lambda: base_error_reduction(["a", "b"], ["a"], ["a", "b"]), "2 rows"),
        (lambda: base_error_reduction([], [], []), "one or more"),
    ],
)
def test_predictions_of_another_shape_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
