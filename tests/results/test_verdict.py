"""The verdict in words."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from dissensus.results._cube import Cube
from dissensus.results._verdict import judge
from dissensus.table._to_frame import import_polars


class Scores:
    """Results with given accuracies: a mean for each data set and learner."""

    n_failed = n_missing = 0
    n_cells = 100
    resampling = "folds"
    spec: ClassVar[dict[str, int]] = {"repeats": 2, "folds": 10}

    def __init__(self, means: Any, names: str) -> None:
        self.learners = tuple(names.split())
        means = np.asarray(means, dtype=float)
        self.datasets = tuple(f"d{i}" for i in range(len(means)))
        noise = np.random.default_rng(0).normal(size=(*means.shape, 20)) * 0.004
        noise -= noise.mean(axis=2, keepdims=True)
        self._cube = Cube(
            means[:, :, None] + noise,
            self.datasets,
            self.learners,
            n_folds=10,
            fraction=1.0,
            greater_is_better=True,
            test_train_ratio=1 / 9,
        )

    def cube(self, measure: str) -> Cube:
        return self._cube

    @property
    def cells(self) -> Any:
        seconds = [0.1 * (1 + i) for i in range(len(self.learners))]
        return import_polars().DataFrame(
            {"learner": self.learners, "fit_seconds": seconds}
        )


def test_one_learner_alone_is_told_with_its_accuracy() -> None:
    assert judge(Scores([[0.9]], "tree"))["headline"] == "tree: 90.0 % right."


def test_the_winner_is_named_if_it_beats_all() -> None:
    verdict = judge(Scores([[0.9, 0.7, 0.6]], "a b c"))
    assert verdict["headline"] == "a is the most accurate: 90.0 %."
    assert verdict["points"][0] == "a beats b and c."


def test_learners_without_a_significant_difference_are_level() -> None:
    verdict = judge(Scores([[0.9, 0.9, 0.6]], "a b c"))
    assert verdict["headline"] in (
        "a and b are level at the top.",
        "b and a are level at the top.",
    )
    assert any(point.endswith("beats c.") for point in verdict["points"])
    assert "Of those at the top a is the fastest to fit, 100 ms." in verdict["points"]


def test_many_learners_at_the_top_are_counted() -> None:
    verdict = judge(Scores([[0.9] * 6 + [0.5]], "a b c d e f g"))
    assert verdict["headline"].endswith(
        "is first; 5 of the 6 others are level with it."
    )


def test_no_difference_at_all_is_said() -> None:
    verdict = judge(Scores([[0.9, 0.9]], "a b"))
    assert verdict["headline"] == "No learner can be told from the others."


def test_several_data_sets_are_judged_by_ranks() -> None:
    means = [[0.9, 0.895, 0.5]] * 6 + [[0.895, 0.9, 0.5]] * 6
    verdict = judge(Scores(means, "a b c"))
    assert verdict["headline"].endswith("are level at the top.")
    assert "It beats c (Nemenyi's test at 95 %)." in verdict["points"]
    assert any("c 12-0-0" in point for point in verdict["points"])


@pytest.mark.parametrize("n_failed", [0, 3])
def test_failures_are_a_warning(n_failed: int) -> None:
    results = Scores([[0.9, 0.8]], "a b")
    results.n_failed = n_failed
    expected = ["3 of 100 cells failed; they are listed."] if n_failed else []
    assert judge(results)["warnings"] == expected
