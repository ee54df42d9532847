"""One attribute's data, and its encoding for the kernels, made once and shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from dissensus.table._encoded import SortedColumn, sort_values

if TYPE_CHECKING:
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
        float64 with NaN for missing, or int32 codes with -1 for missing and -2 for a
        value that is not declared.
    """

    __slots__ = ("_in_order", "attribute", "data")

    def __init__(self, attribute: Attribute, data: NDArray[np.generic]) -> None:
        self.attribute = attribute
        self.data = data
        self._in_order: SortedColumn | None = None

    def __len__(self) -> int:
        return len(self.data)

    def take(self, rows: NDArray[np.intp]) -> Column:
        """Return the column with only these rows, in this order."""
        return Column(self.attribute, self.data[rows])

    def concat(self, other: Column) -> Column:
        """Return the column with the rows of `other` behind its own."""
        return Column(self.attribute, np.concatenate([self.data, other.data]))

    def in_order(self) -> SortedColumn:
        """Return a numeric column sorted; sorted only once."""
        if self._in_order is None:
            self._in_order = sort_values(cast("NDArray[np.float64]", self.data))
        return self._in_order

    def codes(self) -> NDArray[np.int32]:
        """Return a code for each row; missing and unseen is the number of values."""
        if self.attribute.is_nominal:
            data = cast("NDArray[np.int32]", self.data)
            return np.where(data < 0, np.int32(self.attribute.n_values), data)
        ordered = self.in_order()
        codes = np.full(len(self), len(ordered.values), dtype=np.int32)
        codes[ordered.order] = ordered.ranks
        return codes
