"""A data set: a frame of inputs, the labels, and what was assumed on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError
from dissensus.io._files import MAX_CELLS
from dissensus.table import (
    Attribute,
    Column,
    RawColumn,
    Schema,
    Table,
    as_nominal,
    check_weights,
)
from dissensus.utils._names import shorten, suggest

TARGET_NAMES = ("class", "target", "label", "y")
IDENTIFIER_NAME = re.compile(
    r"(?i:(.*[_ .-])?(id|identifier|uuid|guid|key|index|idx|row|number|no|nr)$)"
    r"|.*[a-z]I[Dd]$|column 0$"
)
MAX_NUMERIC_CLASSES = 20  # more distinct numbers than this are taken for a regression
MAX_FEW_CLASSES = 5  # above, numbers of which most occur once are a regression too
LONG_LABEL = 1000  # characters
MIN_IDENTIFIER_ROWS = 10
IDENTIFIER_SHARE = 0.9  # zoo, yeast and splice repeat a few of their names
NAMED_IDENTIFIER_SHARE = 0.3  # enough in a column that is called an identifier


@dataclass(frozen=True, slots=True, repr=False)
class Dataset:
    """Inputs and labels of one classification task.

    Attributes
    ----------
    X : polars.DataFrame
        The inputs; nominal columns are Enums of the declared values.
    y : ndarray of shape (n_rows,)
        The labels: strings, or integers where the file has integers.
    schema : Schema
        The attributes of `X`.
    name : str
        The name of the data set.
    target : str
        The name of the column that `y` was.
    classes : tuple
        The declared labels, in order; some may occur in no row.
    notes : tuple of str
        What was assumed, and what deserves a second look.
    sample_weight : ndarray of shape (n_rows,) or None
        The weights of the rows, where the file gives them.

    Examples
    --------
    >>> from dissensus.datasets import load_dataset
    >>> monks = load_dataset("monks-1")
    >>> monks
    <Dataset 'monks-1': 432 rows, 6 attributes, target 'class' with 2 classes>
    >>> monks.X.shape, monks.target, monks.classes
    ((432, 6), 'class', ('0', '1'))
    """

    X: Any
    y: NDArray[Any]
    schema: Schema
    name: str
    target: str
    classes: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    sample_weight: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        return (
            f"<Dataset {self.name!r}: {len(self.y)} rows, {len(self.schema)} "
            f"attributes, target {self.target!r} with {len(self.classes)} classes>"
        )


def make_dataset(
    table: Table,
    name: str,
    target: str | None = None,
    *,
    drop: Iterable[str] = (),
    nominal: Iterable[str] = (),
    notes: Sequence[str] = (),
    sample_weight: NDArray[np.float64] | None = None,
) -> Dataset:
    """Part a table into inputs and labels."""
    remarks = list(notes)
    table = without(table, drop, target)
    table = _with_nominal(table, nominal)
    target = _find_target(table.schema, target, remarks)
    table, sample_weight = _with_labels(table, target, sample_weight, remarks)
    if sample_weight is not None:
        check_weights(sample_weight)
    column = table.column(target)
    table = table.drop(target)
    labels, classes = _labels(column, remarks)
    remarks += _count_kinds(table.schema)
    remarks += _identifiers(table)
    return Dataset(
        X=table.to_frame("polars"),
        y=labels,
        schema=table.schema,
        name=name,
        target=target,
        classes=classes,
        notes=tuple(remarks),
        sample_weight=sample_weight,
    )


def as_names(names: Iterable[str]) -> list[str]:
    """Return the names as a list; a single string is one name."""
    return [names] if isinstance(names, str) else list(names)


def without(table: Table, drop: Iterable[str], target: str | None = None) -> Table:
    """Return the table without the dropped columns."""
    names = list(dict.fromkeys(as_names(drop)))  # twice is once
    for name in names:
        _check_known(table.schema, name, "drop")
        if name == target:
            raise TableError(
                f"column {name!r} is both dropped and the target. Keep it."
            )
        if table.n_attributes == 1:
            raise TableError(
                f"drop: {shorten(names)} leaves no column. Keep the target and what it "
                "is to be predicted from."
            )
        table = table.drop(name)
    return table


def _check_known(schema: Schema, name: str, role: str) -> None:
    if name not in schema.names:
        raise TableError(
            f"{role}: there is no column {name!r}. {suggest(str(name), schema.names)}"
        )


def _with_nominal(table: Table, nominal: Iterable[str]) -> Table:
    """Return the table with the numbers of the named columns as labels."""
    columns = list(table.columns)
    for name in as_names(nominal):
        _check_known(table.schema, name, "nominal")
        position = table.schema.index(name)
        if not columns[position].attribute.is_nominal:
            numbers: Any = columns[position].data
            raw = as_nominal(RawColumn(numbers=numbers))
            assert raw.codes is not None
            labels = tuple(str(value) for value in raw.values)
            columns[position] = Column(Attribute(name, "nominal", labels), raw.codes)
    return Table(Schema(tuple(column.attribute for column in columns)), columns)


def _find_target(schema: Schema, target: str | None, notes: list[str]) -> str:
    if not len(schema):
        raise TableError("there is no column. A table needs a target and an input.")
    if target is not None:
        _check_known(schema, target, "target")
    else:
        called = [name for name in schema.names if name.lower() in TARGET_NAMES]
        target = called[0] if len(called) == 1 else schema.names[-1]
        how = "by its name" if len(called) == 1 else "the last column"
        notes.append(f"target: {target!r} ({how})")
    if len(schema) < 2:
        raise TableError(
            f"there is only one column, {target!r}, so nothing to predict it from. "
            "Check the delimiter of the file, and what is dropped."
        )
    return target


def _with_labels(
    table: Table,
    target: str,
    sample_weight: NDArray[np.float64] | None,
    notes: list[str],
) -> tuple[Table, NDArray[np.float64] | None]:
    """Return the rows that have a label."""
    column = table.column(target)
    data: Any = column.data
    present = data >= 0 if column.attribute.is_nominal else ~np.isnan(data)
    if present.all():
        return table, sample_weight
    if not present.any():
        raise TableError(f"the target {target!r} has no value in any row.")
    lost = np.count_nonzero(~present)
    rows = "1 row" if lost == 1 else f"{lost} rows"
    verb = "was" if lost == 1 else "were"
    notes.append(f"{rows} without a value of the target {target!r} {verb} left out")
    kept = np.flatnonzero(present)
    return table.take(kept), None if sample_weight is None else sample_weight[kept]


def _labels(column: Column, notes: list[str]) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """Return the labels of the rows, and all declared labels."""
    attribute = column.attribute
    if attribute.is_nominal:
        return labels_of(attribute, column.data), attribute.categories
    found = np.unique(column.data)
    whole = bool((found == np.trunc(found)).all()) and abs(found).max() < 2**53
    many = len(found) > MAX_FEW_CLASSES and 2 * len(found) > len(column.data)
    if len(found) > MAX_NUMERIC_CLASSES or many or not whole:
        raise TableError(
            f"the target {attribute.name!r} is numeric with {len(found)} different "
            f"values (from {found[0]:g} to {found[-1]:g}): that is a regression, and "
            "these are classifiers. Name another target, cut it into classes, or give "
            f"nominal=[{attribute.name!r}] if its numbers are labels."
        )
    notes.append(f"the numbers of the target {attribute.name!r} are taken for labels")
    return column.data.astype(np.int64), tuple(found.astype(np.int64).tolist())


def labels_of(attribute: Attribute, codes: NDArray[Any]) -> NDArray[Any]:
    """Return the labels of codes as an array, each as wide as the longest label."""
    longest = max(map(len, map(str, attribute.categories)), default=0)
    if longest > LONG_LABEL and len(codes) * longest > MAX_CELLS:
        raise TableError(
            f"the target {attribute.name!r} has a label of {longest:,} characters, "
            f"which {len(codes):,} rows have no room for. Shorten it."
        )
    return np.array(attribute.categories)[codes]


def _count_kinds(schema: Schema) -> list[str]:
    nominal = sum(attribute.is_nominal for attribute in schema)
    return [f"columns: {len(schema) - nominal} numeric, {nominal} nominal"]


def _identifiers(table: Table) -> list[str]:
    """Return a note for each column that seems to name its rows."""
    if table.n_rows < MIN_IDENTIFIER_ROWS:
        return []
    notes = []
    for column in table.columns:
        name = column.attribute.name
        reason = _identifier(column)
        if reason:
            notes.append(
                f"column {name!r} looks like an identifier ({reason}); leave it out "
                f"with drop=[{name!r}]"
            )
    return notes


def _identifier(column: Column) -> str | None:
    """Return why a column seems to name its rows, or None."""
    attribute = column.attribute
    data: Any = column.data
    present = data[data >= 0] if attribute.is_nominal else data[~np.isnan(data)]
    if len(present) < MIN_IDENTIFIER_ROWS:
        return None
    n_distinct = len(np.unique(present))
    words = f"{n_distinct} different values in {len(present)} rows"
    called_so = IDENTIFIER_NAME.match(attribute.name) is not None
    if attribute.is_nominal:
        share = NAMED_IDENTIFIER_SHARE if called_so else IDENTIFIER_SHARE
        return words if n_distinct >= share * len(present) else None
    if n_distinct < len(present) or not (present == np.trunc(present)).all():
        return None
    counts_up = bool((np.diff(present) == 1).all())
    return words if counts_up or called_so else None
