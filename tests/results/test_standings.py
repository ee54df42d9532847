"""How learners stand, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from dissensus import load_dataset
from dissensus.experiment import ExperimentSpec, compare, run_experiment
from dissensus.results import judge, standings

MONKS = load_dataset("monks-2")


class Broken(ClassifierMixin, BaseEstimator):
    """A learner that always fails."""

    def fit(self, X: Any, y: Any) -> Any:
        raise RuntimeError("it is broken")

    def predict(self, X: Any) -> Any:
        return []


def test_standings_are_ordered_by_the_mean_and_tested_against_the_best() -> None:
    results = compare(
        MONKS, learners=["majority", "nb", "cascade(nb, c45)"], executor="serial"
    )
    rows = standings(results)
    assert [row["standing"] for row in rows] == ["best", "worse", "worse"]
    means = [row["accuracy"] for row in rows]
    assert means == sorted(means, reverse=True)
    assert set(results.measures) <= set(rows[0])
    assert rows[0]["half_width"] > 0
    said = judge(results)
    assert said["headline"].startswith("cascade(nb, c45) is the most accurate")
    assert said["points"][-1].startswith("By the corrected resampled t-test")


def test_learner_without_a_result_stands_last_and_nowhere() -> None:
    results = compare(
        *(MONKS, None, {"broken": Broken(), "nb": "nb"}),
        repeats=1,
        executor="serial",
    )
    row = standings(results)[-1]
    assert (row["learner"], row["standing"], row["failed"]) == ("broken", "", 10)
    assert row["accuracy"] is None
    assert judge(results)["warnings"] == ["10 of 20 cells failed; they are listed."]


def test_study_of_which_all_failed_says_so() -> None:
    results = compare(MONKS, learners=[Broken()], repeats=1, executor="serial")
    assert judge(results)["headline"] == "Every cell failed."


def test_verdict_on_a_test_set_says_what_it_rests_on() -> None:
    tested = np.arange(len(MONKS.y)) % 3 == 0
    train, test = (
        replace(MONKS, X=MONKS.X.filter(rows), y=MONKS.y[rows])
        for rows in (~tested, tested)
    )
    results = compare(train, learners=["c45", "nb"], test=test, executor="serial")
    assert "McNemar" in judge(results)["points"][-1]
    share = standings(results)[0]["accuracy"]
    expected = 1.96 * np.sqrt(share * (1 - share) / tested.sum())
    assert standings(results)[0]["half_width"] == pytest.approx(expected, rel=1e-3)


def test_many_at_the_top_are_counted_not_listed() -> None:
    learners = [f"bagging(c45, n_estimators={n})" for n in range(2, 8)]
    results = compare(
        *(load_dataset("iris"), None, [*learners, "majority"]),
        repeats=1,
        executor="serial",
    )
    assert judge(results)["headline"].endswith(
        "is first; 5 of the 6 others are level with it."
    )


def test_few_data_sets_are_judged_one_by_one() -> None:
    spec = ExperimentSpec(["monks-2", "iris"], ["nb", "cascade(nb, c45)"], repeats=1)
    points = judge(run_experiment(spec, executor="serial"))["points"]
    assert "monks-2: cascade(nb, c45) leads, ahead of nb." in points
    assert any(
        p.startswith("iris: ") and p.endswith("nobody is beaten.") for p in points
    )
