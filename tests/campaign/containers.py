"""One matrix, or one list of columns, in every form that a caller may use."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse
from numpy.typing import NDArray

from dissensus.table import Table

Container = Callable[[NDArray[Any]], Any]


def _every_other(cells: NDArray[Any]) -> NDArray[Any]:
    """Return the cells as a view of rows and columns that do not touch each other."""
    wide = np.repeat(np.repeat(cells, 2, axis=0), 3, axis=1)
    return wide[::2, ::3]


def _backwards(cells: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(cells[::-1, ::-1])[::-1, ::-1]


def read_only(cells: NDArray[Any]) -> NDArray[Any]:
    """Return a copy that must not be written to."""
    copy = cells.copy()
    copy.flags.writeable = False
    return copy


def memory_mapped(cells: NDArray[Any]) -> NDArray[Any]:
    """Return the cells as a file that is mapped and must not be written to."""
    if not cells.size:  # an empty file cannot be mapped
        return cells
    with tempfile.NamedTemporaryFile() as file:
        cells.tofile(file)
        file.flush()
        return np.memmap(file.name, dtype=cells.dtype, mode="r", shape=cells.shape)


def unaligned(cells: NDArray[Any]) -> NDArray[Any]:
    """Return the cells at an address that no double should have."""
    raw = np.zeros(cells.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(np.uint8)[: cells.nbytes].view(cells.dtype)
    view = view.reshape(cells.shape)
    view[...] = cells
    return view


def _masked(cells: NDArray[Any]) -> Any:
    return np.ma.masked_invalid(cells)


def _table(cells: NDArray[Any]) -> Any:
    """Return a Table of the cells; there is none without columns."""
    is_table = cells.shape[1] > 0 and not np.isinf(cells).any()
    return Table.from_any(cells) if is_table else cells


def _bits(cells: NDArray[Any]) -> NDArray[Any]:
    return np.nan_to_num(cells) > 0


def _narrow(dtype: Any) -> Container:
    def convert(cells: NDArray[Any]) -> NDArray[Any]:
        with np.errstate(all="ignore"):
            return np.nan_to_num(cells, posinf=0, neginf=0).astype(dtype)

    return convert


MATRICES: dict[str, Container] = {
    "array": np.array,
    "backwards": _backwards,
    "big-endian": lambda cells: cells.astype(">f8"),
    "bits": _bits,
    "every other row and column": _every_other,
    "float16": _narrow(np.float16),
    "float32": _narrow(np.float32),
    "Fortran order": np.asfortranarray,
    "frame of pandas": pd.DataFrame,
    "frame of polars": lambda cells: pl.DataFrame(cells.copy(), orient="row"),
    "int8": _narrow(np.int8),
    "int64": _narrow(np.int64),
    "list of lists": lambda cells: cells.tolist(),
    "long doubles": lambda cells: cells.astype(np.longdouble),
    "masked": _masked,
    "memory-mapped": memory_mapped,
    "object array": lambda cells: cells.astype(object),
    "read-only": read_only,
    "Table": _table,
    "text array": lambda cells: cells.astype(str),
    "uint64": _narrow(np.uint64),
    "unaligned": unaligned,
}

# Each of these has to be refused, or read as the matrix that it stands for.
ODD_MATRICES: dict[str, Container] = {
    "a single number": lambda _: 3.0,
    "no columns": lambda cells: cells[:, :0],
    "no rows": lambda cells: cells[:0],
    "nothing": lambda _: None,
    "one dimension": lambda cells: cells.ravel(),
    "ragged lists": lambda cells: [*cells.tolist(), [1.0] * 7],
    "records": lambda cells: np.array(
        [tuple(row[:1]) for row in cells.tolist()], dtype=[("a", "f8")]
    ),
    "sparse": lambda cells: scipy.sparse.csr_matrix(np.nan_to_num(cells)),
    "three dimensions": lambda cells: cells[:, :, None],
}


def as_object_array(columns: list[NDArray[Any]]) -> NDArray[Any]:
    """Return columns of any type side by side as one array of objects."""
    cells = np.empty((len(columns[0]), len(columns)), dtype=object)
    for place, column in enumerate(columns):
        for row, value in enumerate(column.tolist()):
            cells[row, place] = value
    return cells


def _series(column: NDArray[Any]) -> Any:
    """Return a column as pandas reads it; lone surrogates stay objects."""
    try:
        return pd.Series(column)
    except UnicodeEncodeError:
        return pd.Series(column, dtype=object)


def as_pandas_frame(columns: list[NDArray[Any]]) -> Any:
    """Return the columns under names, of which one is a number and one is empty."""
    names: list[Any] = ["", 7, *(f"c{place}" for place in range(2, len(columns)))]
    return pd.DataFrame({names[i]: _series(c) for i, c in enumerate(columns)})


def as_named_frame(columns: list[NDArray[Any]]) -> Any:
    """Return the columns under ordinary names."""
    return pd.DataFrame({f"c{i}": _series(c) for i, c in enumerate(columns)})


def as_categories(columns: list[NDArray[Any]]) -> Any:
    """Return the columns as pandas' categories, with one that no row has."""
    frame = as_named_frame(columns)
    for name in frame:
        if frame[name].dtype == object:
            column = frame[name].astype("category")
            frame[name] = column.cat.add_categories(["never"])
    return frame


def as_polars_frame(columns: list[NDArray[Any]]) -> Any:
    """Return the columns as polars reads them, which has no lone surrogates."""
    try:
        series = [pl.Series(_without_surrogates(c), strict=False) for c in columns]
    except pl.exceptions.PanicException as panic:  # for some decimals beside text
        raise ValueError("polars gave up") from panic
    return pl.DataFrame({f"c{i}": column for i, column in enumerate(series)})


def _without_surrogates(column: NDArray[Any]) -> list[Any]:
    return [
        value.encode(errors="replace").decode() if isinstance(value, str) else value
        for value in column.tolist()
    ]


MIXED: dict[str, Callable[[list[NDArray[Any]]], Any]] = {
    "categories": as_categories,
    "mixed frame of pandas": as_named_frame,
    "mixed frame of polars": as_polars_frame,
    "object array of columns": as_object_array,
    "odd column names": as_pandas_frame,
    "rows in lists": lambda columns: as_object_array(columns).tolist(),
}
