"""Missing values replaced by the mean or the most frequent label."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableTransformer
from dissensus.table import Column, Schema, Table
from dissensus.utils._scale import divided, exponent_of, multiplied
from dissensus.utils._sklearn import fit_context


class MissingValueReplacer(TableTransformer):
    """Replace missing values by the mean, or by the most frequent label.

    Numeric columns get the mean of their known values. Nominal columns get their most
    frequent label; of several such labels the one that is declared first.

    Parameters
    ----------
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Columns that are nominal although they hold numbers: names, positions, or one
        boolean per column. Columns of strings, booleans and categories always are.

    Attributes
    ----------
    fill_values_ : list of float or label
        What stands in for a missing value, for each attribute.
    schema_ : Schema
        The attributes of the training set.
    schema_out_ : Schema
        The attributes after the transformation: the same.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes. Defined only if the training set had names.

    See Also
    --------
    MDLDiscretizer : Cut numeric attributes into intervals.
    sklearn.impute.SimpleImputer : The like for one kind of column at a time.

    Notes
    -----
    This is Weka's filter ReplaceMissingValues. As there, a numeric column without any
    known value is filled with 0, and a nominal one with the first declared label; if it
    declares none, its values stay missing and the fill value is None. Means and
    frequencies use the row weights.

    A label that was not declared in training cannot be told apart from a missing one
    later on, so that it is replaced like one.

    A frame in gives a frame of the same kind out, with nominal columns as pandas
    categoricals or polars Enums of all declared labels. An array in gives an array out.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.preprocessing import MissingValueReplacer
    >>> X = np.array([[1, "red"], [None, "blue"], [4, None], [7, "red"]], object)
    >>> replacer = MissingValueReplacer().fit(X)
    >>> replacer.fill_values_
    [4.0, 'red']
    >>> replacer.transform(X)
    array([[1.0, 'red'],
           [4.0, 'blue'],
           [4.0, 'red'],
           [7.0, 'red']], dtype=object)
    """

    fill_values_: list[Any]
    _fills: list[float]

    def __init__(self, *, categorical_features: Any = "from_dtype") -> None:
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 -- scikit-learn's signature
        """Learn the means and the most frequent labels.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training rows.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights; None is 1 for each.

        Returns
        -------
        self : MissingValueReplacer
            The fitted transformer.
        """
        table, _, weight = self._read_training(X, None, sample_weight)
        return self._fit_table(table, sample_weight=weight)

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.intp] | None = None,  # noqa: ARG002 -- the inner door's
        n_classes: int = 0,  # noqa: ARG002 -- signature
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self._set_schemas(table.schema, table.schema)
        self._fills = [_fill(column, sample_weight) for column in table.columns]
        self.fill_values_ = [
            _label(attribute.categories, fill) if attribute.is_nominal else fill
            for attribute, fill in zip(table.schema, self._fills, strict=True)
        ]
        return self

    def _transform_table(self, table: Table) -> Table:
        schema: Schema = self.schema_out_
        if table.matrix is not None:
            filled = np.where(np.isnan(table.matrix), self._fills, table.matrix)
            return Table.from_matrix(filled, schema)
        columns = [
            Column(column.attribute, _filled(column, fill))
            for column, fill in zip(table.columns, self._fills, strict=True)
        ]
        return Table(schema, columns)


def _fill(column: Column, sample_weight: NDArray[np.float64] | None) -> float:
    """Return the mean, or the code of the first most frequent label."""
    data: NDArray[Any] = column.data
    if column.attribute.is_nominal:
        known = data >= 0
        weight = None if sample_weight is None else sample_weight[known]
        n_values = max(column.attribute.n_values, 1)
        return int(np.bincount(data[known], weight, n_values).argmax())
    known = ~np.isnan(data)
    return _mean(data[known], 1.0 if sample_weight is None else sample_weight[known])


def _mean(values: NDArray[np.float64], weight: NDArray[np.float64] | float) -> float:
    if len(values) == 0:
        return 0.0
    total = len(values) if isinstance(weight, float) else weight.sum()
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.sum(values * weight) / total)
    if np.isfinite(mean):
        return mean
    exponent = exponent_of(values)  # the sum was too large
    mean = float(np.sum(divided(values, exponent) * weight) / total)
    return float(multiplied(mean, exponent))


def _label(categories: tuple[Any, ...], code: float) -> Any:
    return categories[int(code)] if categories else None


def _filled(column: Column, fill: float) -> NDArray[Any]:
    data: NDArray[Any] = column.data
    if not column.attribute.is_nominal:
        return np.where(np.isnan(data), fill, data)
    if column.attribute.n_values == 0:
        return data
    return np.where(data < 0, np.int32(fill), data)
