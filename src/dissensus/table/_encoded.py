"""What the compiled kernels read of a table.

Attributes with few values (nominal ones, and numeric ones whose values repeat) become
columns of small codes in one row-major matrix, so that one pass over the rows counts
all of them. The other numeric attributes are sorted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dissensus.table._column import Column

# J48 never cuts between neighbouring values that differ by less.
SMALLEST_GAP = 1e-5


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """The known values of a numeric column in ascending order.

    Attributes
    ----------
    values : ndarray of float64
        The distinct values.
    order : ndarray of int32
        Rows with a known value, by ascending value, equal ones in file order.
    ranks : ndarray of int32
        For each place in `order` the index of its value in `values`.
    reach : int
        Values whose ranks differ by so much differ by more than `SMALLEST_GAP`.
    next_apart : ndarray of int32 or None
        For each value the first rank that lies more than `SMALLEST_GAP` higher; None if
        that is always the next one.
    """

    values: NDArray[np.float64]
    order: NDArray[np.int32]
    ranks: NDArray[np.int32]
    reach: int
    next_apart: NDArray[np.int32] | None


@dataclass(frozen=True, slots=True)
class Encoded:
    """All attributes of a table as the tree kernels read them.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    is_nominal : ndarray of shape (n_attributes,), uint8
        1 for nominal attributes.
    n_values : ndarray of shape (n_attributes,), int32
        Number of declared values, or of distinct values if numeric.
    reach, next_apart, values
        Per attribute, see `SortedColumn`; for nominal ones 1, None and None.
    codes : ndarray of shape (n_rows, n_coded), unsigned
        Codes of the coded attributes; `n_values` of the attribute means missing.
    coded : ndarray of shape (n_coded,), int32
        Their attributes, by ascending number of values.
    sorted : ndarray of shape (n_sorted,), int32
        The other attributes.
    orders, ranks : list of ndarray
        Of the sorted attributes, see `SortedColumn`.
    """

    n_rows: int
    is_nominal: NDArray[np.uint8]
    n_values: NDArray[np.int32]
    reach: NDArray[np.int32]
    next_apart: list[NDArray[np.int32] | None]
    values: list[NDArray[np.float64] | None]
    codes: NDArray[np.unsignedinteger]
    coded: NDArray[np.int32]
    sorted: NDArray[np.int32]
    orders: list[NDArray[np.int32]]
    ranks: list[NDArray[np.int32]]


def is_few(n_distinct: int, n_rows: int) -> bool:
    """Tell whether a numeric attribute is better counted than sorted."""
    return n_distinct <= max(64, min(n_rows // 16, 65535))


def encode(columns: Sequence[Column], n_rows: int) -> Encoded:
    """Encode the columns of a table; what a column has ready is used again."""
    nominal = [column.attribute.is_nominal for column in columns]
    in_order = [
        None if is_nominal else column.in_order()
        for column, is_nominal in zip(columns, nominal, strict=True)
    ]
    n_values = np.array(
        [
            column.attribute.n_values if ordered is None else len(ordered.values)
            for column, ordered in zip(columns, in_order, strict=True)
        ],
        dtype=np.int32,
    )
    few = [
        ordered is None or is_few(len(ordered.values), n_rows) for ordered in in_order
    ]
    coded = np.flatnonzero(few).astype(np.int32)
    coded = coded[np.argsort(n_values[coded], kind="stable")]
    rest = np.flatnonzero(np.logical_not(few)).astype(np.int32)
    sorted_columns = [in_order[a] for a in rest]
    return Encoded(
        n_rows=n_rows,
        is_nominal=np.array(nominal, dtype=np.uint8),
        n_values=n_values,
        reach=np.array(
            [1 if ordered is None else ordered.reach for ordered in in_order],
            dtype=np.int32,
        ),
        next_apart=[None if ordered is None else ordered.next_apart for ordered in in_order],
        values=[None if ordered is None else ordered.values for ordered in in_order],
        codes=_code_matrix([columns[a] for a in coded], n_values[coded], n_rows),
        coded=coded,
        sorted=rest,
        orders=[ordered.order for ordered in sorted_columns if ordered is not None],
        ranks=[ordered.ranks for ordered in sorted_columns if ordered is not None],
    )


def _code_matrix(
    columns: Sequence[Column], n_values: NDArray[np.int32], n_rows: int
) -> NDArray[np.unsignedinteger]:
    """Lay the codes of all columns side by side, missing ones as the largest code."""
    most = int(n_values.max(initial=0))
    dtype = np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32
    codes = np.empty((n_rows, len(columns)), dtype=dtype)
    for j, column in enumerate(columns):
        codes[:, j] = column.codes()
    return codes


def sort_values(data: NDArray[np.float64]) -> SortedColumn:
    """Sort a numeric column and find which of its values are close together."""
    from dissensus._core._encode import sort_column

    values, order, ranks = sort_column(data)
    if np.all(values[:-1] + SMALLEST_GAP < values[1:]):
        return SortedColumn(values, order, ranks, 1, None)
    next_apart = np.searchsorted(values, values + SMALLEST_GAP, side="right")
    reach = int(np.max(next_apart - np.arange(len(values))))
    return SortedColumn(values, order, ranks, reach, next_apart.astype(np.int32))
