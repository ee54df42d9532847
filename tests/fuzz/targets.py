"""What is fuzzed: each function takes any bytes, and only our own errors stay inside.

`tools/fuzz.py` calls them with inputs that a coverage-guided fuzzer makes, and
`test_corpus.py` with those that were once found, or begin the search.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from dissensus import C45Classifier, load_dataset
from dissensus.exceptions import ModelError, TableError
from dissensus.io import Dataset
from dissensus.io._arff import parse_arff
from dissensus.io._csv import parse_csv
from dissensus.io._dataset import make_dataset
from dissensus.io._stream import TableStream
from dissensus.io._text import decode
from dissensus.persistence import load_model, save_model
from dissensus.table import Attribute, Schema

SCHEMA = Schema(
    (
        Attribute("a", "numeric"),
        Attribute("b", "nominal", ("x", "y", "?", "")),
        Attribute("c", "nominal", (1, 2.5, True)),
    )
)
HEADERS = (b"", b"a,b,c\n", b"a;b;c\n", b"c\ta\tb\r\n")
ARFF_HEADER = b"""@relation r
@attribute a numeric
@attribute 'b c' {x,'y z',"?"}
@attribute s string
@attribute t date 'yyyy-MM-dd'
@attribute class {no,yes}
@data
"""


def fuzz_csv(content: bytes) -> None:
    """Read a CSV text; the first byte chooses whether it has a header."""
    if not content:
        return
    header = (None, True, False, None)[content[0] % 4]
    with contextlib.suppress(TableError):
        table, notes = parse_csv(decode(content[1:], "utf-8"), header=header)
        _check(make_dataset(table, "t", notes=notes))


def fuzz_arff(content: bytes) -> None:
    """Read an ARFF text; the first byte chooses whether it is rows alone."""
    if not content:
        return
    before = ARFF_HEADER if content[0] % 2 else b""
    with contextlib.suppress(TableError):
        table, weights = parse_arff(decode(before + content[1:], "utf-8"))
        _check(make_dataset(table, "t", sample_weight=weights))


def fuzz_stream(content: bytes) -> None:
    """Read a CSV file for a known schema, by polars and by hand, which must agree."""
    if not content:
        return
    file = HEADERS[content[0] % 4] + content[1:]
    header = bool(content[0] % 8 < 4)
    by_hand = _stream(file, header, fast=False)
    either = _stream(file, header, fast=True)
    assert (by_hand is None) == (either is None), "one of two readers refuses"
    for ours, other in zip(by_hand or (), either or (), strict=True):
        assert ours.dtype == other.dtype
        np.testing.assert_array_equal(ours, other)


def _stream(file: bytes, header: bool, *, fast: bool) -> list[Any] | None:
    """Return the columns of a file, or None if it was refused."""
    try:
        stream: Any = TableStream(io.BytesIO(file), SCHEMA, header=header)
        if not fast:
            stream._read_fast = lambda block: None
        tables = list(stream)
    except TableError:
        return None
    return [column.data for table in tables for column in table.columns]


def _check(data: Dataset) -> None:
    assert len(data.y) == data.X.height > 0
    assert tuple(data.X.columns) == data.schema.names


def fuzz_model(content: bytes) -> None:
    """Load a model file with some members' bytes changed, and ask it.

    Four bytes are one edit: the member, two for the place, the new byte. The archive
    is packed anew, so that its own checksums are right.
    """
    names, members = _members()
    changed = [bytearray(member) for member in members]
    for start in range(0, len(content) - 3, 4):
        which, high, low, value = content[start : start + 4]
        member = changed[which % len(changed)]
        member[(256 * high + low) % len(member)] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.skops")
        with ZipFile(path, "w") as archive:
            for name, member in zip(names, changed, strict=True):
                archive.writestr(name, bytes(member))
        with contextlib.suppress(ModelError, TableError):
            load_model(path).predict(_monks().X[:3])


@cache
def _monks() -> Dataset:
    return load_dataset("monks-1")


@cache
def _members() -> tuple[list[str], list[bytes]]:
    data = _monks()
    model = C45Classifier().fit(data.X, data.y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.skops")
        save_model(model, path, schema=data.schema, target=data.target)
        with ZipFile(path) as archive:
            names = archive.namelist()
            return names, [archive.read(name) for name in names]


TARGETS: dict[str, Callable[[bytes], None]] = {
    "arff": fuzz_arff,
    "csv": fuzz_csv,
    "model": fuzz_model,
    "stream": fuzz_stream,
}
