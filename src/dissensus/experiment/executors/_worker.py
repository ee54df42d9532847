"""The inside of a worker process: take a job, run the cell, send the outcome."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import threading
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from dissensus.experiment.executors._process_group import (
    end_group,
    has_children,
    lead_group,
)
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._cell import failed, run_cell
from dissensus.experiment.run._memory import memory_limit
from dissensus.experiment.run._output import flush_output, print_to_stderr
from dissensus.store import Job, Outcome
from dissensus.utils._parent import end_with_parent
from dissensus.utils._texts import error_line, error_place

READY = "ready"  # the study has arrived
BEGUN = "begun"  # the data are loaded, the learner's own time begins
STOP = "stop"

# Libraries that are loaded later read these when they are.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job.

    Attributes
    ----------
    outcome : Outcome
        The outcome.
    last : bool
        Whether the process ends now: its memory is in an unknown state, or a learner
        has left processes behind, which end with it.
    """

    outcome: Outcome
    last: bool


class _Line:
    """The way to the process that hands out jobs, for one process only."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._owner = os.getpid()

    def send(self, message: Any) -> None:
        """Send a message; a copy of the process, forked by a learner, ends here."""
        if os.getpid() != self._owner:
            os._exit(0)
        try:
            self._connection.send(message)
        except BrokenPipeError:  # nobody waits for it any more
            end_group()


def serve(connection: Connection, pickled: bytes, max_memory: int | None) -> None:
    """Serve one study until the connection is closed.

    Parameters
    ----------
    connection : Connection
        The way to the process that hands out jobs. Messages to it are `READY`, then
        for each job `BEGUN` and an `Answer`, or an exception that says why this
        process cannot run it.
    pickled : bytes
        The study.
    max_memory : int or None
        Bytes that a cell may allocate.
    """
    # Ctrl-C is for the process that hands out the jobs; it stops this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    lead_group()
    print_to_stderr()
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), daemon=True).start()
    line = _Line(connection)
    try:
        study: Study = pickle.loads(pickled)
    except Exception as error:  # noqa: BLE001 -- a learner's module is not here, say
        line.send(RuntimeError(error_line(error)))
        return
    line.send(READY)
    while (job := jobs.get()) != STOP and _run(line, study, job, max_memory):
        pass
    if has_children():
        end_group()


def _receive(connection: Connection, jobs: queue.SimpleQueue[Any]) -> None:
    """Pass on what arrives; when the other side is gone, end at once.

    A thread of its own does this, so that a process whose coordinator was killed does
    not go on with a cell that nobody waits for.
    """
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError):
        end_group()


def _run(line: _Line, study: Study, job: Job, max_memory: int | None) -> bool:
    """Run one cell and send its outcome; return whether to go on."""
    try:
        outcome = run_cell(
            study,
            job,
            begin=partial(line.send, BEGUN),
            limit=partial(memory_limit, max_memory),
        )
    except Exception as error:  # noqa: BLE001 -- told to the coordinator
        line.send(RuntimeError(error_line(error)))
        return True
    except BaseException as error:  # noqa: BLE001 -- the learner's: Ctrl-C is not heard
        outcome = failed(job, "raised", error_line(error), details=error_place(error))
    flush_output()
    last = outcome.failure == "memory" or has_children()
    line.send(Answer(outcome, last))
    return not last
