"""Cells side by side in processes of this machine.

A thread stands beside each worker process: it hands over a job, waits, and passes the
outcome on. So it is always known which cell a process died of, and no other one is lost
with it. A cell whose process died is run again at the end, alone in a new process:
only if that dies too, the cell is to blame.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import joblib

from dissensus.exceptions import ExecutorError
from dissensus.experiment.executors._worker_process import (
    WorkerDiedError,
    WorkerProcess,
)
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._cell import failed
from dissensus.experiment.run._memory import can_limit_memory, read_size
from dissensus.store import Job, Outcome

JOIN_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one cell may take; None is no limit."""

    time_limit: float | None = None
    memory_limit: int | None = None

    def start(self, study: Study) -> WorkerProcess:
        """Start a process that keeps these limits."""
        return WorkerProcess(
            study, time_limit=self.time_limit, memory_limit=self.memory_limit
        )


def read_limits(time_limit: Any, memory_limit: Any) -> Limits:
    """Return the limits that a caller gave, checked."""
    if time_limit is not None:
        check_seconds(time_limit, "time_limit")
    if memory_limit is None:
        return Limits(time_limit)
    if not can_limit_memory():
        raise ExecutorError("memory_limit works on Linux only. Leave it out.")
    try:
        return Limits(time_limit, read_size(memory_limit))
    except ValueError as error:
        raise ExecutorError(f"memory_limit: {error}") from None


def check_seconds(value: Any, name: str) -> None:
    """Raise an error unless a value is a time."""
    if not (isinstance(value, Real) and float(value) > 0):
        raise ExecutorError(f"{name} is {value!r}. It must be above 0 seconds.")


def check_count(value: Any, name: str, least: int) -> None:
    """Raise an error unless a value is a whole number that is large enough."""
    if not (isinstance(value, Integral) and int(value) >= least):
        raise ExecutorError(
            f"{name} is {value!r}. It must be a whole number from {least}."
        )


@dataclass(frozen=True, slots=True)
class DeadCell:
    """A cell whose process died, and how."""

    job: Job
    error: str


def run_alone(study: Study, suspect: DeadCell, limits: Limits, retries: int) -> Outcome:
    """Run a suspect in a process of its own; blame it if that dies too."""
    error = suspect.error
    for _ in range(retries):
        worker = limits.start(study)
        try:
            return worker.run(suspect.job)
        except WorkerDiedError as died:
            error = str(died)
        finally:
            worker.kill()
    return failed(suspect.job, "died", error)


class ProcessExecutor:
    """Run cells side by side in worker processes.

    Parameters
    ----------
    workers : int, default=None
        Number of processes; as many as there are processors if None.
    time_limit : float, default=None
        Seconds that a learner may take in one cell, `fit` and predictions together.
    memory_limit : int or str, default=None
        Memory that one cell may allocate, such as "2 GB" (Linux only).
    retries : int, default=1
        How often a cell is run again, alone, after its process died.

    See Also
    --------
    DaskExecutor : Run cells on other machines.

    Notes
    -----
    A cell that hits a limit, raises, or kills its process twice becomes a row with its
    error; all others are completed. Workers end with the process that started them,
    even if that is killed.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentSpec, ProcessExecutor
    >>> from dissensus.experiment import run_experiment
    >>> spec = ExperimentSpec(["iris"], ["c45"], repeats=1, folds=3)
    >>> results = run_experiment(spec, executor=ProcessExecutor(2, time_limit=60))
    >>> results.n_cells, results.n_failed
    (3, 0)
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        retries: int = 1,
    ) -> None:
        if workers is not None:
            check_count(workers, "workers", 1)
        check_count(retries, "retries", 0)
        self.limits = read_limits(time_limit, memory_limit)
        self.retries = retries
        self.n_workers: int = joblib.cpu_count() if workers is None else workers

    def run(self, study: Study, jobs: Sequence[Job]) -> Generator[Outcome, None, None]:
        """Run the jobs and yield each outcome the moment it is there.

        Parameters
        ----------
        study : Study
            What the jobs belong to.
        jobs : sequence of Job
            The cells.

        Yields
        ------
        Outcome
            As they come.
        """
        pool = _WorkerPool(study, jobs, self.limits)
        suspects = []
        try:
            for found in pool.work(min(self.n_workers, len(jobs))):
                if isinstance(found, DeadCell):
                    suspects.append(found)
                else:
                    yield found
        finally:
            pool.stop()
        for suspect in suspects:
            yield run_alone(study, suspect, self.limits, self.retries)


class _WorkerPool:
    """Threads, each with a worker process, that share one list of jobs."""

    def __init__(self, study: Study, jobs: Sequence[Job], limits: Limits) -> None:
        self._study = study
        self._limits = limits
        self._jobs = deque(jobs)
        # Outcomes, suspects, errors that end the study, and None for a thread's end.
        self._found: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def work(self, n_workers: int) -> Iterator[Outcome | DeadCell]:
        """Start the threads and yield what they find, until all have ended."""
        self._threads = [
            threading.Thread(target=self._serve, daemon=True) for _ in range(n_workers)
        ]
        for thread in self._threads:
            thread.start()
        running = n_workers
        while running:
            found = self._found.get()
            if found is None:
                running -= 1
            elif isinstance(found, BaseException):
                raise found
            else:
                yield found

    def stop(self) -> None:
        """End all processes and threads."""
        with self._lock:
            self._stopped = True
            workers = list(self._workers)
        for worker in workers:
            worker.kill()
        for thread in self._threads:
            thread.join(JOIN_SECONDS)

    def _serve(self) -> None:
        """Run jobs until there are none left; this is one thread."""
        worker = None
        try:
            while (job := self._next()) is not None:
                if worker is None or not worker.alive:
                    worker = self._new_worker(worker)
                self._found.put(_run(worker, job))
        except BaseException as error:  # noqa: BLE001 -- raised again in the main thread
            self._found.put(error)
        finally:
            self._found.put(None)
            if worker is not None:
                worker.close()

    def _next(self) -> Job | None:
        with self._lock:
            return self._jobs.popleft() if self._jobs and not self._stopped else None

    def _new_worker(self, old: WorkerProcess | None) -> WorkerProcess:
        worker = self._limits.start(self._study)
        with self._lock:
            self._workers.discard(old)
            self._workers.add(worker)
            if self._stopped:
                worker.kill()
        return worker


def _run(worker: WorkerProcess, job: Job) -> Outcome | DeadCell:
    try:
        return worker.run(job)
    except WorkerDiedError as died:
        return DeadCell(job, str(died))
