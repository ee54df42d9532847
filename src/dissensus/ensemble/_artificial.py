"""Artificial examples: rows that were never seen and might have been.

A generator is fitted once, to the training set, and then asked again and again for
fresh rows. They have no labels and no missing values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dissensus.ensemble._members import Codes, Floats, InputKind, show
from dissensus.table import Column, Table
from dissensus.table._column import MISSING

Groups = NDArray[np.intp]
Draw = Callable[[int, Generator], Table]
"""Gives so many fresh rows."""
DrawColumn = Callable[[Groups, Generator], NDArray[Any]]
"""Gives a column with one value for each row, whose groups are given."""


def row_source(
    generator: Any,
    table: Table,
    y_codes: Codes,
    sample_weight: Floats | None,
    *,
    kind: InputKind,
) -> Draw:
    """Fit a generator, given by name or as a function, to the training set."""
    weights = np.ones(table.n_rows) if sample_weight is None else sample_weight
    if callable(generator):
        return _from_function(generator, table, y_codes, kind)
    return GENERATORS[generator](table, y_codes, weights)


def independent(table: Table, y_codes: Codes, weights: Floats) -> Draw:
    """Draw every attribute by itself: the paper's generator."""
    return _by_group(table, np.zeros_like(y_codes, dtype=np.intp), weights)


def class_conditional(table: Table, y_codes: Codes, weights: Floats) -> Draw:
    """Draw a class, then every attribute by itself as it is in that class."""
    return _by_group(table, y_codes.astype(np.intp), weights)


def kernel(table: Table, y_codes: Codes, weights: Floats) -> Draw:
    """Draw a row of the training set and disturb it.

    A number gets normal noise of `bandwidth` times the column's deviation; a label is
    drawn anew with that probability. Missing values are drawn anew.
    """
    shares = weights / weights.sum()
    one_group = np.zeros_like(y_codes, dtype=np.intp)
    columns = [(c, *_fit_column(c, one_group, 1, weights)) for c in table.columns]
    h = bandwidth(table.n_rows, table.n_attributes)

    def draw(n: int, rng: Generator) -> Table:
        rows = rng.choice(table.n_rows, size=n, p=shares)
        groups = np.zeros(n, dtype=np.intp)
        made = []
        for column, draw_column, deviations in columns:
            old, fresh = column.data[rows], draw_column(groups, rng)
            if column.attribute.is_nominal:
                renewed = (rng.random(n) < h) | (old < 0)
                data = np.where(renewed, fresh, old)
            else:
                near = old + h * deviations[0] * rng.standard_normal(n)
                data = np.where(np.isnan(old), fresh, near)
            made.append(Column(column.attribute, data))
        return Table(table.schema, made, n)

    return draw


def bandwidth(n_rows: int, n_attributes: int) -> float:
    """Return Silverman's rule for a normal kernel, at most 1."""
    return float(
        min(1.0, (4 / ((n_attributes + 2) * n_rows)) ** (1 / (n_attributes + 4)))
    )


GENERATORS: dict[str, Callable[[Table, Codes, Floats], Draw]] = {
    "independent": independent,
    "class-conditional": class_conditional,
    "kernel": kernel,
}


def _by_group(table: Table, groups: Groups, weights: Floats) -> Draw:
    """Draw a group by its weight, then every attribute by itself as in that group."""
    n_groups = int(groups.max()) + 1
    shares = np.bincount(groups, weights, n_groups) / weights.sum()
    columns = [_fit_column(c, groups, n_groups, weights)[0] for c in table.columns]

    def draw(n: int, rng: Generator) -> Table:
        drawn = np.zeros(n, dtype=np.intp)
        if n_groups > 1:
            drawn = rng.choice(n_groups, size=n, p=shares)
        made = [
            Column(attribute, draw_column(drawn, rng))
            for attribute, draw_column in zip(table.schema, columns, strict=True)
        ]
        return Table(table.schema, made, n)

    return draw


def _fit_column(
    column: Column, groups: Groups, n_groups: int, weights: Floats
) -> tuple[DrawColumn, Floats]:
    """Return a function that draws values, and the deviation in each group."""
    if column.attribute.is_nominal:
        values = column.attribute.n_values
        return _fit_labels(column.data, values, groups, n_groups), np.zeros(n_groups)
    means, deviations = group_moments(column.data, groups, n_groups, weights)

    def draw(drawn: Groups, rng: Generator) -> Floats:
        return means[drawn] + deviations[drawn] * rng.standard_normal(len(drawn))

    return draw, deviations


def group_moments(
    data: Floats, groups: Groups, n_groups: int, weights: Floats
) -> tuple[Floats, Floats]:
    """Return weighted means and sample deviations of the known values of each group.

    The deviation is 0 where fewer than two values are known, the mean 0 where none is.
    With weights, n in n / (n - 1) is the number of rows, so that the scale of the
    weights does not matter.
    """
    known = ~np.isnan(data)
    values, groups, weights = data[known], groups[known], weights[known]
    counts = np.bincount(groups, minlength=n_groups)
    totals = np.bincount(groups, weights, n_groups)
    safe = np.where(counts, totals, 1.0)
    means = np.bincount(groups, weights * values, n_groups) / safe
    squares = np.bincount(groups, weights * (values - means[groups]) ** 2, n_groups)
    correction = counts / np.maximum(counts - 1, 1)
    return means, np.where(counts > 1, np.sqrt(squares / safe * correction), 0.0)


def _fit_labels(
    codes: NDArray[np.int32], n_values: int, groups: Groups, n_groups: int
) -> DrawColumn:
    """Draw labels by their frequencies in each group, one added for each value."""
    if n_values == 0:
        return lambda drawn, _: np.full(len(drawn), MISSING, dtype=np.int32)
    known = codes >= 0
    cells = groups[known] * n_values + codes[known]
    counts = np.bincount(cells, minlength=n_groups * n_values) + 1
    # A deck of cards for each group: one for every known row, and one for every value.
    # Drawing a card is three times as fast as searching a distribution function.
    values = np.tile(np.arange(n_values, dtype=np.int32), n_groups)
    deck = np.repeat(values, counts)
    sizes = counts.reshape(n_groups, n_values).sum(axis=1)
    first = np.cumsum(sizes) - sizes

    def draw(drawn: Groups, rng: Generator) -> NDArray[np.int32]:
        cards = rng.random(len(drawn)) * sizes[drawn]
        return deck[first[drawn] + cards.astype(np.intp)]

    return draw


def _from_function(
    function: Any, table: Table, y_codes: Codes, kind: InputKind
) -> Draw:
    X = show(table, kind)
    return lambda n, rng: Table.from_any(
        function(X, y_codes, n, rng), schema=table.schema
    )
