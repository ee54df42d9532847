"""What commands say: notes, tables, JSON."""

from __future__ import annotations

import json
import re
import shlex
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from shutil import get_terminal_size
from typing import Any

import click

from dissensus.utils._printable import printable

OPTION = re.compile(
    r"\b(?P<name>drop|nominal|encoding)=\[?(?P<quote>['\"])(?P<value>.*?)(?P=quote)\]?"
)
GAP = 2  # columns of the terminal between two columns of a table
MIN_NAME = 12  # letters of the first column before it is folded


def note(words: str, *, quiet: bool = False) -> None:
    """Write a note beside the results, to the standard error."""
    if not quiet:
        click.echo(printable(words), err=True)


def say(words: str) -> None:
    """Write words of a model or a data file, made safe to print."""
    click.echo(printable(words))


def print_json(content: Any) -> None:
    """Write results as JSON; NaN, which JSON lacks, as null."""
    say(json.dumps(_plain(content), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - NaN
        return None
    return value


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table with a style, such as "bold" or "dim"."""

    text: str
    style: str = ""


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    right: Iterable[str] = (),
) -> None:
    """Write a table to the standard output, in parts if it is too wide for it.

    Parameters
    ----------
    columns : sequence of str
        The headings. The first column names the rows: each part has it.
    rows : iterable of sequence
        The cells, `Cell`s or whatever has a text; None is an empty one.
    title : str, default=None
        A line above the table.
    right : iterable of str, default=()
        The columns that are aligned to the right.
    """
    from rich.console import Console

    columns = [printable(name) for name in columns]
    lines = [[_as_cell(value) for value in row] for row in rows]
    # A pipe has no width: nothing is wrapped there.
    width = None if sys.stdout.isatty() else 10_000
    console = Console(file=sys.stdout, width=width, highlight=False)
    aligned = {printable(name) for name in right}
    with console.capture() as capture:
        if title is not None:
            console.print(printable(title), end="\n\n", markup=False)
        for number, part in enumerate(_parts(columns, lines, console.width)):
            console.print(end="\n" if number else "")
            console.print(_table(part, columns, lines, aligned))
    text = "\n".join(line.rstrip() for line in capture.get().splitlines())
    # Spaces may stand before a code that ends a style; they do no harm there.
    click.echo(text, color=True if width is None else None)


def _as_cell(value: Any) -> Cell:
    if isinstance(value, Cell):
        return Cell(printable(value.text), value.style)
    return Cell("" if value is None else printable(str(value)))


def _parts(
    columns: Sequence[str], lines: Sequence[Sequence[Cell]], width: int
) -> list[list[int]]:
    """Return which columns stand beside each other, the first in every part."""
    widths = [
        max(len(name), *(len(line[i].text) for line in lines), 0) + GAP
        for i, name in enumerate(columns)
    ]
    # A name may be long: it is folded before it pushes all others out.
    room = width - min(widths[0], max(MIN_NAME, width - max(widths[1:], default=0)))
    parts: list[list[int]] = [[0]]
    left = room
    for i in range(1, len(columns)):
        if left < widths[i] and len(parts[-1]) > 1:
            parts.append([0])
            left = room
        parts[-1].append(i)
        left -= widths[i]
    return parts


def _table(
    part: Sequence[int],
    columns: Sequence[str],
    lines: Sequence[Sequence[Cell]],
    aligned: set[str],
) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False
    )
    for i in part:
        table.add_column(
            Text(columns[i]),
            justify="right" if columns[i] in aligned else "left",
            overflow="fold",
            no_wrap=i > 0,
        )
    for line in lines:
        table.add_row(*(Text(line[i].text, style=line[i].style) for i in part))
    return table


def print_points(points: Iterable[str]) -> None:
    """Write sentences, each on a line of its own, wrapped on a terminal."""
    width = get_terminal_size().columns if sys.stdout.isatty() else 10_000
    for point in points:
        click.echo(
            textwrap.fill(printable(point), max(width, 20), break_on_hyphens=False),
        )


def as_options(words: str) -> str:
    """Return advice of the library in words of the command line.

    The library says drop=['x'] and encoding='latin-1'; here that is --drop x and
    --encoding latin-1.
    """
    return OPTION.sub(
        lambda found: f"--{found['name']} {shlex.quote(found['value'])}", words
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the nearest of the known names, or all of them."""
    names = list(known)
    close = get_close_matches(name, names, n=2, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"There are: {', '.join(names)}."
