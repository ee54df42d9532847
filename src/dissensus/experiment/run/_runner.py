"""Run a study: what is not yet in the store is run, and saved cell by cell."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from dissensus.exceptions import SpecError
from dissensus.experiment.executors._base import Executor
from dissensus.experiment.executors._find import find_executor, prepare
from dissensus.experiment.run._arrival import Arrivals
from dissensus.experiment.run._progress import (
    ProgressCounter,
    ProgressListener,
    TerminalProgress,
)
from dissensus.experiment.spec._spec import ExperimentSpec, Plan
from dissensus.results import Results
from dissensus.store import IN_MEMORY, Job, Store

WATCH_SECONDS = 15.0  # between two looks whether the store is still there


def run_experiment(
    spec: ExperimentSpec | Mapping[str, Any] | str | os.PathLike[str],
    store: str | os.PathLike[str] | None = None,
    *,
    executor: str | Executor | None = None,
    progress: bool | ProgressListener = False,
    retry_failed: bool = False,
) -> Results:
    """Run a study, or what is missing of it.

    Parameters
    ----------
    spec : ExperimentSpec, mapping, or path of a TOML file
        What to run. It is checked whole before anything runs.
    store : str or path, default=None
        An SQLite file, which is made if it is not there. Cells that it has are not run
        again: to resume a study is to call this once more. In memory if None.
    executor : {"processes", "serial", "dask"} or executor, default=None
        Where cells are run; "processes" if None.
    progress : bool or callable, default=False
        True shows a line in the terminal; a function is called with a `Progress` after
        each cell.
    retry_failed : bool, default=False
        Run cells again that are in the store with an error.

    Returns
    -------
    Results
        Of all cells of the study.

    Raises
    ------
    SpecError
        If the specification has mistakes; it lists them all.
    StoreError
        If the store cannot be written, or is being written by another study.
    ExecutorError
        If there are no workers, or none is left.

    See Also
    --------
    compare : A study of one data set in one line.
    estimate : Count cells and time beforehand.

    Notes
    -----
    Each outcome is saved the moment it is there. Ctrl-C stops all workers and raises
    `KeyboardInterrupt`; what is done is saved. The numbers are the same for every
    executor, number of workers and order of cells.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentSpec, run_experiment
    >>> spec = ExperimentSpec(["iris"], ["c45", "majority"], repeats=1, folds=5)
    >>> print(run_experiment(spec, executor="serial").means())
    accuracy, mean over 5 cells
    dataset     c45  majority
    iris     0.9533    0.3333
    """
    found = find_executor(executor)
    prepare(found)
    plan = read_spec(spec).check()
    opened = Store(store)
    data = dict(zip(plan.study.data, plan.data, strict=True))
    if store is None:
        _run(plan, opened, found, _listener(progress), retry_failed)
        return Results(opened, data)
    with opened:
        _run(plan, opened, found, _listener(progress), retry_failed)
    return Results(store, data)


def read_spec(spec: Any) -> ExperimentSpec:
    """Return a specification given as such, as plain values, or as a TOML file."""
    if isinstance(spec, ExperimentSpec):
        return spec
    if isinstance(spec, Mapping):
        return ExperimentSpec.from_dict(spec)
    if not isinstance(spec, str | os.PathLike):
        raise SpecError([f"spec is {spec!r}. It must be a study, or a TOML file."])
    return ExperimentSpec.from_toml(spec)


def saved_states(plan: Plan, store: Store) -> dict[Job, str | None]:
    """Return for each job how it failed: "" if it did not, None if it is not saved."""
    states = store.states()
    return {job: states.get(plan.study.key(job)) for job in plan.jobs}


def _run(
    plan: Plan,
    store: Store,
    executor: Executor,
    listener: ProgressListener | None,
    retry_failed: bool,
) -> None:
    study = plan.study
    states = saved_states(plan, store)
    jobs = [
        job
        for job, state in states.items()
        if state is None or (retry_failed and state)
    ]
    store.begin_run(study, plan.data, plan.spec)
    failed = 0 if retry_failed else sum(map(bool, states.values()))
    done = len(plan.jobs) - len(jobs)
    counter = ProgressCounter(len(plan.jobs), done, failed, listener)
    arrivals = Arrivals(study, jobs, dict(zip(study.data, plan.data, strict=True)))
    try:
        counter.begin()
        # Closing the outcomes stops the workers, whatever ends the loop.
        with _watched(store), closing(executor.run(study, jobs)) as outcomes:
            for found in outcomes:
                outcome = arrivals.take(found)
                if outcome is not None:
                    store.add(study, outcome)
                    counter.add(outcome)
        arrivals.check_all_there()
    except KeyboardInterrupt:
        store.check_place()
        words = f"stopped: {counter.done} of {len(plan.jobs)} cells are"
        if store.name == IN_MEMORY:
            raise KeyboardInterrupt(f"{words} done, and lost.") from None
        raise KeyboardInterrupt(
            f"{words} saved in {store.name}. Run the same again to go on."
        ) from None


@contextmanager
def _watched(store: Store) -> Iterator[None]:
    """Interrupt this thread when the store vanishes while a long cell is run.

    Only the main thread can be interrupted, and only where Ctrl-C is not ignored, as it
    is in the background of a shell script; others notice it with the next cell.
    """
    main = threading.main_thread()
    can_hear = threading.current_thread() is main and callable(
        signal.getsignal(signal.SIGINT)
    )
    if store.name == IN_MEMORY or not can_hear:
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(WATCH_SECONDS):
            if not store.is_there():
                _interrupt(main)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _interrupt(main: threading.Thread) -> None:
    """Do what Ctrl-C does, so that whatever waits is woken."""
    if sys.platform == "win32" or main.ident is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main.ident, signal.SIGINT)


def _listener(progress: bool | ProgressListener) -> ProgressListener | None:
    if callable(progress):
        return progress
    return TerminalProgress() if progress else None
