"""What a Dask cluster is told about a study; imported where Dask is used."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import distributed

from dissensus.experiment.executors._dask_cells import close_workers, open_workers
from dissensus.experiment.executors._pool import Limits

SETTLED = 5.0  # seconds after which nothing of a client is on its way any more


class StudyPlugin(distributed.WorkerPlugin):
    """Makes a study known to every worker, present or future."""

    def __init__(self, name: str, pickled: bytes, limits: Limits) -> None:
        self.name = name
        self.pickled = pickled
        self.limits = limits

    def setup(self, worker: Any) -> None:  # noqa: ARG002 -- Dask's signature
        """Get ready, when the worker starts or the study does."""
        open_workers(self.name, self.pickled, self.limits)

    def teardown(self, worker: Any) -> None:  # noqa: ARG002 -- Dask's signature
        """End what was started."""
        close_workers(self.name)


class StudyLease(distributed.SchedulerPlugin):
    """Ends a study on all workers when the client that announced it is gone.

    The scheduler then drops tasks that are queued, but not those that are running. A
    client that was killed is gone when its connection closes; one whose machine or
    network fails, when the connection has been silent for the time that Dask allows
    (`distributed.comm.timeouts.tcp`, 30 s).

    Parameters
    ----------
    study : str
        Name of the study's plugin on the workers.
    client : str
        Number of the client that holds the lease.
    """

    def __init__(self, study: str, client: str) -> None:
        self.name = lease_of(study)
        self.study = study
        self.client = client

    def remove_client(self, scheduler: Any, client: str) -> None:
        """End the study if this was its client."""
        if client == self.client:
            scheduler.loop.add_callback(self._end, scheduler)

    async def _end(self, scheduler: Any) -> None:
        # Twice: the study may have been on its way to the scheduler at the first time.
        for seconds in (0, SETTLED):
            await asyncio.sleep(seconds)
            with suppress(ValueError):  # it is gone already
                await scheduler.unregister_worker_plugin(None, self.study)
        with suppress(ValueError):
            scheduler.remove_plugin(self.name)


def lease_of(study: str) -> str:
    """Return the name of a study's plugin on the scheduler."""
    return f"{study}-lease"
