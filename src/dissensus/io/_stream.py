"""CSV files of any length, a block at a time, as tables of a known schema.

A block is read by polars where that is sure to give what `read_table` would give: cells
that are what they should be, one line for each row. Any other block is read cell by
cell, as `read_table` does it, which is slow but finds the line of a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.io._csv import (
    DECIMAL_COMMA,
    SAMPLE_LINES,
    check_delimiter,
    check_widths,
    column_names,
    csv_rows,
    find_delimiter,
)
from dissensus.io._files import reading_errors
from dissensus.io._text import (
    TextColumn,
    TextTable,
    collect,
    decode,
    line_error,
    parse_number,
)
from dissensus.table import (
    MISSING,
    UNSEEN,
    Attribute,
    Column,
    Schema,
    Table,
    has_infinity,
    import_polars,
)
from dissensus.utils._names import quote, suggest

BLOCK = 1 << 23  # bytes; memory is a few times this
MAX_ROW = 1 << 26  # bytes
MARK = b"\xef\xbb\xbf"
ODD = (b'""', b"\0")  # what polars reads in another way
PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x^", b"x\x9c", b"x\xda")


class TableStream:
    """The rows of a CSV file as tables, one after the other.

    Parameters
    ----------
    file : binary file
        The file, or a pipe.
    schema : Schema
        The attributes that the tables shall have. Columns are found by name, in any
        order, if the attributes have names and the file has a header.
    missing : collection of str, default=("", "NA", "?")
        The texts that stand for a missing value.
    header : bool, default=True
        Whether the first line holds the names; if not, columns are found by position.
    delimiter : str, default=None
        The delimiter; found if None.

    Attributes
    ----------
    unused : tuple of str
        Columns of the file that the schema does not ask for.
    """

    def __init__(
        self,
        file: BinaryIO,
        schema: Schema,
        *,
        missing: Collection[str] = ("", "NA", "?"),
        header: bool = True,
        delimiter: str | None = None,
    ) -> None:
        self._blocks = _blocks(file)
        self._schema = schema
        self._missing = list(missing)
        first = next(self._blocks, b"").removeprefix(MARK)
        if not first.strip():
            raise TableError("the file is empty. Give a file with a header and rows.")
        self._first = first
        # The cut may go through a character.
        start = first[:65536].decode("utf-8", "replace")
        sample = start.split("\n", SAMPLE_LINES)[:SAMPLE_LINES]
        self._delimiter = find_delimiter(sample) if delimiter is None else delimiter
        check_delimiter(self._delimiter)
        self._line = 0  # lines before the next block
        names = self._read_names(header)
        self._n_columns = len(names)
        self._places = _find_columns(names, schema, by_name=header and schema.named)
        used = set(self._places)
        self.unused = tuple(n for i, n in enumerate(names) if i not in used)

    def __iter__(self) -> Iterator[Table]:
        """Give the rows in their order; the file can be read once."""
        blocks, self._first = [self._first], b""
        for source in (blocks, self._blocks):
            for block in source:
                if block and not block.isspace():
                    yield self._read(block)
                self._line += _count(block, b"\n")

    def _read_names(self, header: bool) -> list[str]:
        """Return the names of the columns, and begin behind them."""
        end = _end_of_row(self._first)
        rows = csv_rows(_decoded(self._first[:end], 0), self._delimiter)
        line, row = next(rows, (1, [""]))
        if not header:
            return [f"column {position + 1}" for position in range(len(row))]
        self._line = _count(self._first[:end], b"\n")
        self._first = self._first[end:]
        return column_names(line, row)

    def _read(self, block: bytes) -> Table:
        columns = self._read_fast(block)
        if columns is None:
            columns = self._read_slowly(block)
        return Table(self._schema, columns, len(columns[0]) if columns else None)

    # By polars

    def _read_fast(self, block: bytes) -> list[Column] | None:
        """Return the columns of a block, or None if anything is odd."""
        pl = import_polars()
        n_lines = _count(block, b"\n") + (not block.endswith(b"\n"))
        n_delimiters = _count(block, self._delimiter.encode())
        # Quoted delimiters and line ends, empty lines, rows that are too short ...
        if n_delimiters != n_lines * (self._n_columns - 1) or not self._places:
            return None
        # ... and what polars reads in another way.
        if _is_odd(block, self._delimiter):
            return None
        kinds = {}
        for attribute, place in zip(self._schema, self._places, strict=True):
            kinds[str(place)] = pl.String if attribute.is_nominal else pl.Float64
        try:
            frame = pl.read_csv(
                block,
                has_header=False,
                new_columns=[str(place) for place in range(self._n_columns)],
                columns=sorted(set(self._places)),
                schema_overrides=kinds,
                separator=self._delimiter,
                null_values=self._missing,
                infer_schema_length=0,
            )
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            return None
        except (ValueError, OSError):
            return None
        if len(frame) != n_lines:
            return None
        columns = [
            _from_series(pl, attribute, frame[str(place)], self._missing)
            for attribute, place in zip(self._schema, self._places, strict=True)
        ]
        return None if None in columns else [c for c in columns if c is not None]

    # Cell by cell

    def _read_slowly(self, block: bytes) -> list[Column]:
        rows = check_widths(
            csv_rows(_decoded(block, self._line), self._delimiter, self._line),
            self._n_columns,
            "header",
        )
        cells = collect(rows, self._n_columns)
        return [
            self._column(attribute, cells, cells.columns[place])
            for attribute, place in zip(self._schema, self._places, strict=True)
        ]

    def _column(
        self, attribute: Attribute, cells: TextTable, column: TextColumn
    ) -> Column:
        texts = [text.strip() for text in column.texts]
        if attribute.is_nominal:
            codes = code_texts(attribute, texts, self._missing)
            return Column(attribute, codes[column.codes])
        numbers = np.array([self._number(text) for text in texts], dtype=np.float64)
        bad = [i for i, n in enumerate(numbers) if np.isinf(n)]
        bad += [
            i
            for i, text in enumerate(texts)
            if np.isnan(numbers[i]) and not self._is_missing(text)
        ]
        if bad:
            row = int(np.argmax(np.isin(column.codes, bad)))
            code = int(column.codes[row])
            raise line_error(
                int(cells.lines[row]),
                f"column {attribute.name!r} has {quote(column.texts[code])}, which is "
                "no number that can be used; the model was fitted with numbers there. "
                "Correct it, or leave the cell empty if it is missing.",
            )
        return Column(attribute, numbers[column.codes])

    def _is_missing(self, text: str) -> bool:
        return text in self._missing or text.lower() in ("nan", "+nan", "-nan")

    def _number(self, text: str) -> float:
        """Return the number that a text spells, NaN if there is none."""
        if self._delimiter != "," and DECIMAL_COMMA.match(text):
            text = text.replace(",", ".", 1)
        number = parse_number(text)
        return np.nan if number is None else number


def code_texts(
    attribute: Attribute, texts: Sequence[str], missing: Collection[str]
) -> NDArray[np.int32]:
    """Return the codes of texts: -1 for missing, -2 for a value not declared.

    Declared values that are numbers or booleans are found however they are spelt.
    """
    position = {str(value): code for code, value in enumerate(attribute.categories)}
    numbers = {
        float(value): code
        for code, value in enumerate(attribute.categories)
        if not isinstance(value, str | bytes)
    }
    truth = {"true": 1.0, "false": 0.0}
    codes = []
    for text in texts:
        if text in missing:
            codes.append(MISSING)
        elif text in position or not numbers:
            codes.append(position.get(text, UNSEEN))
        else:
            number = truth.get(text.lower(), parse_number(text))
            codes.append(UNSEEN if number is None else numbers.get(number, UNSEEN))
    return np.array(codes, dtype=np.int32)


def _from_series(
    pl: Any, attribute: Attribute, series: Any, missing: Sequence[str]
) -> Column | None:
    """Return one column that polars has read, or None if a number is infinite."""
    if not attribute.is_nominal:
        numbers = series.fill_null(np.nan).to_numpy()
        return None if has_infinity(numbers) else Column(attribute, numbers)
    # Each distinct text is looked up once.
    texts = series.unique().drop_nulls().to_list()
    codes = code_texts(attribute, [text.strip() for text in texts], missing)
    table = np.append(codes, np.int32(MISSING))  # for a null, the last place
    coded = series.cast(pl.Enum(texts)).to_physical()
    return Column(attribute, table[coded.cast(pl.Int32).fill_null(-1).to_numpy()])


def _is_odd(block: bytes, delimiter: str) -> bool:
    """Whether polars may read a block in another way than we do, or unpack it."""
    return (
        block.startswith(PACKED)
        or any(odd in block for odd in ODD)
        or block.count(b"\r") != block.count(b"\r\n")
        or not _quotes_are_plain(block, delimiter)
    )


def _quotes_are_plain(block: bytes, delimiter: str) -> bool:
    """Whether every quote opens or closes a cell, one without a delimiter in it."""
    if b'"' not in block:
        return True
    letters = np.frombuffer(b"\n" + block + b"\n", np.uint8)
    is_quote = letters == ord('"')
    places = np.flatnonzero(is_quote)
    if len(places) % 2:
        return False
    before, behind = letters[places[::2] - 1], letters[places[1::2] + 1]
    ends = [ord("\n"), ord(delimiter)]
    inside = np.cumsum(is_quote, dtype=np.uint8) % 2 == 1
    return bool(
        np.isin(before, ends).all()
        and np.isin(behind, [*ends, ord("\r")]).all()
        and not np.isin(letters[inside], ends).any()
    )


def _find_columns(names: Sequence[str], schema: Schema, *, by_name: bool) -> list[int]:
    """Return the position in the file of each attribute."""
    if by_name:
        places = {name: position for position, name in enumerate(names)}
        absent = [name for name in schema.names if name not in places]
        if len(absent) == len(schema) > 0:
            raise TableError(
                f"the first line names no column of the model ({schema.names[0]!r}, "
                "...). If it is a row of data, say that there is no header."
            )
        if absent:
            more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
            raise TableError(
                f"column {absent[0]!r} is missing{more}. {suggest(absent[0], names)}"
            )
        return [places[name] for name in schema.names]
    if len(names) != len(schema):
        raise TableError(
            f"there are {len(names)} columns, but the model was fitted with "
            f"{len(schema)}. Without names, all must be there, in the same order."
        )
    return list(range(len(names)))


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Give the content of a file in blocks of whole rows."""
    rest = b""
    while read := _read_block(file):
        rest += read
        end = _last_end(rest)
        if end:
            yield rest[:end]
            rest = rest[end:]
        # Each read looks at all of the rest again, which must therefore be short.
        elif len(rest) > MAX_ROW:
            raise TableError(
                f"no row ends within {len(rest):,} bytes. Check that every quote is "
                "closed."
            )
    if rest:
        yield rest


def _read_block(file: BinaryIO) -> bytes:
    with reading_errors():
        return file.read(BLOCK)


def _last_end(block: bytes) -> int:
    """Return where the last whole row ends; a line end in quotes ends no row."""
    end = block.rfind(b"\n") + 1
    quotes = block.count(b'"', 0, end)
    while end and quotes % 2:
        before = block.rfind(b"\n", 0, end - 1) + 1
        quotes -= block.count(b'"', before, end)
        end = before
    return end


def _count(block: bytes, letter: bytes) -> int:
    """Return how often a letter occurs; bytes.count is four times as slow."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord(letter)))


def _end_of_row(block: bytes) -> int:
    """Return where the first row that is not empty ends."""
    end, n_quotes, blank = 0, 0, True
    while end < len(block) and (blank or n_quotes % 2):
        start, end = end, block.find(b"\n", end) + 1 or len(block)
        n_quotes += block.count(b'"', start, end)
        blank = blank and block[start:end].strip() in (b"", b'""')
    return end


def _decoded(block: bytes, line: int) -> str:
    """Return a block as text; an error names the line in the whole file."""
    try:
        return decode(block, "utf-8")
    except TableError:
        if not line:
            raise
        # The line was counted from the beginning of the block: count again, from the
        # beginning of the file.
        return decode(b"\n" * line + block, "utf-8")
