"""Averaged one-dependence estimators."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dissensus._core.counts._factors import normalize_scores
from dissensus.bayes._base import CountingClassifier
from dissensus.bayes._estimates import (
    PairFactors,
    ValueFactors,
    mutual_information,
    pair_factors,
    value_factors,
)
from dissensus.bayes._scores import naive_proba, one_dependence_scores
from dissensus.table import Table
from dissensus.utils._sklearn import Interval, StrOptions

MUTUAL_INFORMATION = "mutual-information"


class AODEClassifier(CountingClassifier):
    """Averaged one-dependence estimators: naive Bayes, given one more value each.

    For every attribute there is a model in which all others depend on the class and on
    this one, their parent. The probability of a class is proportional to the mean, over
    the parents, of P(class, parent's value) times the product of
    P(value | class, parent's value) over the other attributes [1]_.

    Parameters
    ----------
    smoothing : {"laplace", "m-estimate"}, default="laplace"
        How a frequency of n out of N becomes a probability, with V possible values:
        (n + alpha) / (N + alpha V), or (n + alpha / V) / (N + alpha).
    alpha : float, default=1.0
        Strength of the smoothing; 0 is none.
    min_parent_count : float, default=1
        A value that has less weight in the training set is no parent. If none of a
        row's values is one, naive Bayes answers.
    numeric : {"mdl", "equal-width"}, default="mdl"
        How numeric attributes are cut into intervals: where that tells about the class
        (see `MDLDiscretizer`), or into max(1, round(2 log2 n)) intervals of equal
        width, where n is the number of distinct values.
    weighting : {"mutual-information"} or None, default=None
        Whether a parent has the weight of its mutual information with the class [2]_;
        None: all have the same.
    n_jobs : int, default=None
        Number of threads; None is 1, -1 is one for each processor. The result does not
        depend on it.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    counts_ : Counts
        Weights of the rows of each class, with each value, and with each pair.
    cut_points_ : list of ndarray or None
        Of each numeric attribute; None for a nominal one.
    parent_weights_ : ndarray of shape (n_features,)
        Weight of each attribute as a parent.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    NaiveBayesClassifier : The same without a parent.

    Notes
    -----
    With its defaults this is Weka's AODE -F 1 behind the supervised filter Discretize:
    `min_parent_count` is its option -F, `smoothing="m-estimate"` its option -M. Missing
    values are left out of the counts and of the products.

    Weighted by mutual information, and with m-estimates, it is Weka's WAODE. A parent
    that tells nothing about the class has no weight then, and all have the same if none
    tells anything.

    With n attributes of v values each and k classes, the counts take 8 k (n v)**2 bytes
    and the probabilities as many again; more than half of the memory that is available
    is refused. Fitting costs time in proportion to rows x n**2 / 2, predicting to
    rows x n**2 x k.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton and Z. Wang, "Not so naive Bayes: aggregating
       one-dependence estimators", Machine Learning 58(1), 2005.
    .. [2] L. Jiang and H. Zhang, "Weightily averaged one-dependence estimators",
       PRICAI, 2006.

    Examples
    --------
    >>> from dissensus import AODEClassifier, load_dataset
    >>> data = load_dataset("tic-tac-toe")
    >>> round(AODEClassifier().fit(data.X, data.y).score(data.X, data.y), 3)
    0.761

    Counts add up, so that a model can learn from chunks:

    >>> model = AODEClassifier()
    >>> for start in range(0, 958, 100):
    ...     chunk = slice(start, start + 100)
    ...     model = model.partial_fit(
    ...         data.X[chunk], data.y[chunk], classes=data.classes
    ...     )
    >>> round(model.score(data.X, data.y), 3)
    0.761
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CountingClassifier._parameter_constraints,
        "min_parent_count": [Interval(Real, 0, None, closed="left")],
        "weighting": [StrOptions({MUTUAL_INFORMATION}), None],
        "n_jobs": [Integral, None],
    }
    _counts_pairs: ClassVar[bool] = True

    parent_weights_: NDArray[np.float64]

    def __init__(
        self,
        smoothing: str = "laplace",
        *,
        alpha: float = 1.0,
        min_parent_count: float = 1,
        numeric: str = "mdl",
        weighting: str | None = None,
        n_jobs: int | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.smoothing = smoothing
        self.alpha = alpha
        self.min_parent_count = min_parent_count
        self.numeric = numeric
        self.weighting = weighting
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def _estimate(self) -> None:
        smoothing = self._smoothing()
        self.parent_weights_ = self._parent_weights()
        self._naive: ValueFactors = value_factors(self.counts_, smoothing)
        self._parents: PairFactors = pair_factors(self.counts_, smoothing)
        frequent = self.counts_.values.sum(axis=0) >= self.min_parent_count
        if self.weighting is None and frequent.all():
            return
        of_places = np.repeat(self.parent_weights_, self.counts_.n_values)
        self._parents.joint[:] *= (frequent * of_places)[:, np.newaxis]

    def _parent_weights(self) -> NDArray[np.float64]:
        """Return the weight of each attribute as a parent; the largest is 1."""
        even = np.ones(len(self.counts_.n_values))
        if self.weighting is None:
            return even
        information = mutual_information(self.counts_)
        largest = information.max(initial=0.0)
        return information / largest if largest > 0 else even

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        codes = self._codes(table)
        scores, _ = one_dependence_scores(self._parents, codes, n_jobs=self.n_jobs)
        if normalize_scores(scores, np.zeros(scores.shape[1])):
            orphans = np.flatnonzero(~scores.any(axis=1))  # rows without a parent
            scores[orphans] = naive_proba(self._naive, codes.take(orphans))
        return scores
