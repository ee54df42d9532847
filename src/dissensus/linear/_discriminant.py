"""The linear discriminant, by singular values, as Cascade Generalization uses it."""

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


class DiscriminantClassifier(HyperplaneClassifier):
    """Fisher's linear discriminant on the numeric attributes.

    Every class has a hyperplane, ``H(x) = intercept + coef . x``, which follows from
    the class means and the covariance inside the classes, pooled over them. Its height
    above a row is the logarithm of the class probability, but for a constant: the
    posterior of normal distributions that differ in their means only [1]_ [2]_.

    Parameters
    ----------
    tolerance : float, default=1e-8
        Singular values of the pooled covariance below this part of the largest one are
        dropped, and with them what the other attributes say already. Attributes are
        scaled to variance 1 over all rows first, so that units do not matter.
    encode : {"none", "onehot", "ordinal"}, default="none"
        What becomes of nominal attributes: nothing, as in [1]_; one column of zeros
        and ones for each declared value; or one column of the numbers of their values,
        0, 1, ..., in the order in which these are declared.
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
        Weight of each column in the hyperplane of each class.
    intercept_ : ndarray of shape (n_classes,)
        Height of each hyperplane at zero, the logarithm of the prior included.
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
    LeastSquaresClassifier : Hyperplanes that are regressions on each class.
    sklearn.discriminant_analysis.LinearDiscriminantAnalysis : The like for matrices
        without missing values, with shrinkage and projections.

    Notes
    -----
    A missing value is replaced by the mean of its column in the training set. Without
    any numeric attribute the answer is always the class frequencies. The paper says
    that its discriminant reads continuous attributes only, but the errors it reports on
    tables of nominal ones are those of ``encode="ordinal"`` (see the page of the
    reproduction).

    The covariance is divided by the total weight, so that the scale of the weights
    does not matter. The probabilities equal those of scikit-learn's
    LinearDiscriminantAnalysis with ``solver="lsqr"`` where no singular value is
    dropped. An attribute that does not vary inside any class, or next to not, has no
    weight, also where it tells the classes apart: that is what a pseudo-inverse does.

    The probabilities of a row are the same bits in whatever company it is asked for,
    because a cascade compares them with thresholds taken from training rows.

    Fitting costs time in proportion to rows x attributes^2, plus attributes^3.

    References
    ----------
    .. [1] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000.
    .. [2] R. A. Fisher, "The use of multiple measurements in taxonomic problems",
       Annals of Eugenics 7, 1936.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.linear import DiscriminantClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DiscriminantClassifier().fit(X, y)
    >>> model.score(X, y)
    0.98
    >>> model.predict_proba(X[70:71]).round(3)
    array([[0.   , 0.249, 0.751]])
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
        present = self.priors_ > 0
        means = np.zeros((len(present), centred.shape[1]))
        means[present] = (targets.T @ centred)[present]
        means[present] /= self.priors_[present, np.newaxis]

        share = targets.sum(axis=1)
        within = centred - means[targets.argmax(axis=1)]
        unit = deviations(centred, share)
        weights = times_inverse_covariance(
            means,
            within,
            share,
            self.tolerance,
            size=np.abs(self._centres) + unit,
            unit=unit,
        )
        heights = np.full(len(present), -np.inf)  # a class without rows is impossible
        heights[present] = np.log(self.priors_[present])
        return weights, heights - (weights * means).sum(axis=1) / 2

    def _distributions(self, scores: Floats) -> Floats:
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return normalised(powers, self.priors_)
