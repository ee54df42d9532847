"""Classifiers that need a matrix of numbers, given tables as they come.

Missing values, nominal columns and scales are dealt with when the classifier is fitted,
from the training rows alone, so inside every fold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.preprocessing import StandardScaler

from dissensus.base import TableClassifier, fewer_values
from dissensus.preprocessing import MissingValueReplacer
from dissensus.table import Column, Table
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._sklearn import HasMethods, StrOptions
from dissensus.utils._typing import Floats


def native(table: Table) -> Floats:
    """Return numbers and codes side by side, NaN for missing and unseen ones."""
    matrix = np.empty((table.n_rows, table.n_attributes))
    for position, column in enumerate(table.columns):
        matrix[:, position] = column.data
        if column.attribute.is_nominal:
            matrix[column.data < 0, position] = np.nan
    return matrix


def ordinal(table: Table) -> Floats:
    """Return numbers and codes side by side, -1 for an unseen code."""
    return np.nan_to_num(native(table), copy=False, nan=-1.0)


def onehot(table: Table) -> Floats:
    """Return the numbers, and for each declared label a column of 0 and 1."""
    n_columns = sum(a.n_values if a.is_nominal else 1 for a in table.schema)
    check_memory(
        3 * 8 * table.n_rows * n_columns,  # in parts, side by side, and scaled
        f"{table.n_rows:,} rows of {n_columns:,} columns, one for each label,",
        fewer_values(table.schema),
    )
    blocks = [_indicators(column) for column in table.columns]
    return np.hstack(blocks) if blocks else np.empty((table.n_rows, 0))


def _indicators(column: Column) -> Floats:
    if not column.attribute.is_nominal:
        return column.data[:, np.newaxis].astype(np.float64)
    indicators = np.zeros((len(column.data), column.attribute.n_values))
    known = np.flatnonzero(column.data >= 0)
    indicators[known, column.data[known]] = 1.0
    return indicators


ENCODINGS: dict[str, Callable[[Table], Floats]] = {
    "native": native,
    "onehot": onehot,
    "ordinal": ordinal,
}
MAX_NATIVE_VALUES = 255  # more labels than this the boosting takes for numbers


class EncodedClassifier(MetaEstimatorMixin, TableClassifier):
    """Give a table to a classifier that wants numbers.

    Parameters
    ----------
    estimator : classifier
        A classifier of scikit-learn.
    encoding : {"ordinal", "onehot", "native"}, default="ordinal"
        "ordinal": missing values filled in by mean and mode, labels as codes.
        "onehot": filled in likewise, a column of 0 and 1 for each label, all columns
        scaled to unit variance. "native": missing values stay, labels are codes and
        declared as such, for `HistGradientBoostingClassifier`.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "encoding": [StrOptions(set(ENCODINGS))],
    }

    estimator_: Any

    def __init__(
        self,
        estimator: Any,
        encoding: str = "ordinal",
        *,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.estimator = estimator
        self.encoding = encoding
        self.categorical_features = categorical_features

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        self.schema_ = table.schema
        self.n_classes_ = n_classes
        self.estimator_ = self._new_estimator(table, y_codes)
        self.replacer_: MissingValueReplacer | None = None
        self.scaler_: StandardScaler | None = None
        self.empty_ = np.zeros(0, dtype=np.intp)
        if self.encoding != "native":
            self.replacer_ = MissingValueReplacer()._fit_table(
                table, sample_weight=sample_weight
            )
        matrix = self._matrix(table)
        if self.encoding == "onehot":
            self.scaler_ = StandardScaler().fit(matrix, sample_weight=sample_weight)
        elif self.encoding == "native":
            # The boosting cannot make bins of nothing.
            self.empty_ = np.flatnonzero(np.isnan(matrix).all(axis=0))
        matrix = self._finish(matrix)
        self.estimator_.fit(matrix, y_codes, sample_weight=sample_weight)
        return self

    def _new_estimator(self, table: Table, y_codes: NDArray[np.int32]) -> Any:
        if (y_codes == y_codes[0]).all():
            return DummyClassifier()  # one class: several of theirs would refuse
        estimator = clone(self.estimator)
        if self.encoding == "native":
            estimator.set_params(categorical_features=_few_valued(table))
        return estimator

    def _proba_table(self, table: Table) -> Floats:
        matrix = self._finish(self._matrix(table))
        proba = np.zeros((table.n_rows, self.n_classes_))
        # The training rows may lack a class: columns are placed by class code.
        proba[:, self.estimator_.classes_] = self.estimator_.predict_proba(matrix)
        return proba

    def _matrix(self, table: Table) -> Floats:
        if self.replacer_ is not None:
            table = self.replacer_._transform_table(table)
        return ENCODINGS[self.encoding](table)

    def _finish(self, matrix: Floats) -> Floats:
        if self.scaler_ is not None:
            return np.asarray(self.scaler_.transform(matrix))
        matrix[:, self.empty_] = 0.0
        return matrix


def _few_valued(table: Table) -> list[bool]:
    return [
        attribute.is_nominal and attribute.n_values <= MAX_NATIVE_VALUES
        for attribute in table.schema
    ]
