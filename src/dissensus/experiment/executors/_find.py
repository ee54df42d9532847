"""The executors by name."""

from __future__ import annotations

from typing import Any

from dissensus.exceptions import ExecutorError
from dissensus.experiment.executors._base import Executor, SerialExecutor
from dissensus.experiment.executors._dask import DaskExecutor
from dissensus.experiment.executors._pool import ProcessExecutor
from dissensus.experiment.executors._worker_process import warm_up
from dissensus.utils._names import suggest

EXECUTORS: dict[str, Any] = {
    "dask": DaskExecutor,
    "processes": ProcessExecutor,
    "serial": SerialExecutor,
}


def find_executor(executor: str | Executor | None) -> Executor:
    """Return an executor that is given by name, as an object, or not at all."""
    if executor is None:
        return ProcessExecutor()
    if isinstance(executor, str):
        if executor not in EXECUTORS:
            raise ExecutorError(
                f"There is no executor {executor!r}. {suggest(executor, EXECUTORS)}"
            )
        made: Executor = EXECUTORS[executor]()
        return made
    # Whether it has n_workers is not asked: that may have to start a cluster.
    if not hasattr(type(executor), "run"):
        raise ExecutorError(
            f"executor is {executor!r}. It must be a name ({', '.join(EXECUTORS)}) or "
            "an executor."
        )
    return executor


def prepare(executor: Executor) -> None:
    """Begin what an executor needs, while the study is still being read."""
    if isinstance(executor, ProcessExecutor):
        warm_up()
