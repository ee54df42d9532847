"""Bagging: the mean of learners, each fitted on a bootstrap of the training set."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dissensus.ensemble._members import (
    MAX_SEED,
    Codes,
    EnsembleClassifier,
    fresh_generator,
    new_member,
    takes_tables,
)
from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.utils._sklearn import Interval
from dissensus.utils._threads import in_threads, one_at_a_time
from dissensus.utils._typing import Floats


class BaggingClassifier(EnsembleClassifier):
    """Average the class probabilities of learners fitted on bootstraps [1]_.

    Parameters
    ----------
    estimator : classifier, default=None
        What the members are copies of; None is `C45Classifier()`. One that has no
        `predict_proba` votes.
    n_estimators : int, default=10
        Number of members.
    max_samples : float, default=1.0
        Size of a bootstrap as a share of the number of rows; at least one row is drawn.
    n_jobs : int, default=None
        Number of threads that fit and ask the members; None is one, -1 one for each
        processor. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstraps and of everything random in the members.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so: names, positions or a mask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    estimators_ : list of classifiers
        The members, fitted on class codes.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    AdaBoostM1Classifier : Weights that follow the errors instead of chance.
    DecorateClassifier : Invented rows instead of rows left out.

    Notes
    -----
    Weka's options: `n_estimators` is -I, `max_samples` -P (in per cent).

    Rows are drawn with probability in proportion to `sample_weight`; the members see
    no weights. So a weight of 2 is like two rows on average only, and the number of
    rows drawn is that of the rows with a weight, whatever their sum.

    The table is encoded once: a bootstrap inherits the sorted order of its columns.
    scikit-learn's class of the same name gives each member an array, which turns a
    frame with nominal columns into objects and loses their declared values.

    References
    ----------
    .. [1] L. Breiman, "Bagging Predictors", Machine Learning 24(2), 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggingClassifier(n_estimators=15, random_state=0).fit(X, y)
    >>> len(bag.estimators_)
    15
    >>> bag.predict(X[:2])
    array([0, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **EnsembleClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_samples": [Interval(Real, 0, None, closed="neither")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _accepts_weights(self) -> bool:
        return True  # rows are drawn by them, the members see none

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        self.schema_ = table.schema
        self.n_classes_ = n_classes
        prototype = self._prototype()
        n_draws = max(1, int(self.max_samples * table.n_rows))
        if takes_tables(prototype):
            table.encoded  # noqa: B018 - made once here, it is inherited by every bootstrap

        def fit_on_bootstrap(seed: int) -> Any:
            with one_at_a_time():
                rng = np.random.default_rng(seed)
                rows = bootstrap(table.n_rows, n_draws, sample_weight, rng)
                member, labels = new_member(prototype, rng), y_codes[rows]
                sample = table.take(rows)
                if isinstance(member, C45Classifier):
                    sample.encoded  # noqa: B018 - a tree would make it a moment later
            return self._fit_member(member, sample, labels, n_classes)

        # Drawn before the loop, so that it does not matter which thread is first.
        rng = fresh_generator(self.random_state)
        seeds = rng.integers(MAX_SEED, size=self.n_estimators)
        self.estimators_ = in_threads(fit_on_bootstrap, seeds, self.n_jobs)
        return self

    def _proba_table(self, table: Table) -> Floats:
        def proba(member: Any) -> Floats:
            return self._member_proba(member, table, self.n_classes_)

        # Added up in the order of the members, whoever was ready first.
        total: Floats = np.add.reduce(in_threads(proba, self.estimators_, self.n_jobs))
        return total / len(self.estimators_)


def bootstrap(
    n_rows: int, n_draws: int, weights: Floats | None, rng: Generator
) -> NDArray[np.intp]:
    """Draw rows with replacement and give them in ascending order.

    Order means nothing to a learner, but rows in the order of an encoded table inherit
    its encoding.
    """
    if weights is None:
        return np.sort(rng.integers(n_rows, size=n_draws))
    return np.sort(rng.choice(n_rows, size=n_draws, p=weights / weights.sum()))
