"""MACLEN with naive Bayes: counts take the place of members.

Instead of fitting one naive Bayes per attribute, all pairs of values are counted once,
and each member is read off these counts (`_pair_bayes.py`). Counts add up, so that such
an ensemble can learn from chunks and be merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if

from dissensus.base import read_training
from dissensus.bayes import (
    Codes,
    Counts,
    NaiveBayesClassifier,
    check_can_merge,
    check_nominal,
    class_codes,
    declared_classes,
)
from dissensus.ensemble._members import input_kind
from dissensus.ensemble._task_ensemble import TaskEnsembleClassifier
from dissensus.ensemble._views import View, WeightedClasses, apply_view, tasks_of
from dissensus.ensemble.maclen._pair_bayes import PairBayes
from dissensus.ensemble.maclen._product_labels import ProductLabels
from dissensus.table import Schema, Table
from dissensus.utils._sklearn import fit_context
from dissensus.utils._typing import Floats


class CountedMaclen(TaskEnsembleClassifier):
    """The part of `MaclenClassifier` that does without members.

    It takes over when the members are `NaiveBayesClassifier` and see discretised
    attributes. The answers are those of fitted members.
    """

    labels: str
    rule: str

    def _is_counted(self) -> bool:
        """Whether all members can be read off the counts of pairs."""
        is_bayes = type(self.estimator) is NaiveBayesClassifier
        return is_bayes and self.features == "discretized"

    @property
    def counts_(self) -> list[Counts]:
        """Weights of classes, values and pairs, for each view; only if counted."""
        if "_counted" not in vars(self):
            raise AttributeError(
                "There are counts_ once MACLEN with NaiveBayesClassifier is fitted."
            )
        return [model.counts_ for model in self._counted]

    @property
    def estimators_(self) -> list[Any]:  # type: ignore[override] # never assigned
        """The members; those that were counted are made when asked for."""
        if "_counted" not in vars(self):
            return self._members
        return [
            self._counted[task.view].member(self.estimator, task.attribute)
            for task in self.tasks_
        ]

    @property
    def product_labels_(self) -> list[ProductLabels]:
        """For each member the pairs that its classes stand for."""
        if "_counted" not in vars(self):
            return self._product_labels
        return [self._counted[task.view].labels(task.attribute) for task in self.tasks_]

    def _fit_tasks(
        self, prototype: Any, table: Table, views: list[Table], classes: WeightedClasses
    ) -> None:
        if self._is_counted():
            self._start([view.schema for view in views])
            self._count(views, classes)
            return
        if "_counted" in vars(self):  # of an earlier fit
            del self._counted
        super()._fit_tasks(prototype, table, views, classes)

    def _start(self, schemas: list[Schema]) -> None:
        """Begin with the counts of no row, for each view."""
        labels = getattr(self, "classes_", np.arange(self.n_classes_))
        self._counted = [
            PairBayes(
                self.estimator.smoothing,
                alpha=self.estimator.alpha,
                missing=self.estimator.missing,
                full=self.labels == "full",
                n_jobs=self.n_jobs,
            ).start(schema, labels)
            for schema in schemas
        ]

    def _count(self, views: list[Table], classes: WeightedClasses) -> None:
        """Count the rows of a table, seen in every view."""
        for model, view in zip(self._counted, views, strict=True):
            model._count(view, classes.y_codes, classes.sample_weight)

    def _proba_table(self, table: Table) -> Floats:
        if "_counted" not in vars(self) or self.rule != "conditional":
            return super()._proba_table(table)
        total = np.zeros((table.n_rows, self.n_classes_))
        for number, codes in enumerate(self._view_codes(table)):
            tasks = [task.attribute for task in self.tasks_ if task.view == number]
            total += self._counted[number].total(codes, tasks)
        return total / len(self.tasks_)

    def _view_codes(self, table: Table) -> list[Codes]:
        pairs = zip(self._counted, self.views_, strict=True)
        return [model._codes(apply_view(view, table)) for model, view in pairs]

    def _votes(self, table: Table) -> Iterator[Floats]:
        if "_counted" not in vars(self):
            yield from super()._votes(table)
            return
        codes = self._view_codes(table)
        for task in self.tasks_:
            yield self._counted[task.view].vote(
                codes[task.view],
                task.attribute,
                conditional=self.rule == "conditional",
            )

    @available_if(_is_counted)
    @fit_context(prefer_skip_nested_validation=False)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from some more rows, with `NaiveBayesClassifier` only.

        Chunks give the same model as all rows at once: to the last bit if the weights
        are whole numbers.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The rows. All attributes are nominal; their values are those that the first
            chunk declares (as pandas categories, as a polars Enum or as a Table), and
            others count as missing.
        y : array of shape (n_samples,)
            The class labels.
        classes : array of shape (n_classes,), default=None
            All classes. Needed in the first call.
        sample_weight : array of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        self : object
            The ensemble, fitted on all rows so far.
        """
        is_first = not hasattr(self, "counts_")
        table, y, weights = read_training(self, X, y, sample_weight, reset=is_first)
        self._check_countable()
        labels = declared_classes(self, classes)
        codes = class_codes(y, labels)
        if is_first:
            self._prototype()
            self.input_kind_ = input_kind(X)
            self.classes_, self.n_classes_ = labels, len(labels)
            self.views_, self.tasks_ = [()], tasks_of([table], table)
            self._start([table.schema])
        views = [apply_view(view, table) for view in self.views_]
        self._count(views, WeightedClasses(codes, self.n_classes_, weights))
        return self

    def _check_countable(self) -> None:
        """Raise an error if intervals or groups would depend on the first chunk."""
        check_nominal(self)
        if self.max_values is not None:
            raise ValueError(
                f"max_values is {self.max_values!r}, but values cannot be grouped "
                "chunk by chunk. Use max_values=None; group the values beforehand, for "
                "example by a ValueGrouper fitted on some rows."
            )

    @available_if(_is_counted)
    def merge(self, other: Self) -> Self:
        """Add what another ensemble has learnt, with `NaiveBayesClassifier` only.

        Parameters
        ----------
        other : MaclenClassifier
            Fitted on other rows, with the same attributes, classes, intervals and
            groups. It is not changed.

        Returns
        -------
        self : object
            This ensemble, as if fitted on the rows of both.
        """
        check_same_views(self, other)
        pairs = list(zip(self._counted, other._counted, strict=True))
        for mine, theirs in pairs:
            check_can_merge(mine, theirs)
        for mine, theirs in pairs:
            mine.merge(theirs)
        return self


def check_same_views(ensemble: CountedMaclen, other: CountedMaclen) -> None:
    """Raise an error unless both have counted the same intervals and groups."""
    for one in (ensemble, other):
        if not hasattr(one, "counts_"):
            raise ValueError(
                f"Cannot merge: {one!r} has no counts. Fit both with "
                "NaiveBayesClassifier() as the estimator."
            )
    mine, theirs = ensemble.views_, other.views_
    if len(mine) != len(theirs) or not all(
        _is_same(one, two) for one, two in zip(mine, theirs, strict=True)
    ):
        raise ValueError(
            "Cannot merge: the two have cut or grouped their attributes in different "
            "ways. Discretise both training sets by the same transformer first."
        )


def _is_same(one: View, two: View) -> bool:
    return len(one) == len(two) and all(
        _learnt(mine) == _learnt(theirs) for mine, theirs in zip(one, two, strict=True)
    )


def _learnt(transformer: Any) -> Any:
    """Return the cut points or the groups of a transformer, as plain lists."""
    if hasattr(transformer, "groups_"):
        return transformer.groups_
    return [None if cuts is None else cuts.tolist() for cuts in transformer.cut_points_]
