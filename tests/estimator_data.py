"""One small problem in every form that an estimator accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from dissensus.table import Table

Floats = NDArray[np.float64]

LABELS = {"colour": ("red", "green", "blue"), "size": ("s", "m", "l", "xl")}
NAMES = (*LABELS, "length", "count")
NOMINAL = [0, 1]
NUMERIC = [2, 3]


def make_problem(n: int = 150, missing: float = 0.06, seed: int = 0) -> tuple[Any, Any]:
    """Draw rows of two nominal codes, a real and a whole number, and three classes.

    The rows are one float matrix, NaN where a value is missing.
    """
    rng = np.random.default_rng(seed)
    cells = np.column_stack(
        [
            rng.integers(0, 3, n),
            rng.integers(0, 4, n),
            rng.normal(size=n).round(2),
            rng.integers(0, 9, n),
        ]
    ).astype(np.float64)
    colour, size, length, count = cells.T
    y = np.where(colour == 0, length > 0, size >= 2).astype(int) + (count > 5)
    noisy = rng.random(n) < 0.1
    y[noisy] = rng.integers(0, 3, noisy.sum())
    cells[rng.random(cells.shape) < missing] = np.nan
    return cells, y


def as_pandas(cells: Floats, names: Any = NAMES) -> Any:
    """Return the rows as a frame whose nominal columns are categoricals."""
    columns: dict[str, Any] = {}
    for name, column in zip(names, cells.T, strict=True):
        columns[name] = column
        if name in LABELS:
            columns[name] = pd.Categorical.from_codes(_codes(column), LABELS[name])
    return pd.DataFrame(columns)


def as_polars(cells: Floats, names: Any = NAMES) -> pl.DataFrame:
    """Return the rows as a frame whose nominal columns are Enums."""
    columns: dict[str, Any] = {}
    for name, column in zip(names, cells.T, strict=True):
        columns[name] = pl.Series(column, nan_to_null=True)
        if name in LABELS:
            labels = [None if c < 0 else LABELS[name][c] for c in _codes(column)]
            columns[name] = pl.Series(labels, dtype=pl.Enum(LABELS[name]))
    return pl.DataFrame(columns)


def as_objects(cells: Floats, absent: Any = None) -> NDArray[Any]:
    """Return the rows as an array of objects with labels and numbers in it."""
    frame = as_pandas(cells).astype(object)
    return np.asarray(frame.where(frame.notna(), absent).to_numpy(dtype=object))


def _codes(column: Floats) -> NDArray[np.int8]:
    return np.where(np.isnan(column), -1, column).astype(np.int8)


def numbers(X: Any) -> Floats:
    """Return a table in any form as numbers and codes, NaN where a value is missing."""
    table = Table.from_any(X)
    cells = np.column_stack([data.astype(np.float64) for data in table.arrays])
    nominal = [attribute.is_nominal for attribute in table.schema]
    return np.where((cells < 0) & nominal, np.nan, cells)
