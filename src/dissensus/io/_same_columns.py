"""Files whose columns are known beforehand: those of a training set."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from dissensus.exceptions import TableError
from dissensus.io._arff import parse_arff
from dissensus.io._dataset import Dataset, labels_of
from dissensus.io._files import open_file, reading_errors
from dissensus.io._parquet import parse_parquet
from dissensus.io._read import FORMATS
from dissensus.io._stream import TableStream
from dissensus.io._text import decode, read_content
from dissensus.table import UNSEEN, Attribute, Column, Schema, Table

UTF_8 = "utf-8"


def read_like(
    path: str | os.PathLike[str], train: Dataset, *, encoding: str = UTF_8
) -> Dataset:
    r"""Read a test set: a file with the columns of a training set.

    Parameters
    ----------
    path : str or path
        The file. Its columns may stand in another order, and further ones are not
        used; the target must be among them.
    train : Dataset
        The training set.
    encoding : str, default="utf-8"
        The encoding of a text file.

    Returns
    -------
    Dataset
        With the schema and the classes of the training set.

    Raises
    ------
    TableError
        If a column is missing, a cell is not what it should be (the message names the
        line and the column), or a label is not one of the training set.

    See Also
    --------
    read_table : Read a training set.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dissensus.io import read_like, read_table
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "old.csv").write_text("wind,play\n3,no\n1,yes\n")
    >>> _ = (folder / "new.csv").write_text("play,wind\nyes,2\nno,?\n")
    >>> new = read_like(folder / "new.csv", read_table(folder / "old.csv"))
    >>> new.X.columns, new.y.tolist()
    (['wind'], ['yes', 'no'])
    """
    target = Attribute(train.target, "nominal", train.classes)
    schema = Schema((*train.schema, target))
    with open_tables(path, schema, encoding=encoding) as tables:
        return _as_dataset(_joined(list(tables)), train, Path(path).stem)


def _joined(tables: list[Table]) -> Table:
    """Return tables of one schema as one."""
    if not tables:
        raise TableError("there are no rows, only a header. Add rows of data.")
    schema = tables[0].schema
    columns = [
        Column(attribute, np.concatenate([table.columns[i].data for table in tables]))
        for i, attribute in enumerate(schema)
    ]
    return Table(schema, columns)


def _as_dataset(table: Table, train: Dataset, name: str) -> Dataset:
    """Part a table into inputs and labels as those of the training set."""
    codes: Any = table.column(train.target).data
    n_strange = np.count_nonzero(codes == UNSEEN)
    if n_strange:
        raise TableError(
            f"the target {train.target!r} has labels in {n_strange} rows that the "
            "training set does not have, so no learner can know them. Correct them, or "
            "leave these rows out."
        )
    present = np.flatnonzero(codes >= 0)
    if not len(present):
        raise TableError(f"the target {train.target!r} has no value in any row.")
    notes = []
    if len(present) < len(codes):
        notes.append(
            f"{len(codes) - len(present)} rows without a value of the target "
            f"{train.target!r} were left out"
        )
    inputs = table.drop(train.target).take(present)
    return Dataset(
        X=inputs.to_frame("polars"),
        y=labels_of(table.column(train.target).attribute, codes[present]),
        schema=inputs.schema,
        name=name,
        target=train.target,
        classes=train.classes,
        notes=tuple(notes),
    )


@contextmanager
def open_tables(
    source: str | os.PathLike[str] | BinaryIO,
    schema: Schema,
    *,
    encoding: str = UTF_8,
    tell: Callable[[str], None] | None = None,
    **options: Any,
) -> Iterator[Iterator[Table]]:
    """Open a file of any format for tables of a known schema, one after the other.

    Errors begin with the name of the file. A CSV file is read in blocks.

    Parameters
    ----------
    source : path or binary file
        A CSV, ARFF or Parquet file, or an open CSV file or pipe.
    schema : Schema
        The attributes that the tables shall have.
    encoding : str, default="utf-8"
        The encoding of a text file.
    tell : callable, default=None
        Called with notes, such as which columns of the file are not used.
    **options
        Of `TableStream`.
    """
    if not isinstance(source, str | os.PathLike):
        yield _stream(source, schema, encoding, options, tell)
        return
    path = Path(source)
    try:
        kind = FORMATS.get(path.suffix.lower(), "csv")
        if kind == "csv":
            with open_file(path) as file:
                yield _stream(file, schema, encoding, options, tell)
        else:
            yield iter([_whole(path, kind, schema, encoding)])
    except TableError as error:
        raise TableError(f"{os.fspath(source)}: {error}") from None


def _stream(
    file: BinaryIO,
    schema: Schema,
    encoding: str,
    options: dict[str, Any],
    tell: Callable[[str], None] | None,
) -> Iterator[Table]:
    with reading_errors():
        stream = TableStream(_as_utf_8(file, encoding), schema, **options)
    if stream.unused and tell is not None:
        names = ", ".join(map(repr, stream.unused[:5]))
        more = f" and {len(stream.unused) - 5} more" if len(stream.unused) > 5 else ""
        tell(f"columns that the model does not use: {names}{more}")
    return _guarded(iter(stream))


def _guarded(tables: Iterator[Table]) -> Iterator[Table]:
    """Give the tables on; errors of reading them become ours."""
    while True:
        with reading_errors():
            table = next(tables, None)
        if table is None:
            return
        yield table


def _as_utf_8(file: BinaryIO, encoding: str) -> BinaryIO:
    """Return a file that reads as UTF-8, whatever it is written in."""
    decode(b" ", encoding)  # which refuses an encoding that is not known
    if codecs.lookup(encoding).name == UTF_8:
        return file
    return cast("BinaryIO", codecs.EncodedFile(file, UTF_8, encoding))


def _whole(path: Path, kind: str, schema: Schema, encoding: str) -> Table:
    """Read an ARFF or Parquet file, which has types of its own."""
    with open_file(path) as file, reading_errors():
        if kind == "parquet":
            table = parse_parquet(file)
        else:
            table, _ = parse_arff(decode(read_content(file), encoding))
    return Table.from_any(table, schema=schema)
