"""What commands say: notes, tables, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import click


def note(words: str, *, quiet: bool = False) -> None:
    """Write a note beside the results, to the standard error."""
    if not quiet:
        click.echo(words, err=True)


def print_json(content: Any) -> None:
    """Write results as JSON; NaN, which JSON lacks, as null."""
    click.echo(json.dumps(_plain(content), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - NaN
        return None
    return value


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    right: Iterable[str] = (),
) -> None:
    """Write a table to the standard output.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : iterable of sequence
        The cells; None is an empty one.
    title : str, default=None
        A line above the table.
    right : iterable of str, default=()
        The columns that are aligned to the right.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    aligned = set(right)
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        table.add_column(
            Text(column),
            justify="right" if column in aligned else "left",
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    # A pipe has no width: nothing is wrapped there.
    width = None if sys.stdout.isatty() else 10_000
    console = Console(file=sys.stdout, width=width, highlight=False)
    if width is None:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the nearest of the known names, or all of them."""
    names = list(known)
    close = get_close_matches(name, names, n=2, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"There are: {', '.join(names)}."
