"""Predict the rows of a file of any length."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Any, BinaryIO

import numpy as np

from dissensus.base import TableClassifier
from dissensus.exceptions import ModelError, TableError
from dissensus.io import harmless, open_tables
from dissensus.table import Schema, Table, import_polars

PREDICTION = "prediction"


def predict_file(
    model: Any,
    source: str | os.PathLike[str] | BinaryIO,
    output: BinaryIO,
    *,
    schema: Schema | None = None,
    proba: bool = False,
    missing: Collection[str] = ("", "NA", "?"),
    header: bool = True,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    tell: Callable[[str], None] | None = None,
) -> int:
    r"""Write what a model answers for each row of a file, as CSV.

    A CSV file is read in blocks, so its length does not matter.

    Parameters
    ----------
    model : classifier
        The fitted model.
    source : path or binary file
        The rows: a CSV, ARFF or Parquet file, or an open CSV file or pipe.
    output : binary file
        Where the answers are written, a line for each row, after a header.
    schema : Schema, default=None
        The attributes that the model was fitted with; the model's own if None.
    proba : bool, default=False
        Write the probability of each class too.
    missing : collection of str, default=("", "NA", "?")
        The texts that stand for a missing value in CSV files.
    header : bool, default=True
        Whether the first line of a CSV file holds the names of the columns.
    delimiter : str, default=None
        The delimiter of a CSV file; found if None.
    encoding : str, default="utf-8"
        The encoding of a text file.
    tell : callable, default=None
        Called with notes, such as which columns of the file are not used.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    TableError
        If a column is missing, or a cell is not what it should be; the message names
        the line and the column.

    Notes
    -----
    Columns are found by name, in any order; further ones are not used. Values of a
    nominal attribute that the model has not seen count as missing. A label that begins
    with `=`, `+`, `-`, `@`, a tab or a line end, and is no number, is written with a
    single quote before it, so that no spreadsheet runs it; a program that reads the
    answers takes it away again.

    Examples
    --------
    >>> import io
    >>> from dissensus import C45Classifier, load_dataset
    >>> from dissensus.persistence import predict_file
    >>> iris = load_dataset("iris")
    >>> model = C45Classifier().fit(iris.X[:, 2:], iris.y)
    >>> rows = io.BytesIO(b"petal width (cm),petal length (cm)\n0.2,1.4\n2.1,5.6\n")
    >>> answers = io.BytesIO()
    >>> predict_file(model, rows, answers)
    2
    >>> print(answers.getvalue().decode())
    prediction
    setosa
    virginica
    <BLANKLINE>
    """
    options: dict[str, Any] = {
        "missing": missing,
        "header": header,
        "delimiter": delimiter,
        "encoding": encoding,
    }
    n_rows = 0
    with open_tables(source, _schema_of(model, schema), tell=tell, **options) as tables:
        for table in tables:
            answers = _answers(model, table, proba=proba)
            answers.write_csv(output, include_header=not n_rows)
            n_rows += table.n_rows
    return n_rows


def read_row(
    model: Any,
    source: str | os.PathLike[str],
    row: int,
    *,
    schema: Schema | None = None,
    header: bool = True,
    encoding: str = "utf-8",
) -> Table:
    """Read one row of a file as a model wants it.

    Parameters
    ----------
    model : classifier
        The fitted model.
    source : path
        A CSV, ARFF or Parquet file.
    row : int
        The row, counted from 0.
    schema : Schema, default=None
        The attributes that the model was fitted with; the model's own if None.
    header : bool, default=True
        Whether the first line of a CSV file holds the names of the columns.
    encoding : str, default="utf-8"
        The encoding of a text file.

    Returns
    -------
    Table
        Of one row.

    Raises
    ------
    TableError
        If there is no such row, or the file cannot be read.
    """
    before = 0
    options: dict[str, Any] = {"header": header, "encoding": encoding}
    with open_tables(source, _schema_of(model, schema), **options) as tables:
        for table in tables:
            if before <= row < before + table.n_rows:
                return table.take([row - before])
            before += table.n_rows
        raise TableError(f"there is no row {row + 1}; the file has {before}.")


def _schema_of(model: Any, schema: Schema | None) -> Schema:
    schema = schema if schema is not None else getattr(model, "schema_", None)
    if schema is None:
        raise ModelError(
            "it is not known which attributes the model was fitted with. Give `schema`."
        )
    return schema


def _answers(model: Any, table: Table, *, proba: bool) -> Any:
    """Return the answers for some rows as a polars frame."""
    pl = import_polars()
    rows: Any = table
    if isinstance(model, TableClassifier):
        # Codes, not labels: it is faster to write each label's text once.
        codes = model._codes_table(table)
        labels = harmless(pl.Series(np.asarray(model.classes_).tolist()))
        columns = {PREDICTION: labels.gather(codes)}
    else:
        rows = table.to_frame("polars")
        answers = pl.Series(np.asarray(model.predict(rows)).tolist())
        columns = {PREDICTION: harmless(answers)}
    if proba:
        shares = model.predict_proba(rows)
        for label, share in zip(model.classes_, shares.T, strict=True):
            columns[f"p({label})"] = pl.Series(np.ascontiguousarray(share))
    return pl.DataFrame(columns)
