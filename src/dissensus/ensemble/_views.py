"""Views: the inputs of a task-based ensemble as nominal attributes.

MACLEN and MTForest take the input attributes themselves as targets, which must be
nominal and have few values. A view is the table with its numbers cut into intervals by
one discretiser and, if wanted, its many values gathered into groups by one grouper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dissensus.base import TableTransformer
from dissensus.preprocessing import BaseDiscretizer, MDLDiscretizer, ValueGrouper
from dissensus.table import Attribute, Column, Schema, Table
from dissensus.utils._typing import Floats

Codes = NDArray[np.int32]
# What to do about an attribute with too many values.
HOW_FEWER = "group them with max_values"
View = tuple[TableTransformer, ...]
"""The fitted transformers whose outcome is the view, first to last."""


@dataclass(frozen=True, slots=True)
class WeightedClasses:
    """The classes and weights of the training rows, as the inner door has them."""

    y_codes: Codes
    n_classes: int
    sample_weight: Floats | None

    def take(self, rows: NDArray[np.intp]) -> WeightedClasses:
        """Return those of some rows."""
        weight = self.sample_weight
        return WeightedClasses(
            self.y_codes[rows],
            self.n_classes,
            None if weight is None else weight[rows],
        )


@dataclass(frozen=True, slots=True)
class AttributeTask:
    """A target among the inputs, as one view shows it.

    Attributes
    ----------
    attribute : int
        Position of the attribute.
    view : int
        Number of the view.
    name : str
        Name of the attribute.
    values : tuple
        What its codes stand for: labels, intervals or groups.
    """

    attribute: int
    view: int
    name: str
    values: tuple[Any, ...]


def fit_views(
    table: Table,
    classes: WeightedClasses,
    discretizers: Sequence[TableTransformer],
    groupers: Sequence[TableTransformer] = (),
) -> tuple[list[View], list[Table]]:
    """Fit the views of a training set: one per discretiser and grouper."""
    layers: list[Sequence[TableTransformer]] = [groupers]
    if any(not attribute.is_nominal for attribute in table.schema):
        layers.insert(0, discretizers)
    found: list[tuple[View, Table]] = [((), table)]
    for layer in layers:
        found = [
            _seen_through(transformer, view, shown, classes)
            for view, shown in found
            for transformer in layer
        ] or found
    return [view for view, _ in found], [shown for _, shown in found]


def _seen_through(
    transformer: TableTransformer, view: View, table: Table, classes: WeightedClasses
) -> tuple[View, Table]:
    """Fit a copy of the transformer; return the longer view and what it shows."""
    fitted = clone(transformer)._fit_table(
        table, classes.y_codes, classes.n_classes, classes.sample_weight
    )
    return (*view, fitted), fitted._transform_table(table)


def apply_view(view: View, table: Table) -> Table:
    """Return other rows as a view shows them."""
    for transformer in view:
        table = transformer._transform_table(table)
    return table


def tasks_of(tables: Sequence[Table], original: Table) -> list[AttributeTask]:
    """List the targets, attribute by attribute.

    Every discretiser makes a task of a numeric attribute. Beyond that, a view makes a
    task of an attribute only if it has grouped it in another way than views before.
    """
    tasks = []
    views = [table.columns for table in tables]
    for position, column in enumerate(original.columns):
        shown = [columns[position] for columns in views]
        by_content = column.attribute.is_nominal
        for view, target in enumerate(shown):
            if view and _is_among(target, shown[:view], by_content=by_content):
                continue
            attribute = target.attribute
            task = AttributeTask(position, view, attribute.name, attribute.categories)
            tasks.append(task)
    return tasks


def _is_among(column: Column, others: Sequence[Column], *, by_content: bool) -> bool:
    # Transformers pass on the very columns that they leave alone.
    return any(
        column is other or (by_content and np.array_equal(column.data, other.data))
        for other in others
    )


def with_ordinals(table: Table, original: Table) -> Table:
    """Number the values of the columns that a view has changed.

    In an array that a classifier of another package reads, intervals and groups are
    then 0, 1, ... and not names.
    """
    pairs = zip(table.columns, original.columns, strict=True)
    columns = [new if new is old else _numbered(new) for new, old in pairs]
    schema = Schema(tuple(column.attribute for column in columns), table.schema.named)
    return Table(schema, columns, table.n_rows)


def _numbered(column: Column) -> Column:
    old = column.attribute
    values = tuple(range(old.n_values))
    return Column(Attribute(old.name, "nominal", values), column.data)


def checked_discretizers(given: Sequence[Any] | None) -> list[BaseDiscretizer]:
    """Return the discretisers, MDL for None, their parameters checked."""
    if given is None:
        return [MDLDiscretizer()]
    discretizers = list(given)
    if not discretizers:
        raise ValueError(
            "discretizers is an empty list. Give at least one, or None for MDL."
        )
    for discretizer in discretizers:
        if not isinstance(discretizer, BaseDiscretizer):
            raise TypeError(
                f"discretizers has the item {discretizer!r}. Items must be "
                "discretisers of dissensus.preprocessing, such as MDLDiscretizer()."
            )
        discretizer._validate_params()
    return discretizers


def checked_groupers(max_values: Any) -> list[ValueGrouper]:
    """Return a grouper for each bound, none for None, their parameters checked."""
    if max_values is None:
        return []
    bounds = list(max_values) if isinstance(max_values, list | tuple) else [max_values]
    if not bounds:
        raise ValueError("max_values is an empty list. Give at least one, or None.")
    groupers = [
        bound if isinstance(bound, ValueGrouper) else ValueGrouper(bound)
        for bound in bounds
    ]
    for grouper in groupers:
        grouper._validate_params()
    return groupers
