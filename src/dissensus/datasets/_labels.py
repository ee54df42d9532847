"""Labels and groups that a caller holds in memory, as codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.base import check_labels
from dissensus.exceptions import TableError
from dissensus.table import Column, is_missing


def encode_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in ascending order, and the class code of each row.

    Raises
    ------
    TableError
        If a label is missing, cannot be compared with the others, or is a number that
        is no class, such as 0.37.
    """
    check_labels(labels)
    if labels.dtype.kind == "f":
        if np.isnan(labels).any():
            row = int(np.isnan(labels).argmax())
            raise TableError(
                f"y has no label in row {row}. Leave out the rows without a label."
            )
        fractions = labels != np.floor(labels)
        if fractions.any():
            raise TableError(
                f"y has numbers such as {labels[fractions][0]}, which are no classes. "
                "Cut them into classes, or turn them into strings if they are names."
            )
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.intp)


def encode_groups(groups: Any) -> NDArray[np.int32]:
    """Return a code for the group of each row.

    Raises
    ------
    TableError
        If a row has no group.
    """
    names = np.asarray(groups).tolist()
    for row, name in enumerate(names):
        if is_missing(name):
            raise TableError(f"row {row} has no group. Give every row one.")
    try:
        ordered = sorted(set(names))
    except TypeError:  # names and numbers, say
        ordered = sorted(set(names), key=repr)
    codes = {name: code for code, name in enumerate(ordered)}
    return np.array([codes[name] for name in names], dtype=np.int32)


def groups_of_column(column: Column) -> NDArray[np.int32]:
    """Return the codes of the groups that a column names."""
    if column.attribute.is_nominal:
        missing = column.data < 0
        return encode_groups(np.where(missing, np.nan, column.data))
    return encode_groups(column.data)
