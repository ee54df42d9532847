"""Run one cell: fit a learner on the training rows, ask it about the test rows.

Whatever a learner does becomes an outcome: a failed cell is a row with its error. What
goes wrong before the learner is asked (the data are not there, an object cannot be
unpickled) says nothing about the cell; it is raised.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableClassifier
from dissensus.ensemble import to_input
from dissensus.evaluation import seeded_copy
from dissensus.experiment.plan._jobs import Material, Study
from dissensus.experiment.run._threads import one_thread
from dissensus.learners import EncodedClassifier
from dissensus.metrics import compute_measures
from dissensus.store import CellPredictions, Job, Outcome, pack
from dissensus.table import Table
from dissensus.utils._texts import (
    MAX_ERROR,
    error_line,
    error_place,
    safe_text,
)

MAX_NOTES = 3  # different warnings


class AnswerError(ValueError):
    """A learner answered, but not with classes and probabilities."""


def failed(job: Job, failure: str, error: str, **rest: Any) -> Outcome:
    """Return the outcome of a cell that failed."""
    return Outcome(job, failure, safe_text(error, MAX_ERROR).strip(), **rest)


def run_cell(
    study: Study,
    job: Job,
    *,
    begin: Callable[[], None] = lambda: None,
    limit: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Outcome:
    """Run one cell of a study.

    Parameters
    ----------
    study : Study
        What the cell belongs to.
    job : Job
        The cell.
    begin : callable
        Called when everything is there and the learner's own time begins.
    limit : callable
        Makes the context in which the learner is run.
    """
    material = study.material(job.task)
    built = study.find_learner(job).build()
    begin()
    with _recorded() as notes, one_thread(), _one_process():
        try:
            with limit():
                model = seeded_copy(built, study.learner_seed(job))
                outcome = _run(study, job, material, model)
        except MemoryError as error:
            words = safe_text(error, MAX_ERROR)
            words = f"out of memory: {words}" if words else "out of memory"
            outcome = failed(job, "memory", words, details=error_place(error))
        except AnswerError as error:
            outcome = failed(job, "answer", safe_text(error, MAX_ERROR))
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- it becomes a row
            outcome = failed(
                job, "raised", error_line(error), details=error_place(error)
            )
    return replace(outcome, notes=_first_notes(notes)) if notes else outcome


@contextmanager
def _one_process() -> Iterator[None]:
    """Let only the process that began a cell come back from its learner.

    A learner that forks may return twice. The copy is ended here, whatever it has in
    mind: it would run the rest of the study a second time, with the same connections.
    """
    begun = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != begun:
            os._exit(1)


def _run(study: Study, job: Job, material: Material, model: Any) -> Outcome:
    data = material.data
    as_input = _input_maker(model, material)
    X, weight = as_input(material.train), data.weight
    options = {} if weight is None else {"sample_weight": weight[material.train]}
    start = time.perf_counter()
    model.fit(X, material.y, **options)
    fitted = time.perf_counter()
    X = as_input(material.test)
    asked = time.perf_counter()
    predicted = model.predict(X)
    answered = time.perf_counter()
    truth = data.y[material.test].astype(np.intp)
    n_classes = len(data.classes)
    predictions = _check_codes(predicted, len(truth), n_classes)
    proba = _proba(model, X, len(truth), n_classes)
    answers = CellPredictions(material.test, truth, predictions, proba, n_classes)
    scores = compute_measures(
        truth, predictions=predictions, proba=proba, names=study.measures
    )
    return Outcome(
        job,
        n_train=len(material.train),
        n_test=len(truth),
        n_correct=int(np.count_nonzero(predictions == truth)),
        fit_seconds=fitted - start,
        predict_seconds=answered - asked,
        leaves=_leaves(model),
        members=_members(model),
        scores=scores,
        answers=pack(answers),
    )


# What goes in


def _input_maker(model: Any, material: Material) -> Callable[[Any], Any]:
    """Return the function that gives some rows to this learner, in its form."""
    table, kind = material.data.table, material.data.kind
    if reads_tables(model):
        return table.take

    def as_frame(rows: Any) -> Any:
        part: Table = table.take(rows)
        return to_input(part, kind)

    return as_frame


def reads_tables(model: Any) -> bool:
    """Whether a learner, and all learners in it, learn from tables directly."""
    if isinstance(model, EncodedClassifier):
        return True
    if not isinstance(model, TableClassifier):
        return False
    return all(
        reads_tables(part)
        for value in model.get_params(deep=False).values()
        for part in _parts(value)
        if hasattr(part, "fit") and hasattr(part, "predict")
    )


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple | np.ndarray):
        for item in value:
            yield from _parts(item)
    else:
        yield value


# What comes out


def _check_codes(predicted: Any, n_rows: int, n_classes: int) -> NDArray[np.intp]:
    codes = np.asarray(predicted)
    if codes.shape != (n_rows,):
        raise AnswerError(
            f"predict returned an array of shape {codes.shape} for {n_rows} rows."
        )
    known = np.isin(codes, np.arange(n_classes))
    if not known.all():
        strange = codes[~known][0]
        raise AnswerError(
            f"predict returned {strange!r} in {np.count_nonzero(~known)} of {n_rows} "
            "rows, which is no class of the training set."
        )
    return codes.astype(np.intp)


def _proba(
    model: Any, X: Any, n_rows: int, n_classes: int
) -> NDArray[np.float64] | None:
    """Return the probabilities of all classes, with 0 for those not learnt from."""
    if not hasattr(model, "predict_proba"):
        return None
    answer = np.asarray(model.predict_proba(X), dtype=np.float64)
    columns = np.asarray(model.classes_, dtype=np.intp)
    if answer.shape != (n_rows, len(columns)):
        raise AnswerError(
            f"predict_proba returned an array of shape {answer.shape} for {n_rows} "
            f"rows and {len(columns)} classes."
        )
    wrong = ~((answer >= 0.0) & (answer <= 1.0 + 1e-9)).all(axis=1)
    if wrong.any():
        strange = answer[wrong][0]
        raise AnswerError(
            f"predict_proba returned {strange[~(strange >= 0.0) | (strange > 1.0)][0]} "
            f"in {np.count_nonzero(wrong)} of {n_rows} rows, which is no probability."
        )
    proba = np.zeros((n_rows, n_classes))
    proba[:, columns] = answer
    return proba


def _leaves(model: Any) -> int | None:
    """Return the leaves of a tree, or of all trees of an ensemble."""
    model = getattr(model, "estimator_", model)
    if hasattr(model, "n_leaves_"):
        return int(model.n_leaves_)
    if hasattr(model, "get_n_leaves"):
        return int(model.get_n_leaves())
    counts = [_leaves(member) for member in _member_list(model)]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _members(model: Any) -> int | None:
    return len(_member_list(getattr(model, "estimator_", model))) or None


def _member_list(model: Any) -> list[Any]:
    # Boosting keeps a row of trees for each round.
    return list(_parts(getattr(model, "estimators_", ())))


# Errors and warnings


@contextmanager
def _recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Keep warnings from the terminal, where they would be lost among thousands."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        yield notes


def _first_notes(notes: list[warnings.WarningMessage]) -> str:
    words = (
        f"{note.category.__name__}: {safe_text(note.message, MAX_ERROR)}"
        for note in notes
    )
    different = dict.fromkeys(line.splitlines()[0][:MAX_ERROR] for line in words)
    return "\n".join(list(different)[:MAX_NOTES])
