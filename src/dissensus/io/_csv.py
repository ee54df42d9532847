"""CSV and TSV files: everything that the file does not say is found, and noted."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.io._text import (
    Row,
    TextColumn,
    TextTable,
    collect,
    line_error,
    parse_number,
    parse_numbers,
)
from dissensus.table import MISSING, Attribute, Column, Schema, Table
from dissensus.utils._names import quote

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+$")
SAMPLE_LINES = 50
NAMELESS = "column "  # and its position: the name of a column without one


def parse_csv(
    text: str,
    *,
    header: bool | None = None,
    missing: Collection[str] = ("", "NA", "?"),
    nominal: Collection[str] = (),
    delimiter: str | None = None,
) -> tuple[Table, list[str]]:
    """Return the table of a CSV text, and notes of what was assumed."""
    sample = text.split("\n", SAMPLE_LINES)[:SAMPLE_LINES]
    delimiter = find_delimiter(sample) if delimiter is None else delimiter
    check_delimiter(delimiter)
    has_header = _has_header(sample, delimiter, missing) if header is None else header
    rows = csv_rows(text, delimiter)
    first = next(rows, None)
    if first is None:
        raise TableError("the file has no rows. Give a file with a header and rows.")
    names = column_names(*first) if has_header else _numbered(len(first[1]))
    if not has_header:
        rows = csv_rows(text, delimiter)
    first_line = "header" if has_header else "first line"
    cells = collect(check_widths(rows, len(names), first_line), len(names))
    notes = [f"delimiter: {DELIMITERS.get(delimiter, repr(delimiter))}"]
    if not has_header:
        notes.append("no header line: the columns are called x0, x1, ...")
    converter = _Converter(cells, set(missing), delimiter)
    columns = [
        converter.column(name, column, name in nominal)
        for name, column in zip(names, cells.columns, strict=True)
        # A delimiter at the end of every line makes a nameless, empty column.
        if not name.startswith(NAMELESS) or not converter.is_empty(column)
    ]
    if not columns:
        raise TableError("every column is empty. Give a file with values.")
    schema = Schema(tuple(column.attribute for column in columns))
    return Table(schema, columns), notes + converter.notes()


def check_delimiter(delimiter: str) -> None:
    """Raise an error unless the delimiter is one character that can be one."""
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '\r\n"':
        raise TableError(f"delimiter is {delimiter!r}. It must be one character.")


def find_delimiter(sample: Sequence[str]) -> str:
    """Return the delimiter that cuts most lines into the same number of cells."""
    best, best_score = ",", (0.0, 1)
    for delimiter in DELIMITERS:
        try:
            widths = [
                len(row) for row in csv.reader(sample, delimiter=delimiter) if row
            ]
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            score = (widths.count(widths[0]) / len(widths), widths[0])
            if score > best_score:
                best, best_score = delimiter, score
    return best


def _has_header(
    sample: Sequence[str], delimiter: str, missing: Collection[str]
) -> bool:
    """Return False if the first row looks like the others.

    It does if it has numbers just where the second row has, and these are at least half
    of the cells or one of its texts occurs again below.
    """
    try:
        rows = [row for row in csv.reader(sample, delimiter=delimiter) if row]
    except csv.Error:
        return True
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return True
    below = [
        {cell.strip() for cell in cells}
        for cells in zip_longest(*rows[1:], fillvalue="")
    ]
    n_numbers, again = 0, False
    for upper, lower, others in zip(*rows[:2], below, strict=False):
        first, second = upper.strip(), lower.strip()
        if first in missing or second in missing:
            continue
        is_number = parse_number(first) is not None
        if is_number != (parse_number(second) is not None):
            return True
        n_numbers += is_number
        again |= not is_number and first in others
    return n_numbers == 0 or not (again or 2 * n_numbers >= len(rows[0]))


def csv_rows(text: str, delimiter: str, lines_before: int = 0) -> Iterator[Row]:
    """Give the rows that are not empty, each with its line."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        skipinitialspace=delimiter not in "\t ",
        strict=True,
    )
    while True:
        line = lines_before + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise line_error(
                line, f"{error}. Check the quotes of this line and the next ones."
            ) from None
        if row is None:
            return
        if len(row) > 1 or (row and row[0].strip()):
            yield line, row


def check_widths(rows: Iterator[Row], n_columns: int, first: str) -> Iterator[Row]:
    """Give the rows on, up to one that is not as wide as the first line."""
    for line, row in rows:
        if len(row) != n_columns:
            raise line_error(
                line,
                f"{len(row)} values, but the {first} has {n_columns}. Complete the row "
                "or quote values that contain the delimiter.",
            )
        yield line, row


def column_names(line: int, row: Sequence[str]) -> list[str]:
    """Return the names in a header; they must differ."""
    names = [name.strip() or f"{NAMELESS}{i}" for i, name in enumerate(row)]
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise line_error(
            line,
            f"column name {quote(name)} occurs {count} times. Rename the columns, or "
            "give header=False if the file has no header line.",
        )
    return names


def _numbered(n_columns: int) -> list[str]:
    return [f"x{position}" for position in range(n_columns)]


class _Converter:
    """Turns columns of text into numbers or codes, and remembers what it assumed."""

    def __init__(self, cells: TextTable, missing: set[str], delimiter: str) -> None:
        self.cells = cells
        self.missing = missing
        self.delimiter = delimiter
        self.markers: dict[str, int] = {}
        self.decimal_commas: list[str] = []

    def is_empty(self, column: TextColumn) -> bool:
        return all(text.strip() in self.missing for text in column.texts)

    def column(self, name: str, column: TextColumn, nominal: bool) -> Column:
        texts = [text.strip() for text in column.texts]
        self._count_markers(texts, column)
        if not nominal:
            numbers = self._numbers(name, texts)
            if numbers is not None:
                self._check_finite(name, column, numbers)
                return Column(Attribute(name, "numeric"), numbers[column.codes])
        present = sorted({text for text in texts if text not in self.missing})
        if parse_numbers(present) is not None:
            present.sort(key=float)
        position = {text: code for code, text in enumerate(present)}
        table = np.array([position.get(t, MISSING) for t in texts], dtype=np.int32)
        attribute = Attribute(name, "nominal", tuple(present))
        return Column(attribute, table[column.codes])

    def _count_markers(self, texts: list[str], column: TextColumn) -> None:
        found = [code for code, text in enumerate(texts) if text in self.missing]
        if not found:
            return
        counts = np.bincount(column.codes, minlength=len(texts))
        for code in found:
            marker = texts[code]
            self.markers[marker] = self.markers.get(marker, 0) + int(counts[code])

    def _numbers(self, name: str, texts: list[str]) -> NDArray[np.float64] | None:
        """Return the texts as numbers, or None if one is neither that nor missing."""
        known = ["nan" if text in self.missing else text for text in texts]
        numbers = parse_numbers(known)
        if numbers is None and self.delimiter != ",":
            comma = any(map(DECIMAL_COMMA.match, known))
            known = [text.replace(",", ".", 1) for text in known]
            numbers = parse_numbers(known) if comma else None
            if numbers is not None:
                self.decimal_commas.append(name)
        return numbers

    def _check_finite(
        self, name: str, column: TextColumn, numbers: NDArray[np.float64]
    ) -> None:
        infinite = np.flatnonzero(np.isinf(numbers))
        if len(infinite):
            code = int(infinite[0])
            raise line_error(
                self.cells.line_of(column, code),
                f"column {name!r} has the infinite number {quote(column.texts[code])}. "
                "Correct it, or leave the cell empty if it is missing.",
            )

    def notes(self) -> list[str]:
        notes = []
        if self.markers:
            counts = [f"{text!r} ({count})" for text, count in self.markers.items()]
            notes.append(f"missing values: {', '.join(sorted(counts))}")
        if self.decimal_commas:
            notes.append(f"decimal comma in: {', '.join(self.decimal_commas)}")
        return notes
