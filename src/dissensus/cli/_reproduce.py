"""dissensus reproduce: run a paper's experiments again, published beside measured."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from dissensus.cli._options import Command, common_options, data_dir_option, json_option
from dissensus.cli._words import note, print_json, print_table

if TYPE_CHECKING:
    from dissensus.experiment import Progress
    from dissensus.papers import Reproduction


@click.command(
    "reproduce",
    cls=Command,
    examples=[
        "dissensus reproduce decorate --data-dir ~/uci",
        "dissensus reproduce maclen --full --part nb-family --data-dir ~/uci",
    ],
)
@click.argument("paper", metavar="PAPER")
@click.option(
    "--quick",
    "scale",
    flag_value="quick",
    default="quick",
    help="One cross-validation, data sets below 1,000 rows; this is the default.",
)
@click.option(
    "--full", "scale", flag_value="full", help="The published protocol; takes hours."
)
@click.option(
    "--part",
    "parts",
    metavar="NAME",
    multiple=True,
    help="Run this part only; may be repeated.",
)
@click.option("--list", "only_list", is_flag=True, help="List the parts and leave.")
@click.option("--repeats", type=click.IntRange(1), help="Fewer repeats than published.")
@click.option(
    "--without",
    metavar="DATASET",
    multiple=True,
    help="Leave out a data set; may be repeated.",
)
@data_dir_option
@click.option(
    "--store",
    type=click.Path(dir_okay=False),
    help="The file that keeps results  [default: PAPER.sqlite]",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    help="The page, in Markdown  [default: PAPER-SCALE.md]",
)
@click.option("--jobs", type=click.IntRange(1), help="Number of processes.")
@click.option("--retry-failed", is_flag=True, help="Run again what has failed.")
@json_option
@common_options
def command(
    *, paper: str, only_list: bool, report: str | None, as_json: bool, **options: Any
) -> None:
    """Run the experiments of a paper again.

    PAPER is maclen, decorate or cascade. Every published number that is known is set
    beside ours, and every claim of the paper is judged. To resume is to give the same
    command again.
    """
    from dissensus.papers import find_paper, write_reproduction

    if only_list:
        parts = find_paper(paper).parts
        print_table(("part", "is"), [(part.name, part.about) for part in parts])
        return
    quiet, scale = options.pop("quiet"), options["scale"]
    done = _run(paper, quiet=quiet, **options)
    page = report or f"{paper}-{scale}.md"
    write_reproduction(done, page, command=_typed(paper, **options))
    if as_json:
        print_json(_as_dict(done))
    else:
        _show(done)
    note(f"{page}: all tables.", quiet=quiet)


def _run(
    paper: str,
    *,
    scale: str,
    repeats: int | None,
    without: tuple[str, ...],
    jobs: int | None,
    quiet: bool,
    **options: Any,
) -> Reproduction:
    from dataclasses import replace

    from dissensus.papers import SCALES, reproduce

    size = replace(SCALES[scale], without=without)
    if repeats is not None:
        size = replace(size, repeats=repeats)
    return reproduce(
        paper, size, workers=jobs, listener=None if quiet else _Listener(), **options
    )


class _Listener:
    """Show one line of progress for each study; in a pipe, one at its end."""

    def __init__(self) -> None:
        from dissensus.experiment import TerminalProgress

        self._line = TerminalProgress()
        self._name = ""

    def __call__(self, name: str, progress: Progress) -> None:
        """Tell how far a study is."""
        if sys.stderr.isatty():
            if name != self._name:
                note(name)
            self._line(progress)
        elif progress.done == progress.total and name != self._name:
            note(f"{name}: {progress}")
        else:
            return
        self._name = name


def _typed(paper: str, *, scale: str, **options: Any) -> str:
    """Return the command for the record; folders are the reader's own."""
    words = ["dissensus", "reproduce", paper, f"--{scale}", "--data-dir", "DIR"]
    for part in options["parts"]:
        words += ["--part", part]
    if options["repeats"] is not None:
        words += ["--repeats", str(options["repeats"])]
    for name in options["without"]:
        words += ["--without", name]
    return shlex.join(words)


def _show(done: Reproduction) -> None:
    print_table(
        ("claim", "here", "numbers"),
        [(claim.text, claim.verdict, claim.numbers) for claim in done.claims],
    )
    if done.comparisons:
        print_table(
            ("", "published", "measured", "difference", "noise"),
            [
                (c.what, c.published, c.measured, c.difference, c.noise)
                for c in done.comparisons
            ],
        )
    if done.n_failed:
        note(f"{done.n_failed} of {done.n_cells} cells failed.")


def _as_dict(done: Reproduction) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "paper": done.paper.name,
        "scale": asdict(done.scale),
        "cells": done.n_cells,
        "failed": done.n_failed,
        "claims": [asdict(claim) for claim in done.claims],
        "published": [asdict(one) for one in done.comparisons],
    }
