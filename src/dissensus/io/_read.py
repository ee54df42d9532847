"""Read a file of any known format."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dissensus.exceptions import TableError
from dissensus.io._arff import parse_arff
from dissensus.io._csv import parse_csv
from dissensus.io._dataset import Dataset, as_names, make_dataset
from dissensus.io._files import open_file, reading_errors
from dissensus.io._parquet import MAGIC, parse_parquet
from dissensus.io._text import decode, read_content
from dissensus.table import import_polars

FORMATS = {
    ".arff": "arff",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
ARFF_START = re.compile(r"(?i)(?:\s++|%[^\n]*+)*+@(?:relation|attribute)\b")


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    missing: Iterable[str] = ("", "NA", "?"),
    header: bool | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> Dataset:
    r"""Read an ARFF, CSV, TSV or Parquet file into inputs and labels.

    Parameters
    ----------
    path : str or path
        The file. Its ending tells the format; without a known one, its content does.
    target : str, default=None
        The column to predict. If None, the only one called class, target, label or y,
        else the last one.
    drop : list of str, default=()
        Columns to leave out, such as identifiers.
    nominal : list of str, default=()
        Columns whose numbers are labels.
    missing : list of str, default=("", "NA", "?")
        The texts that stand for a missing value in CSV and TSV files; in ARFF it is a
        `?` without quotes.
    header : bool, default=None
        Whether the first line of a CSV file holds the names; found if None.
    delimiter : str, default=None
        The delimiter of a CSV file; found if None.
    encoding : str, default="utf-8"
        The encoding of a text file; a byte-order mark is skipped.

    Returns
    -------
    Dataset
        Inputs, labels and schema; its `notes` say what was assumed, and which columns
        look like identifiers.

    Raises
    ------
    TableError
        If the file cannot be read; the message names the file, the line or column, and
        the cure.

    See Also
    --------
    load_dataset : Find a data set by its name.

    Notes
    -----
    Needs polars (the extra `tables`). An ARFF attribute of type string becomes nominal,
    one of type date becomes seconds since 1970. In a CSV file a column is numeric if
    all its values are numbers; the labels of other columns are sorted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dissensus.io import read_table
    >>> path = pathlib.Path(tempfile.mkdtemp(), "play.csv")
    >>> _ = path.write_text("outlook;wind;play\nsunny;3;no\nrainy;?;yes\n")
    >>> play = read_table(path)
    >>> play.X.columns, play.y.tolist()
    (['outlook', 'wind'], ['no', 'yes'])
    >>> play.notes[:2]
    ('delimiter: semicolon', "missing values: '?' (1)")
    """
    options: dict[str, Any] = {
        "drop": as_names(drop),
        "nominal": as_names(nominal),
    }
    csv_options: dict[str, Any] = {
        "missing": as_names(missing),
        "header": header,
        "delimiter": delimiter,
        "nominal": options["nominal"],
    }
    try:
        import_polars()
        with reading_errors():
            return _read(Path(path), target, encoding, options, csv_options)
    except TableError as error:
        raise TableError(f"{os.fspath(path)}: {error}") from None


def _read(
    path: Path,
    target: str | None,
    encoding: str,
    options: dict[str, Any],
    csv_options: dict[str, Any],
) -> Dataset:
    kind = FORMATS.get(path.suffix.lower())
    with open_file(path) as file:
        if kind == "parquet" or file.peek(4).startswith(MAGIC):
            table = parse_parquet(file, options["drop"])
            return make_dataset(table, path.stem, target, nominal=options["nominal"])
        text = decode(read_content(file), encoding)
    if kind == "arff" or (kind is None and ARFF_START.match(text)):
        table, weights = parse_arff(text)
        return make_dataset(table, path.stem, target, sample_weight=weights, **options)
    table, notes = parse_csv(text, **csv_options)
    return make_dataset(table, path.stem, target, notes=notes, **options)
