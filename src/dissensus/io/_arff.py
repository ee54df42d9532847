"""ARFF files: the text format in which nominal attributes declare their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.io._arff_date import to_seconds
from dissensus.io._arff_header import (
    QUOTED_QUESTION,
    Declaration,
    mark_question,
    parse_header,
    split_cells,
    strip_comment,
)
from dissensus.io._arff_sparse import (
    SparseRow,
    collect_sparse,
    sparse_defaults,
    sparse_row,
)
from dissensus.io._text import (
    Row,
    TextColumn,
    TextTable,
    collect,
    line_error,
    parse_number,
    parse_numbers,
)
from dissensus.table import MISSING, Attribute, Column, Schema, Table, sort_values
from dissensus.utils._names import quote, shorten

NOT_PLAIN = re.compile(r"[\s'\"{%]")
WEIGHT = re.compile(r",\s*+\{([^{}'\"]*+)\}$")
SPARSE = re.compile(r"\s*+\{")

Weights = dict[int, float]


def parse_arff(text: str) -> tuple[Table, NDArray[np.float64] | None]:
    """Return the table of an ARFF text, and the rows' weights if any row has one."""
    lines = text.split("\n")
    declared, n_header = parse_header(lines)
    weights: Weights = {}
    if any(map(SPARSE.match, islice(lines, n_header, None))):
        cells = collect_sparse(
            _mixed_rows(lines, n_header, declared, weights),
            sparse_defaults(declared),
            len(text),
        )
    else:
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
    special = NOT_PLAIN.search
    for number in range(start, len(lines)):
        line = lines[number]
        # Most lines of most files need nothing but this split.
        if not special(line):
            cells = line.split(",") if line else []
        else:
            text = _without_weight(line, number + 1, weights)
            cells = _dense_row(text, number + 1, n_columns)
        if not cells:
            continue
        if len(cells) != n_columns:
            raise _wrong_width(len(cells), n_columns, number + 1)
        yield number + 1, cells


def _wrong_width(n_cells: int, n_columns: int, line: int) -> TableError:
    return line_error(
        line,
        f"{n_cells} values, but {n_columns} attributes are declared. Complete the row "
        "(? for a missing value) or quote values with commas.",
    )


def _mixed_rows(
    lines: list[str], start: int, declared: Sequence[Declaration], weights: Weights
) -> Iterator[SparseRow]:
    """Yield the line number and the given cells of each row, sparse or not."""
    n_columns = len(declared)
    for line, raw in enumerate(islice(lines, start, None), start + 1):
        text = _without_weight(raw, line, weights)
        if text.startswith("{"):
            yield line, sparse_row(text, line, n_columns)
            continue
        cells = _dense_row(text, line, n_columns)
        if not cells:
            continue
        if len(cells) != n_columns:
            raise _wrong_width(len(cells), n_columns, line)
        yield line, dict(enumerate(cells))


def _without_weight(raw: str, line: int, weights: Weights) -> str:
    """Return a row without comment and weight, of which the latter is kept."""
    text = strip_comment(raw)
    if text.endswith("}") and (match := WEIGHT.search(text)):
        weights[line] = _weight(match[1], line)
        text = text[: match.start()].rstrip()
    return text


def _dense_row(text: str, line: int, n_columns: int) -> list[str]:
    if not text:
        return []
    if "'" not in text and '"' not in text:
        cells = [cell.strip() for cell in text.split(",")]
        return text.split() if len(cells) == 1 < n_columns else cells
    return [mark_question(*cell) for cell in split_cells(text, line)]


def _weight(text: str, line: int) -> float:
    weight = parse_number(text)
    if weight is None or not 0 <= weight < float("inf"):
        raise line_error(
            line, f"the weight {quote(text)} of the row is no number >= 0. Correct it."
        )
    return weight


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
                f"attribute {declared.name!r} has the value {quote(_label(text))}, "
                "which is not declared in the ARFF header. Declared: "
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
                f"{quote(_label(text))} is no {what}. Correct it, or write ? if it is "
                "missing.",
            )
        table.append(number)
    return Column(attribute, np.array(table, dtype=np.float64)[column.codes])


def _number(declared: Declaration, text: str) -> float | None:
    if declared.kind == "date":
        return to_seconds(text, declared.date_format)
    return parse_number(text)
