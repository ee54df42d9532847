"""One attribute's data, and its encoding for the kernels, made once and shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dissensus._core.encode._take import take_sorted
from dissensus.table._encoded import SortedColumn, sort_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dissensus.table._schema import Attribute

MISSING = -1
UNSEEN = -2


class Column:
    """The values of one attribute.

    Parameters
    ----------
    attribute : Attribute
        What the column means.
    data : ndarray of shape (n_rows,)
        Numbers (float64) with NaN for missing, or codes (int32) with -1 for missing and
        -2 for a value that is not declared.
    """

    __slots__ = ("_in_order", "attribute", "data")

    def __init__(self, attribute: Attribute, data: NDArray[Any]) -> None:
        self.attribute = attribute
        self.data = data
        self._in_order: SortedColumn | None = None

    def __len__(self) -> int:
        return len(self.data)

    def take(self, rows: NDArray[np.intp]) -> Column:
        """Return the column with only these rows, in this order."""
        return Column(self.attribute, self.data.take(rows))

    def concat(self, other: Column) -> Column:
        """Return the column with the rows of `other` behind its own."""
        return Column(self.attribute, np.concatenate([self.data, other.data]))

    @property
    def is_sorted(self) -> bool:
        """Whether `in_order` has its answer ready."""
        return self._in_order is not None

    def in_order(self, data: NDArray[np.float64] | None = None) -> SortedColumn:
        """Return a numeric column sorted; sorted only once.

        A contiguous copy of the data, if there is one, is faster to sort.
        """
        if self._in_order is None:
            self._in_order = sort_values(self.data if data is None else data)
        return self._in_order


def take_in_order(
    columns: Sequence[Column], rows: NDArray[np.intp], starts: NDArray[np.int32]
) -> list[Column]:
    """Return the columns with only these rows; what is sorted here is sorted there.

    Parameters
    ----------
    columns : sequence of Column
        Of equal length.
    rows : ndarray of int
        Row numbers in ascending order.
    starts : ndarray of shape (n_rows + 1,), int32
        How many of `rows` are less than 0, 1, 2 and so on.
    """
    taken = [column.take(rows) for column in columns]
    places = [place for place, column in enumerate(columns) if column.is_sorted]
    old = [columns[place].in_order() for place in places]
    parts = [(o.values, o.order, o.ranks, o.next_apart) for o in old]
    for place, found in zip(places, take_sorted(parts, starts), strict=True):
        taken[place]._in_order = SortedColumn(*found)
    return taken
