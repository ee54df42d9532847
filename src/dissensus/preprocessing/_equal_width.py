"""Unsupervised discretisation into intervals of equal width."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableTransformer
from dissensus.preprocessing._discretizer import BaseDiscretizer, Cutter
from dissensus.table import Column
from dissensus.utils._sklearn import Interval, StrOptions, fit_context


class EqualWidthDiscretizer(BaseDiscretizer):
    """Cut numeric attributes into intervals of equal width.

    Parameters
    ----------
    n_bins : int or "dougherty", default=10
        Number of intervals between the least and the largest value. "dougherty" is
        ``max(1, round(2 log2 v))`` for an attribute with v different values [1]_.
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
    EqualFrequencyDiscretizer : Intervals that hold equal numbers of rows.
    MDLDiscretizer : Intervals that tell about the class.

    Notes
    -----
    This is Weka's unsupervised filter Discretize. The outer intervals are open-ended.
    Row weights do not matter, save that rows of weight 0 are left out. Missing values
    stay missing, nominal columns are left as they are, and an attribute with one value
    is one interval. What goes out is as described for `MDLDiscretizer`.

    The number of intervals after Dougherty, Kohavi and Sahami is rounded to the nearest
    whole number, as in their MLC++.

    References
    ----------
    .. [1] J. Dougherty, R. Kohavi and M. Sahami, "Supervised and unsupervised
       discretization of continuous features", Proc. 12th Int. Conf. on Machine
       Learning, 1995.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.preprocessing import EqualWidthDiscretizer
    >>> X = np.array([[0.0], [1.0], [2.5], [10.0]])
    >>> discretizer = EqualWidthDiscretizer(n_bins=4).fit(X)
    >>> discretizer.schema_out_[0].categories
    ('(-inf, 2.5]', '(2.5, 5]', '(5, 7.5]', '(7.5, inf)')
    >>> discretizer.transform(X).ravel()
    array([0., 0., 0., 3.])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableTransformer._parameter_constraints,
        "n_bins": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"dougherty"}),
        ],
    }

    def __init__(
        self, n_bins: int | str = 10, *, categorical_features: Any = "from_dtype"
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
            Row weights, of which only zeros matter.

        Returns
        -------
        self : EqualWidthDiscretizer
            The fitted transformer.
        """
        table, _, weight = self._read_training(X, None, sample_weight)
        return self._fit_table(table, sample_weight=weight)

    def _cutter(
        self,
        n_rows: int,  # noqa: ARG002 -- the hook's
        y_codes: NDArray[np.intp] | None,  # noqa: ARG002 -- signature
        n_classes: int,  # noqa: ARG002
        sample_weight: NDArray[np.float64] | None,  # noqa: ARG002
    ) -> Cutter:
        def cut_points(column: Column) -> NDArray[np.float64]:
            known = column.data[~np.isnan(column.data)]
            if len(known) == 0:
                return np.empty(0)
            n_bins = self.n_bins
            if isinstance(n_bins, str):
                n_bins = dougherty_bins(len(np.unique(known)))
            return equal_width_cuts(float(known.min()), float(known.max()), n_bins)

        return cut_points


def dougherty_bins(n_values: int) -> int:
    """Return the number of intervals for a number of different values.

    Examples
    --------
    >>> dougherty_bins(100), dougherty_bins(1)
    (13, 1)
    """
    return int(max(1.0, 2.0 * np.log2(n_values) + 0.5))


def equal_width_cuts(low: float, high: float, n_bins: int) -> NDArray[np.float64]:
    """Return the ascending points that cut a range into parts of equal width.

    Examples
    --------
    >>> equal_width_cuts(0.0, 10.0, 4)
    array([2.5, 5. , 7.5])
    """
    if low == high:
        return np.empty(0)
    if not np.isfinite(high - low):
        return 2 * equal_width_cuts(low / 2, high / 2, n_bins)
    width = (high - low) / n_bins
    # Neighbouring numbers have fewer than `n_bins` different cuts between them.
    cuts = np.unique(low + width * np.arange(1, n_bins))
    return cuts[(cuts >= low) & (cuts < high)]
