"""The naive Bayes members of MACLEN, all at once from one tensor of counts.

Member `i` is naive Bayes over the labels (class c, value a of attribute i). Its counts
are how often c and a occur, and how often they occur together with a value of another
attribute: a part of the counts of all pairs that AODE has as well. The conditional rule
needs the products of the labels with the row's own value a only, so that a member is
AODE's parent `i` with its products divided by their sum: AODE averages joint
probabilities, MACLEN averages posterior ones.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dissensus._core._factors import normalize_scores, parent_scores
from dissensus.bayes import NaiveBayesClassifier
from dissensus.bayes._base import CountingClassifier
from dissensus.bayes._codes import Codes
from dissensus.bayes._counts import Counts
from dissensus.bayes._estimates import (
    PairFactors,
    Smoothing,
    ValueFactors,
    pair_factors,
    value_factors,
)
from dissensus.bayes._scores import naive_proba, one_dependence_scores
from dissensus.ensemble._product import NO_LABEL, ProductLabels, labels_where
from dissensus.table import Schema, Table

Floats = NDArray[np.float64]


class PairBayes(CountingClassifier):
    """All naive Bayes members of one view.

    Parameters
    ----------
    smoothing, alpha, missing
        Of the members, see `NaiveBayesClassifier`.
    full : bool, default=False
        Whether all pairs are labels, or those that a row has.
    n_jobs : int, default=None
        Number of threads that count.
    """

    _counts_pairs: ClassVar[bool] = True
    numeric = "mdl"  # a view has no numbers

    labels_: list[ProductLabels]

    def __init__(
        self,
        smoothing: str = "laplace",
        *,
        alpha: float = 1.0,
        missing: str = "skip",
        full: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.alpha = alpha
        self.missing = missing
        self.full = full
        self.n_jobs = n_jobs

    def start(self, schema: Schema, classes: NDArray[Any]) -> Self:
        """Begin with the counts of no row."""
        self.schema_ = schema
        self.classes_ = classes
        self.cut_points_ = [None] * len(schema)
        self._start(len(classes))
        return self

    @property
    def _missing_is_value(self) -> bool:
        return self.missing == "value"

    def _estimate(self) -> None:
        """Make labels and probabilities of the counts."""
        smoothing = self._smoothing()
        self._model = pair_factors(self.counts_, smoothing)
        self._model.joint[:] = 0.0
        self._naive = _naive_model(self.counts_, smoothing, self.full)
        self.labels_ = []
        for attribute in range(len(self.counts_.n_values)):
            cells = self._cells(attribute)
            is_label = (cells > 0) | self.full
            prior = _label_prior(cells, is_label, smoothing)
            start = self.counts_.place(attribute).start
            self._model.joint[start : start + cells.shape[1]] = prior.T
            if not cells.any():  # the class is all there is to predict
                is_label = ((self.counts_.classes > 0) | self.full)[:, np.newaxis]
            self.labels_.append(labels_where(is_label))

    def _cells(self, attribute: int) -> Floats:
        """Return the weight of each class with each declared value of an attribute."""
        place = self.counts_.place(attribute)
        return self.counts_.values[:, place.start : place.stop - self._missing_is_value]

    def vote(self, codes: Codes, attribute: int, *, conditional: bool) -> Floats:
        """Return the class probabilities that one member gives to rows."""
        if not self._cells(attribute).any():
            return naive_proba(self._naive, _without(codes, attribute))
        if not conditional:
            return self._marginal(codes, attribute, conditional=False)
        parent = np.array([attribute], dtype=np.int32)
        votes, _ = one_dependence_scores(self._model, codes, parent, normalize=True)
        undefined = np.flatnonzero(~votes.any(axis=1))
        if len(undefined):
            rows = codes.take(undefined)
            votes[undefined] = self._marginal(rows, attribute, conditional=True)
        return votes

    def _marginal(self, codes: Codes, attribute: int, *, conditional: bool) -> Floats:
        """Add up the labels of each class, whatever the value of the attribute.

        Without smoothing all labels of a row may have probability 0; naive Bayes then
        answers with how frequent they are.
        """
        votes = np.zeros((codes.n_rows, self.counts_.n_classes))
        steps = np.zeros(codes.n_rows, dtype=np.int32)
        trial = Codes(codes.codes.copy(), codes.n_values)
        for value in range(self._cells(attribute).shape[1]):
            trial.codes[attribute] = value
            _add_products(self._model, trial, attribute, votes, steps)
        normalize_scores(votes, np.zeros(votes.shape[1]))
        lost = np.flatnonzero(~votes.any(axis=1))
        if len(lost):
            labels = self.labels_[attribute]
            own = codes.codes[attribute, lost].astype(np.int32)
            prior = np.tile(self._prior(attribute), (len(lost), 1))
            votes[lost] = labels.class_votes(prior, own, conditional=conditional)
        return votes

    def _prior(self, attribute: int) -> Floats:
        """Return the probabilities of an attribute's labels."""
        label_of = self.labels_[attribute].label_of
        start = self.counts_.place(attribute).start
        joint = self._model.joint[start : start + len(label_of)]
        prior = np.empty(self.labels_[attribute].n_labels)
        exists = label_of != NO_LABEL
        prior[label_of[exists]] = joint[exists]
        return prior

    def _proba_table(self, table: Table) -> Floats:
        codes = self._codes(table)
        votes = [
            self.vote(codes, attribute, conditional=True)
            for attribute in range(table.n_attributes)
        ]
        return np.mean(votes, axis=0)

    def member(self, prototype: NaiveBayesClassifier, attribute: int) -> Any:
        """Return one member as a classifier of its own, made of the counts."""
        attributes = self.schema_.attributes
        rest = attributes[:attribute] + attributes[attribute + 1 :]
        member = clone(prototype)
        member.classes_ = np.arange(self.labels_[attribute].n_labels)
        member.schema_ = Schema(rest, self.schema_.named)
        member.n_features_in_ = len(rest)
        member.cut_points_ = [None] * len(rest)
        member.normals_ = {}
        member.counts_ = self._member_counts(attribute)
        member._estimate()
        return member

    def _member_counts(self, attribute: int) -> Counts:
        counts, labels = self.counts_, self.labels_[attribute]
        own = counts.place(attribute)
        if self._cells(attribute).any():
            assert counts.pairs is not None
            classes, values = np.nonzero(labels.label_of.T != NO_LABEL)
            weights = counts.values[classes, own.start + values]
            cells = counts.pairs[classes, own.start + values]
        else:
            weights = counts.classes[labels.class_of]
            cells = counts.values[labels.class_of]
        others = np.delete(cells, np.arange(own.start, own.stop), axis=1)
        n_values = np.delete(counts.n_values, attribute)
        return Counts(n_values, weights, np.ascontiguousarray(others), None)


def _label_prior(
    cells: Floats, is_label: NDArray[np.bool_], smoothing: Smoothing
) -> Floats:
    """Return the probability of each label, 0 for what is none."""
    n_labels = max(1, int(is_label.sum()))
    prior = smoothing.estimate(cells, cells.sum(), n_labels)
    return np.where(is_label, prior, 0.0)


def _naive_model(counts: Counts, smoothing: Smoothing, full: bool) -> ValueFactors:
    """Return naive Bayes of the classes, for attributes that no row has a value of."""
    model = value_factors(counts, smoothing)
    classes = counts.classes[:, np.newaxis]
    prior = _label_prior(classes, (classes > 0) | full, smoothing)[:, 0]
    return ValueFactors(prior, model.factors, model.stride)


def _without(codes: Codes, attribute: int) -> Codes:
    """Return the rows without a value of one attribute."""
    rest = codes.codes.copy()
    rest[attribute] = codes.n_values[attribute]
    return Codes(rest, codes.n_values)


def _add_products(
    model: PairFactors,
    codes: Codes,
    attribute: int,
    scores: Floats,
    steps: NDArray[np.int32],
) -> None:
    """Add a member's products of the labels with the rows' values to the scores."""
    parent_scores(
        codes.codes,
        codes.n_values,
        np.array([attribute], dtype=np.int32),
        model.joint,
        model.factors,
        model.stride,
        False,
        scores,
        steps,
    )
