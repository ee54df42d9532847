"""Stacked generalization: a learner of class probabilities made by other learners."""

from __future__ import annotations

from numbers import Integral
from time import perf_counter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from dissensus.base import TableClassifier
from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble._members import Codes, new_member
from dissensus.ensemble.cascade._base import LeveledClassifier
from dissensus.ensemble.cascade._cross_fit import (
    Rows,
    Training,
    cross_fit,
    make_folds,
    out_of_fold,
)
from dissensus.ensemble.cascade._extension import check_built, extend
from dissensus.ensemble.cascade._levels import check_learners, flat
from dissensus.linear import DiscriminantClassifier
from dissensus.table import Schema, Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import (
    HasMethods,
    Interval,
    check_feature_names_in,
)
from dissensus.utils._typing import Floats


class StackedGeneralizationClassifier(LeveledClassifier):
    """A learner that decides by the class probabilities of other learners alone.

    The learners of level 0 give each training row its class probabilities by
    cross-validation, so that no row is judged by a model that has seen it; the learner
    of level 1 learns the class from these probabilities [1]_. For new rows the
    probabilities come from learners fitted on all rows.

    Parameters
    ----------
    estimators : list, default=None
        The learners of level 0; each may be a pair of a name and a learner. None is
        C4.5 and naive Bayes, the pair that Gama and Brazdil stack [2]_.
    final_estimator : classifier, default=None
        The learner of level 1. None is `DiscriminantClassifier`, as in [2]_;
        `LeastSquaresClassifier` is the choice of [1]_.
    cv : int, splitter, iterable or None, default=5
        A number of stratified folds, which do not divide groups if `fit` is given any
        (None is 5); or a splitter of scikit-learn; or pairs of training and test rows.
    n_repeats : int, default=1
        How often the rows are divided into folds, if `cv` is a number; the
        probabilities of a row are averaged.
    random_state : int, RandomState instance or None, default=None
        Shuffles the folds. If given, it also seeds all learners; if None, they keep
        their own seeds.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of classifiers
        The learners of level 0, fitted on all rows.
    final_estimator_ : classifier
        The fitted learner of level 1.
    names_ : list of str
        Names of the learners of level 0, such as "NB". They are used in the names of
        the attributes of level 1, ``NB:P(yes)``, and as prefixes of parameters,
        ``NB__alpha``.
    fit_times_ : ndarray of shape (2,)
        Seconds that level 0, with its cross-validation, and level 1 took to learn.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    schema_out_ : Schema
        The attributes of level 1.
    n_leaves_ : int
        Number of leaves of the tree at level 1. Defined only if a tree decides.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    CascadeClassifier : The deciding learner sees the inputs too, and probabilities are
        made without inner cross-validation.
    sklearn.ensemble.StackingClassifier : The like for arrays.

    Notes
    -----
    With two classes both probabilities are attributes, although one would do; the
    learners of this package drop what is redundant.

    Fitting costs, for each learner of level 0, `cv` times `n_repeats` fits on part of
    the rows, and one on all.

    References
    ----------
    .. [1] K. M. Ting and I. H. Witten, "Issues in Stacked Generalization", Journal of
       Artificial Intelligence Research 10, 1999.
    .. [2] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41(3),
       2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import StackedGeneralizationClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> stack = StackedGeneralizationClassifier(random_state=0).fit(X, y)
    >>> stack.schema_out_.names
    ('C45:P(0)', 'C45:P(1)', 'C45:P(2)', 'NB:P(0)', 'NB:P(1)', 'NB:P(2)')
    >>> stack.predict(X[[0, 50, 100]])
    array([0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "estimators": [list, tuple, None],
        "final_estimator": [HasMethods(["fit", "predict"]), None],
        "cv": ["cv_object"],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    _learners_parameter = "estimators"

    def __init__(
        self,
        estimators: Any = None,
        *,
        final_estimator: Any = None,
        cv: Any = 5,
        n_repeats: int = 1,
        random_state: int | RandomState | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _default_learners(self) -> list[Any]:
        return [C45Classifier(), NaiveBayesClassifier()]

    def _fit_rows(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None,
        rows: Rows,
    ) -> Self:
        learners = flat(self._read_learners())
        check_learners(learners, set(self.get_params(deep=False)))
        check_built(table.n_rows, n_classes * len(learners))
        self.schema_, self._n_classes = table.schema, n_classes
        self.names_ = [learner.name for learner in learners]
        rng = check_random_state(self.random_state)
        folds = make_folds(y_codes, rows, self.cv, self.n_repeats, rng)
        seeds = None if self.random_state is None else rng

        start = perf_counter()
        zero = Training(table, y_codes, n_classes, sample_weight, self.input_kind_)
        self.estimators_ = [
            zero.fit(new_member(learner.estimator, seeds)) for learner in learners
        ]
        if folds:
            fits = [cross_fit(x.estimator, zero, folds, seeds) for x in learners]
            probas = [out_of_fold(each, table.n_rows) for each in fits]
        else:  # a single row
            probas = [zero.proba(member, table) for member in self.estimators_]
        one = zero.of(self._joined(table, probas))
        middle = perf_counter()
        self.schema_out_ = one.table.schema
        self.final_estimator_ = one.fit(new_member(self._final(), seeds))
        self.fit_times_ = np.array([middle - start, perf_counter() - middle])
        return self

    def _final(self) -> Any:
        if self.final_estimator is None:
            return DiscriminantClassifier()
        return self.final_estimator

    def _joined(self, table: Table, probas: list[Floats]) -> Table:
        """Return the probabilities of all learners side by side."""
        joined = Table(Schema((), table.schema.named), (), table.n_rows)
        for name, proba in zip(self.names_, probas, strict=True):
            joined = extend(joined, proba, name, self._labels())
        return joined

    def _extended(self, table: Table) -> Table:
        members = self.estimators_
        probas = [self._member_proba(m, table, self._n_classes) for m in members]
        return self._joined(table, probas)

    def _proba_table(self, table: Table) -> Floats:
        level_1 = self._extended(table)
        return self._member_proba(self.final_estimator_, level_1, self._n_classes)

    def _codes_table(self, table: Table) -> NDArray[np.intp]:
        return self._member_codes(self.final_estimator_, self._extended(table))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the attributes of level 1.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Not used; if given, it must be the names of the inputs.

        Returns
        -------
        names : ndarray of str
            One for each learner of level 0 and each class.
        """
        check_is_fitted(self)
        check_feature_names_in(self, input_features)
        return np.array(self.schema_out_.names, dtype=object)

    @property
    def n_leaves_(self) -> int:
        """Number of leaves of the deciding tree; defined only if a tree decides."""
        check_is_fitted(self)
        return int(self.final_estimator_.n_leaves_)
