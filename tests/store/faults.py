"""A small study whose n-th write or request for memory fails, for many n.

Run by `test_faults.py` with the library of `faults.c` loaded before all others::

    LD_PRELOAD=faults.so python -m tests.store.faults ENOSPC lasting FOLDER 12

Each study is run in a forked copy of this process, in which everything is imported. The
lines that are printed are JSON: what became of each, judged here.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dissensus.exceptions import StoreError
from dissensus.experiment.executors._base import SerialExecutor
from dissensus.experiment.run._runner import _run
from dissensus.store import _store as store_module
from dissensus.store._store import Store
from tests.experiment.learners import Constant, Raises
from tests.experiment.studies import count_cells, read_store, small_spec

PLAN = small_spec(Constant(), Raises(), folds=3, measures=["accuracy", "auc"]).check()
FAR = 1_000_000_000


@dataclass(frozen=True)
class Fault:
    """What fails: a call with this error, or a request for memory; once, or ever on."""

    error: str
    lasting: bool

    def arm(self, folder: Path, n: int) -> None:
        memory = self.error == "ENOMEM"
        number = getattr(errno, self.error)
        found = LIBRARY.fault_arm(
            os.fsencode(folder), ctypes.c_long(n), number, self.lasting, memory
        )
        assert found or not memory, "the library of SQLite is not to be found"


LIBRARY: Any = ctypes.CDLL(None)


def run(path: Path, listener: Any = None) -> None:
    """Run the study, or the rest of it."""
    with Store(path) as store:
        _run(PLAN, store, SerialExecutor(), listener, False)


def run_copy(path: Path, fault: Fault, n: int) -> dict[str, Any]:
    """Run the study in a copy of this process, with a fault; return what it told."""
    ready, tell = os.pipe()
    copy = os.fork()
    if copy:
        os.close(tell)
        with os.fdopen(ready) as lines:
            told = [json.loads(line) for line in lines]
        os.waitpid(copy, 0)
        return {name: value for line in told for name, value in line.items()}

    def say(**words: Any) -> None:
        os.write(tell, (json.dumps(words) + "\n").encode())

    try:
        fault.arm(path.parent, n)
        try:
            run(path, lambda progress: say(done=progress.done))
        except StoreError as error:
            say(error=str(error))
        finally:
            say(calls=LIBRARY.fault_disarm())
        say(ended=True)
    except BaseException as error:  # noqa: BLE001 -- told to the parent
        say(strange=f"{type(error).__name__}: {error}")
    os._exit(0)


def judge(path: Path, told: dict[str, Any], right: list[Any], n: int) -> str:
    """Return what is wrong with a store after a fault and after going on; "" if all is
    right."""
    if "strange" in told or "ended" not in told:
        return f"foreign: {told.get('strange', 'its process died')}"
    if told["calls"] >= n and "\n" in told.get("error", ""):
        return "the error has several lines"
    if told["calls"] < n and "error" in told:
        return f"an error without a fault: {told['error']}"
    if count_cells(path) < told.get("done", 0):
        return f"{told['done']} cells were told, {count_cells(path)} are there"
    try:
        run(path)
    except StoreError as error:
        return f"it cannot go on: {error}"
    if read_store(path) != right:
        return "the results are other ones"
    left = sorted(file.name for file in path.parent.iterdir())
    return "" if left == [path.name] else f"there is more in the folder: {left}"


def numbers(n_calls: int, count: str) -> Iterator[int]:
    """Return which calls are to fail: all, or some, with the last one and none."""
    if count == "all":
        yield from range(1, n_calls + 2)
    else:
        step = max(1, n_calls // int(count))
        yield from {*range(1, n_calls + 1, step), n_calls, n_calls + 1}


def main(error: str, lasts: str, where: str, count: str) -> None:
    fault, folder = Fault(error, lasts == "lasting"), Path(where)
    # Each cell is moved to the file at once, which writes more.
    store_module.CHECKPOINT_SECONDS = 0.0
    path = folder / "study.sqlite"
    n_calls = run_copy(path, fault, FAR)["calls"]
    right = read_store(path)
    for n in sorted(numbers(n_calls, count)):
        for file in folder.iterdir():
            file.unlink()
        told = run_copy(path, fault, n)
        wrong = judge(path, told, right, n)
        print(json.dumps({"n": n, "of": n_calls, "wrong": wrong, **told}), flush=True)


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        main(*sys.argv[1:])
