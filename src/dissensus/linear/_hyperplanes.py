"""What the linear classifiers share: one hyperplane per class, and how rows meet it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain, islice
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableClassifier, fewer_values
from dissensus.table import Attribute, Table
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._scale import divided, exponent_of, multiplied
from dissensus.utils._sklearn import Interval, StrOptions
from dissensus.utils._typing import Floats

# A deviation that is so small a part of the values themselves is a rounding error.
ROUNDING = 1e-12
# More than any value is from the mean of a column whose size is in `utils._scale.ROOM`.
FARTHEST = 2.0**400


class HyperplaneClassifier(TableClassifier):
    """Base of classifiers that weigh the numeric attributes, once for each class.

    A subclass has two hooks: `_weigh` finds weights and heights of the hyperplanes,
    `_distributions` makes probabilities of a row's heights above them.
    """

    tolerance: float
    encode: str
    coef_: Floats
    intercept_: Floats
    means_: Floats
    priors_: Floats
    inputs_: tuple[str, ...]

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableClassifier._parameter_constraints,
        "tolerance": [Interval(Real, 0, 1, closed="left")],
        "encode": [StrOptions({"none", "onehot", "ordinal"})],
    }

    @abstractmethod
    def _weigh(self, centred: Floats, targets: Floats) -> tuple[Floats, Floats]:
        """Return the hyperplanes over centred columns.

        Parameters
        ----------
        centred : ndarray of shape (n_samples, n_inputs)
            Columns less their means, very large or small ones over a power of 2; 0
            where a value is missing.
        targets : ndarray of shape (n_samples, n_classes)
            The rows' share of the total weight in the column of their class, else 0.

        Returns
        -------
        weights : ndarray of shape (n_classes, n_inputs)
            What a unit of each column adds to the score of each class.
        heights : ndarray of shape (n_classes,)
            The scores of a row that has the mean in every column.
        """

    @abstractmethod
    def _distributions(self, scores: Floats) -> Floats:
        """Return scores as probabilities, row by row."""

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.int32],
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        self.schema_ = table.schema
        self._check_size(table.n_rows, n_classes)
        share = _shares(table.n_rows, sample_weight)
        targets = np.zeros((table.n_rows, n_classes))
        targets[np.arange(table.n_rows), y_codes] = share

        columns = list(self._columns(table))
        names = (self._column_names(attribute) for attribute in self.schema_)
        self.inputs_ = tuple(chain.from_iterable(names))
        self.means_ = np.array([_mean(column, share) for column in columns])
        self._exponents = np.array([exponent_of(c) for c in columns], dtype=np.intc)
        centred = np.empty((table.n_rows, len(columns)))
        for position, column in enumerate(columns):
            centred[:, position] = self._centred(column, position)
        self.priors_ = targets.sum(axis=0)
        self._weights, self._heights = self._weigh(centred, targets)
        self.coef_ = multiplied(self._weights, -self._exponents)
        self.intercept_ = self._heights - self._weights @ self._centres
        return self

    def _check_size(self, n_rows: int, n_classes: int) -> None:
        """Raise an error if columns and covariances would not fit in memory.

        There are at most five matrices of the size of the inputs at once, and four of
        the size of the covariance.
        """
        n_inputs = sum(self._widths())
        one_hot = self.encode == "onehot"
        check_memory(
            8 * n_rows * (5 * n_inputs + n_classes)
            + 8 * n_inputs * (4 * n_inputs + 3 * n_classes),
            f"{n_rows:,} rows of {n_inputs:,} columns and {n_classes:,} classes",
            fewer_values(self.schema_ if one_hot else ()),
        )

    def _proba_table(self, table: Table) -> Floats:
        return self._distributions(self._scores(table))

    def _scores(self, table: Table) -> Floats:
        """Return the score of each class for each row.

        The columns are added one by one: a matrix product would add them in an order
        that depends on the number of rows, and a row would not have the same bits alone
        as among others.
        """
        scores = np.tile(self._heights, (table.n_rows, 1))
        for position, column in enumerate(self._columns(table)):
            weights = self._weights[:, position]
            scores += self._centred(column, position)[:, np.newaxis] * weights
        return scores

    def _contributions(self, table: Table) -> tuple[Floats, Floats]:
        """Return what makes up the scores, attribute by attribute.

        Parameters
        ----------
        table : Table
            The rows.

        Returns
        -------
        heights : ndarray of shape (n_classes,)
            Scores of a row that has the mean in every column.
        terms : ndarray of shape (n_attributes, n_rows, n_classes)
            What each attribute adds, by its distance from the mean.
        """
        terms = np.zeros((table.n_attributes, table.n_rows, len(self._heights)))
        columns = enumerate(self._columns(table))
        for attribute, n_columns in enumerate(self._widths()):
            for position, column in islice(columns, n_columns):
                centred = self._centred(column, position)
                terms[attribute] += centred[:, np.newaxis] * self._weights[:, position]
        return self._heights, terms

    def _widths(self) -> list[int]:
        """Return the number of columns that each attribute has."""
        of_nominal = {"none": 0, "ordinal": 1}
        return [
            of_nominal.get(self.encode, attribute.n_values)
            if attribute.is_nominal
            else 1
            for attribute in self.schema_
        ]

    def _columns(self, table: Table) -> Iterator[Floats]:
        """Give the columns that are weighed, NaN where a value is missing."""
        for column in table.columns:
            if not column.attribute.is_nominal:
                yield column.data
                continue
            known = np.where(column.data < 0, np.nan, column.data)
            if self.encode == "ordinal":
                yield known
            elif self.encode == "onehot":
                for code in range(column.attribute.n_values):
                    yield np.where(np.isnan(known), np.nan, known == code)

    def _column_names(self, attribute: Attribute) -> list[str]:
        """Return the names of the columns that an attribute becomes."""
        if not attribute.is_nominal or self.encode == "ordinal":
            return [attribute.name]
        if self.encode == "none":
            return []
        return [f"{attribute.name}={value}" for value in attribute.categories]

    def _centred(self, column: Floats, position: int) -> Floats:
        """Return a column less its training mean, over the power of 2 of its size.

        A missing value is the mean. No value is so far from it that scores would not
        be numbers.
        """
        exponent, mean = self._exponents[position], self.means_[position]
        if exponent:
            column, mean = divided(column, exponent), divided(mean, exponent)
        centred = column - mean
        centred[np.isnan(centred)] = 0.0
        return np.clip(centred, -FARTHEST, FARTHEST, out=centred)

    @property
    def _centres(self) -> Floats:
        """The means, over the powers of 2 of the columns."""
        return divided(self.means_, self._exponents)


def _shares(n_rows: int, sample_weight: Floats | None) -> Floats:
    """Return each row's share of the total weight."""
    if sample_weight is None:
        return np.full(n_rows, 1.0 / n_rows)
    return sample_weight / sample_weight.sum()


def _mean(column: Floats, share: Floats) -> float:
    """Return the mean of the known values, 0 if there is none."""
    known = ~np.isnan(column)
    values, share = column[known], share[known]
    if len(values) == 0:
        return 0.0
    unit = float(np.abs(values).max()) or 1.0  # so that no sum is too large
    return unit * float(np.sum(values / unit * share) / np.sum(share))


def times_inverse_covariance(
    right: Floats,
    centred: Floats,
    share: Floats,
    tolerance: float,
    *,
    size: Floats,
    unit: Floats,
) -> Floats:
    """Multiply by the inverse of a covariance, less what is too small to be inverted.

    Parameters
    ----------
    right : ndarray of shape (n_classes, n_inputs)
        What is multiplied, row by row.
    centred : ndarray of shape (n_samples, n_inputs)
        Columns whose mean products are the covariance.
    share : ndarray of shape (n_samples,)
        Weights of the rows that sum to 1.
    tolerance : float
        Singular values below this part of the largest one are dropped.
    size : ndarray of shape (n_inputs,)
        How large the values are; a much smaller deviation is a rounding error.
    unit : ndarray of shape (n_inputs,)
        What the columns are measured in when singular values are compared, so that
        units of measurement do not matter.

    Returns
    -------
    product : ndarray of shape (n_classes, n_inputs)
        0 in the columns that do not vary.
    """
    product = np.zeros_like(right)
    varying = deviations(centred, share) > ROUNDING * size
    if varying.any():
        unit = unit[varying]
        scaled = centred[:, varying] / unit
        covariance = (scaled * share[:, np.newaxis]).T @ scaled
        inverse = np.linalg.pinv(covariance, rcond=tolerance, hermitian=True)
        product[:, varying] = (right[:, varying] / unit) @ inverse / unit
    return product


def deviations(centred: Floats, share: Floats) -> Floats:
    """Return the standard deviation of centred columns."""
    largest = np.abs(centred).max(axis=0, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)  # so that no square is too large
    deviation: Floats = largest * np.sqrt(share @ (centred / unit) ** 2)
    return deviation


def normalised(parts: Floats, instead: Floats) -> Floats:
    """Return each row over its sum, added up in the order of the columns.

    A row of zeros is replaced by `instead`.
    """
    total = np.zeros(len(parts))
    for column in parts.T:
        total += column
    empty = total == 0.0
    if empty.any():
        parts = np.where(empty[:, np.newaxis], instead, parts)
        total[empty] = 1.0
    return parts / total[:, np.newaxis]
