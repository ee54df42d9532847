"""Tables on their way out, as pandas or polars frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dissensus.exceptions import TableError
from dissensus.table._column import Column

EXTRA = 'pip install "dissensus[tables]"'


def import_polars() -> Any:
    """Return polars, or say how to install it."""
    try:
        import polars
    except ImportError:
        raise TableError(
            f"Frames and files need polars, which is not installed: {EXTRA}"
        ) from None
    return polars


def import_pandas() -> Any:
    """Return pandas, or say how to install it."""
    try:
        import pandas
    except ImportError:
        raise TableError(
            "A pandas frame needs pandas, which is not installed: pip install pandas"
        ) from None
    return pandas


def to_pandas(columns: Sequence[Column], labels: Sequence[Any]) -> Any:
    """Return a pandas frame: floats and categoricals."""
    pd = import_pandas()
    series = [_pandas_values(pd, column) for column in columns]
    frame = pd.DataFrame(dict(enumerate(series)))
    frame.columns = list(labels)
    return frame


def _pandas_values(pd: Any, column: Column) -> Any:
    if not column.attribute.is_nominal:
        return column.data
    codes = np.maximum(column.data, -1)
    labels = list(column.attribute.categories)
    try:
        return pd.Categorical.from_codes(codes, labels)
    except (
        UnicodeEncodeError
    ):  # pandas keeps text in UTF-8, which has no lone surrogates
        return pd.Categorical.from_codes(codes, pd.Index(labels, dtype=object))


def to_polars(columns: Sequence[Column]) -> Any:
    """Return a polars frame: floats and Enums, or what else the labels are."""
    pl = import_polars()
    return pl.DataFrame([_polars_series(pl, column) for column in columns])


def _polars_series(pl: Any, column: Column) -> Any:
    attribute = column.attribute
    if not attribute.is_nominal:
        return pl.Series(attribute.name, column.data, dtype=pl.Float64)
    kind = _polars_type(pl, column)
    codes = pl.Series(attribute.name, column.data, dtype=pl.Int32)
    codes = codes.set(codes < 0, None)
    return pl.Series(attribute.name, attribute.categories, dtype=kind).gather(codes)


def _polars_type(pl: Any, column: Column) -> Any:
    categories = column.attribute.categories
    if all(isinstance(value, str) for value in categories):
        return pl.Enum(categories)
    for kind, dtype in (
        (bool, pl.Boolean),
        (int, pl.Int64),
        ((int, float), pl.Float64),
    ):
        if all(isinstance(value, kind) for value in categories):
            return dtype
    raise TableError(
        f"Attribute {column.attribute.name!r} has labels that polars cannot hold in "
        "one column. Use to_frame('pandas'), or turn the labels into strings."
    )
