"""Small studies, and what is compared between two of them."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sklearn.datasets import load_iris, load_wine

from dissensus.experiment import (
    DaskExecutor,
    DatasetSpec,
    ExperimentSpec,
    LearnerSpec,
    ProcessExecutor,
    run_experiment,
)
from dissensus.experiment.executors._find import find_executor
from dissensus.store import Outcome
from tests.experiment.learners import Constant, Lottery

MARK = "DISSENSUS_CHAOS"  # a variable by which processes of a test are known
SAME = """
SELECT cells.key, failure, error, n_train, n_test, n_correct, leaves, members,
       scores.measure, scores.value, answers.packed
FROM cells
LEFT JOIN scores ON scores.cell = cells.id
LEFT JOIN answers ON answers.cell = cells.id
ORDER BY cells.key, scores.measure
"""


IRIS, CLASSES = load_iris(return_X_y=True)
WINE, CULTIVARS = load_wine(return_X_y=True)
# In memory, so that worker processes need no reader of files.
DATA = (
    DatasetSpec("iris", X=IRIS, y=CLASSES),
    DatasetSpec("wine", X=WINE, y=CULTIVARS),
)


def small_spec(*learners: Any, **options: Any) -> ExperimentSpec:
    """Return a study of iris with one data set and few folds."""
    settings: dict[str, Any] = {"repeats": 1, "folds": 4, **options}
    return ExperimentSpec(DATA[:1], list(learners) or [Constant()], **settings)


def outcomes_of(spec: ExperimentSpec, executor: Any) -> dict[Any, Outcome]:
    """Run a study and return its outcomes by job."""
    plan = spec.check()
    found = find_executor(executor)
    return {outcome.job: outcome for outcome in found.run(plan.study, plan.jobs)}


def read_store(path: str | os.PathLike[str]) -> list[tuple[Any, ...]]:
    """Return everything in a store that must not depend on how it was filled."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return db.execute(SAME).fetchall()


def count_cells(path: Path) -> int:
    """Return the number of saved cells, 0 if there is no store yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as db:
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return int(tables and db.execute("SELECT count(*) FROM cells").fetchone()[0])


def spec_of_400_cells() -> ExperimentSpec:
    """Return a study of quick cells: 2 data sets x 2 learners x 10 x 10 folds."""
    learners = [LearnerSpec(Lottery(), "lottery"), LearnerSpec(Constant(0.002), "slow")]
    return ExperimentSpec(DATA, learners, measures=["accuracy", "auc"])


def run_400_cells(
    path: str, executor: Any, begun: Any = None, permits: Any = None
) -> None:
    """Run the study of 400 cells; a process that is going to be killed does this.

    It says when it has begun, and needs a permit to go on after each cell: without, a
    busy machine might let it do all the work before it is killed.
    """

    def tell(_: Any) -> None:
        if begun is not None:
            begun.set()
        if permits is not None:
            permits.acquire()

    run_experiment(spec_of_400_cells(), path, executor=executor, progress=tell)


def make_executor(place: str, address: str = "") -> Any:
    """Return an executor of two workers."""
    if place == "processes":
        return ProcessExecutor(2)
    if place == "dask":
        return DaskExecutor(workers=2)
    return DaskExecutor(address) if place == "cluster" else place


def run_marked(mark: str, path: str, begun: Any, permits: Any, *place: str) -> None:
    """Run the study of 400 cells at a place; all that this starts bears a mark."""
    os.environ[MARK] = mark
    run_400_cells(path, make_executor(*place), begun, permits)


def run_learner(learner: Any, place: str, address: str, begun: Any) -> None:
    """Run a small study of a learner, and say when it begins."""
    executor = make_executor(place, address)
    run_experiment(
        small_spec(learner), executor=executor, progress=lambda _: begun.set()
    )
