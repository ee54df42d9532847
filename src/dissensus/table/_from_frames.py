"""Data frames on their way into a table; narwhals tells their types."""

from __future__ import annotations

import weakref
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError, TableTypeError
from dissensus.table._column import MISSING
from dissensus.table._from_arrays import check_not_empty
from dissensus.table._from_values import (
    RawColumn,
    numbers_column,
    object_column,
    time_error,
)
from dissensus.table._to_frame import import_polars

TIMES = (nw.Datetime, nw.Date, nw.Time, nw.Duration)
PLAIN_PANDAS = frozenset({"category", "float64", "int64"})
LABELS = (nw.String, nw.Categorical, nw.Enum, nw.Object, nw.Boolean)


def as_frame(X: Any) -> Any:
    """Return a frame wrapped by narwhals, or a pandas frame as it is; else None.

    To wrap a frame takes 40 us, a quarter of the time to read eight small columns.
    """
    if isinstance(X, np.ndarray | list | tuple):
        return None
    if nw.dependencies.is_pandas_dataframe(X) and X.columns.is_unique:
        check_not_empty(X.shape)
        return X
    try:
        frame = nw.from_native(X, pass_through=True, allow_series=True)
    except Exception as error:  # noqa: BLE001 - narwhals passes on any error
        reason = " ".join(str(error).split())
        raise TableError(
            f"X is not a usable frame: {reason}. Rename or convert its columns."
        ) from None
    if isinstance(frame, nw.LazyFrame):
        raise TableTypeError("X is a lazy frame. Call .collect() on it first.")
    if isinstance(frame, nw.Series):
        raise TableError(
            "Expected 2D array, got 1D array instead: X is a series. "
            "Use .to_frame() to make a frame of one column, or take a row as a frame: "
            "X[:1], X.iloc[[0]]."
        )
    if not isinstance(frame, nw.DataFrame):
        return None
    check_not_empty(frame.shape)
    if frame.implementation.is_pandas_like() or frame.implementation.is_polars():
        return frame
    import_polars()
    return nw.from_native(frame.to_polars(), eager_only=True)


def frame_names(frame: Any) -> tuple[str, ...] | None:
    """Return the column names, or None when they are only numbers of columns."""
    columns = frame.columns
    names = columns if isinstance(columns, list) else columns.tolist()
    if all(isinstance(name, str) for name in names):
        return tuple(map(str, names))
    if any(isinstance(name, str) for name in names):
        kinds = sorted({type(name).__name__ for name in names})
        raise TableTypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {kinds} as feature name / column name types. Rename "
            "the columns: X.columns = X.columns.astype(str)."
        )
    return None


def frame_columns(frame: Any) -> list[RawColumn]:
    """Return the columns of a frame.

    The commonest types of pandas go around narwhals, whose wrapper for each column
    would cost more than the conversion (50 categories of 20,000 rows: 3 of 7 ms).
    """
    if not isinstance(frame, nw.DataFrame):
        return [
            _pandas(str(name), series)
            if str(series.dtype) in PLAIN_PANDAS
            else _series(str(name), nw.from_native(series, series_only=True))
            for name, series in frame.items()
        ]
    return [_series(str(series.name), series) for series in frame.iter_columns()]


def _series(name: str, series: nw.Series[Any]) -> RawColumn:
    kind = series.dtype
    if isinstance(kind, TIMES):
        raise time_error(name, str(kind))
    is_polars = series.implementation.is_polars()
    native = series.to_native()
    if isinstance(kind, LABELS):
        return _polars_labels(name, native) if is_polars else _pandas(name, native)
    if not is_polars:
        return _pandas(name, native)
    if not kind.is_numeric() and str(kind) not in ("Unknown", "Null"):
        raise TableTypeError(
            f"Attribute {name!r} is of type {native.dtype}, which is neither numeric "
            "nor nominal. Drop or convert the column."
        )
    return numbers_column(name, native.cast(import_polars().Float64).to_numpy())


def _polars_labels(name: str, series: Any) -> RawColumn:
    """Return a polars column of labels; only an Enum declares its values."""
    pl = import_polars()
    if series.dtype == pl.Object:
        return object_column(name, series.to_list())
    if series.dtype == pl.Boolean:
        codes = series.cast(pl.Int32).fill_null(MISSING).to_numpy()
        return RawColumn(codes=codes, values=(False, True), declared=True)
    if not isinstance(series.dtype, pl.Enum):
        # A Categorical's list of values is shared by all frames, so not a declaration.
        text = series.cast(pl.String)
        series = text.cast(pl.Enum(text.drop_nulls().unique().sort()))
    values = tuple(series.dtype.categories.to_list())
    codes = series.to_physical().cast(pl.Int32).fill_null(MISSING).to_numpy()
    return RawColumn(codes=codes, values=values, declared=True)


# The values of indexes of categories that are alive, by identity: parts of one frame,
# such as training and test rows, share theirs, and pandas is slow to list strings (a
# fifth of the time to predict 20,000 rows of 50 categories).
_VALUES_OF: dict[int, tuple[Any, tuple[Any, ...]]] = {}


def _category_values(categories: Any) -> tuple[Any, ...]:
    """Return the declared values of a pandas categorical, listed once."""
    key = id(categories)
    known = _VALUES_OF.get(key)
    if known is not None and known[0]() is categories:
        return known[1]
    values = tuple(categories.tolist())
    _VALUES_OF[key] = (
        weakref.ref(categories, lambda _: _VALUES_OF.pop(key, None)),
        values,
    )
    return values


def _pandas(name: str, series: Any) -> RawColumn:
    """Return a pandas column by its own type."""
    kind = str(series.dtype)
    if kind == "category":
        labels = series.array
        codes: NDArray[Any] = labels.codes.astype(np.int32)
        values = _category_values(labels.categories)
        return RawColumn(codes=codes, values=values, declared=True)
    if kind in ("str", "string", "string[pyarrow]", "large_string[pyarrow]"):
        codes, found = series.factorize()
        return RawColumn(codes=codes.astype(np.int32), values=tuple(found.tolist()))
    if kind in ("bool", "boolean", "bool[pyarrow]"):
        codes = series.astype("Int8").to_numpy(dtype=np.int32, na_value=MISSING)
        return RawColumn(codes=codes, values=(False, True), declared=True)
    if getattr(series.dtype, "_is_numeric", False) or kind.startswith("Sparse"):
        return numbers_column(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    if getattr(series.dtype, "kind", "O") in "iuf":
        return numbers_column(name, series.to_numpy(dtype=np.float64))
    return object_column(name, series.tolist())
