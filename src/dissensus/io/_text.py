"""What the readers of text files share: decoding, and columns of text as codes."""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.io._files import check_columns, open_file, reading_errors
from dissensus.table import Index

Row = tuple[int, list[str]]

BATCH = 8192  # rows held as Python strings at a time
SURROGATE = re.compile("[\ud800-\udfff]")
PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2"}


def line_error(line: int, message: str) -> TableError:
    """Return an error that names the line, counted from 1."""
    return TableError(f"line {line}: {message}")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; the file system's refusals become our error."""
    with reading_errors(), open_file(path) as file:
        return read_content(file)


def read_content(file: BinaryIO) -> bytes:
    """Return the content of an open file, which must have one."""
    content = file.read()
    if not content or content.isspace():
        raise TableError("the file is empty. Give a file with a header and rows.")
    return content


def decode(content: bytes, encoding: str) -> str:
    """Return the content as text: plain line ends, no byte-order mark."""
    for magic, name in PACKED.items():
        if content.startswith(magic):
            raise TableError(f"the file is packed with {name}. Unpack it first.")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise line_error(
            line,
            f"byte 0x{content[error.start]:02x} is not {encoding} text. Save the file "
            "as UTF-8, or give its encoding, such as encoding='latin-1'.",
        ) from None
    except (LookupError, ValueError):  # ValueError: a name with a zero byte
        raise TableError(
            f"encoding {encoding!r} is not known to Python. Use 'utf-8' or 'latin-1'."
        ) from None
    _check_characters(text, encoding)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _check_characters(text: str, encoding: str) -> None:
    """Refuse what no text file holds: zero bytes and halves of characters."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise line_error(
            line, "a zero byte: this is no text file. Give ARFF, CSV, TSV or Parquet."
        )
    if codecs.lookup(encoding).name == "utf-8":  # which never gives halves
        return
    half = SURROGATE.search(text)
    if half is not None:
        line = text.count("\n", 0, half.start()) + 1
        raise line_error(line, f"half a character, {half[0]!r}. Check the encoding.")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column of a text file: codes into its distinct texts."""

    codes: NDArray[np.int32]
    texts: list[str]

    def first_row(self, code: int) -> int:
        """Return the first row that has the text of this code."""
        return int(np.argmax(self.codes == code))


@dataclass(frozen=True, slots=True)
class TextTable:
    """The cells of a text file by column, and the line of each row."""

    lines: NDArray[np.int64]
    columns: list[TextColumn]

    def line_of(self, column: TextColumn, code: int) -> int:
        """Return the line where a text of a column first occurs."""
        return int(self.lines[column.first_row(code)])


def collect(rows: Iterator[Row], n_columns: int) -> TextTable:
    """Gather rows of equal length into columns, a batch at a time."""
    check_columns(n_columns)
    lines = array("q")
    indexes = [Index() for _ in range(n_columns)]
    codes = [array("i") for _ in range(n_columns)]
    while batch := list(islice(rows, BATCH)):
        lines.extend(line for line, _ in batch)
        columns: Iterable[tuple[str, ...]] = zip(*(c for _, c in batch), strict=True)
        for index, out, column in zip(indexes, codes, columns, strict=True):
            out.extend(map(index.__getitem__, column))
    if not lines:
        raise TableError("there are no rows, only a header. Add rows of data.")
    return TextTable(
        np.array(lines, dtype=np.int64),
        [
            TextColumn(np.array(out, dtype=np.int32), list(index))
            for index, out in zip(indexes, codes, strict=True)
        ],
    )


def parse_number(text: str) -> float | None:
    """Return the number that a text spells, or None; Python's 1_000 is no number."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def parse_numbers(texts: list[str]) -> NDArray[np.float64] | None:
    """Return the numbers that all the texts spell, or None if one spells none."""
    try:
        numbers = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
    except ValueError:
        return None
    return None if "_" in "".join(texts) else numbers
