"""dissensus datasets: which data sets can be had by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from dissensus.cli._options import Command, common_options, data_dir_option, json_option
from dissensus.cli._words import print_json, print_table

COLUMNS = ("name", "rows", "numeric", "nominal", "classes", "from")


@click.command(
    "datasets",
    cls=Command,
    examples=[
        "dissensus datasets",
        "dissensus datasets --data-dir ~/uci",
    ],
)
@data_dir_option
@json_option
@common_options
def command(*, data_dir: str | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - every command has it
    """List the data sets that need no network.

    The files of the data folder are listed too. Wherever a command takes a FILE, it
    takes one of these names too.
    """
    rows = [_describe(name) for name in _embedded()]
    rows += [{"name": path.stem, "from": str(path)} for path in _files(data_dir)]
    if as_json:
        print_json(rows)
        return
    print_table(
        COLUMNS,
        [[row.get(column) for column in COLUMNS] for row in rows],
        right=COLUMNS[1:5],
    )


def _embedded() -> tuple[str, ...]:
    from dissensus.datasets import EMBEDDED

    return EMBEDDED


def _describe(name: str) -> dict[str, Any]:
    from dissensus.datasets import load_dataset

    data = load_dataset(name, "")
    nominal = sum(attribute.is_nominal for attribute in data.schema)
    return {
        "name": name,
        "rows": len(data.y),
        "numeric": len(data.schema) - nominal,
        "nominal": nominal,
        "classes": len(data.classes),
        "from": data.notes[0],
    }


def _files(data_dir: str | None) -> list[Path]:
    """Return the files of the data folder that are data sets."""
    from dissensus.datasets import DATA_VARIABLE
    from dissensus.io import FORMATS

    folder = data_dir or os.environ.get(DATA_VARIABLE)
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise click.BadParameter(f"{folder!r} is no folder.", param_hint="--data-dir")
    paths = sorted(Path(folder).iterdir())
    return [path for path in paths if path.suffix.lower() in FORMATS]
