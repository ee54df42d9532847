"""Cells on a cluster of Dask's `distributed`, which is imported when it is used.

A study is made known to all workers by a plugin, which later workers get too: nothing
of it dies with a worker. Cells are small messages, a limited number of them under way,
and each outcome leaves the cluster the moment it is there.
"""

from __future__ import annotations

import pickle
import queue
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import joblib

import dissensus
from dissensus.exceptions import ExecutorError
from dissensus.experiment.executors._dask_cells import run_remote
from dissensus.experiment.executors._pool import (
    DeadCell,
    Limits,
    check_count,
    check_seconds,
    read_limits,
)
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.plan._seeds import digest
from dissensus.experiment.run._cell import failed
from dissensus.store import Job, Outcome

LOOK_EVERY = 1.0  # seconds of silence after which workers are counted
HERE = "127.0.0.1:0"  # any port, for this machine only
IN_FLIGHT = 3  # cells under way for each thread of the cluster


class DaskExecutor:
    """Run cells on the workers of a Dask cluster.

    Parameters
    ----------
    scheduler : str, Client or cluster, default=None
        Address of a scheduler, such as "tcp://10.0.0.1:8786"; a client or a cluster of
        `distributed`; if None, a cluster within this process.
    workers : int, default=None
        Without a scheduler, the number of cells at a time; as many as there are
        processors if None.
    time_limit : float, default=None
        Seconds that a learner may take in one cell.
    memory_limit : int or str, default=None
        Memory that one cell may allocate, such as "2 GB" (Linux only).
    retries : int, default=1
        How often a cell is run again, with no other beside it, after its process died.
    no_worker_timeout : float, default=60
        Seconds without any worker after which the study stops.
    security : distributed.Security, default=None
        Certificates for a scheduler that is given by its address, such as
        "tls://10.0.0.1:8786".

    See Also
    --------
    ProcessExecutor : Run cells on this machine only.

    Notes
    -----
    Needs the extra `dask`, and the same version of this package on all machines. Data
    sets are loaded by each worker, from the same path or from its own folder
    `DISSENSUS_DATA`, and must have the same content. Each thread of a Dask worker runs
    cells in a process of its own, so limits hold, and a learner that crashes does not
    take its worker along. These processes end with the study, and with the process
    that runs it, even if that is killed.

    Whoever can reach a scheduler or a worker can run code there and send code back:
    the parts of a cluster trust each other. Use one in a network of its own, or with
    `security`.

    Examples
    --------
    >>> from dissensus.experiment import DaskExecutor, ExperimentSpec, run_experiment
    >>> spec = ExperimentSpec(["iris"], ["c45"])
    >>> executor = DaskExecutor("tcp://10.0.0.1:8786", time_limit=600)
    >>> run_experiment(spec, "iris.sqlite", executor=executor)  # doctest: +SKIP
    """

    def __init__(
        self,
        scheduler: Any = None,
        *,
        workers: int | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        retries: int = 1,
        no_worker_timeout: float = 60.0,
        security: Any = None,
    ) -> None:
        if workers is not None:
            check_count(workers, "workers", 1)
        check_count(retries, "retries", 0)
        check_seconds(no_worker_timeout, "no_worker_timeout")
        self.scheduler = scheduler
        self.workers = workers
        self.limits = read_limits(time_limit, memory_limit)
        self.retries = retries
        self.no_worker_timeout = no_worker_timeout
        if security is not None and not isinstance(scheduler, str):
            raise ExecutorError(
                f"security is for the address of a scheduler; scheduler is "
                f"{scheduler!r}. Give an address, or security to the client or cluster."
            )
        self.security = security

    @property
    def n_workers(self) -> int:
        """Number of cells that are run at the same time, now."""
        with self._client() as client:
            return sum(client.nthreads().values()) or 1

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
        if not jobs:
            return
        with self._client() as client:
            notice = _Notice(client, study, self.limits)
            flow = _Flow(client, notice, self.no_worker_timeout)
            suspects = []
            try:
                notice.put_up()
                for found in flow.work(jobs):
                    if isinstance(found, DeadCell):
                        suspects.append(found)
                    else:
                        yield found
                for suspect in suspects:
                    yield self._alone(flow, suspect)
            finally:
                flow.stop()
                notice.take_down()

    def _alone(self, flow: _Flow, suspect: DeadCell) -> Outcome:
        """Run a suspect with no other cell beside it; blame it if it dies again."""
        for _ in range(self.retries):
            (found,) = flow.work([suspect.job])
            if isinstance(found, Outcome):
                return found
            suspect = found
        return failed(suspect.job, "died", suspect.error)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _import_distributed()
        if isinstance(self.scheduler, distributed.Client):
            yield self.scheduler
        elif self.scheduler is not None:
            with _connect(self.scheduler, self.security) as client:
                yield client
        else:
            cluster = distributed.LocalCluster(
                n_workers=1,
                threads_per_worker=self.workers or joblib.cpu_count(),
                processes=False,
                dashboard_address=HERE,
                worker_dashboard_address=HERE,
            )
            with cluster, _connect(cluster) as client:
                yield client


def tls_security(ca: str, cert: str, key: str) -> Any:
    """Return the security of an encrypted connection, from three PEM files."""
    return _import_distributed().Security(
        require_encryption=True,
        tls_ca_file=ca,
        tls_client_cert=cert,
        tls_client_key=key,
    )


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ExecutorError(
            "The Dask executor needs distributed, which is not installed: "
            'pip install "dissensus[dask]"'
        ) from None
    return distributed


def _connect(scheduler: Any, security: Any = None) -> Any:
    options = {} if security is None else {"security": security}
    try:
        return _import_distributed().Client(scheduler, set_as_default=False, **options)
    # TypeError is what a tls:// address without certificates gives.
    except (OSError, TimeoutError, TypeError, ValueError) as error:
        cure = (
            "Start one with 'dask scheduler', and workers with 'dask worker ADDRESS'."
        )
        if str(scheduler).startswith("tls:"):
            cure = "Is it there, and are these the certificates that it wants?"
        raise ExecutorError(
            f"There is no Dask scheduler at {scheduler!r} ({error}). {cure}"
        ) from None


class _Notice:
    """A study that all workers know as long as it runs, and its client is there."""

    def __init__(self, client: Any, study: Study, limits: Limits) -> None:
        self._client = client
        self._pickled = pickle.dumps(study)
        self._limits = limits
        self.name = ""

    def put_up(self) -> None:
        """Tell all workers, under a new name: a lease on an older one has ended."""
        from dissensus.experiment.executors._dask_plugin import StudyLease, StudyPlugin

        name = f"dissensus-{digest(self._pickled.hex(), time.time())[:16]}"
        plugin = StudyPlugin(name, self._pickled, self._limits)
        self._client.register_plugin(StudyLease(name, self._client.id))
        self._client.register_plugin(plugin, name=name)
        self.name = name

    def take_down(self) -> None:
        """Let workers end what they do for the study."""
        from dissensus.experiment.executors._dask_plugin import lease_of

        if not self.name or not _is_connected(self._client):
            return  # without a connection it would wait for long
        with suppress(Exception):  # the scheduler may go just now
            self._client.unregister_worker_plugin(self.name)
        with suppress(Exception):
            self._client.unregister_scheduler_plugin(lease_of(self.name))


def _is_connected(client: Any) -> bool:
    return bool(client.status == "running")


class _Flow:
    """Cells on their way to the cluster and back."""

    def __init__(self, client: Any, notice: _Notice, no_worker_timeout: float) -> None:
        self._client = client
        self._notice = notice
        self._patience = no_worker_timeout
        self._running: dict[Any, Job] = {}
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._n_sent = 0
        self._lost = False  # whether the scheduler has dropped this client
        self._seen = time.monotonic()  # when a worker was last seen

    def work(self, jobs: Sequence[Job]) -> Iterator[Outcome | DeadCell]:
        """Run jobs and yield what becomes of them, in any order."""
        waiting = deque(jobs)
        room = self._room()
        while waiting or self._running:
            while waiting and len(self._running) < room and _is_connected(self._client):
                self._send(waiting.popleft())
            try:
                future = self._finished.get(timeout=LOOK_EVERY)
            except queue.Empty:
                self._check_workers()
                room = self._room()
                continue
            job = self._running.pop(future)
            found = self._result(future, job)
            if found is None:
                waiting.append(job)
                self._lost = True
            else:
                self._seen = time.monotonic()
                yield found

    def stop(self) -> None:
        """Call off what is under way."""
        if self._running and _is_connected(self._client):
            with suppress(Exception):  # the scheduler may go just now
                self._client.cancel(list(self._running), force=True)

    def _send(self, job: Job) -> None:
        if self._lost:
            self._notice.put_up()
            self._lost = False
        self._n_sent += 1
        future = self._client.submit(
            run_remote,
            self._notice.name,
            dissensus.__version__,
            job,
            key=f"{self._notice.name}-{self._n_sent}",
            pure=False,
        )
        self._running[future] = job
        future.add_done_callback(self._finished.put)

    def _result(self, future: Any, job: Job) -> Outcome | DeadCell | None:
        """Return what became of a cell; None if it has to be sent again."""
        distributed = _import_distributed()
        try:
            found: Outcome | DeadCell = future.result(timeout=self._patience)
        except distributed.KilledWorker:
            return DeadCell(job, "the workers that ran it died")
        except (distributed.CancelledError, TimeoutError):
            return None  # it was lost with the scheduler
        return found

    def _room(self) -> int:
        return max(8, IN_FLIGHT * self._n_threads())

    def _n_threads(self) -> int:
        """Return the number of threads of the cluster, 0 if nobody answers."""
        with suppress(OSError, TimeoutError, ValueError):
            if _is_connected(self._client):
                return sum(self._client.nthreads().values())
        return 0

    def _check_workers(self) -> None:
        """Raise an error if there has been no worker for too long."""
        now = time.monotonic()
        if self._n_threads():
            self._seen = now
        elif now - self._seen > self._patience:
            who = "worker" if _is_connected(self._client) else "scheduler"
            raise ExecutorError(
                f"No Dask {who} has been there for {self._patience:g} s. What was done "
                "is saved: start it again, and run the same again."
            )
