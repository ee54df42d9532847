"""AdaBoost.M1: each learner attends to the rows that the one before got wrong."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import Generator
from sklearn.utils.validation import check_is_fitted

from dissensus.base import read_inputs
from dissensus.ensemble._bagging import bootstrap
from dissensus.ensemble._members import (
    Codes,
    EnsembleClassifier,
    accepts_weights,
    fresh_generator,
    new_member,
)
from dissensus.table import SMALLEST_SHARE, Table
from dissensus.utils._sklearn import Interval
from dissensus.utils._typing import Floats

# Errors this near to 0 or to one half end the boosting, as in Weka.
TOLERANCE = 1e-6


class AdaBoostM1Classifier(EnsembleClassifier):
    """Boost a learner by reweighting the rows it gets wrong [1]_, as Weka does.

    Parameters
    ----------
    estimator : classifier, default=None
        What the members are copies of; None is `C45Classifier()`. One that cannot
        learn from weighted rows is given rows drawn by their weights.
    n_estimators : int, default=10
        Largest number of members.
    random_state : int, RandomState instance or None, default=None
        Seed of the rows drawn and of everything random in the members. With members
        that take weights and have nothing random it does not matter.
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
    estimator_weights_ : ndarray of shape (n_members,)
        The members' votes; 1 for a single member with which the boosting ended.
    estimator_errors_ : ndarray of shape (n_members,)
        The weighted training errors that the votes come from.
    schema_ : Schema
        Names, kinds and declared values of the inputs.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the inputs, if `X` has names that are all strings.

    See Also
    --------
    BaggingClassifier : Chance instead of weights that follow the errors.

    Notes
    -----
    Weka's options: `n_estimators` is -I; resampling (-Q) is chosen by the estimator.

    Boosting ends when a member's weighted error is 0 or at least one half; that member
    is thrown away, except the first, which then answers alone and with its own
    probabilities. The sum of the weights stays what it was at the start, so that the
    limits of a tree on the weight in a leaf keep their meaning. As in Weka the error is
    counted with the first maximum of a member's probabilities, but rows are reweighted
    and votes are cast with its own prediction, which for a tree of C4.5 has a tolerance
    for ties: reweighting makes exact ties between classes common.

    References
    ----------
    .. [1] Y. Freund and R. E. Schapire, "Experiments with a New Boosting Algorithm",
       ICML 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.ensemble import AdaBoostM1Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> boost = AdaBoostM1Classifier().fit(X, y)
    >>> len(boost.estimators_)
    10
    >>> float(boost.score(X, y))
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **EnsembleClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        random_state: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _accepts_weights(self) -> bool:
        return True  # rows are drawn by them where members cannot use them

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
        rng = fresh_generator(self.random_state)
        weights = np.ones(table.n_rows) if sample_weight is None else sample_weight
        members: list[Any] = []
        errors: list[float] = []
        while len(members) < self.n_estimators:
            member = self._fit_round(
                new_member(prototype, rng), table, y_codes, weights, rng
            )
            error = self._weighted_error(member, table, y_codes, weights)
            ends = error < TOLERANCE or error > 0.5 - TOLERANCE
            if not ends or not members:
                members.append(member)
                errors.append(error)
            if ends:
                break
            weights = self._reweighted(member, table, y_codes, weights, error)
        self.estimators_ = members
        self.estimator_errors_ = np.array(errors)
        self.estimator_weights_ = _votes(self.estimator_errors_)
        return self

    def _fit_round(
        self,
        member: Any,
        table: Table,
        y_codes: Codes,
        weights: Floats,
        rng: Generator,
    ) -> Any:
        """Fit a member on weighted rows, or on rows drawn by their weights."""
        if accepts_weights(member):
            given = None if (weights == 1.0).all() else weights
            return self._fit_member(member, table, y_codes, self.n_classes_, given)
        rows = bootstrap(table.n_rows, table.n_rows, weights, rng)
        return self._fit_member(
            member, table.take(rows), y_codes[rows], self.n_classes_
        )

    def _weighted_error(
        self, member: Any, table: Table, y_codes: Codes, weights: Floats
    ) -> float:
        proba = self._member_proba(member, table, self.n_classes_)
        wrong = proba.argmax(axis=1) != y_codes
        return _sum_in_order(weights[wrong]) / _sum_in_order(weights)

    def _reweighted(
        self, member: Any, table: Table, y_codes: Codes, weights: Floats, error: float
    ) -> Floats:
        """Raise the weights of the rows the member gets wrong; their sum stays.

        No row becomes so light that it would be lost in a sum: a row that all members
        get right would after 1100 of them have no weight at all.
        """
        wrong = self._member_codes(member, table) != y_codes
        raised = np.where(wrong, weights * ((1 - error) / error), weights)
        total = _sum_in_order(weights)
        lightest = 2 * SMALLEST_SHARE * total
        return np.maximum(raised * total / _sum_in_order(raised), lightest)

    def _proba_table(self, table: Table) -> Floats:
        if len(self.estimators_) == 1:
            return self._member_proba(self.estimators_[0], table, self.n_classes_)
        *_, votes = self._staged_votes(table)
        return _shares(votes)

    def _staged_votes(self, table: Table) -> Iterator[Floats]:
        """Yield the votes after each member: one array, which grows."""
        votes = np.zeros((table.n_rows, self.n_classes_))
        rows = np.arange(table.n_rows)
        pairs = zip(self.estimators_, self.estimator_weights_, strict=True)
        for member, vote in pairs:
            votes[rows, self._member_codes(member, table)] += vote
            yield votes

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities that a shorter boosting would have given.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs, as in `predict_proba`.

        Yields
        ------
        proba : ndarray of shape (n_samples, n_classes)
            Of the first member alone, of the first two, and so on; the last is
            `predict_proba(X)`.
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        for size, votes in enumerate(self._staged_votes(table), start=1):
            if size == 1:
                yield self._member_proba(self.estimators_[0], table, self.n_classes_)
            else:
                yield _shares(votes)


def _shares(votes: Floats) -> Floats:
    """Return exp(votes) over its sum in each row."""
    proba = np.exp(votes - votes.max(axis=1, keepdims=True))
    return np.asarray(proba / proba.sum(axis=1, keepdims=True))


def _votes(errors: Floats) -> Floats:
    """Return ln((1 - error) / error), and 1 for an error that ended the boosting."""
    usable = (errors >= TOLERANCE) & (errors <= 0.5 - TOLERANCE)
    safe = np.where(usable, errors, 0.5)
    return np.where(usable, np.log((1 - safe) / safe), 1.0)


def _sum_in_order(weights: Floats) -> float:
    """Add up row by row: Weka's decisions hang on the last bits of the sums."""
    return float(np.cumsum(weights)[-1]) if len(weights) else 0.0
