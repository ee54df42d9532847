"""The coordinating process killed, again and again: nothing is lost or done twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus.experiment import run_experiment
from dissensus.experiment._process import METHOD, PRELOAD, _startable
from tests.experiment.studies import (
    count_cells,
    read_store,
    run_400_cells,
    spec_of_400_cells,
)

N_KILLS = 20
MOST_CELLS = 19  # between two kills: so the study is not done before the last one
pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="processes are killed by a signal"
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a study that nobody disturbed."""
    path = tmp_path_factory.mktemp("undisturbed") / "study.sqlite"
    run_400_cells(str(path), "serial")
    return path


def start(path: Path, executor: str, n_permits: int | None = None) -> Any:
    """Start a process that runs the study, and wait until it begins with cells."""
    context: Any = multiprocessing.get_context(METHOD)
    if METHOD == "forkserver":
        context.set_forkserver_preload([*PRELOAD, "tests.experiment.studies"])
    begun = context.Event()
    permits = None if n_permits is None else context.Semaphore(n_permits)
    process = context.Process(
        target=run_400_cells, args=(str(path), executor, begun, permits)
    )
    with _startable():
        process.start()
    assert begun.wait(120)
    return process


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def wait_for_cells(path: Path, n_cells: int) -> None:
    """Wait until a study has saved so many more cells."""
    wait_until_cells(path, count_cells(path) + n_cells)


def wait_until_cells(path: Path, n_cells: int) -> None:
    """Wait until a study has saved so many cells."""
    wait_until(lambda: count_cells(path) >= n_cells)


def kill(process: Any) -> None:
    process.kill()
    process.join(30)


def test_a_study_killed_at_twenty_random_moments_has_every_cell_once(
    undisturbed: Path, tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "study.sqlite"
    counts = []
    for _ in range(N_KILLS):
        before = count_cells(path)
        process = start(path, "serial", MOST_CELLS)
        try:
            wait_until_cells(path, before + int(rng.integers(MOST_CELLS // 2)))
            time.sleep(rng.uniform(0.0, 0.01))
        finally:
            kill(process)  # else it would wait for a permit for ever
        counts.append(count_cells(path))
    assert counts == sorted(counts)
    assert 0 < counts[-1] < 400  # so all kills came in the midst of work
    results = run_experiment(spec_of_400_cells(), path, executor="serial")
    assert (results.n_cells, results.n_failed, results.n_missing) == (400, 0, 0)
    assert read_store(path) == read_store(undisturbed)


@pytest.mark.slow
def test_worker_processes_end_with_a_killed_study_which_then_goes_on(
    undisturbed: Path, tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "study.sqlite"
    counts = []
    for _ in range(2):
        process = start(path, "processes")
        wait_for_cells(path, int(rng.integers(1, 50)))
        workers = workers_below(process.pid)
        kill(process)
        assert workers
        wait_until(partial(all_gone, workers))
        counts.append(count_cells(path))
    assert 0 < counts[0] < counts[1] < 400
    run_experiment(spec_of_400_cells(), path, executor="serial")
    assert read_store(path) == read_store(undisturbed)


@pytest.mark.slow
def test_ctrl_c_in_the_terminal_stops_a_study_and_its_workers(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    process = start(path, "processes")
    wait_for_cells(path, 10)
    workers = workers_below(process.pid)
    for pid in (process.pid, *workers):  # as the terminal does
        os.kill(pid, signal.SIGINT)
    process.join(30)
    assert process.exitcode == 1  # a KeyboardInterrupt that nobody caught
    wait_until(partial(all_gone, workers))
    assert 10 <= count_cells(path) < 400
    read_store(path)


def parents() -> dict[int, int]:
    """Return the parent of each process that is running."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                found[int(folder.name)] = int(fields[1])
    return found


def all_gone(pids: list[int]) -> bool:
    return not set(pids) & set(parents())


def workers_below(pid: int) -> list[int]:
    """Return the children of the children of a process: its fork server's workers."""
    parent = parents()
    children = [child for child, above in parent.items() if above == pid]
    return [child for child, above in parent.items() if above in children]
