"""Sparse rows of ARFF files: `{3 red, 7 2.5}`, what is left out being zero.

A row may be a few bytes long and stand for thousands of cells. Only the given cells are
gathered as text; the others are filled in by column, and how many they may become is
limited.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from dissensus.exceptions import TableError
from dissensus.io._arff_header import (
    DOUBLE,
    SINGLE,
    Declaration,
    mark_question,
    quoted_or_bare,
)
from dissensus.io._files import check_cells, check_columns
from dissensus.io._text import TextColumn, TextTable, line_error
from dissensus.table import Index

ITEM = re.compile(rf"\s*+([0-9]++)\s++(?:{SINGLE}|{DOUBLE}|([^'\",\s][^,]*+))\s*+(,|$)")

Cells = dict[int, str]
SparseRow = tuple[int, Cells]


def sparse_defaults(declared: Sequence[Declaration]) -> list[str | None]:
    """Return what a cell left out of a sparse row stands for: zero, or the first."""
    defaults: list[str | None] = []
    for declaration in declared:
        if declaration.kind == "numeric":
            defaults.append("0")
        elif declaration.values:
            defaults.append(mark_question(declaration.values[0], True))
        else:
            defaults.append(None)
    return defaults


def sparse_row(text: str, line: int, n_columns: int) -> Cells:
    """Return the given cells of a row by the number of their attribute."""
    if not text.endswith("}"):
        raise line_error(line, "a sparse row without a closing brace. Add it.")
    inner = text[1:-1].strip()
    given: Cells = {}
    position = 0
    while position < len(inner):
        match = ITEM.match(inner, position)
        if match is None:
            raise line_error(
                line,
                f"{inner[position:].strip()[:40]!r} is no pair of a sparse row. Write "
                "{number value, number value, ...}.",
            )
        index = int(match[1]) if len(match[1]) < 10 else n_columns
        if index >= n_columns or index in given:
            raise line_error(
                line,
                f"sparse row with the attribute number {match[1][:40]}: numbers run "
                f"from 0 to {n_columns - 1}, each at most once.",
            )
        cell = quoted_or_bare(match[2], match[3], match[4], line)
        given[index] = mark_question(*cell)
        position = match.end()
    return given


def collect_sparse(
    rows: Iterator[SparseRow], defaults: Sequence[str | None], n_bytes: int
) -> TextTable:
    """Gather given cells into columns of full length."""
    check_columns(len(defaults))
    lines = array("q")
    columns = [_SparseColumn(default) for default in defaults]
    needed = {place for place, default in enumerate(defaults) if default is None}
    for line, cells in rows:
        if needed and not needed <= cells.keys():
            raise line_error(
                line,
                f"attribute {min(needed - cells.keys())} is left out of a sparse row, "
                "but a string or a date has no zero. Write its value, or ? if it is "
                "missing.",
            )
        for place, text in cells.items():
            columns[place].add(len(lines), text)
        lines.append(line)
        check_cells(len(lines), len(columns), n_bytes)
    if not lines:
        raise TableError("there are no rows, only a header. Add rows of data.")
    return TextTable(
        np.array(lines, dtype=np.int64), [c.filled(len(lines)) for c in columns]
    )


class _SparseColumn:
    """The given cells of one column, and what the others stand for."""

    __slots__ = ("codes", "index", "rows")

    def __init__(self, default: str | None) -> None:
        self.rows, self.codes = array("q"), array("i")
        self.index = Index()
        if default is not None:
            self.index[default] = 0

    def add(self, row: int, text: str) -> None:
        self.rows.append(row)
        self.codes.append(self.index[text])

    def filled(self, n_rows: int) -> TextColumn:
        codes = np.zeros(n_rows, dtype=np.int32)
        codes[np.array(self.rows, dtype=np.int64)] = np.array(self.codes, np.int32)
        return TextColumn(codes, list(self.index))
