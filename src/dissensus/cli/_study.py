"""What the commands that run a study share: options, the run itself, its end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from dissensus.cli._options import (
    Decorator,
    LearnerText,
    common_options,
    json_option,
    memory_option,
    seed_option,
    together,
)
from dissensus.cli._progress import ProgressBar
from dissensus.cli._results import results_content, show_results
from dissensus.cli._words import note, print_json, print_table, say


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """How a study is run, kept and shown.

    Attributes
    ----------
    scheduler : str or None
        Address of a Dask scheduler.
    jobs : int or None
        Number of worker processes.
    tls_ca, tls_cert, tls_key : str or None
        Files by which that scheduler and this process know each other.
    time_limit : float or None
        Seconds that a learner may take in one cell.
    memory_limit : int or None
        Bytes that a learner may allocate in one cell.
    store : Path or None
        The file of results; None for the usual name.
    report : Path or None
        The page; None for the usual name.
    no_report : bool
        Whether no page is written.
    dry_run, as_json, quiet : bool
        Whether to count only, to write JSON, and to say nothing else.
    """

    scheduler: str | None = None
    jobs: int | None = None
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    store: Path | None = None
    report: Path | None = None
    no_report: bool = False
    dry_run: bool = False
    as_json: bool = False
    quiet: bool = False

    def executor(self) -> Any:
        """Return where cells are run."""
        from dissensus.experiment import DaskExecutor, ProcessExecutor

        limits: Any = {"time_limit": self.time_limit, "memory_limit": self.memory_limit}
        security = self.security()
        if self.scheduler is None:
            return ProcessExecutor(self.jobs, **limits)
        if self.jobs is not None:
            raise click.UsageError(
                "--jobs is for this machine; with --scheduler the workers are its own."
            )
        return DaskExecutor(self.scheduler, security=security, **limits)

    def security(self) -> Any:
        """Return the certificates for the scheduler; None if there are none."""
        files = [file for file in (self.tls_ca, self.tls_cert, self.tls_key) if file]
        if not files:
            return None
        if len(files) < 3 or self.scheduler is None:
            raise click.UsageError(
                "--tls-ca, --tls-cert and --tls-key go together, with --scheduler "
                "tls://HOST:PORT."
            )
        from dissensus.experiment import tls_security

        return tls_security(*files)


def study_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `StudyOptions`, given to the command as one."""

    @wraps(command)
    def gathered(**given: Any) -> None:
        fields = StudyOptions.__dataclass_fields__
        options = StudyOptions(**{name: given.pop(name) for name in fields})
        command(options=options, **given)

    return OPTIONS(gathered)


def tls_option(part: str, about: str) -> Decorator:
    """Return the option for one file of a TLS connection."""
    path = click.Path(exists=True, dir_okay=False)
    return click.option(f"--tls-{part}", metavar="PEM", type=path, help=about)


OPTIONS = together(
    click.option(
        "--report",
        metavar="PAGE",
        type=click.Path(path_type=Path),
        help="The page to write; by default the name of the data with .html, here.",
    ),
    click.option("--no-report", is_flag=True, help="Write no page."),
    click.option(
        "--store",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="The file that keeps all results, so that the same command resumes; by "
        "default the name of the data with .sqlite, here.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        help="Number of processes; as many as processors if not given.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Run on the Dask cluster of this scheduler, such as tcp://10.0.0.1:8786.",
    ),
    tls_option("ca", "Certificate of the authority that the cluster trusts."),
    tls_option("cert", "Certificate of this side."),
    tls_option("key", "Private key of this side."),
    click.option(
        "--time-limit",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        help="What a learner may take for one fold; beyond, it counts as failed.",
    ),
    memory_option(
        "What a learner may allocate for one fold, such as 2GB; beyond, it counts as "
        "failed. Linux only."
    ),
    click.option("--dry-run", is_flag=True, help="Count and estimate; run nothing."),
    json_option,
    common_options,
)

learner_option = click.option(
    "--learner",
    "learners",
    type=LearnerText(),
    multiple=True,
    help="A learner as text, such as nb or 'decorate(c45)'; may be repeated.",
)
repeats_option = click.option(
    "--repeats",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Number of cross-validations.",
)
folds_option = click.option(
    "--folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="Number of folds.",
)
group_option = click.option(
    "--group",
    metavar="COLUMN",
    help="A column whose rows with the same value stay in one fold; it is no input.",
)
resampling_options = together(repeats_option, folds_option, group_option, seed_option)


class Fractions(click.ParamType):  # type: ignore[type-arg]
    """Shares of the training rows, as numbers with commas."""

    name = "fractions"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """Read the numbers."""
        if not isinstance(value, str):
            return tuple(value)
        try:
            return tuple(float(part) for part in value.split(","))
        except ValueError:
            self.fail(
                f"{value!r} is no list of numbers. Write shares such as 0.1,0.5,1.",
                param,
                ctx,
            )


def read_learners(given: Sequence[str], usual: Sequence[str] | None) -> Any:
    """Return the learners to compare; a mistake is found before the data are read."""
    from dissensus.learners import parse_learner

    return list(dict.fromkeys(str(parse_learner(text)) for text in given)) or usual


def run_study(
    spec: Any,
    name: str,
    options: StudyOptions,
    *,
    show: Callable[..., None] = show_results,
    content: Callable[[Any], dict[str, Any]] = results_content,
    **rest: Any,
) -> None:
    """Run a study, show its results, and write its page.

    Parameters
    ----------
    spec : ExperimentSpec
        The study.
    name : str
        What its files are called, if they have no names.
    options : StudyOptions
        How it is run.
    show : callable
        Prints the results.
    content : callable
        Gives the results as plain values, for JSON.
    **rest
        For `run_experiment`.
    """
    from dissensus.experiment import estimate, run_experiment

    store = options.store or Path(f"{name}.sqlite")
    page = None if options.no_report else options.report or Path(f"{name}.html")
    executor = options.executor()
    if options.dry_run:
        show_estimate(estimate(spec, store, executor=executor), options)
        return
    if page is not None:
        check_page(page, given=options.report is not None)
    try:
        with ProgressBar(quiet=options.quiet) as bar:
            results = run_experiment(
                spec, store, executor=executor, progress=bar, **rest
            )
    except KeyboardInterrupt as stopped:
        shown = f"'dissensus report {store}' shows what there is."
        raise KeyboardInterrupt(f"{stopped} {shown}" if str(stopped) else "") from None
    finish(results, page, options, store, show=show, content=content)


def finish(
    results: Any,
    page: Path | None,
    options: StudyOptions,
    store: Path | None,
    *,
    show: Callable[..., None] = show_results,
    content: Callable[[Any], dict[str, Any]] = results_content,
    title: str = "",
) -> None:
    """Show results, write the page, and say where it is."""
    closed = None
    try:
        if options.as_json:
            places = {"store": store, "report": page}
            told = {key: str(path) for key, path in places.items() if path is not None}
            print_json({**content(results), **told})
        else:
            show(results)
    except BrokenPipeError as error:  # such as head's: the page is wanted all the same
        closed = error
    if page is not None:
        from dissensus.report import write_report

        write_report(results, page, title=title, command=typed())
        note(f"The page: {page}", quiet=options.quiet)
    if store is not None:
        note(
            f"The results: {store}, which the same command resumes or extends",
            quiet=options.quiet,
        )
    if closed is not None:
        raise closed
    if results.n_failed == results.n_cells:
        words = results.failures().frame["error"][0] if results.n_cells else "none ran"
        raise click.ClickException(f"every cell failed: {words}")


def check_page(page: Path, *, given: bool) -> None:
    """Raise an error unless the page can be written, before anything runs."""
    from dissensus.report import check_page as check_place

    check_place(page)
    if given or not page.exists():
        return
    with page.open("rb") as file:
        ours = b"dissensus" in file.read(4096)
    if not ours:
        raise click.UsageError(
            f"{page} is there already, and is no page of dissensus. Name another one "
            "with --report, or give --no-report."
        )


def show_estimate(found: Any, options: StudyOptions) -> None:
    """Print how much work a study is."""
    from dissensus.experiment import format_seconds

    if options.as_json:
        print_json(
            {
                "cells": found.n_cells,
                "done": found.n_done,
                "seconds": found.seconds,
                "seconds_by_learner": dict(found.by_learner),
                "failures": list(found.failures),
            }
        )
        return
    slowest = sorted(found.by_learner.items(), key=lambda item: -item[1])
    if slowest:
        print_table(
            ("learner", "time on one processor"),
            [(learner, format_seconds(seconds)) for learner, seconds in slowest],
            right=("time on one processor",),
        )
    say(str(found))


def typed() -> str:
    """Return the command as it was typed."""
    return shlex.join(["dissensus", *sys.argv[1:]])
