"""Arrays, lists and frames as the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.table._column import Column
from dissensus.table._from_arrays import (
    array_columns,
    as_array,
    as_matrix,
    check_finite,
)
from dissensus.table._from_frames import as_frame, frame_columns, frame_names
from dissensus.table._from_values import RawColumn, matched_column, new_column
from dissensus.table._schema import Schema, numeric_schema
from dissensus.utils._names import suggest

FROM_DTYPE = "from_dtype"
Converted = tuple[Schema, "NDArray[np.float64] | tuple[Column, ...]"]


def convert(X: Any, categorical_features: Any, schema: Schema | None) -> Converted:
    """Return the schema of X and its columns, or its matrix when all are numeric."""
    if _is_clean_matrix(X) and _only_numbers(categorical_features, schema):
        return _numeric(check_finite(X), schema)
    frame = as_frame(X)
    if frame is not None:
        return encode(
            frame_names(frame), frame_columns(frame), categorical_features, schema
        )
    array = as_array(X)
    if _only_numbers(categorical_features, schema):
        matrix = as_matrix(array)
        if matrix is not None:
            return _numeric(matrix, schema)
    return encode(None, array_columns(array), categorical_features, schema)


def _is_clean_matrix(X: Any) -> bool:
    """Return whether X can be kept as it is: float64, C order, aligned, not empty."""
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.dtype == np.float64
        and X.size > 0
        and X.flags.c_contiguous
        and X.flags.aligned
    )


def _only_numbers(categorical_features: Any, schema: Schema | None) -> bool:
    if schema is not None:
        return schema.all_numeric
    return categorical_features is None or (
        isinstance(categorical_features, str) and categorical_features == FROM_DTYPE
    )


def _numeric(matrix: NDArray[np.float64], schema: Schema | None) -> Converted:
    if schema is None:
        return numeric_schema(matrix.shape[1]), matrix
    check_count(matrix.shape[1], schema)
    return schema, matrix


def check_count(n_columns: int, schema: Schema) -> None:
    """Raise scikit-learn's error when columns have no names and differ in number."""
    if n_columns != len(schema):
        raise TableError(
            f"X has {n_columns} features, but Table is expecting {len(schema)} "
            "features as input."
        )


def encode(
    names: Sequence[str] | None,
    raws: Sequence[RawColumn],
    categorical_features: Any = FROM_DTYPE,
    schema: Schema | None = None,
) -> Converted:
    """Return raw columns as columns, of a known schema or of a new one."""
    if schema is not None:
        return schema, match(names, raws, schema)
    named = names is not None
    if names is None:
        names = numeric_schema(len(raws)).names
    nominal = nominal_mask(categorical_features, names)
    columns = tuple(
        new_column(name, raw, forced)
        for name, raw, forced in zip(names, raws, nominal, strict=True)
    )
    return Schema(tuple(column.attribute for column in columns), named), columns


def match(
    names: Sequence[str] | None, raws: Sequence[RawColumn], schema: Schema
) -> tuple[Column, ...]:
    """Return the columns that a schema asks for, by name or else by position."""
    if names is None or not schema.named:
        check_count(len(raws), schema)
        ordered = list(raws)
    else:
        by_name = dict(zip(names, raws, strict=True))
        absent = [name for name in schema.names if name not in by_name]
        if absent:
            raise TableError(
                f"Column {absent[0]!r} is missing from X"
                + (f" (and {len(absent) - 1} more)" if len(absent) > 1 else "")
                + f". {suggest(absent[0], names)}"
            )
        ordered = [by_name[name] for name in schema.names]
    return tuple(
        matched_column(attribute, raw)
        for attribute, raw in zip(schema, ordered, strict=True)
    )


def nominal_mask(categorical_features: Any, names: Sequence[str]) -> list[bool]:
    """Return which columns the caller declares nominal whatever their type."""
    if categorical_features is None:
        return [False] * len(names)
    if isinstance(categorical_features, str):
        if categorical_features == FROM_DTYPE:
            return [False] * len(names)
        raise TableError(
            f"categorical_features is {categorical_features!r}. It must be "
            f"'from_dtype' or a list of names, positions or booleans, such as "
            f"[{categorical_features!r}]."
        )
    given = _plain_list(categorical_features)
    if given and all(isinstance(item, bool) for item in given):
        if len(given) != len(names):
            raise TableError(
                f"categorical_features is a mask of {len(given)} booleans, but X has "
                f"{len(names)} columns. Give one boolean per column."
            )
        return given
    chosen = {_position(item, names) for item in given}
    return [position in chosen for position in range(len(names))]


def _plain_list(given: Iterable[Any]) -> list[Any]:
    try:
        return [i.item() if isinstance(i, np.generic) else i for i in given]
    except TypeError:
        raise TableError(
            f"categorical_features is {given!r}. It must be 'from_dtype' or a list of "
            "names, positions or booleans."
        ) from None


def _position(item: Any, names: Sequence[str]) -> int:
    if isinstance(item, str):
        if item not in names:
            raise TableError(
                f"categorical_features names the column {item!r}, which X does not "
                f"have. {suggest(item, names)}"
            )
        return list(names).index(item)
    if not isinstance(item, int) or isinstance(item, bool):
        raise TableError(
            f"categorical_features has the item {item!r}. Items must be all names, all "
            "positions or all booleans."
        )
    if not -len(names) <= item < len(names):
        raise TableError(
            f"categorical_features has the position {item}, but X has {len(names)} "
            f"columns: positions run from 0 to {len(names) - 1}."
        )
    return item % len(names)
