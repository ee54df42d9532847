"""dissensus predict: what a model answers for each row of a file."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click

from dissensus.cli._options import Command, common_options, encoding_option
from dissensus.cli._words import note


@click.command(
    "predict",
    cls=Command,
    examples=[
        "dissensus predict weather.skops tomorrow.csv -o answers.csv --proba",
        "zcat large.csv.gz | dissensus predict weather.skops > answers.csv",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(allow_dash=True), default="-")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    help="Where the answers are written; the standard output if not given.",
)
@click.option("--proba", is_flag=True, help="Write the probability of each class too.")
@click.option("--no-header", is_flag=True, help="FILE has no line of column names.")
@click.option("--delimiter", help="The delimiter of FILE; found if not given.")
@encoding_option
@common_options
def command(
    *,
    model: str,
    file: str,
    output: str,
    proba: bool,
    no_header: bool,
    delimiter: str | None,
    encoding: str,
    quiet: bool,
) -> None:
    """Predict each row of a file.

    The answers of MODEL are written as CSV. FILE is a CSV, Parquet or ARFF file
    with the columns that the model was fitted with, in any order; further columns
    are not used. "-", or nothing, reads CSV from the standard input. CSV files may
    be of any length.
    """
    from dissensus.persistence import load_model, predict_file, read_card

    card = read_card(model)
    fitted = load_model(model)
    source: Any = sys.stdin.buffer if file == "-" else Path(file)
    with _opened(output) as out:
        n_rows = predict_file(
            fitted,
            source,
            out,
            schema=card.schema,
            proba=proba,
            header=not no_header,
            delimiter=delimiter,
            encoding=encoding,
            tell=lambda words: note(f"{file}: {words}", quiet=quiet),
        )
    if output != "-":
        note(f"{n_rows} rows: {output}", quiet=quiet)


def _opened(output: str) -> AbstractContextManager[Any]:
    """Open the output; a file gets its name when it is complete."""
    from dissensus.utils._files import write_whole

    return nullcontext(sys.stdout.buffer) if output == "-" else write_whole(output)
