"""What all transformers of tables share: the way in, the way out, and the names."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from dissensus.base._inputs import read_weights
from dissensus.base._output import like_input
from dissensus.table import Schema, Table
from dissensus.utils._sklearn import get_output_config


class TableTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Base of transformers that change columns of a table one by one.

    A subclass has a public `fit`, which calls `_read_training` and hands what that
    returns to `_fit_table`. `_fit_table` learns, and keeps the schemas by
    `_set_schemas`; `_transform_table` applies what was learnt. These two are also the
    inner door for learners of this package.
    """

    categorical_features: Any
    schema_: Schema
    schema_out_: Schema

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "categorical_features": ["array-like", str, None],
    }

    def transform(self, X: Any) -> Any:
        """Apply what was learnt to the rows of `X`.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The rows. Columns are matched by name where there are names.

        Returns
        -------
        X_out : array, frame or Table of shape (n_samples, n_features)
            Of the same kind as `X`, unless `set_output` asks for another.
        """
        check_is_fitted(self)
        table = self._transform_table(Table.from_any(X, schema=self.schema_))
        container = get_output_config("transform", self)["dense"]
        return like_input(table, X, container, self._plain_table)

    @abstractmethod
    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.intp] | None = None,
        n_classes: int = 0,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        """Learn from a table whose rows all have positive weight (None: weight 1)."""

    @abstractmethod
    def _transform_table(self, table: Table) -> Table:
        """Return the changed table; its schema is `schema_out_`."""

    def _plain_table(self, table: Table) -> Table:
        """Return a changed table as it goes into an array; here unchanged."""
        return table

    def _read_training(
        self, X: Any, y: NDArray[Any] | None, sample_weight: Any
    ) -> tuple[Table, NDArray[Any] | None, NDArray[np.float64] | None]:
        """Return table, target and weights without the rows of weight 0.

        The weights are None if every row weighs 1.
        """
        table = Table.from_any(X, self.categorical_features)
        if y is not None:
            check_consistent_length(table, y)
        if sample_weight is None:
            return table, y, None
        weight = read_weights(sample_weight, table)
        if not weight.all():
            kept = np.flatnonzero(weight)
            table, weight = table.take(kept), weight[kept]
            y = None if y is None else y[kept]
        return table, y, None if (weight == 1).all() else weight

    def _set_schemas(self, schema: Schema, schema_out: Schema) -> None:
        self.schema_ = schema
        self.schema_out_ = schema_out
        self.n_features_in_ = len(schema)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Any:
        """Say that missing values, labels and strings are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
