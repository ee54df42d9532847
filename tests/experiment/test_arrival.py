"""What an executor brings back is the outcome of the job, or a failed cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dissensus.exceptions import ExecutorError
from dissensus.experiment import run_experiment
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._arrival import Arrivals, check_outcome
from dissensus.experiment.run._cell import run_cell
from dissensus.store import Job, Outcome
from dissensus.store._predictions import CellPredictions, pack
from tests.experiment.learners import Constant, Raises, Voter
from tests.experiment.studies import small_spec

PLAN = small_spec(Constant(), measures=["accuracy", "auc"]).check()
GOOD = run_cell(PLAN.study, PLAN.jobs[0])
OTHER = run_cell(PLAN.study, PLAN.jobs[1])
ROWS = PLAN.study.splits("iris", 0)[0][1]
LABELS = PLAN.data[0].y[ROWS]


def packed(rows: Any, truth: Any, n_classes: int = 3) -> bytes:
    truth = np.asarray(truth)
    return pack(CellPredictions(np.asarray(rows), truth, truth, None, n_classes))


WRONG: dict[str, dict[str, Any]] = {
    "n_train is -1": {"n_train": -1},
    "n_test is True": {"n_test": True},
    "leaves is 9223372036854775808": {"leaves": 2**63},
    "fit_seconds is nan": {"fit_seconds": float("nan")},
    "predict_seconds is 1": {"predict_seconds": 1},
    "error is no text": {"error": "\ud800"},
    "notes is no text": {"notes": 5},
    "details is no text": {"details": "x" * 5000},
    "it failed by strangely": {"failure": "strangely"},
    "it failed by time": {"failure": "time"},
    "its scores are": {"scores": {"accuracy": 1.0}},
    "its auc is high": {"scores": {"accuracy": 1.0, "auc": "high"}},
    "it has no number of rows": {"n_train": None},
    "it has 37 test rows, the cell 38": {"n_test": 37},
    "0 bytes are no predictions": {"answers": b""},
    "its test rows are other ones": {"answers": OTHER.answers},
    "the true classes are other ones": {"answers": packed(ROWS, LABELS[::-1])},
    "7 predictions are not right": {"n_correct": 7},
    "and 4 classes": {"answers": packed(ROWS, LABELS, 4)},
}


@pytest.mark.parametrize("words", WRONG)
def test_an_outcome_that_does_not_fit_its_job_is_a_failed_cell(words: str) -> None:
    outcome = replace(GOOD, **WRONG[words])
    found = check_outcome(PLAN.study, outcome, PLAN.data[0], ROWS)
    assert (found.failure, found.job) == ("answer", GOOD.job)
    assert "what came back is not the outcome of this cell" in found.error
    assert words in found.error


@pytest.mark.parametrize("learner", [Constant(), Voter(), Raises(), "c45"])
def test_a_right_outcome_passes(learner: Any) -> None:
    plan = small_spec(learner, measures=["accuracy", "log_loss"]).check()
    outcome = run_cell(plan.study, plan.jobs[0])
    assert check_outcome(plan.study, outcome, plan.data[0], ROWS) is outcome


def test_the_first_outcome_of_a_cell_counts() -> None:
    arrivals = Arrivals(PLAN.study, [GOOD.job], {"iris": PLAN.data[0]})
    assert arrivals.take(GOOD) is GOOD
    assert arrivals.take(GOOD) is None
    arrivals.check_all_there()


class Careless:
    """Runs cells, and does something to the outcomes."""

    n_workers = 1

    def __init__(self, change: Callable[[list[Any]], list[Any]]) -> None:
        self.change = change

    def run(self, study: Study, jobs: Sequence[Job]) -> Iterator[Outcome]:
        yield from self.change([run_cell(study, job) for job in jobs])


def run(change: Callable[[list[Any]], list[Any]]) -> Any:
    spec = small_spec(Constant(), measures=["accuracy", "auc"])
    return run_experiment(spec, executor=Careless(change))  # type: ignore[arg-type]


def test_cells_that_do_not_come_back_are_missed() -> None:
    with pytest.raises(ExecutorError, match="lost 1 of 4 cells .*fold=3"):
        run(lambda outcomes: outcomes[:-1])


def test_one_cell_told_twice_does_not_hide_that_another_is_lost() -> None:
    with pytest.raises(ExecutorError, match="lost 1 of 4 cells .*fold=0"):
        run(lambda outcomes: [*outcomes[1:], outcomes[-1]])


@pytest.mark.parametrize("stranger", [None, "done", replace(GOOD, job=Job("x", 0))])  # type: ignore[arg-type]
def test_what_nobody_asked_for_stops_the_study(stranger: Any) -> None:
    with pytest.raises(ExecutorError, match="no cell that it was given"):
        run(lambda outcomes: [*outcomes, stranger])


def test_the_order_does_not_matter() -> None:
    results = run(lambda outcomes: outcomes[::-1])
    assert (results.n_cells, results.n_failed) == (4, 0)
