"""A Dask cluster whose parts are processes of their own, to be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import distributed

from tests.experiment.studies import MARK


class Cluster:
    """A scheduler and two workers of one thread each, without nannies.

    Parameters
    ----------
    folder : Path
        Where the scheduler writes its address.
    options : sequence of str, default=()
        Further options of each process.

    Attributes
    ----------
    mark : str
        The value of the variable `MARK` in all that is started.
    """

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.options = list(options)
        self.mark = f"{os.getpid()}-{time.time_ns()}"
        self.scheduler = self.start("scheduler", "--port", "0")
        self.workers = [self.start_worker() for _ in range(2)]

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", "--no-nanny", "--nthreads", "1")

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(filter(None, [str(Path.cwd()), *sys.path]))
        common = ["--scheduler-file", str(self.file), "--no-dashboard", *self.options]
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words, *common],
            env={**os.environ, MARK: self.mark, "PYTHONPATH": path},
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def pids(self) -> set[int]:
        """Numbers of the processes."""
        return {process.pid for process in (self.scheduler, *self.workers)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def connected(cluster: Cluster, n_workers: int, **options: Any) -> Iterator[Any]:
    """Connect to the scheduler when it and its workers are there."""
    deadline = time.monotonic() + 60
    while not cluster.file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    make: Any = distributed.Client
    options = {"set_as_default": False, "timeout": 60, **options}
    with make(scheduler_file=str(cluster.file), **options) as client:
        client.wait_for_workers(n_workers, timeout=120)
        yield client
