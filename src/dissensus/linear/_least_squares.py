"""Multi-response least squares: a regression for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.linear._hyperplanes import (
    HyperplaneClassifier,
    deviations,
    normalised,
    times_inverse_covariance,
)
from dissensus.utils._typing import Floats


class LeastSquaresClassifier(HyperplaneClassifier):
    """A linear regression for each class, on 1 for its rows and 0 for all others.

    The outputs of the regressions are cut off at 0 and 1 and divided by their sum. It
    is what Ting and Witten put on top of stacked generalization [1]_, under the name
    of multi-response linear regression.

    Parameters
    ----------
    tolerance : float, default=1e-8
        Singular values of the correlation matrix below this part of the largest one
        are dropped, so that repeated and dependent columns do no harm.
    encode : {"none", "onehot", "ordinal"}, default="none"
        What becomes of nominal attributes: nothing; one column of zeros and ones for
        each declared value; or one column of the numbers of their values, 0, 1, ..., in
        the order in which these are declared.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    inputs_ : tuple of str
        Names of the columns that have a weight: the numeric attributes, and with
        ``encode="onehot"`` those like ``colour=red``, with "ordinal" all attributes.
    coef_ : ndarray of shape (n_classes, n_inputs)
        Weight of each column in the regression on each class.
    intercept_ : ndarray of shape (n_classes,)
        Output of each regression at zero.
    means_ : ndarray of shape (n_inputs,)
        Mean of each column, which stands in for a missing value.
    priors_ : ndarray of shape (n_classes,)
        Share of each class in the training weight.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    DiscriminantClassifier : Hyperplanes that follow from normal distributions.

    Notes
    -----
    This is Weka's ClassificationViaRegression with LinearRegression -S 1 -C, whose
    ridge of 1e-8 on standardised attributes is next to nothing: the two agree to about
    1e-8 unless attributes are almost dependent. A missing value is replaced by the
    mean of its column in the training set.

    The outputs sum to 1 before they are cut off, so at least one of them is above 0.

    References
    ----------
    .. [1] K. M. Ting and I. H. Witten, "Issues in Stacked Generalization", Journal of
       Artificial Intelligence Research 10, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.linear import LeastSquaresClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LeastSquaresClassifier().fit(X, y)
    >>> model.predict_proba(X[:1]).round(3)
    array([[0.887, 0.113, 0.   ]])
    """

    def __init__(
        self,
        tolerance: float = 1e-8,
        *,
        encode: str = "none",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.tolerance = tolerance
        self.encode = encode
        self.categorical_features = categorical_features

    def _weigh(self, centred: Floats, targets: Floats) -> tuple[Floats, Floats]:
        share = targets.sum(axis=1)
        unit = deviations(centred, share)
        weights = times_inverse_covariance(
            targets.T @ centred,
            centred,
            share,
            self.tolerance,
            size=np.abs(self._centres) + unit,
            unit=unit,
        )
        # Missing values count as the mean, so that centred columns sum to 0.
        return weights, self.priors_.copy()

    def _distributions(self, scores: Floats) -> Floats:
        return normalised(np.clip(scores, 0.0, 1.0), self.priors_)
