"""A worker process, seen from the process that hands out jobs."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from dissensus.exceptions import ExecutorError
from dissensus.experiment.executors._process_group import kill_group
from dissensus.experiment.executors._worker import BEGUN, READY, STOP, Answer, serve
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._cell import failed
from dissensus.store import Job, Outcome

# On Linux workers are forked from a server which has imported everything and has no
# threads: 20 ms instead of 2 s for a new worker. (To fork this process itself would be
# unsafe, as polars and BLAS have threads.)
METHOD = "forkserver" if sys.platform == "linux" else "spawn"
PRELOAD = [
    "dissensus.utils._server",  # the first, so that it ends with this process
    "dissensus.experiment.executors._worker",
    "dissensus.bayes",
    "dissensus.ensemble",
    "dissensus.linear",
    "sklearn.datasets",  # of the embedded data sets
    "dissensus.experiment.executors._signals",  # the last, as it ends `_deaf_to_ctrl_c`
]
LOOK_EVERY = 1.0  # seconds after which it is asked whether a process still lives
_start_lock = threading.Lock()


def warm_up() -> None:
    """Start the server of worker processes, whose imports take a second.

    It works while the caller does something else; the first worker would wait for it.
    """
    if METHOD == "forkserver":
        with _start_lock:
            _ensure_server()


def _ensure_server() -> None:
    """Start the server unless it runs, from a thread that does not end.

    The kernel ends the server with the *thread* that started it, which may be one of
    many that come and go.
    """
    started = threading.Event()

    def start() -> None:
        from multiprocessing import forkserver  # not on Windows

        server: Any = forkserver._forkserver
        before = server._forkserver_pid
        try:
            with suppress(OSError), _startable():  # a worker's start will say why
                multiprocessing.get_context(METHOD).set_forkserver_preload(PRELOAD)
                server.ensure_running()
        finally:
            started.set()
        if server._forkserver_pid != before:
            threading.Event().wait()

    threading.Thread(target=start, name="server-of-workers", daemon=True).start()
    started.wait()


def start_process(
    target: Callable[..., None], *arguments: Any
) -> tuple[BaseProcess, Connection]:
    """Start a process; its first argument is the other end of the connection."""
    context: Any = multiprocessing.get_context(METHOD)
    ours, theirs = context.Pipe()
    process = context.Process(
        target=target, args=(theirs, *arguments), daemon=True, name="dissensus-worker"
    )
    with _start_lock:
        if METHOD == "forkserver":
            _ensure_server()
        with _startable():
            process.start()
    theirs.close()
    return process, ours


def kill(process: BaseProcess) -> None:
    """End a process and what learners have started in it, now."""
    with suppress(Exception):  # it may be gone, with its server or without
        kill_group(process.pid)
        process.kill()
        process.join(5.0)


def how_it_ended(process: BaseProcess) -> str:
    """Return how a process that is gone has ended, in words."""
    process.join(5.0)
    code = process.exitcode
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


class WorkerDiedError(Exception):
    """A worker process ended in the middle of a cell."""


class WorkerProcess:
    """One process that runs cells of one study, one after the other.

    Parameters
    ----------
    study : Study
        The study.
    time_limit : float or None
        Seconds that a learner may take in a cell.
    memory_limit : int or None
        Bytes that a cell may allocate.
    start_timeout : float, default=120
        Seconds that the process may take to start.
    """

    def __init__(
        self,
        study: Study,
        *,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        start_timeout: float = 120.0,
    ) -> None:
        self.time_limit = time_limit
        self.alive = True
        self._process, self._connection = start_process(
            serve, pickle.dumps(study), memory_limit
        )
        self._wait_until_ready(start_timeout)

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return self._process.pid

    def _wait_until_ready(self, seconds: float) -> None:
        try:
            answer = self._receive(seconds)
        except (EOFError, OSError):
            raise ExecutorError(
                f"a worker process could not start: it {self._end()}."
            ) from None
        if answer == READY:
            return
        self.kill()
        if answer is None:
            raise ExecutorError(f"a worker process did not start within {seconds:g} s.")
        raise ExecutorError(f"a worker process cannot run this study: {answer}")

    def run(self, job: Job) -> Outcome:
        """Run a cell and return its outcome.

        Raises
        ------
        WorkerDiedError
            If the process ended; what was the cause is not known.
        ExecutorError
            If the process cannot run the cell, whatever the learner.
        """
        try:
            self._connection.send(job)
            answer = self._receive(None)
            if answer == BEGUN:
                answer = self._receive(self.time_limit)
        except (EOFError, OSError):
            raise WorkerDiedError(f"its process {self._end()}") from None
        if answer is None:
            self.kill()
            words = f"it ran longer than the limit of {self.time_limit:g} s"
            return failed(job, "time", words)
        if not isinstance(answer, Answer):
            raise ExecutorError(f"a worker cannot run {job.task}: {answer}")
        if answer.last:
            self.close()
        return answer.outcome

    def _receive(self, seconds: float | None) -> Any:
        """Return the next message; None if there is none in time.

        The connection alone does not tell that the process has ended: processes that a
        learner forked hold it open.

        Raises
        ------
        EOFError, OSError
            If the process has ended.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            left = LOOK_EVERY if deadline is None else deadline - time.monotonic()
            ends: list[Any] = [self._connection, self._process.sentinel]
            ready = wait(ends, max(0.0, min(left, LOOK_EVERY)))
            if self._connection in ready:
                return self._connection.recv()
            if (ready or self._has_ended()) and not self._connection.poll():
                raise EOFError
            if not ready and left <= 0:
                return None

    def _has_ended(self) -> bool:
        # On Linux the server of workers has told so: to ask would take its message.
        return METHOD != "forkserver" and not self._process.is_alive()

    def close(self) -> None:
        """Let the process end by itself."""
        self.alive = False
        with suppress(OSError):
            self._connection.send(STOP)
        self._process.join(1.0)
        self.kill()

    def kill(self) -> None:
        """End the process and what learners have started in it, now.

        A `run` in another thread raises `WorkerDiedError`.
        """
        self.alive = False
        kill(self._process)

    def _end(self) -> str:
        """Return how the process ended."""
        self.alive = False
        words = how_it_ended(self._process)
        kill_group(self.pid)
        return words


@contextmanager
def _startable() -> Iterator[None]:
    """Let a process be started whatever the main program is.

    Two habits of multiprocessing are in the way. A new process would import the main
    program, which runs a script without `if __name__ == "__main__"` a second time; ours
    need nothing of it. And a daemon, such as a worker of Dask, is refused children, as
    they might outlive it; ours end when their connection does.
    """
    main = sys.modules["__main__"]
    here: Any = multiprocessing.current_process()
    configuration = here._config
    try:
        sys.modules["__main__"] = types.ModuleType("__main__")
        here._config = {**configuration, "daemon": False}
        with _deaf_to_ctrl_c():
            yield
    finally:
        sys.modules["__main__"] = main
        here._config = configuration


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Let processes that are started here not hear Ctrl-C.

    It is for this process, which stops the others. The server of workers would
    otherwise show a traceback if it came while it imports.
    """
    if sys.platform == "win32":
        yield
        return
    # First, as it would undo the mask when it is started within.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
