"""dissensus report: the page of a study that was run."""

from __future__ import annotations

from pathlib import Path

import click

from dissensus.cli._options import Command, common_options, json_option
from dissensus.cli._study import StudyOptions, check_page, finish


@click.command(
    "report",
    cls=Command,
    examples=[
        "dissensus report weather.sqlite",
        "dissensus report weather.sqlite -o page.html --title 'The weather'",
    ],
)
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="PAGE",
    type=click.Path(path_type=Path),
    help="The page; by default STORE's name with .html, here.",
)
@click.option(
    "--title", default="", help="The heading; that of the study if not given."
)
@json_option
@common_options
def command(
    *, store: Path, output: Path | None, title: str, as_json: bool, quiet: bool
) -> None:
    """Show a study that was run, and write its page.

    STORE is the file that compare, curve, bias-variance and run keep their results
    in. It may be of a study that is still running, or was stopped.
    """
    from dissensus.results import Results

    results = Results.open(store)
    page = output or Path(f"{store.stem}.html")
    check_page(page, given=output is not None)
    options = StudyOptions(as_json=as_json, quiet=quiet)
    finish(results, page, options, None, title=title)
