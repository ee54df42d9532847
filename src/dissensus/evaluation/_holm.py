"""Many tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dissensus.utils._typing import Floats


def holm(pvalues: ArrayLike) -> Floats:
    r"""Adjust p-values for the number of tests made, by Holm's procedure.

    With the m p-values in ascending order, the adjusted i-th is [1]_

    .. math:: \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)}).

    Parameters
    ----------
    pvalues : array
        Of any shape; NaN stands for a test that could not be made and does not count.

    Returns
    -------
    ndarray of the same shape
        To be compared with the level as single p-values are.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
       Scandinavian Journal of Statistics 6, 1979, 65-70.

    Examples
    --------
    >>> from dissensus.evaluation import holm
    >>> holm([0.04, 0.01, 0.03])
    array([0.06, 0.03, 0.06])
    """
    given = np.asarray(pvalues, dtype=np.float64)
    if ((given < 0.0) | (given > 1.0)).any():
        raise ValueError("pvalues must lie between 0 and 1.")
    adjusted = given.copy()
    tested = np.flatnonzero(~np.isnan(given))
    order = tested[np.argsort(given.flat[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted.flat[order] = np.minimum(
        1.0, np.maximum.accumulate(factors * given.flat[order])
    )
    return adjusted
