"""Columns as small codes, the form in which values are counted and looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissensus._core.counts._counts import pack_codes


@dataclass(frozen=True, slots=True)
class Codes:
    """Nominal columns as the kernels read them.

    Attributes
    ----------
    codes : ndarray of shape (n_attributes, n_rows), unsigned
        A column of the table is a row here. The codes of attribute `j` run from 0 to
        `n_values[j]`, and the last one stands for "no value".
    n_values : ndarray of shape (n_attributes,), int32
        Number of values of each attribute.
    """

    codes: NDArray[np.unsignedinteger]
    n_values: NDArray[np.int32]

    @property
    def places(self) -> NDArray[np.intp]:
        """Where the values of each attribute begin when all stand side by side."""
        return np.cumsum(self.n_values, dtype=np.intp) - self.n_values

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    def take(self, rows: NDArray[np.intp]) -> Codes:
        """Return some of the rows."""
        return Codes(np.ascontiguousarray(self.codes[:, rows]), self.n_values)


def pack(
    columns: Sequence[NDArray[np.int32]],
    n_values: Sequence[int] | NDArray[np.int32],
    n_rows: int,
    *,
    missing_is_value: bool = False,
) -> Codes:
    """Pack columns of codes, -1 for missing and -2 for unseen, into small codes.

    Parameters
    ----------
    columns : sequence of ndarray of int32
        One per attribute.
    n_values : sequence of int
        Number of values of each attribute, "missing" included if it is one.
    n_rows : int
        Length of the columns.
    missing_is_value : bool, default=False
        Whether "missing" is one more value, the last one. Unseen never is.
    """
    more = int(missing_is_value)
    sizes = np.asarray(n_values, dtype=np.int32)
    most = int(sizes.max(initial=0))
    dtype = np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32
    codes = np.empty((len(columns), n_rows), dtype=dtype)
    pack_codes(list(columns), sizes - np.int32(more), more, codes)
    return Codes(codes, sizes)
