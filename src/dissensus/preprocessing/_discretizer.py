"""What all discretisers share: cut points in, nominal columns out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableTransformer
from dissensus.table import Attribute, Column, Schema, Table

SINGLE_INTERVAL = "All"
Cutter = Callable[[Column], "NDArray[np.float64]"]


class BaseDiscretizer(TableTransformer):
    """Base of transformers that cut numeric columns into intervals.

    A subclass has one hook, `_cutter`.
    """

    cut_points_: list[NDArray[np.float64] | None]

    @abstractmethod
    def _cutter(
        self,
        n_rows: int,
        y_codes: NDArray[np.intp] | None,
        n_classes: int,
        sample_weight: NDArray[np.float64] | None,
    ) -> Cutter:
        """Return the function that finds the ascending cut points of one column."""

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.intp] | None = None,
        n_classes: int = 0,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        cut_points = self._cutter(table.n_rows, y_codes, n_classes, sample_weight)
        self.cut_points_ = [
            None if column.attribute.is_nominal else cut_points(column)
            for column in table.columns
        ]
        pairs = zip(table.schema, self.cut_points_, strict=True)
        attributes = tuple(_discretized(attribute, cuts) for attribute, cuts in pairs)
        self._set_schemas(table.schema, Schema(attributes, table.schema.named))
        return self

    def _transform_table(self, table: Table) -> Table:
        parts = zip(self.schema_out_, table.columns, self.cut_points_, strict=True)
        columns = [
            column if cuts is None else Column(attribute, interval_codes(column, cuts))
            for attribute, column, cuts in parts
        ]
        return Table(self.schema_out_, columns)

    def _plain_table(self, table: Table) -> Table:
        """Return the table with numbers of intervals in place of their names."""
        columns = [
            column if cuts is None else _as_numbers(column)
            for column, cuts in zip(table.columns, self.cut_points_, strict=True)
        ]
        attributes = tuple(column.attribute for column in columns)
        return Table(Schema(attributes, table.schema.named), columns)


def interval_codes(column: Column, cuts: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the number of the interval of each value; missing stays missing.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.table import Attribute, Column
    >>> column = Column(Attribute("x", "numeric"), np.array([1.0, 2.0, 2.5, np.nan]))
    >>> interval_codes(column, np.array([2.0]))
    array([ 0,  0,  1, -1], dtype=int32)
    """
    codes = np.searchsorted(cuts, column.data, side="left").astype(np.int32)
    codes[np.isnan(column.data)] = -1
    return codes


def middle(low: float, high: float) -> float:
    """Return a cut point between two values: their middle if there is one.

    Examples
    --------
    >>> middle(1.0, 2.0)
    1.5
    """
    half = low / 2 + high / 2 if abs(low) > 1e300 else (low + high) / 2
    return half if low <= half < high else low


def interval_labels(cuts: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the names of the intervals between cut points.

    Numbers have 15 digits, which hides the rounding error of a midpoint, or as many as
    it takes to tell neighbours apart.

    Examples
    --------
    >>> import numpy as np
    >>> interval_labels(np.array([2.45, 4.75]))
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    >>> interval_labels(np.array([]))
    ('All',)
    """
    if len(cuts) == 0:
        return (SINGLE_INTERVAL,)
    texts = [f"{cut:.15g}" for cut in cuts]
    if len(set(texts)) < len(texts):
        texts = [repr(float(cut)) for cut in cuts]
    inner = [f"({low}, {high}]" for low, high in pairwise(texts)]
    return (f"(-inf, {texts[0]}]", *inner, f"({texts[-1]}, inf)")


def _discretized(attribute: Attribute, cuts: Any) -> Attribute:
    if cuts is None:
        return attribute
    return Attribute(attribute.name, "nominal", interval_labels(cuts))


def _as_numbers(column: Column) -> Column:
    numbers = column.data.astype(np.float64)
    numbers[numbers < 0] = np.nan
    return Column(Attribute(column.attribute.name, "numeric"), numbers)
