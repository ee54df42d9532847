"""How naive Bayes cuts numeric attributes into intervals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dissensus.preprocessing import MDLDiscretizer
from dissensus.table import Table
from dissensus.utils._typing import Floats

CutPoints = list[Floats | None]
"""The ascending cut points of each attribute; None for one that is not cut."""


def mdl_cuts(
    table: Table,
    y_codes: NDArray[np.int32],
    n_classes: int,
    sample_weight: Floats | None,
) -> CutPoints:
    """Cut where that tells enough about the class; see `MDLDiscretizer`."""
    discretizer = MDLDiscretizer()
    discretizer._fit_table(table, y_codes.astype(np.intp), n_classes, sample_weight)
    return discretizer.cut_points_


def equal_width_cuts(
    table: Table,
    y_codes: NDArray[np.int32],  # noqa: ARG001 -- as the other cutters
    n_classes: int,  # noqa: ARG001 -- as the other cutters
    sample_weight: Floats | None,  # noqa: ARG001 -- as the other cutters
) -> CutPoints:
    """Cut into intervals of equal width, as many as Dougherty's rule says."""
    return [
        None
        if column.attribute.is_nominal
        else dougherty_cut_points(column.in_order().values)
        for column in table.columns
    ]


def dougherty_cut_points(values: Floats) -> Floats:
    """Return the cut points of max(1, round(2 log2 n)) intervals of equal width.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The n distinct values, ascending.

    Returns
    -------
    ndarray
        None if there is one value, or none.

    Examples
    --------
    >>> import numpy as np
    >>> dougherty_cut_points(np.array([0.0, 1.0, 6.0, 8.0]))
    array([2., 4., 6.])
    >>> len(dougherty_cut_points(np.arange(100.0))) + 1
    13
    """
    if len(values) < 2:
        return np.empty(0)
    n_bins = max(1, math.floor(2 * math.log2(len(values)) + 0.5))
    low, high = float(values[0]), float(values[-1])
    if not math.isfinite(high - low):
        return 2 * dougherty_cut_points(values / 2)
    inner = np.arange(1, n_bins)
    if math.isfinite((high - low) * n_bins):
        cuts = low + inner * (high - low) / n_bins
    else:  # so far apart that a multiple of their distance is too large for a number
        cuts = low + (inner * (high / n_bins) - inner * (low / n_bins))
    return np.unique(cuts)  # equal ones where the values are neighbours


Cutter = Callable[
    [Table, "NDArray[np.int32]", int, "Floats | None"],
    CutPoints,
]
CUTTERS: dict[str, Cutter] = {"mdl": mdl_cuts, "equal-width": equal_width_cuts}
