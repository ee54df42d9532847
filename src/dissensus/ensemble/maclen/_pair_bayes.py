"""The naive Bayes members of MACLEN, all at once from one tensor of counts.

Member `i` is naive Bayes over the labels (class c, value a of attribute i). Its counts
are how often c and a occur, and how often they occur together with a value of another
attribute: a part of the counts of all pairs that AODE has as well. The conditional rule
needs the products of the labels with the row's own value a only, so that a member is
AODE's parent `i` with its products divided by their sum: AODE averages joint
probabilities, MACLEN averages posterior ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dissensus._core.counts._factors import normalize_scores, parent_scores
from dissensus.bayes import (
    Codes,
    CountingClassifier,
    Counts,
    NaiveBayesClassifier,
    PairFactors,
    Smoothing,
    ValueFactors,
    naive_proba,
    one_dependence_scores,
    pair_factors,
    value_factors,
)
from dissensus.ensemble._views import HOW_FEWER
from dissensus.ensemble.maclen._product_labels import ProductLabels, labels_where
from dissensus.table import Schema, Table
from dissensus.utils._typing import Floats


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
    _how_fewer: ClassVar[str] = HOW_FEWER
    numeric = "mdl"  # a view has no numbers

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
        """Make the probabilities of the members of the counts."""
        counts, smoothing = self.counts_, self._smoothing()
        attributes = np.repeat(np.arange(len(counts.n_values)), counts.n_values)
        self._is_label = (counts.values > 0) | self.full
        cells = counts.values
        if self._missing_is_value:  # which is a value of an input, and no label
            self._is_label[:, counts.starts[1:] - 1] = False
            cells = np.where(self._is_label, cells, 0.0)
        self._known = np.bincount(attributes, cells.sum(axis=0), len(counts.n_values))
        if self.full:
            self._is_label &= self._known[attributes] > 0
        n_labels = np.bincount(attributes, self._is_label.sum(axis=0))
        prior = smoothing.estimate(
            cells, self._known[attributes], np.maximum(n_labels, 1)[attributes]
        )
        self._model = pair_factors(counts, smoothing)
        self._model.joint[:] = (prior * self._is_label).T

    def labels(self, attribute: int) -> ProductLabels:
        """Return the labels of one member."""
        if self._known[attribute] > 0:
            return labels_where(self._is_label[:, self._place(attribute)])
        return labels_where(((self.counts_.classes > 0) | self.full)[:, np.newaxis])

    def _place(self, attribute: int) -> slice:
        """Return where the declared values of an attribute stand."""
        place = self.counts_.place(attribute)
        return slice(place.start, place.stop - self._missing_is_value)

    def total(self, codes: Codes, attributes: Iterable[int]) -> Floats:
        """Return the sum of the votes of some members, by the conditional rule."""
        parents = np.array(list(attributes), dtype=np.int32)
        votes = np.zeros((codes.n_rows, self.counts_.n_classes))
        if self.alpha == 0:  # any product may be 0: ask one by one
            for attribute in parents:
                votes += self.vote(codes, attribute, conditional=True)
            return votes
        votes, _ = one_dependence_scores(
            self._model, codes, parents, normalize=True, n_jobs=self.n_jobs
        )
        for attribute in parents:
            rows = self._undefined(codes, attribute)
            if len(rows):
                others = codes.take(rows)
                votes[rows] += self._marginal(others, attribute, conditional=True)
        return votes

    def _undefined(self, codes: Codes, attribute: int) -> NDArray[np.intp]:
        """Return the rows whose own value is in no label of a member."""
        own = codes.codes[attribute]
        without = ~self._is_label[:, self.counts_.place(attribute)].any(axis=0)
        is_undefined = np.append(without, True)  # the last code is "no value"
        if own.max(initial=0) < is_undefined.argmax():
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(is_undefined[own])

    def vote(self, codes: Codes, attribute: int, *, conditional: bool) -> Floats:
        """Return the class probabilities that one member gives to rows."""
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
        if self._known[attribute] == 0:
            naive = _naive_model(self.counts_, self._smoothing(), self.full)
            return naive_proba(naive, _without(codes, attribute))
        votes = np.zeros((codes.n_rows, self.counts_.n_classes))
        steps = np.zeros(codes.n_rows, dtype=np.int32)
        trial = Codes(codes.codes.copy(), codes.n_values)
        place = self._place(attribute)
        for value in range(place.stop - place.start):
            trial.codes[attribute] = value
            _add_products(self._model, trial, attribute, votes, steps)
        normalize_scores(votes, np.zeros(votes.shape[1]))
        lost = np.flatnonzero(~votes.any(axis=1))
        if len(lost):
            prior = np.tile(self._prior(attribute), (len(lost), 1))
            own = codes.codes[attribute, lost].astype(np.int32)
            labels = self.labels(attribute)
            votes[lost] = labels.class_votes(prior, own, conditional=conditional)
        return votes

    def _prior(self, attribute: int) -> Floats:
        """Return the probabilities of an attribute's labels."""
        place = self._place(attribute)
        return self._model.joint.T[:, place][self._is_label[:, place]]

    def _proba_table(self, table: Table) -> Floats:
        n_attributes = table.n_attributes
        return self.total(self._codes(table), range(n_attributes)) / n_attributes

    def member(self, prototype: NaiveBayesClassifier, attribute: int) -> Any:
        """Return one member as a classifier of its own, made of the counts."""
        attributes = self.schema_.attributes
        rest = attributes[:attribute] + attributes[attribute + 1 :]
        member = clone(prototype)
        member.classes_ = np.arange(self.labels(attribute).n_labels)
        member.schema_ = Schema(rest, self.schema_.named)
        member.n_features_in_ = len(rest)
        member.cut_points_ = [None] * len(rest)
        member.normals_ = {}
        member.counts_ = self._member_counts(attribute)
        member._estimate()
        return member

    def _member_counts(self, attribute: int) -> Counts:
        counts, own = self.counts_, self.counts_.place(attribute)
        if self._known[attribute] > 0:
            assert counts.pairs is not None
            is_label = self._is_label[:, self._place(attribute)]
            classes, values = np.nonzero(is_label)
            weights = counts.values[classes, own.start + values]
            cells = counts.pairs[classes, own.start + values]
        else:
            classes = self.labels(attribute).class_of.astype(np.intp)
            weights, cells = counts.classes[classes], counts.values[classes]
        others = np.delete(cells, np.arange(own.start, own.stop), axis=1)
        n_values = np.delete(counts.n_values, attribute)
        return Counts(n_values, weights, np.ascontiguousarray(others), None)


def _naive_model(counts: Counts, smoothing: Smoothing, full: bool) -> ValueFactors:
    """Return naive Bayes of the classes, for attributes that no row has a value of."""
    model = value_factors(counts, smoothing)
    is_label = (counts.classes > 0) | full
    n_labels = max(1, int(is_label.sum()))
    prior = smoothing.estimate(counts.classes, counts.classes.sum(), n_labels)
    return ValueFactors(prior * is_label, model.factors, model.stride)


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
