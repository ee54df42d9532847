"""The inside of a worker process: take a job, run the cell, send the outcome."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import threading
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from dissensus.experiment._cell import run_cell
from dissensus.experiment._jobs import Job, Study
from dissensus.experiment._memory import memory_limit

READY = "ready"  # the study has arrived
BEGUN = "begun"  # the data are loaded, the learner's own time begins
STOP = "stop"

# Libraries that are loaded later read these when they are.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def serve(connection: Connection, pickled: bytes, max_memory: int | None) -> None:
    """Serve one study until the connection is closed.

    Parameters
    ----------
    connection : Connection
        The way to the process that hands out jobs. Messages to it are `READY`, then
        for each job `BEGUN` and its outcome, or an exception that says why this
        process cannot run it.
    pickled : bytes
        The study.
    max_memory : int or None
        Bytes that a cell may allocate.
    """
    # Ctrl-C is for the process that hands out the jobs; it stops this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), daemon=True).start()
    try:
        study: Study = pickle.loads(pickled)
    except Exception as error:  # noqa: BLE001 -- a learner's module is not here, say
        connection.send(_plain(error))
        return
    connection.send(READY)
    while (job := jobs.get()) != STOP and _run(connection, study, job, max_memory):
        pass


def _receive(connection: Connection, jobs: queue.SimpleQueue[Any]) -> None:
    """Pass on what arrives; when the other side is gone, end at once.

    A thread of its own does this, so that a process whose coordinator was killed does
    not go on with a cell that nobody waits for.
    """
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError):
        os._exit(1)


def _run(
    connection: Connection, study: Study, job: Job, max_memory: int | None
) -> bool:
    """Run one cell and send its outcome; return whether to go on."""
    try:
        outcome = run_cell(
            study,
            job,
            begin=partial(connection.send, BEGUN),
            limit=partial(memory_limit, max_memory),
        )
    except Exception as error:  # noqa: BLE001 -- told to the coordinator
        connection.send(_plain(error))
        return True
    connection.send(outcome)
    return outcome.failure != "memory"


def _plain(error: Exception) -> RuntimeError:
    """Return an error that can be unpickled anywhere."""
    return RuntimeError(f"{type(error).__name__}: {error}")
