"""What an executor brings back, checked against the job that it was given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dissensus.datasets import Loaded
from dissensus.exceptions import ExecutorError, StoreError
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.plan._resampling import RESAMPLING, SplitRequest
from dissensus.experiment.plan._splits import Rows
from dissensus.experiment.run._cell import failed
from dissensus.store import Job, Outcome, Task, unpack
from dissensus.utils._texts import MAX_DETAILS, MAX_ERROR, safe_text

FAILURES = ("raised", "answer", "memory", "time", "died")
COUNTS = ("n_train", "n_test", "n_correct", "leaves", "members")
SECONDS = ("fit_seconds", "predict_seconds")
MOST = 2**63 - 1  # what SQLite counts to
MOST_DRAWN = 8  # repeats, each a number for each row of a data set


class Arrivals:
    """The jobs that are still out.

    Parameters
    ----------
    study : Study
        What they belong to.
    jobs : iterable of Job
        What the executor was given.
    data : mapping of str to Loaded
        The data sets by name.
    """

    def __init__(
        self, study: Study, jobs: Iterable[Job], data: Mapping[str, Loaded]
    ) -> None:
        self._study = study
        self._data = data
        self._out = dict.fromkeys(jobs, True)
        self._drawn: dict[tuple[str, int], list[Rows]] = {}

    def take(self, found: Any) -> Outcome | None:
        """Return an outcome to save; None if its cell has one already.

        An outcome that cannot be that of its job becomes a failed cell.
        """
        if not isinstance(found, Outcome) or found.job not in self._out:
            what = getattr(found, "job", type(found).__name__)
            raise ExecutorError(
                f"the executor brought back {safe_text(what, MAX_ERROR)}, which is no "
                "cell that it was given. Run the same again with another executor."
            )
        if not self._out[found.job]:
            return None
        self._out[found.job] = False
        task = found.job.task
        rows = self._test_rows(task)
        return check_outcome(self._study, found, self._data[task.dataset], rows)

    def _test_rows(self, task: Task) -> Rows:
        """Return the rows that are tested; the last few repeats are remembered."""
        repeat = (task.dataset, task.repeat)
        if repeat not in self._drawn:
            if len(self._drawn) == MOST_DRAWN:
                del self._drawn[next(iter(self._drawn))]
            place = SplitRequest(self._study.seed, *repeat, self._study.n_folds)
            splits = RESAMPLING[self._study.resampling](self._data[repeat[0]], place)
            self._drawn[repeat] = [test for _, test in splits]
        return self._drawn[repeat][task.fold]

    def check_all_there(self) -> None:
        """Raise an error if a job has not come back."""
        lost = [job for job, is_out in self._out.items() if is_out]
        if lost:
            raise ExecutorError(
                f"the executor lost {len(lost)} of {len(self._out)} cells (the first: "
                f"{lost[0].learner} on {lost[0].task}). Run the same again: what was "
                "saved stays saved."
            )


def check_outcome(study: Study, outcome: Outcome, data: Loaded, rows: Rows) -> Outcome:
    """Return an outcome whose content fits its job, or a failed cell that says why not.

    Parameters
    ----------
    study : Study
        What the job belongs to.
    outcome : Outcome
        What came back.
    data : Loaded
        The data set of the job.
    rows : ndarray
        The test rows of the job.

    Returns
    -------
    Outcome
        The same if it is right.
    """
    try:
        fault = _find_fault(study, outcome, data, rows)
    except (TypeError, ValueError, StoreError) as error:
        fault = safe_text(error, MAX_ERROR)
    if fault:
        words = f"what came back is not the outcome of this cell: {fault}"
        return failed(outcome.job, "answer", words)
    return outcome


def _find_fault(study: Study, outcome: Outcome, data: Loaded, rows: Rows) -> str:
    for name in (*COUNTS, *SECONDS):
        value = getattr(outcome, name)
        if value is not None and not _is_number(value, whole=name in COUNTS):
            return f"{name} is {safe_text(value, 50)}"
    for name, most in (
        *(("error", MAX_ERROR), ("details", MAX_DETAILS), ("notes", 4 * MAX_ERROR)),
    ):
        text = getattr(outcome, name)
        if text != safe_text(text, most):
            return f"{name} is no text that can be saved"
    if outcome.failure:
        has_content = bool(outcome.answers or outcome.scores)
        known = outcome.failure in FAILURES and not has_content
        return "" if known else f"it failed by {safe_text(outcome.failure, 50)}"
    return _find_fault_in_scores(study, outcome) or _find_fault_in_answers(
        outcome, data, rows
    )


def _is_number(value: Any, *, whole: bool) -> bool:
    if whole:
        return type(value) is int and 0 <= value <= MOST
    return type(value) is float and 0.0 <= value < math.inf


def _find_fault_in_scores(study: Study, outcome: Outcome) -> str:
    if sorted(outcome.scores) != sorted(study.measures):
        return f"its scores are {safe_text(sorted(outcome.scores), 100)}"
    for name, value in outcome.scores.items():
        if not isinstance(value, float):
            return f"its {name} is {safe_text(value, 50)}"
    return ""


def _find_fault_in_answers(outcome: Outcome, data: Loaded, rows: Rows) -> str:
    if outcome.n_train is None or outcome.fit_seconds is None:
        return "it has no number of rows, or no time"
    if outcome.n_test != len(rows):
        return f"it has {outcome.n_test} test rows, the cell {len(rows)}"
    answers = unpack(outcome.answers, len(rows), len(data.classes))
    if not np.array_equal(answers.rows, rows):
        return "its test rows are other ones"
    if not np.array_equal(answers.truth, data.y[rows]):
        return "the true classes are other ones"
    if outcome.n_correct != np.count_nonzero(answers.predictions == answers.truth):
        return f"{outcome.n_correct} predictions are not right"
    return ""
