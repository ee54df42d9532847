"""Rows of whatever a caller has for a table."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from dissensus.table._table import Table


def count_rows(X: Any) -> int:
    """Return the number of rows of an array, list, frame or Table."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows as an object of the same kind; categories stay declared."""
    if isinstance(X, Table):
        return X.take(rows)
    if nw.dependencies.is_into_dataframe(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    if isinstance(X, list | tuple):
        return [X[row] for row in rows]
    return X[rows]
