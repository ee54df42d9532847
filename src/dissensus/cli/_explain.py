"""dissensus explain: why a model answers as it does for one row."""

from __future__ import annotations

from pathlib import Path

import click

from dissensus.cli._options import Command, common_options, encoding_option
from dissensus.cli._words import note, say


@click.command(
    "explain",
    cls=Command,
    examples=[
        "dissensus explain weather.skops tomorrow.csv --row 3",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.option(
    "--row",
    default=1,
    show_default=True,
    help="The row, counted from 1 after a header.",
)
@click.option("--no-header", is_flag=True, help="FILE has no line of column names.")
@encoding_option
@common_options
def command(
    *, model: str, file: str, row: int, no_header: bool, encoding: str, quiet: bool
) -> None:
    """Say why a model answers as it does.

    The reasons are those for one row of FILE. A tree tells the tests on the row's
    way, naive Bayes and discriminants what each attribute adds, a cascade its
    deciding levels, MACLEN the votes by attribute, and other ensembles how their
    members are split.
    """
    from dissensus.persistence import load_model, read_card, read_row
    from dissensus.report import explain

    card = read_card(model)
    fitted = load_model(model)
    table = read_row(
        fitted,
        Path(file),
        row - 1,
        schema=card.schema,
        header=not no_header,
        encoding=encoding,
    )
    note(f"row {row} of {file}", quiet=quiet)
    say(str(explain(fitted, table)))
