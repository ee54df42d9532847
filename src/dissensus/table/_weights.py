"""Weights of rows, and which of them the learners can calculate with.

All learners add weights up, some take rows out of a sum again (to the other side of a
cut), and some multiply two sums. The sums must therefore be finite and notice every
row, or what is left after a subtraction is 0, and dividing by it no number. Weights
that are no good for this are refused before anything is learnt.
"""

from __future__ import annotations

import numpy as np

from dissensus.exceptions import TableError
from dissensus.utils._typing import Floats

# The product of two sums, or of two weights, is then a number of full precision.
LARGEST_SUM = 1e150
SMALLEST_WEIGHT = 1e-150
# Half of the last bit of a number just above a power of 2: what is not more than this
# part of a sum may be lost when it is added. (scikit-learn's AdaBoostClassifier lets no
# weight fall below 2**-52 of the sum.)
SMALLEST_SHARE = 2.0**-53


def check_weights(weights: Floats) -> None:
    """Raise an error if sums of the weights could not be calculated with.

    Rows of weight 0 do not count: they are left out.

    Examples
    --------
    >>> import numpy as np
    >>> check_weights(np.array([1e-15, 0.0, 1.0]))
    >>> check_weights(np.array([1e-17, 0.0, 1.0]))
    Traceback (most recent call last):
        ...
    dissensus.exceptions.TableError: The weights of the rows go from 1e-17 to 1: \
each must be more than 1.1e-16 of their sum, or it is lost in it. Give the lightest \
rows the weight 0, or the heaviest ones less.
    """
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if not total <= LARGEST_SUM:
        raise TableError(
            f"The weights of the rows sum to {total:.3g}, which must not be more than "
            f"{LARGEST_SUM:g}. Divide them by their mean."
        )
    smallest = float(weights.min(initial=np.inf, where=weights > 0))
    if smallest <= SMALLEST_SHARE * total:
        raise TableError(
            f"The weights of the rows go from {smallest:.3g} to {weights.max():.3g}: "
            f"each must be more than {SMALLEST_SHARE:.2g} of their sum, or it is lost "
            "in it. Give the lightest rows the weight 0, or the heaviest ones less."
        )
    if smallest < SMALLEST_WEIGHT:
        raise TableError(
            f"The smallest weight of a row is {smallest:.3g}, which must be 0, or not "
            f"less than {SMALLEST_WEIGHT:g}. Divide the weights by their mean."
        )
