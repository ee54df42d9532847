"""The coordinating process killed, again and again: nothing is lost or done twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus.experiment.executors._worker_process import METHOD, PRELOAD, _startable
from tests.experiment.chaos import BOUND, Campaign, processes, wait_until
from tests.experiment.cluster import Cluster, connected
from tests.experiment.learners import Endless, HoldsTheLock
from tests.experiment.studies import (
    count_cells,
    read_store,
    run_400_cells,
    run_learner,
)

# Most at places where a run begins at once; the cluster last, which starts meanwhile.
RUNS = {"serial": 10, "processes": 3, "dask": 2, "cluster": 5}
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are looked for in /proc"
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A Dask cluster, whose workers may be killed: others take their place."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def start(target: Callable[..., None], *arguments: Any) -> Any:
    """Start a process that runs a study, and wait until it begins with cells."""
    context: Any = multiprocessing.get_context(METHOD)
    context.set_forkserver_preload([*PRELOAD, "tests.experiment.studies"])
    begun = context.Event()
    process = context.Process(target=target, args=(*arguments, begun))
    with _startable():
        process.start()
    wait_until(begun.is_set)
    return process


def wait_for_cells(path: Path, n_cells: int) -> None:
    """Wait until a study has saved so many more cells."""
    enough = count_cells(path) + n_cells
    wait_until(lambda: count_cells(path) >= enough)


def kill(process: Any) -> None:
    process.kill()
    process.join(30)


@pytest.mark.slow
def test_studies_killed_twenty_times_have_every_cell_once_and_leave_nothing_behind(
    tmp_path: Path, rng: np.random.Generator, cluster: Cluster
) -> None:
    campaign = Campaign(tmp_path, rng, cluster)
    campaign.run(place for place, count in RUNS.items() for _ in range(count))
    coordinators = {
        place: kills
        for (place, victim), kills in campaign.kills.items()
        if victim == "coordinator"
    }
    assert coordinators == RUNS


@pytest.mark.slow
def test_workers_that_hold_the_lock_end_with_a_killed_study(tmp_path: Path) -> None:
    file = tmp_path / "was-here"
    process = start(run_learner, HoldsTheLock(str(file)), "processes", "")
    wait_until(file.exists)
    workers = workers_below(process.pid)
    kill(process)
    assert workers
    wait_until(partial(all_gone, workers), BOUND)


@pytest.mark.slow
def test_workers_that_are_stopped_end_with_a_killed_study(tmp_path: Path) -> None:
    file = tmp_path / "busy"
    process = start(run_learner, HoldsTheLock(str(file)), "processes", "")
    wait_until(lambda: file.exists() and len(workers_below(process.pid)) == 2)
    below = [*children_of({process.pid}), *workers_below(process.pid)]
    for pid in below:
        os.kill(pid, signal.SIGSTOP)
    kill(process)
    wait_until(partial(all_gone, below), BOUND)


@pytest.mark.slow
def test_cells_without_end_on_a_cluster_end_with_a_killed_study(
    cluster: Cluster,
) -> None:
    with connected(cluster, 2) as client:
        address = client.scheduler.address
        process = start(run_learner, Endless(), "cluster", address)
        dask = {worker.pid for worker in cluster.workers}

        def cells() -> list[int]:
            return children_of(set(children_of(dask)))

        wait_until(lambda: len(cells()) == 2)
        kill(process)
        wait_until(lambda: not cells(), BOUND)
        # Those that were queued are dropped, and nobody is told of the study any more.
        wait_until(lambda: client.run_on_scheduler(what_is_left) == [], BOUND)


def what_is_left(dask_scheduler: Any) -> list[str]:
    """Return all that a scheduler knows of studies."""
    known = (
        *dask_scheduler.tasks,
        *dask_scheduler.plugins,
        *dask_scheduler.worker_plugins,
    )
    return [name for name in known if name.startswith("dissensus-")]


@pytest.mark.slow
def test_ctrl_c_in_the_terminal_stops_a_study_and_its_workers(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    process = start(run_400_cells, str(path), "processes")
    wait_for_cells(path, 10)
    workers = workers_below(process.pid)
    for pid in (process.pid, *workers):  # as the terminal does
        os.kill(pid, signal.SIGINT)
    process.join(30)
    assert process.exitcode == 1  # a KeyboardInterrupt that nobody caught
    wait_until(partial(all_gone, workers))
    assert 10 <= count_cells(path) < 400
    read_store(path)


def all_gone(pids: list[int]) -> bool:
    return not set(pids) & set(processes())


def children_of(pids: set[int]) -> list[int]:
    return [child for child, above in processes().items() if above in pids]


def workers_below(pid: int) -> list[int]:
    """Return the children of the children of a process: its fork server's workers."""
    return children_of(set(children_of({pid})))
