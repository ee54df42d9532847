"""The base of classifiers whose model is a table of counts."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableClassifier, fewer_values, read_training
from dissensus.bayes._chunks import (
    check_can_merge,
    check_nominal,
    class_codes,
    declared_classes,
)
from dissensus.bayes._codes import Codes, pack
from dissensus.bayes._counts import Counts
from dissensus.bayes._estimates import SMOOTHINGS, Smoothing
from dissensus.bayes._intervals import CUTTERS, CutPoints
from dissensus.preprocessing import interval_codes
from dissensus.table import Table, sort_by_blocks
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._sklearn import Interval, StrOptions, fit_context
from dissensus.utils._typing import Floats


class CountingClassifier(TableClassifier):
    """A classifier that counts the values of nominal attributes and of intervals.

    A subclass has two hooks: `_estimate`, which makes probabilities of `counts_`, and
    `_proba_table`. Counts add up, so that it can learn from chunks and be merged.
    """

    smoothing: str
    alpha: float
    numeric: str
    counts_: Counts
    cut_points_: CutPoints

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "smoothing": [StrOptions(set(SMOOTHINGS))],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "numeric": [StrOptions(set(CUTTERS))],
    }
    _counts_pairs: ClassVar[bool] = False
    _how_fewer: ClassVar[str] = "group them by a ValueGrouper"
    n_jobs: int | None = None

    @abstractmethod
    def _estimate(self) -> None:
        """Make the probabilities of the model of `counts_`."""

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from some more rows.

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
            The classifier, fitted on all rows so far.
        """
        is_first = not hasattr(self, "counts_")
        table, y, weights = read_training(self, X, y, sample_weight, reset=is_first)
        check_nominal(self)
        labels = declared_classes(self, classes)
        codes = class_codes(y, labels)
        if is_first:
            self.classes_ = labels
            self.cut_points_ = [None] * table.n_attributes
            self._start(len(labels))
        return self._count(table, codes, weights)

    def merge(self, other: Self) -> Self:
        """Add what another classifier has learnt from other rows.

        Parameters
        ----------
        other : classifier
            Fitted, of the same class, with the same attributes, classes and cut points.
            It is not changed.

        Returns
        -------
        self : object
            This classifier, as if fitted on the rows of both.
        """
        check_can_merge(self, other)
        self.counts_.merge(other.counts_)
        self._estimate()
        return self

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        self.schema_ = table.schema
        self.cut_points_ = self._cut(table, y_codes, n_classes, sample_weight)
        self._start(n_classes)
        return self._count(table, y_codes, sample_weight)

    def _cut(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: Floats | None,
    ) -> CutPoints:
        """Return the cut points of the numeric attributes."""
        if self.numeric not in CUTTERS or all(a.is_nominal for a in table.schema):
            return [None] * table.n_attributes
        sort_by_blocks(table.columns)
        return CUTTERS[self.numeric](table, y_codes, n_classes, sample_weight)

    def _start(self, n_classes: int) -> None:
        """Begin with the counts of no row."""
        declared = np.array(self._n_declared(), dtype=np.int32)
        n_values = declared + np.int32(self._missing_is_value)
        self._check_size(n_values, n_classes)
        self.counts_ = Counts.zeros(n_values, n_classes, with_pairs=self._counts_pairs)

    def _count(
        self, table: Table, y_codes: NDArray[np.int32], sample_weight: Floats | None
    ) -> Self:
        """Count the rows of a table, and estimate the probabilities anew."""
        codes = self._codes(table)
        self.counts_.add(codes, y_codes, sample_weight, n_jobs=self.n_jobs)
        self._estimate()
        return self

    def _codes(self, table: Table) -> Codes:
        """Return the codes of the attributes that are counted, in their order."""
        columns = [
            column.data if cuts is None else interval_codes(column, cuts)
            for column, cuts in zip(table.columns, self.cut_points_, strict=True)
            if column.attribute.is_nominal or cuts is not None
        ]
        return pack(
            columns,
            self.counts_.n_values,
            table.n_rows,
            missing_is_value=self._missing_is_value,
        )

    def _n_declared(self) -> list[int]:
        """Return the number of values of the attributes that are counted."""
        pairs = zip(self.schema_, self.cut_points_, strict=True)
        return [
            attribute.n_values if cuts is None else len(cuts) + 1
            for attribute, cuts in pairs
            if attribute.is_nominal or cuts is not None
        ]

    def _check_size(self, n_values: NDArray[np.int32], n_classes: int) -> None:
        """Raise an error if counts and probabilities would not fit in memory."""
        n_places = int(n_values.sum(dtype=np.int64))
        n_lines = n_places + len(n_values)  # see `ValueFactors`
        n_given = n_places if self._counts_pairs else 1
        kind = "pairs of " if self._counts_pairs else ""
        check_memory(
            8 * n_classes * n_given * (n_places + n_lines),
            f"Counting {kind}{n_places:,} values with {n_classes:,} classes",
            fewer_values(self.schema_, self._how_fewer),
        )

    @property
    def _missing_is_value(self) -> bool:
        """Whether a missing value is one more value of its attribute."""
        return False

    def _smoothing(self) -> Smoothing:
        return Smoothing(self.smoothing, float(self.alpha))

    def __sklearn_is_fitted__(self) -> bool:
        """Say whether there are counts; a refused first chunk leaves none."""
        return hasattr(self, "counts_")
