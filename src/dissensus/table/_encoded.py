"""What the compiled kernels read of a table.

Attributes with few values (nominal ones, and numeric ones whose values repeat) become
columns of small codes in one row-major matrix, so that one pass over the rows counts
all of them. The other numeric attributes are sorted once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dissensus._core.common._columns import copy_numbers
from dissensus._core.encode._encode import (
    code_whole,
    next_apart,
    sort_column,
    write_codes,
    write_labels,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
class CodedColumn:
    """The values of a numeric column that has few, and a code for each row.

    Attributes
    ----------
    values, reach, next_apart
        See `SortedColumn`.
    codes : ndarray of shape (n_rows,), int32
        The index of the row's value in `values`; -1 if missing.
    """

    values: NDArray[np.float64]
    codes: NDArray[np.int32]
    # Only whole numbers are coded so, and these lie apart.
    reach: int = 1
    next_apart: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True)
class Encoded:
    """All attributes of a table as the tree kernels read them.

    The codes may have columns of attributes that the table has not. These are hidden:
    they come behind its own attributes in every list, and the kernels pass over them.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    n_attributes : int
        Number of attributes that are not hidden.
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
    n_attributes: int
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

    @property
    def n_hidden(self) -> int:
        """Number of attributes that are hidden."""
        return len(self.n_values) - self.n_attributes


def most_counted(n_rows: int) -> int:
    """Return how many values a numeric attribute is better counted with than sorted."""
    return max(64, min(n_rows // 16, 65534))


def encode(columns: Sequence[Column], n_rows: int) -> Encoded:
    """Encode the columns of a table; what a column has ready is used again."""
    most = most_counted(n_rows)
    in_order = _count_or_sort(columns, most)
    n_values = np.array(
        [
            column.attribute.n_values if ordered is None else len(ordered.values)
            for column, ordered in zip(columns, in_order, strict=True)
        ],
        dtype=np.int32,
    )
    few = [ordered is None or len(ordered.values) <= most for ordered in in_order]
    coded = sorted(np.flatnonzero(few).tolist(), key=lambda a: int(n_values[a]))
    rest = np.flatnonzero(np.logical_not(few)).tolist()
    sorted_columns = [columns[a].in_order() for a in rest]
    return Encoded(
        n_rows=n_rows,
        n_attributes=len(columns),
        is_nominal=np.array([ordered is None for ordered in in_order], dtype=np.uint8),
        n_values=n_values,
        reach=np.array(
            [1 if ordered is None else ordered.reach for ordered in in_order],
            dtype=np.int32,
        ),
        next_apart=[o.next_apart if o else None for o in in_order],
        values=[o.values if o else None for o in in_order],
        codes=_code_matrix(
            [(columns[a], in_order[a]) for a in coded], n_values[coded], n_rows
        ),
        coded=np.array(coded, dtype=np.int32),
        sorted=np.array(rest, dtype=np.int32),
        orders=[ordered.order for ordered in sorted_columns],
        ranks=[ordered.ranks for ordered in sorted_columns],
    )


def append_codes(encoded: Encoded, below: Sequence[Column]) -> Encoded:
    """Return the encoding of a table of nominal attributes with more rows below.

    The rows that are there are not coded again.
    """
    columns = [(below[a], None) for a in encoded.coded]
    n_more = len(below[0])
    more = _code_matrix(columns, encoded.n_values[encoded.coded], n_more)
    return replace(
        encoded,
        n_rows=encoded.n_rows + n_more,
        codes=np.concatenate([encoded.codes, more]),
    )


def hide(encoded: Encoded, attribute: int) -> Encoded:
    """Return the encoding of a table that lacks one attribute, without recoding.

    The matrix of codes is shared as it is: to lay it out again takes 4 to 14 % of the
    time of growing a tree from it.
    """
    last = len(encoded.n_values) - 1
    order = [*(a for a in range(last + 1) if a != attribute), attribute]
    place = np.empty(last + 1, dtype=np.int32)
    place[order] = np.arange(last + 1)
    kept = [j for j, a in enumerate(encoded.sorted) if a != attribute]
    return replace(
        encoded,
        n_attributes=encoded.n_attributes - 1,
        is_nominal=encoded.is_nominal[order],
        n_values=encoded.n_values[order],
        reach=encoded.reach[order],
        next_apart=[encoded.next_apart[a] for a in order],
        values=[encoded.values[a] for a in order],
        coded=place[encoded.coded],
        sorted=place[encoded.sorted[kept]],
        orders=[encoded.orders[j] for j in kept],
        ranks=[encoded.ranks[j] for j in kept],
    )


def sort_by_blocks(columns: Sequence[Column]) -> None:
    """Sort the numeric columns."""
    for block in _by_blocks(columns):
        for column, data in block:
            column.in_order(data)


def _by_blocks(
    columns: Sequence[Column],
) -> Iterator[list[tuple[Column, NDArray[np.float64]]]]:
    """Go through the numeric columns that are not sorted, each contiguous in memory.

    A column of a row-major matrix read by itself would fetch the whole matrix from
    memory; eight share their cache lines (200,000 x 50: half the time).
    """
    left = [c for c in columns if not (c.attribute.is_nominal or c.is_sorted)]
    for start in range(0, len(left), 8):
        some = left[start : start + 8]
        if all(c.data.strides[0] == c.data.itemsize for c in some):
            yield [(c, c.data) for c in some]
        else:
            yield list(zip(some, copy_numbers([c.data for c in some]), strict=True))


def _count_or_sort(
    columns: Sequence[Column], most: int
) -> list[SortedColumn | CodedColumn | None]:
    """Code the columns of few whole numbers, and sort the other numeric ones."""
    coded: dict[int, CodedColumn] = {}
    for block in _by_blocks(columns):
        found = code_whole([data for _, data in block], most)
        for (column, data), pair in zip(block, found, strict=True):
            if pair is None:
                column.in_order(data)
            else:
                coded[id(column)] = CodedColumn(*pair)
    return [
        None
        if column.attribute.is_nominal
        else coded.get(id(column)) or column.in_order()
        for column in columns
    ]


def _code_matrix(
    columns: Sequence[tuple[Column, SortedColumn | CodedColumn | None]],
    n_values: NDArray[np.int32],
    n_rows: int,
) -> NDArray[np.unsignedinteger]:
    """Lay the codes of all columns side by side, missing ones as the largest code."""
    most = int(n_values.max(initial=0))
    dtype = np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32
    codes = np.empty((n_rows, len(columns)), dtype=dtype)
    places, labels = [], []
    for j, (column, known) in enumerate(columns):
        if isinstance(known, SortedColumn):
            write_codes(codes, j, known.order, known.ranks, n_values[j])
        else:
            places.append(j)
            labels.append(column.data if known is None else known.codes)
    write_labels(codes, labels, np.array(places, dtype=np.intp), n_values[places])
    return codes


def sort_values(data: NDArray[np.float64]) -> SortedColumn:
    """Sort a numeric column and find which of its values are close together."""
    values, order, ranks = sort_column(data)
    reach, firsts = next_apart(values, SMALLEST_GAP)
    return SortedColumn(values, order, ranks, reach, firsts)
