"""ARFF files: the text format in which nominal attributes declare their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dissensus.table._arff_date import to_seconds
from dissensus.table._arff_header import (
    DOUBLE,
    QUOTED_QUESTION,
    SINGLE,
    Declaration,
    parse_header,
    quoted_or_bare,
    split_cells,
    strip_comment,
)
from dissensus.table._column import MISSING, Column
from dissensus.table._errors import shorten
from dissensus.table._raw import sort_values
from dissensus.table._schema import Attribute, Schema
from dissensus.table._table import Table
from dissensus.table._text import (
    Row,
    TextColumn,
    TextTable,
    collect,
    line_error,
    parse_number,
    parse_numbers,
)

NOT_PLAIN = re.compile(r"[\s'\"{%]")
WEIGHT = re.compile(r",\s*\{([^{}'\"]*)\}$")
ITEM = re.compile(rf"\s*(\d+)\s+(?:{SINGLE}|{DOUBLE}|([^'\",\s][^,]*))\s*(,|$)")

Weights = dict[int, float]


def parse_arff(text: str) -> tuple[Table, NDArray[np.float64] | None]:
    """Return the table of an ARFF text, and the rows' weights if any row has one."""
    lines = text.split("\n")
    declared, n_header = parse_header(lines)
    weights: Weights = {}
    cells = collect(_rows(lines, n_header, declared, weights), len(declared))
    columns = [
        _column(declaration, column, cells)
        for declaration, column in zip(declared, cells.columns, strict=True)
    ]
    schema = Schema(tuple(column.attribute for column in columns))
    return Table(schema, columns), _weights(weights, cells)


def _weights(weights: Weights, cells: TextTable) -> NDArray[np.float64] | None:
    if not weights:
        return None
    return np.array([weights.get(line, 1.0) for line in cells.lines.tolist()])


def _rows(
    lines: list[str], start: int, declared: Sequence[Declaration], weights: Weights
) -> Iterator[Row]:
    """Yield the line number and the cells of each row."""
    n_columns = len(declared)
    defaults = _sparse_defaults(declared)
    special = NOT_PLAIN.search
    for number in range(start, len(lines)):
        line = lines[number]
        # Most lines of most files need nothing but this split.
        if not special(line):
            cells = line.split(",") if line else None
        else:
            cells = _parse_row(line, number + 1, defaults, weights)
        if cells is None:
            continue
        if len(cells) != n_columns:
            raise line_error(
                number + 1,
                f"{len(cells)} values, but {n_columns} attributes are declared. "
                "Complete the row (? for a missing value) or quote values with commas.",
            )
        yield number + 1, cells


def _parse_row(
    raw: str, line: int, defaults: list[str | None], weights: Weights
) -> list[str] | None:
    text = strip_comment(raw)
    if not text:
        return None
    if text.endswith("}") and (match := WEIGHT.search(text)):
        weights[line] = _weight(match[1], line)
        text = text[: match.start()].rstrip()
    if text.startswith("{"):
        return _sparse_row(text, line, defaults)
    if "'" not in text and '"' not in text:
        cells = [cell.strip() for cell in text.split(",")]
        return text.split() if len(cells) == 1 < len(defaults) else cells
    return [_mark(*cell) for cell in split_cells(text, line)]


def _mark(text: str, quoted: bool) -> str:
    return QUOTED_QUESTION if quoted and text == "?" else text


def _weight(text: str, line: int) -> float:
    weight = parse_number(text)
    if weight is None or not 0 <= weight < float("inf"):
        raise line_error(
            line, f"the weight {text!r} of the row is no number >= 0. Correct it."
        )
    return weight


def _sparse_defaults(declared: Sequence[Declaration]) -> list[str | None]:
    """Return what a cell left out of a sparse row stands for: zero, or the first."""
    defaults: list[str | None] = []
    for declaration in declared:
        if declaration.kind == "numeric":
            defaults.append("0")
        elif declaration.values:
            defaults.append(_mark(declaration.values[0], True))
        else:
            defaults.append(None)
    return defaults


def _sparse_row(text: str, line: int, defaults: list[str | None]) -> list[str]:
    if not text.endswith("}"):
        raise line_error(line, "a sparse row without a closing brace. Add it.")
    given = _sparse_items(text[1:-1].strip(), line, len(defaults))
    cells = []
    for position, default in enumerate(defaults):
        cell = given.get(position, default)
        if cell is None:
            raise line_error(
                line,
                f"attribute {position} is left out of a sparse row, but a string or a "
                "date has no zero. Write its value, or ? if it is missing.",
            )
        cells.append(cell)
    return cells


def _sparse_items(inner: str, line: int, n_columns: int) -> dict[int, str]:
    given: dict[int, str] = {}
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
                f"sparse row with the attribute number {match[1]}: numbers run from 0 "
                f"to {n_columns - 1}, each at most once.",
            )
        given[index] = _mark(*quoted_or_bare(match[2], match[3], match[4], line))
        position = match.end()
    return given


def _column(declared: Declaration, column: TextColumn, cells: TextTable) -> Column:
    """Return a column of text as numbers or codes."""
    if declared.kind == "nominal":
        return _nominal(declared, column, cells)
    if declared.kind == "string":
        texts = [_label(text) for text in column.texts if text != "?"]
        found = Declaration(declared.name, "nominal", sort_values(texts))
        return _nominal(found, column, cells)
    return _numeric(declared, column, cells)


def _label(text: str) -> str:
    return "?" if text == QUOTED_QUESTION else text


def _nominal(declared: Declaration, column: TextColumn, cells: TextTable) -> Column:
    position = {value: code for code, value in enumerate(declared.values)}
    table = []
    for code, text in enumerate(column.texts):
        known = MISSING if text == "?" else position.get(_label(text))
        if known is None:
            raise line_error(
                cells.line_of(column, code),
                f"attribute {declared.name!r} has the value {_label(text)!r}, which is "
                "not declared in the ARFF header. Declared: "
                f"{shorten(declared.values)}.",
            )
        table.append(known)
    attribute = Attribute(declared.name, "nominal", declared.values)
    return Column(attribute, np.array(table, dtype=np.int32)[column.codes])


def _numeric(declared: Declaration, column: TextColumn, cells: TextTable) -> Column:
    attribute = Attribute(declared.name, "numeric")
    if declared.kind == "numeric":
        known = ["nan" if text == "?" else text for text in column.texts]
        numbers = parse_numbers(known)
        if numbers is not None and not np.isinf(numbers).any():
            return Column(attribute, numbers[column.codes])
    table = []
    for code, text in enumerate(column.texts):
        number = float("nan") if text == "?" else _number(declared, text)
        if number is None or abs(number) == float("inf"):
            what = "date" if declared.kind == "date" else "finite number"
            raise line_error(
                cells.line_of(column, code),
                f"attribute {declared.name!r} is declared {declared.kind}, but "
                f"{_label(text)!r} is no {what}. Correct it, or write ? if it is "
                "missing.",
            )
        table.append(number)
    return Column(attribute, np.array(table, dtype=np.float64)[column.codes])


def _number(declared: Declaration, text: str) -> float | None:
    if declared.kind == "date":
        return to_seconds(text, declared.date_format)
    return parse_number(text)
