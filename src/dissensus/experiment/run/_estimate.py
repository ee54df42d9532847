"""How much work a study is: its cells counted, its time estimated from small probes."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dissensus.experiment.executors._base import Executor, run_here
from dissensus.experiment.executors._find import find_executor
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._progress import format_seconds
from dissensus.experiment.run._runner import read_spec, saved_states
from dissensus.experiment.spec._spec import ExperimentSpec, Plan
from dissensus.store import Job, Store, Task

PROBE_ROWS = 200
WARM_UP_ROWS = 20
OVERHEAD = 0.002  # seconds for each cell beside the learner's own


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a study will take.

    Attributes
    ----------
    n_cells : int
        Number of cells.
    n_done : int
        Number of cells that the store has.
    seconds : float
        Estimate for the others, with all workers.
    by_learner : dict of str to float
        Estimate for each learner, on one worker.
    failures : tuple of str
        What went wrong in the probes, and will again.
    """

    n_cells: int
    n_done: int
    seconds: float
    by_learner: Mapping[str, float]
    failures: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return it in one line, and one for each failure."""
        left = self.n_cells - self.n_done
        done = f", {self.n_done} of them done" if self.n_done else ""
        words = f"{self.n_cells} cells{done}; about {format_seconds(self.seconds)}"
        words = words if left else f"{self.n_cells} cells, all done"
        return "\n".join([words, *self.failures])


def estimate(
    spec: ExperimentSpec | Mapping[str, Any] | str | os.PathLike[str],
    store: str | os.PathLike[str] | None = None,
    *,
    executor: str | Executor | None = None,
) -> Estimate:
    """Count the cells of a study and estimate its time, without running it.

    Parameters
    ----------
    spec : ExperimentSpec, mapping, or path of a TOML file
        The study. It is checked whole.
    store : str or path, default=None
        The store whose cells need not be run again; it is only read.
    executor : {"processes", "serial", "dask"} or executor, default=None
        Where cells would be run: its number of workers counts.

    Returns
    -------
    Estimate
        Numbers of cells, and seconds.

    Notes
    -----
    Each learner is fitted once on at most 200 rows of each data set, here and now. Its
    time is taken to grow with the number of rows, which is about right for trees and
    counts, and too little for methods that do more than that.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentSpec, estimate
    >>> spec = ExperimentSpec(["iris"], ["majority"], repeats=2, folds=5)
    >>> estimate(spec, executor="serial").n_cells
    10
    """
    plan = read_spec(spec).check()
    n_workers = find_executor(executor).n_workers
    jobs = list(plan.jobs)
    if store is not None and Path(store).exists():
        with Store(store, read_only=True) as opened:
            states = saved_states(plan, opened)
        jobs = [job for job, state in states.items() if state is None]
    by_learner, failures = _probe(plan, jobs)
    return Estimate(
        len(plan.jobs),
        len(plan.jobs) - len(jobs),
        sum(by_learner.values()) / n_workers,
        by_learner,
        tuple(failures),
    )


def _probe(plan: Plan, jobs: list[Job]) -> tuple[dict[str, float], list[str]]:
    """Return the seconds that the jobs of each learner will take, and failures."""
    study = plan.study
    n_cells = Counter((job.learner, job.task.dataset) for job in jobs)
    shares: dict[tuple[str, str], float] = dict.fromkeys(n_cells, 0.0)
    for job in jobs:
        shares[job.learner, job.task.dataset] += job.task.fraction
    seconds: dict[str, float] = {}
    failures = []
    for learner, name in sorted(shares):
        label = study.learners[learner].label
        if label not in seconds:
            _time(study, learner, name, WARM_UP_ROWS)  # imports, and caches
        each, error = _time(study, learner, name, PROBE_ROWS)
        spent = each * shares[learner, name] + OVERHEAD * n_cells[learner, name]
        seconds[label] = seconds.get(label, 0.0) + spent
        if error:
            failures.append(f"{label} on {name}: {error}")
    return seconds, failures


def _time(study: Study, learner: str, dataset: str, n_rows: int) -> tuple[float, str]:
    """Return the seconds of a cell with whole training folds, and its error."""
    whole = len(study.splits(dataset, 0)[0][0])
    fraction = min(1.0, n_rows / whole)
    start = time.perf_counter()
    outcome = run_here(study, Job(learner, Task(dataset, 0, 0, fraction)))
    return (time.perf_counter() - start) / fraction, outcome.error
