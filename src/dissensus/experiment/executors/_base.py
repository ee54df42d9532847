"""The seam between a study and where its cells are run.

An executor is given a study and jobs, and gives back outcomes in whatever order they
come. Outcomes are the same for every executor; only limits and faults are its own.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from typing import Protocol

from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.run._cell import run_cell
from dissensus.experiment.run._output import printing_to_stderr
from dissensus.store import Job, Outcome


class Executor(Protocol):
    """Whatever can run the cells of a study."""

    def run(self, study: Study, jobs: Sequence[Job]) -> Generator[Outcome, None, None]:
        """Run the jobs and yield each outcome the moment it is there.

        When the iterator is closed early, all work stops.
        """
        ...

    @property
    def n_workers(self) -> int:
        """Number of cells that are run at the same time."""
        ...


class SerialExecutor:
    """Run one cell after the other in this process.

    It has no limits for time and memory: a learner that never ends cannot be stopped
    from within its own process. What is printed while a cell runs goes to the standard
    error.

    See Also
    --------
    ProcessExecutor : Run cells side by side, with limits.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentSpec, SerialExecutor, run_experiment
    >>> spec = ExperimentSpec(["iris"], ["majority"], repeats=1, folds=2)
    >>> run_experiment(spec, executor=SerialExecutor()).n_cells
    2
    """

    n_workers = 1

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
            In the order of the jobs.
        """
        for job in jobs:
            yield run_here(study, job)


def run_here(study: Study, job: Job) -> Outcome:
    """Run one cell in this process."""
    owner = os.getpid()
    with printing_to_stderr():
        outcome = run_cell(study, job)
    if os.getpid() != owner:  # a copy, forked by the learner, has nothing to say
        os._exit(0)
    return outcome
