"""Arrays and lists on their way into a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError, TableTypeError
from dissensus.table._from_values import (
    RawColumn,
    doubles,
    has_infinity,
    numbers_column,
    object_column,
    time_error,
)


def as_array(X: Any) -> NDArray[Any]:
    """Return the input as a two-dimensional array; mixed lists become objects."""
    if hasattr(X, "toarray"):
        raise TableTypeError(
            "Sparse data was passed for X, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(X, np.ma.MaskedArray):
        X = _unmasked(X)
    try:
        array = np.asarray(X)
        if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
            array = np.array(X, dtype=object)  # numpy turned the numbers to text
    except (TypeError, ValueError) as error:
        raise TableError(
            f"X is not a table ({error}). Give rows of equal length."
        ) from None
    return check_shape(array)


def _unmasked(X: Any) -> NDArray[Any]:
    """Return a masked array as a plain one, NaN or None where it is masked."""
    if X.dtype.kind in "iuf":
        return np.asarray(X.astype(np.float64).filled(np.nan))
    plain = X.data.astype(object)
    plain[np.ma.getmaskarray(X)] = None
    return np.asarray(plain)


def check_shape(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array if it has two dimensions and neither is empty."""
    if array.ndim != 2:
        raise TableError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data "
            "either using array.reshape(-1, 1) if your data has a single feature or "
            "array.reshape(1, -1) if it contains a single sample."
        )
    check_not_empty(array.shape)
    return array


def check_not_empty(shape: tuple[int, ...]) -> None:
    """Raise scikit-learn's error for a table without rows or columns."""
    for size, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if size == 0:
            raise TableError(
                f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is "
                "required."
            )


def check_finite(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix if no cell is infinite."""
    if has_infinity(matrix):
        row, column = (int(place[0]) for place in np.nonzero(np.isinf(matrix)))
        raise TableError(
            f"Input X contains infinity: row {row}, column {column}. Replace it by a "
            "number, or by NaN for a missing value."
        )
    return matrix


def as_matrix(array: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return an array of real numbers as a checked C-ordered matrix, else None.

    A column-major array is left alone, for its columns can be used as they are.
    """
    column_major = array.flags.f_contiguous and not array.flags.c_contiguous
    if array.dtype.kind not in "iuf" or (column_major and array.dtype == np.float64):
        return None
    return check_finite(doubles(array))


def array_columns(array: NDArray[Any]) -> list[RawColumn]:
    """Return the columns of an array of any type."""
    kind = array.dtype.kind
    columns = [array[:, position] for position in range(array.shape[1])]
    named = [(f"x{position}", column) for position, column in enumerate(columns)]
    if kind == "c":
        raise TableError(
            "Complex data not supported. Give the real and the imaginary part as two "
            "columns."
        )
    if kind in "mM":
        raise time_error("x0", array.dtype.name)
    if kind in "iuf":
        return [numbers_column(name, column) for name, column in named]
    return [object_column(name, column.tolist()) for name, column in named]
