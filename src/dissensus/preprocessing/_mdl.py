"""Supervised discretisation by the minimum description length principle."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dissensus._core.discretize._mdl import mdl_cut_points, xlogx_table
from dissensus.base import TableTransformer, check_labels
from dissensus.preprocessing._discretizer import BaseDiscretizer, Cutter
from dissensus.table import Column
from dissensus.utils._sklearn import StrOptions, fit_context

# Factorials of larger weights are computed one by one.
MAX_FACTORIALS = 1 << 20


class MDLDiscretizer(BaseDiscretizer):
    """Cut numeric attributes where that tells enough about the class.

    The values of an attribute are cut in two where the class entropy of the parts is
    least, and the parts again, as long as a cut saves more bits in the description of
    the classes than it takes to describe the cut [1]_.

    Parameters
    ----------
    criterion : {"fayyad-irani", "kononenko"}, default="fayyad-irani"
        How bits are counted: after Fayyad and Irani [1]_ or after Kononenko [2]_.
    efficient_encoding : bool, default=False
        Whether a cut costs the logarithm of the number of places where a cut is
        possible, instead of the number of rows less one.
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
    MissingValueReplacer : Replace missing values.
    sklearn.preprocessing.KBinsDiscretizer : Intervals that take no notice of the class.

    Notes
    -----
    This is Weka's supervised filter Discretize; `criterion` is its option -K and
    `efficient_encoding` its option -E. Every place between two different values is
    tried, the lowest one wins a tie, and the cut is in the middle. Missing values count
    nowhere and stay missing. Nominal columns are left as they are.

    A weight counts as that many equal rows. (Weka, too, adds up weights where it counts
    classes, but it prices a cut by rows: with weights its cuts may differ, save with
    `efficient_encoding`.)

    A frame in gives a frame of the same kind out whose discretised columns are nominal:
    pandas categoricals or polars Enums, with the intervals in ascending order as
    categories; a column without a cut has the single value "All". An array in gives an
    array out, with the number of the interval, counted from 0, in place of the value. A
    nominal label that was not declared in training goes out as missing.

    Time is O(n log n) for sorting and O(n) for each level of cuts of an attribute;
    memory is O(n) besides the result.

    References
    ----------
    .. [1] Fayyad, U. M. and Irani, K. B. (1993). "Multi-interval discretization of
       continuous-valued attributes for classification learning". Proc. 13th Int. Joint
       Conf. on Artificial Intelligence, 1022-1027.

    .. [2] Kononenko, I. (1995). "On biases in estimating multi-valued attributes".
       Proc. 14th Int. Joint Conf. on Artificial Intelligence, 1034-1040.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.preprocessing import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = MDLDiscretizer().fit(X, y)
    >>> discretizer.cut_points_[2]
    array([2.45, 4.75])
    >>> discretizer.schema_out_[2].categories
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    >>> discretizer.transform(X[[0, 50, 100]])
    array([[0., 2., 0., 0.],
           [2., 1., 1., 1.],
           [2., 1., 2., 2.]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableTransformer._parameter_constraints,
        "criterion": [StrOptions({"fayyad-irani", "kononenko"})],
        "efficient_encoding": ["boolean"],
    }

    def __init__(
        self,
        criterion: str = "fayyad-irani",
        *,
        efficient_encoding: bool = False,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.efficient_encoding = efficient_encoding
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the cut points.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights; None is 1 for each.

        Returns
        -------
        self : MDLDiscretizer
            The fitted transformer.
        """
        y = validate_data(self, y=y)
        check_labels(y)
        check_classification_targets(y)
        classes, y_codes = np.unique(y, return_inverse=True)
        table, kept_codes, weight = self._read_training(X, y_codes, sample_weight)
        return self._fit_table(table, kept_codes, len(classes), weight)

    def _cutter(
        self,
        n_rows: int,
        y_codes: NDArray[np.intp] | None,
        n_classes: int,
        sample_weight: NDArray[np.float64] | None,
    ) -> Cutter:
        y = np.ascontiguousarray(y_codes, dtype=np.int32)
        xlogx = xlogx_table(n_rows + 1) if sample_weight is None else None
        factorials = None
        if self.criterion == "kononenko":
            total = float(n_rows if sample_weight is None else sample_weight.sum())
            factorials = _ln_factorials(max(n_rows, total), n_classes)

        def cut_points(column: Column) -> NDArray[np.float64]:
            known = column.in_order()
            return mdl_cut_points(
                known.values[known.ranks],
                y[known.order],
                None if sample_weight is None else sample_weight[known.order],
                xlogx,
                factorials,
                n_classes,
                self.efficient_encoding,
            )

        return cut_points

    def __sklearn_tags__(self) -> Any:
        """Say, besides, that classes are needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _ln_factorials(largest: float, n_classes: int) -> NDArray[np.float64]:
    """Return ln x! for whole numbers x up to `largest` and somewhat beyond."""
    size = int(min(largest, MAX_FACTORIALS)) + n_classes + 1
    return np.asarray(gammaln(np.arange(1.0, size + 1.0)))
