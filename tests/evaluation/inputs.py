"""One small table in every form that a caller may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from dissensus.table import Table

KINDS = ("array", "list", "pandas", "polars", "table")


def small_table(kind: str) -> tuple[Any, NDArray[Any]]:
    """Return 40 rows of two numbers, in one of `KINDS`, and three labels."""
    rng = np.random.default_rng(7)
    y = np.array(["b", "a", "c", "a"] * 10)
    X = rng.normal(size=(40, 2)) + (y == "a")[:, None] * 2.0
    if kind == "array":
        return X, y
    if kind == "list":
        return X.tolist(), y
    if kind == "table":
        return Table.from_any(X), y
    columns = {"u": X[:, 0], "v": X[:, 1]}
    # A frame whose index is no row number tells rows and labels of rows apart.
    frames = {"pandas": lambda: pd.DataFrame(columns, index=np.arange(40)[::-1])}
    return frames.get(kind, lambda: pl.DataFrame(columns))(), y
