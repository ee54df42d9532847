"""Unsupervised discretisation into intervals that hold equal numbers of rows."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableTransformer
from dissensus.preprocessing._discretizer import BaseDiscretizer, Cutter, middle
from dissensus.table import Column
from dissensus.utils._sklearn import Interval, fit_context


class EqualFrequencyDiscretizer(BaseDiscretizer):
    """Cut numeric attributes into intervals that hold about equal numbers of rows.

    Parameters
    ----------
    n_bins : int, default=10
        Largest number of intervals. There are fewer where values repeat so often that
        not all of them can be filled.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Columns that are nominal although they hold numbers: names, positions, or one
        boolean per column. Columns of strings, booleans and categories always are.

    Attributes
    ----------
    cut_points_ : list of ndarray or None
        The ascending cut points of each numeric attribute (none if it is one interval);
        None for a nominal attribute. An interval contains its upper end.
    schema_ : Schema
        The attributes of the training set.
    schema_out_ : Schema
        The attributes after the transformation, all nominal.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes. Defined only if the training set had names.

    See Also
    --------
    EqualWidthDiscretizer : Intervals of equal width.
    MDLDiscretizer : Intervals that tell about the class.

    Notes
    -----
    This is Weka's unsupervised filter Discretize with -F. Values are counted upwards.
    When an interval holds its part of the weight, or more, it is closed there or at the
    place before, whichever is nearer to that part (a tie is closed there); what is left
    is then shared among the intervals that are left. Cuts are in the middle between two
    values.

    Missing values count nowhere and stay missing; nominal columns are left as they are.
    What goes out is as described for `MDLDiscretizer`.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.preprocessing import EqualFrequencyDiscretizer
    >>> X = np.array([[1.0], [1.0], [1.0], [2.0], [3.0], [40.0]])
    >>> discretizer = EqualFrequencyDiscretizer(n_bins=3).fit(X)
    >>> discretizer.schema_out_[0].categories
    ('(-inf, 1.5]', '(1.5, 21.5]', '(21.5, inf)')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableTransformer._parameter_constraints,
        "n_bins": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, n_bins: int = 10, *, categorical_features: Any = "from_dtype"
    ) -> None:
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002 -- pipelines hand it over
        sample_weight: Any = None,
    ) -> Self:
        """Find the cut points.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training rows.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights; None is 1 for each.

        Returns
        -------
        self : EqualFrequencyDiscretizer
            The fitted transformer.
        """
        table, _, weight = self._read_training(X, None, sample_weight)
        return self._fit_table(table, sample_weight=weight)

    def _cutter(
        self,
        n_rows: int,  # noqa: ARG002 -- the hook's
        y_codes: NDArray[np.intp] | None,  # noqa: ARG002 -- signature
        n_classes: int,  # noqa: ARG002
        sample_weight: NDArray[np.float64] | None,
    ) -> Cutter:
        def cut_points(column: Column) -> NDArray[np.float64]:
            known = column.in_order()
            weight = None if sample_weight is None else sample_weight[known.order]
            counts = np.bincount(known.ranks, weight, len(known.values))
            return equal_frequency_cuts(known.values, counts, self.n_bins)

        return cut_points


def equal_frequency_cuts(
    values: NDArray[np.float64], counts: NDArray[Any], n_bins: int
) -> NDArray[np.float64]:
    """Return the ascending cut points between values that occur so often.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        Different values, ascending.
    counts : ndarray of shape (n_values,)
        How many rows have each of them, or what they weigh.
    n_bins : int
        Largest number of intervals.
    """
    places = _places(np.cumsum(counts), n_bins)
    return np.array([middle(values[p], values[p + 1]) for p in places], dtype=float)


def _places(below: NDArray[Any], n_bins: int) -> list[int]:
    """Return the numbers of the values behind which there is a cut.

    Parameters
    ----------
    below : ndarray of shape (n_values,)
        Weight up to each value, its own included.
    n_bins : int
        Largest number of intervals.
    """
    places: list[int] = []
    last_place = len(below) - 2
    closed = 0.0  # weight in the intervals that are closed
    first = 0  # the first place not yet passed
    passed = -1  # the last place passed since the last cut, if any
    while len(places) < n_bins - 1:
        target = (below[-1] - closed) / (n_bins - len(places)) if len(below) else 0.0
        full = max(int(np.searchsorted(below, closed + target)), first)
        full = min(full, last_place + 1)
        if full > first:
            passed = full - 1
        if full > last_place:  # nothing fills the interval: close it where we are
            return [*places, passed] if passed >= 0 else places
        short, over = closed + target - below[passed], below[full] - closed - target
        if passed >= 0 and short < over:
            places.append(passed)
            passed = full
        else:
            places.append(full)
            passed = -1
        closed = below[places[-1]]
        first = full + 1
    return places
