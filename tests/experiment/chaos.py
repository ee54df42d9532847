"""The kill campaign: `kill -9` at random moments, and what is left behind.

A study is begun, killed and begun again on whatever executor comes next, until it is
complete; then the next one begins. After each kill: what was saved is still saved, each
cell once, no process is left over, and nothing keeps the next run from going on. A
complete study has what an undisturbed one has, byte for byte.

    python -m tests.experiment.chaos 1000
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from dissensus.experiment import run_experiment
from dissensus.experiment.executors._worker_process import METHOD, PRELOAD, _startable
from tests.experiment.cluster import Cluster, connected
from tests.experiment.studies import (
    MARK,
    read_store,
    run_400_cells,
    run_marked,
    spec_of_400_cells,
)

PLACES = ("serial", "processes", "dask", "cluster")
MOST_CELLS = 19  # that one run may save
EARLY = 0.2  # share of runs that are killed while they start
BOUND = 30.0  # seconds after which nothing may be left over
PATIENCE = 120.0


# Processes, as Linux shows them


def processes() -> dict[int, int]:
    """Return the parent of each process that is running."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] not in "ZX":
                found[int(folder.name)] = int(fields[1])
    return found


def is_marked(pid: int, mark: str) -> bool:
    """Whether a process was started by a campaign, or by what that started."""
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return f"{MARK}={mark}".encode() in variables


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> float:
    """Wait for something and return how long that took."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() < start + seconds, f"not within {seconds} s"
        time.sleep(0.002)
    return time.monotonic() - start


# Studies


def saved_keys(path: Path) -> list[str]:
    """Return the keys of all saved cells."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as db:
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        rows = db.execute("SELECT key FROM cells").fetchall() if tables else []
    return [key for (key,) in rows]


class Campaign:
    """Runs of studies, each killed.

    Parameters
    ----------
    folder : Path
        Where stores are kept.
    rng : Generator
        Draws the moments.
    cluster : Cluster
        Runs some of them.
    """

    def __init__(
        self, folder: Path, rng: np.random.Generator, cluster: Cluster
    ) -> None:
        self.kills: Counter[tuple[str, str]] = Counter()
        self.slowest: dict[str, float] = {}  # seconds until all was gone, by place
        self.spent: dict[str, float] = dict.fromkeys(
            PLACES, 0.0
        )  # seconds of all runs, by place
        self.n_complete = 0
        self._folder = folder
        self._rng = rng
        self._cluster = cluster
        self._expected = folder / "undisturbed.sqlite"
        run_400_cells(str(self._expected), "serial")
        self._store = folder / "study-0.sqlite"

    @property
    def n_kills(self) -> int:
        """Number of processes killed."""
        return sum(self.kills.values())

    def run(self, places: Any) -> None:
        """Run the study at these places, one after the other, and kill each run."""
        for place in places:
            start = time.monotonic()
            self._run(place)
            self.spent[place] += time.monotonic() - start
            if len(saved_keys(self._store)) == 400:
                self._complete()
        self._complete()

    def _run(self, place: str) -> None:
        """Start a run, kill it, and look at what is left."""
        before = len(saved_keys(self._store))
        process, begun = self._start(place)
        try:
            if self._rng.random() < EARLY:
                time.sleep(self._rng.uniform(0.0, 1.0))
            else:
                self._wait_for_cells(process, begun, before)
                self._kill_a_worker(place, process)
            known = saved_keys(self._store)
        finally:
            alive = process.is_alive()
            process.kill()
            process.join(PATIENCE)
        if not alive:
            assert process.exitcode == 0, f"{place}: ended with {process.exitcode}"
        else:
            self.kills[place, "coordinator"] += 1
        seconds = wait_until(lambda: not self._left_over(), BOUND)
        self.slowest[place] = max(seconds, self.slowest.get(place, 0.0))
        keys = saved_keys(self._store)
        assert len(keys) == len(set(keys))
        assert set(known) <= set(keys)

    def _start(self, place: str) -> tuple[Any, Any]:
        context: Any = multiprocessing.get_context(METHOD)
        context.set_forkserver_preload(
            [*PRELOAD[:-1], "distributed", "tests.experiment.studies", PRELOAD[-1]]
        )
        begun = context.Event()
        self._permits = permits = context.Semaphore(MOST_CELLS)  # kept, or it is gone
        where = (place, self._address()) if place == "cluster" else (place,)
        arguments = (self._cluster.mark, str(self._store), begun, permits, *where)
        process = context.Process(target=run_marked, args=arguments)
        with _startable():
            process.start()
        return process, begun

    def _wait_for_cells(self, process: Any, begun: Any, before: int) -> None:
        """Wait until some cells are saved, and a moment more."""
        enough = before + int(self._rng.integers(MOST_CELLS // 2))

        def is_far_enough() -> bool:
            if not process.is_alive():
                return True
            return begun.is_set() and len(saved_keys(self._store)) >= enough

        wait_until(is_far_enough)
        time.sleep(self._rng.uniform(0.0, 0.01))

    # Workers

    def _kill_a_worker(self, place: str, process: Any) -> None:
        """Kill a process that runs cells, or a worker of the cluster; or none."""
        choice = self._rng.random()
        if place == "cluster" and choice < 0.2:
            old = self._cluster.workers.pop(0)
            old.kill()
            old.wait()
            self._cluster.workers.append(self._cluster.start_worker())
            self.kills[place, "Dask worker"] += 1
        elif choice < 0.5 and (workers := self._workers(process.pid)):
            with_luck = int(self._rng.choice(workers))
            try:
                os.kill(with_luck, signal.SIGKILL)
            except ProcessLookupError:
                return
            self.kills[place, "worker process"] += 1
            time.sleep(self._rng.uniform(0.0, 0.05))

    def _workers(self, coordinator: int) -> list[int]:
        """Return the processes that run cells: children of a server of workers."""
        parent = processes()
        roots = {coordinator, *self._cluster.pids}
        servers = {pid for pid, above in parent.items() if above in roots}
        found = [pid for pid, above in parent.items() if above in servers]
        return [pid for pid in found if is_marked(pid, self._cluster.mark)]

    def _left_over(self) -> list[int]:
        """Return all processes of ours but the cluster and its servers of workers."""
        parent = processes()
        kept = self._cluster.pids
        return [
            pid
            for pid, above in parent.items()
            if pid not in kept
            and above not in kept
            and is_marked(pid, self._cluster.mark)
        ]

    def _address(self) -> str:
        with connected(self._cluster, 1) as client:
            return str(client.scheduler.address)

    # The end of a study

    def _complete(self) -> None:
        """Run what is missing, compare, and begin the next study."""
        results = run_experiment(spec_of_400_cells(), self._store, executor="serial")
        assert (results.n_cells, results.n_failed, results.n_missing) == (400, 0, 0)
        assert read_store(self._store) == read_store(self._expected)
        self.n_complete += 1
        self._store = self._folder / f"study-{self.n_complete}.sqlite"


def main(count: int, seed: int) -> None:
    """Kill at least so many processes, and tell what happened; Ctrl-C ends it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background too
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name, Cluster(Path(name)) as cluster:
        campaign = Campaign(Path(name), np.random.default_rng(seed), cluster)

        def places() -> Any:
            runs = 0
            while campaign.n_kills < count:
                yield PLACES[runs % len(PLACES)]
                runs += 1
                if runs % 20 == 0:
                    print(f"{campaign.n_kills} kills", file=sys.stderr, flush=True)

        try:
            campaign.run(places())
        finally:
            for (place, victim), kills in sorted(campaign.kills.items()):
                print(f"{place:10} {victim:15} {kills:5} kills")
            for place, seconds in campaign.slowest.items():
                spent = campaign.spent[place]
                print(
                    f"{place:10} all processes gone after at most {seconds:.2f} s; "
                    f"{spent:.0f} s in all"
                )
            print(
                f"{campaign.n_kills} kills, {campaign.n_complete} studies completed "
                f"and compared, seed {seed}, {time.monotonic() - start:.0f} s"
            )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [1000, 0][len(given) :]))
