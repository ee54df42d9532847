"""Naive Bayes over nominal values, intervals and normal densities."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.bayes._base import CountingClassifier
from dissensus.bayes._estimates import ValueFactors, value_factors
from dissensus.bayes._intervals import CUTTERS
from dissensus.bayes._normal import Normal, fit_normal
from dissensus.bayes._scores import naive_proba
from dissensus.table import Table, sort_by_blocks
from dissensus.utils._sklearn import StrOptions

GAUSSIAN = "gaussian"


class NaiveBayesClassifier(CountingClassifier):
    """Naive Bayes: given the class, attributes are taken to be independent.

    The probability of a class is proportional to P(class) times the product of
    P(value | class) over all attributes [1]_. The probabilities are smoothed relative
    frequencies; numeric attributes are cut into intervals first, or described by a
    normal density for each class.

    Parameters
    ----------
    smoothing : {"laplace", "m-estimate"}, default="laplace"
        How a frequency of n out of N becomes a probability, with V possible values:
        (n + alpha) / (N + alpha V), or (n + alpha / V) / (N + alpha).
    alpha : float, default=1.0
        Strength of the smoothing; 0 is none.
    numeric : {"mdl", "equal-width", "gaussian"}, default="mdl"
        What is made of numeric attributes: intervals that tell about the class (see
        `MDLDiscretizer`); max(1, round(2 log2 n)) intervals of equal width, where n is
        the number of distinct values [2]_; or normal densities.
    missing : {"skip", "value"}, default="skip"
        Whether a missing value is left out of the counts and of the product, or counts
        as one more value of its attribute [3]_ (not with `numeric="gaussian"`).
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_prior_ : ndarray of shape (n_classes,)
        P(class), smoothed.
    counts_ : Counts
        Weights of the rows of each class, and of each class with each value.
    cut_points_ : list of ndarray or None
        Of each numeric attribute that is cut into intervals; None for the others.
    normals_ : dict of int to Normal
        The densities, by the position of the attribute.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    AODEClassifier : Let every attribute depend on one other as well.
    sklearn.naive_bayes.CategoricalNB : The like for columns of codes.

    Notes
    -----
    With its defaults this is Weka's NaiveBayes with option -D, and with
    `numeric="gaussian"` Weka's NaiveBayes without options: there values are rounded to
    the mean distance of neighbouring distinct values, a factor is the probability of
    the rounding interval, and none is less than 1e-75.

    Values count as they are declared: a declared value without a row has a probability
    too. A value that was not declared in training is left out, whatever `missing`
    says. If every class has probability 0, which takes `alpha=0`, the answer is
    P(class).

    The probabilities of a row are the same bits in whatever company it comes, so that
    a threshold taken from training rows works for them again.

    `partial_fit` and `merge` need nominal inputs. Fitting costs time in proportion to
    rows x attributes, after sorting each numeric attribute once.

    References
    ----------
    .. [1] P. Langley, W. Iba and K. Thompson, "An analysis of Bayesian classifiers",
       AAAI, 1992.
    .. [2] J. Dougherty, R. Kohavi and M. Sahami, "Supervised and unsupervised
       discretization of continuous features", ICML, 1995.
    .. [3] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000.

    Examples
    --------
    >>> from dissensus import NaiveBayesClassifier
    >>> X = [["sunny", "hot"], ["rain", "mild"], ["rain", "hot"], ["sunny", "mild"]]
    >>> y = ["no", "yes", "yes", "no"]
    >>> model = NaiveBayesClassifier().fit(X, y)
    >>> model.predict([["rain", "cold"]])
    array(['yes'], dtype='<U3')
    >>> model.predict_proba([["rain", "cold"]])
    array([[0.25, 0.75]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CountingClassifier._parameter_constraints,
        "numeric": [StrOptions({*CUTTERS, GAUSSIAN})],
        "missing": [StrOptions({"skip", "value"})],
    }

    normals_: dict[int, Normal]

    def __init__(
        self,
        smoothing: str = "laplace",
        *,
        alpha: float = 1.0,
        numeric: str = "mdl",
        missing: str = "skip",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.smoothing = smoothing
        self.alpha = alpha
        self.numeric = numeric
        self.missing = missing
        self.categorical_features = categorical_features

    @property
    def class_prior_(self) -> NDArray[np.float64]:
        """P(class), smoothed."""
        return self._model.prior

    @property
    def _missing_is_value(self) -> bool:
        return self.missing == "value"

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self._check_params()
        super()._fit_table(table, y_codes, n_classes, sample_weight)
        if self.numeric == GAUSSIAN:
            sort_by_blocks(table.columns)
            self.normals_ = {
                position: fit_normal(column, y_codes, n_classes, sample_weight)
                for position, column in enumerate(table.columns)
                if not column.attribute.is_nominal
            }
        return self

    def _start(self, n_classes: int) -> None:
        super()._start(n_classes)
        self.normals_ = {}

    def _estimate(self) -> None:
        self._model: ValueFactors = value_factors(self.counts_, self._smoothing())

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        densities = (
            normal.factors(table.columns[position].data)
            for position, normal in self.normals_.items()
        )
        return naive_proba(self._model, self._codes(table), densities)

    def _check_params(self) -> None:
        if self.numeric == GAUSSIAN and self.missing == "value":
            raise ValueError(
                "missing='value' needs intervals, and numeric='gaussian' has none. Use "
                "missing='skip', or numeric='equal-width' or 'mdl'."
            )
