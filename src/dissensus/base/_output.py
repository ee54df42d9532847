"""A changed table on its way out, as what the caller put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from dissensus.table import Column, Table


def like_input(
    table: Table,
    X: Any,
    container: Literal["default", "pandas", "polars"],
    plain: Callable[[Table], Table],
) -> Any:
    """Return the table as the kind of object that `X` is.

    Parameters
    ----------
    table : Table
        The rows of `X`, changed.
    X : array, frame or Table
        What the caller gave.
    container : {"default", "pandas", "polars"}
        What `set_output` asks for; "default" is the kind of `X`.
    plain : callable
        Returns a table in the form that an array can hold.

    Returns
    -------
    X_out : ndarray, frame or Table
        An array in gives `plain(table)`, in whatever container: `set_output` changes
        the container and not the content.
    """
    is_frame = bool(nw.dependencies.is_into_dataframe(X))
    if not is_frame and not isinstance(X, Table):
        table = plain(table)
    if container == "default":
        if isinstance(X, Table):
            return table
        if not is_frame:
            return to_array(table)
        container = "polars" if not _is_pandas_like(X) else "pandas"
    frame = table.to_frame(container)
    return _with_labels_of(frame, X) if _is_pandas_like(X) else frame


def _is_pandas_like(X: Any) -> bool:
    """Whether X has row labels and column labels as pandas has."""
    return bool(nw.dependencies.is_pandas_like_dataframe(X))


def _with_labels_of(frame: Any, X: Any) -> Any:
    """Return a pandas frame with the row labels of X; polars has none."""
    if nw.dependencies.is_pandas_dataframe(frame):
        frame.index = X.index
    return frame


def to_array(table: Table) -> NDArray[Any]:
    """Return numbers and labels in one matrix; of objects if a label is no number."""
    numbers = all(
        isinstance(label, int | float) and not isinstance(label, bool)
        for attribute in table.schema
        for label in attribute.categories
    )
    if table.matrix is not None:
        return table.matrix.copy()
    shape = (table.n_rows, table.n_attributes)
    array = np.empty(shape, dtype=np.float64 if numbers else object)
    for position, column in enumerate(table.columns):
        array[:, position] = _values(column, array.dtype)
    return array


def _values(column: Column, dtype: np.dtype[Any]) -> NDArray[Any]:
    if not column.attribute.is_nominal:
        return column.data
    # Two spare places at the end serve the codes -2 and -1 as negative indices.
    labels = np.empty(column.attribute.n_values + 2, dtype=dtype)
    labels[:-2] = column.attribute.categories
    labels[-2:] = np.nan
    return np.asarray(labels[column.data])
