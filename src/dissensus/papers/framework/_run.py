"""Run the parts of a paper, each as far as it is not in the store, and analyse them."""

from __future__ import annotations

import importlib
import os
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from joblib import Parallel, cpu_count, delayed

from dissensus.datasets import DataSource, Loaded
from dissensus.exceptions import PaperError
from dissensus.experiment import (
    Executor,
    ProcessExecutor,
    Progress,
    SerialExecutor,
    one_thread,
    run_experiment,
    seed_of,
)
from dissensus.papers._find import find_paper
from dissensus.papers.framework._paper import (
    SCALES,
    Claim,
    Comparison,
    Findings,
    Measured,
    Measurement,
    Paper,
    Part,
    Scale,
    Section,
)
from dissensus.papers.framework._plan import PlannedPart, plan_parts
from dissensus.papers.framework._store import PaperStore
from dissensus.results import Results
from dissensus.utils._names import suggest
from dissensus.utils._texts import error_line

Listener = Callable[[str, Progress], None]


@dataclass(frozen=True, slots=True, eq=False)
class PartReport:
    """One part of a paper, run and analysed.

    Attributes
    ----------
    part : Part
        The part.
    section : Section
        Tables, comparisons, claims and notes.
    n_cells, n_failed : int
        Numbers of cells and measurements, and of those that ended with an error. A
        study that several parts look at counts for the first of them.
    seconds : float
        Wall time of all fits and predictions, added up.
    """

    part: Part
    section: Section
    n_cells: int
    n_failed: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """A paper, run again.

    Attributes
    ----------
    paper : Paper
        The paper.
    scale : Scale
        How much of it was run.
    parts : tuple of PartReport
        What was run.
    finished : str
        Time at which it was analysed, as ISO 8601.
    """

    paper: Paper
    scale: Scale
    parts: tuple[PartReport, ...]
    finished: str

    @property
    def claims(self) -> list[Claim]:
        """The claims of all parts."""
        return [claim for report in self.parts for claim in report.section.claims]

    @property
    def comparisons(self) -> list[Comparison]:
        """The published numbers of all parts, beside ours."""
        return [c for report in self.parts for c in report.section.comparisons]

    @property
    def n_cells(self) -> int:
        """Number of cells and measurements."""
        return sum(report.n_cells for report in self.parts)

    @property
    def n_failed(self) -> int:
        """Number of cells and measurements that ended with an error."""
        return sum(report.n_failed for report in self.parts)

    @property
    def seconds(self) -> float:
        """Wall time of all fits and predictions, added up."""
        return sum(report.seconds for report in self.parts)


def reproduce(
    paper: str | Paper,
    scale: str | Scale = "quick",
    *,
    parts: Iterable[str] = (),
    data_dir: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    listener: Listener | None = None,
    retry_failed: bool = False,
) -> Reproduction:
    """Run the experiments of a paper, or what is missing of them.

    Parameters
    ----------
    paper : {"maclen", "decorate", "cascade"} or Paper
        Which one.
    scale : {"quick", "full"} or Scale, default="quick"
        "quick" is one cross-validation on the data sets below 1,000 rows; "full" is the
        published protocol.
    parts : iterable of str, default=()
        Names of parts; all if empty.
    data_dir : str or path, default=None
        Folder of the data sets; the variable `DISSENSUS_DATA` if None.
    store : str or path, default=None
        The file that keeps results; `NAME.sqlite` in the working directory if None. To
        resume is to call this again.
    workers : int, default=None
        Number of processes; as many as there are processors if None.
    listener : callable, default=None
        Called with the name of a study and a `Progress` after each cell.
    retry_failed : bool, default=False
        Run again what is in the store with an error.

    Returns
    -------
    Reproduction
        Tables, published numbers beside ours, and claims judged.

    Raises
    ------
    MissingDataError
        If data sets are not found; all of them are named.

    See Also
    --------
    run_experiment : Run one study.

    Notes
    -----
    Both scales share one store: what "quick" has run is part of "full".
    """
    found = find_paper(paper) if isinstance(paper, str) else paper
    size = _find_scale(scale) if isinstance(scale, str) else scale
    planned = plan_parts(found, found.choose(parts), size, data_dir)
    if not planned:
        raise PaperError("no data set is left to run this part on.")
    run = _Run(
        f"{found.name}.sqlite" if store is None else store,
        cpu_count() if workers is None else workers,
        listener or (lambda _name, _progress: None),
        retry_failed,
    )
    reports = tuple(run.part(found, part) for part in planned)
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    return Reproduction(found, size, reports, finished)


def _find_scale(name: str) -> Scale:
    if name not in SCALES:
        raise PaperError(f"there is no scale {name!r}. {suggest(name, SCALES)}")
    return SCALES[name]


@dataclass(frozen=True, slots=True)
class _Run:
    """How and where things are run."""

    store: str | os.PathLike[str]
    workers: int
    listener: Listener
    retry_failed: bool
    counted: set[str] = field(default_factory=set)  # studies of earlier parts

    def part(self, paper: Paper, planned: PlannedPart) -> PartReport:
        """Run and analyse one part."""
        results = {
            name: run_experiment(
                spec,
                self.store,
                executor=self._executor(),
                progress=self._told(name),
                retry_failed=self.retry_failed,
            )
            for name, spec in planned.specs.items()
        }
        measured = self.measure(planned.part.name, planned.measurements)
        good = [m for m in measured if not m.error]
        if measured and not good:
            section = Section(notes=[f"All measurements failed: {measured[0].error}"])
        else:
            findings = Findings(results, good, paper.published())
            section = planned.part.analyse(findings)
        own = [r for name, r in results.items() if name not in self.counted]
        self.counted.update(results)
        return PartReport(
            planned.part,
            section,
            sum(r.n_cells for r in own) + len(measured),
            sum(r.n_failed for r in own) + sum(bool(m.error) for m in measured),
            sum(map(_seconds, own)) + sum(m.seconds for m in measured),
        )

    def measure(self, name: str, measurements: Sequence[Measurement]) -> list[Measured]:
        """Make the measurements that are not in the store; return all of them."""
        if not measurements:
            return []
        with PaperStore(self.store) as store:
            saved = {number: store.find(m) for number, m in enumerate(measurements)}
            left = [n for n, old in saved.items() if self._is_left(old)]
            told = _Countdown(name, len(measurements), len(left), self.listener)
            work = Parallel(
                n_jobs=self.workers, return_as="generator_unordered", batch_size=1
            )
            try:
                for number, new in work(
                    delayed(_measure)(n, measurements[n]) for n in left
                ):
                    store.save(measurements[number], new)
                    saved[number] = new
                    told.step()
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"stopped: {told.total - told.left} of {told.total} measurements "
                    f"of {name!r} are saved in {store.name}. Run the same again to go "
                    "on."
                ) from None
        return [m for m in saved.values() if m is not None]

    def _is_left(self, old: Measured | None) -> bool:
        return old is None or (self.retry_failed and bool(old.error))

    def _executor(self) -> Executor:
        return SerialExecutor() if self.workers == 1 else ProcessExecutor(self.workers)

    def _told(self, name: str) -> Callable[[Progress], None]:
        return lambda progress: self.listener(name, progress)


@dataclass(slots=True)
class _Countdown:
    """Tell a listener how many measurements are left."""

    name: str
    total: int
    left: int
    listener: Listener
    done: int = 0
    start: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """Count one that was saved."""
        self.done, self.left = self.done + 1, self.left - 1
        spent = time.monotonic() - self.start
        time_left = spent / self.done * self.left
        done = self.total - self.left
        self.listener(self.name, Progress(done, self.total, 0, spent, time_left))


def _seconds(results: Results) -> float:
    cells = results.cells
    return float(cells["fit_seconds"].sum() + cells["predict_seconds"].sum())


def _measure(number: int, measurement: Measurement) -> tuple[int, Measured]:
    """Make one measurement; an error of it becomes its result."""
    module, _, name = measurement.function.partition(":")
    function: Any = getattr(importlib.import_module(module), name)
    source, arguments = measurement.source, dict(measurement.arguments)
    data = _load(source)
    seed = seed_of(measurement.function, source.name, arguments)
    start, content, error = time.perf_counter(), None, ""
    try:
        with one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes with few rows, and the like
            content = function(data, seed, **arguments)
    except Exception as raised:  # noqa: BLE001 - a row with its error
        error = error_line(raised)
    seconds = time.perf_counter() - start
    return number, Measured(source.name, arguments, content, error, seconds)


def _load(source: DataSource) -> Loaded:
    """Return a data set; each worker keeps the one that it was asked for last."""
    if source.fingerprint not in _kept:
        _kept.clear()
        _kept[source.fingerprint] = source.load()
    return _kept[source.fingerprint]


_kept: dict[str, Loaded] = {}
