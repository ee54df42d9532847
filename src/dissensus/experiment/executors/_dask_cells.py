"""The inside of a worker of a cluster: cells in processes of its own.

A worker of Dask runs tasks in threads, which can be neither stopped nor limited, and
dies with a learner that crashes. So each of its threads borrows a worker process of
ours, just as on one machine. They end with the study, whatever they are doing.
"""

from __future__ import annotations

import pickle
import threading
from dataclasses import dataclass, field

import dissensus
from dissensus.exceptions import ExecutorError
from dissensus.experiment.executors._pool import DeadCell, Limits
from dissensus.experiment.executors._worker_process import (
    WorkerDiedError,
    WorkerProcess,
)
from dissensus.experiment.plan._jobs import Study
from dissensus.store import Job, Outcome


@dataclass(slots=True)
class _StudyWorkers:
    """Processes for one study, shared by the threads of this process."""

    study: Study
    limits: Limits
    users: int = 0
    idle: set[WorkerProcess] = field(default_factory=set)
    busy: set[WorkerProcess] = field(default_factory=set)


_of_studies: dict[str, _StudyWorkers] = {}
_lock = threading.Lock()


def open_workers(name: str, pickled: bytes, limits: Limits) -> None:
    """Get ready for a study; several workers in one process share what is made."""
    with _lock:
        if name not in _of_studies:
            _of_studies[name] = _StudyWorkers(pickle.loads(pickled), limits)
        _of_studies[name].users += 1


def close_workers(name: str) -> None:
    """End the processes of a study when its last user is gone, busy or idle."""
    with _lock:
        of_study = _of_studies.get(name)
        if of_study is None:
            return
        of_study.users -= 1
        if of_study.users > 0:
            return
        del _of_studies[name]
        workers = of_study.idle | of_study.busy
    for worker in workers:
        worker.kill()


def run_remote(name: str, version: str, job: Job) -> Outcome | DeadCell:
    """Run one cell in a process of this worker.

    Parameters
    ----------
    name : str
        Name of the study, as given to `open_workers`.
    version : str
        Version of the package where the study was started.
    job : Job
        The cell.
    """
    if version != dissensus.__version__:
        raise ExecutorError(
            f"a worker has dissensus {dissensus.__version__}, the study was started "
            f"with {version}. Install the same version everywhere."
        )
    worker = _borrow(name)
    try:
        return worker.run(job)
    except WorkerDiedError as died:
        return DeadCell(job, str(died))
    finally:
        _give_back(name, worker)


def _borrow(name: str) -> WorkerProcess:
    with _lock:
        of_study = _find(name)
        if of_study.idle:
            worker = of_study.idle.pop()
            of_study.busy.add(worker)
            return worker
    worker = of_study.limits.start(of_study.study)
    try:
        with _lock:  # the study may have ended while the process started
            _find(name).busy.add(worker)
    except ExecutorError:
        worker.kill()
        raise
    return worker


def _give_back(name: str, worker: WorkerProcess) -> None:
    with _lock:
        of_study = _of_studies.get(name)
        if of_study is not None:
            of_study.busy.discard(worker)
            if worker.alive:
                of_study.idle.add(worker)
                return
    worker.kill()


def _find(name: str) -> _StudyWorkers:
    if name not in _of_studies:
        raise ExecutorError("a worker was not told about the study.")
    return _of_studies[name]
