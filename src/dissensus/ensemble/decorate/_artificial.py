"""Artificial examples: rows that were never seen and might have been.

A generator is fitted once, to the training set, and then asked again and again for
fresh rows. They have no labels and no missing values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dissensus.ensemble._members import Codes, InputKind, to_input
from dissensus.table import MISSING, Column, Schema, Table
from dissensus.utils._scale import LARGEST, divided, exponent_of, multiplied
from dissensus.utils._typing import Floats

Groups = NDArray[np.intp]
Draw = Callable[[int, Generator], Table]
"""Gives so many fresh rows."""
# Columns are drawn side by side, as many at a time as have so many cells: a call of
# numpy costs as much as some thousand cells.
BLOCK_CELLS = 1 << 17


@dataclass(frozen=True, slots=True)
class Normals:
    """Normal distributions of numeric columns, one for each group of rows."""

    means: Floats  # (n_columns, n_groups)
    deviations: Floats

    @classmethod
    def of(
        cls, columns: Sequence[Column], groups: Groups, n_groups: int, weights: Floats
    ) -> Normals:
        """Fit every column by itself."""
        moments = [group_moments(c.data, groups, n_groups, weights) for c in columns]
        both = np.array(moments).reshape(len(columns), 2, n_groups)
        return cls(both[:, 0], both[:, 1])

    def draw(self, drawn: Groups, rng: Generator) -> Iterator[Floats]:
        """Yield the columns of rows whose groups are given."""
        for some in _blocks(len(self.means), len(drawn)):
            numbers = rng.standard_normal((some.stop - some.start, len(drawn)))
            with np.errstate(over="ignore"):
                numbers *= _of_rows(self.deviations[some], drawn)
                numbers += _of_rows(self.means[some], drawn)
            yield from np.clip(numbers, -LARGEST, LARGEST, out=numbers)


@dataclass(frozen=True, slots=True)
class Decks:
    """Decks of cards for the labels of nominal columns, one for each group of rows.

    There is a card for every known row and one for every declared value. Drawing a card
    is three times as fast as searching a distribution function.
    """

    cards: Codes  # all decks, one after the other
    first: Groups  # (n_columns, n_groups) where each begins
    sizes: Groups

    @classmethod
    def of(cls, columns: Sequence[Column], groups: Groups, n_groups: int) -> Decks:
        """Make the decks of every column."""
        pairs = [_deck(column, groups, n_groups) for column in columns]
        cards = [deck for deck, _ in pairs] or [np.empty(0, dtype=np.int32)]
        sizes = np.array([size for _, size in pairs], dtype=np.intp)
        sizes = sizes.reshape(len(columns), n_groups)
        first = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        return cls(np.concatenate(cards), first, sizes)

    def draw(self, drawn: Groups, rng: Generator) -> Iterator[Codes]:
        """Yield the columns of rows whose groups are given."""
        for some in _blocks(len(self.sizes), len(drawn)):
            places = rng.random((some.stop - some.start, len(drawn)))
            places *= _of_rows(self.sizes[some], drawn)
            chosen = places.astype(np.intp)
            chosen += _of_rows(self.first[some], drawn)
            yield from self.cards[chosen]


def _blocks(n_columns: int, n_rows: int) -> Iterator[slice]:
    """Divide columns into runs of no more than `BLOCK_CELLS` cells."""
    step = max(1, BLOCK_CELLS // max(1, n_rows))
    for start in range(0, n_columns, step):
        yield slice(start, min(start + step, n_columns))


def _of_rows(of_groups: NDArray[Any], drawn: Groups) -> NDArray[Any]:
    """Return what a column's groups have, row by row; once if there is one group."""
    return of_groups if of_groups.shape[1] == 1 else of_groups[:, drawn]


def _deck(column: Column, groups: Groups, n_groups: int) -> tuple[Codes, Groups]:
    """Return the cards of all groups and their number in each."""
    codes, n_values = column.data, column.attribute.n_values
    if n_values == 0:
        one_each = np.ones(n_groups, dtype=np.intp)
        return np.full(n_groups, MISSING, dtype=np.int32), one_each
    known = codes >= 0
    cells = groups[known] * n_values + codes[known]
    counts = np.bincount(cells, minlength=n_groups * n_values) + 1
    values = np.tile(np.arange(n_values, dtype=np.int32), n_groups)
    return np.repeat(values, counts), counts.reshape(n_groups, n_values).sum(axis=1)


@dataclass(frozen=True, slots=True)
class Distributions:
    """What every attribute of a table is like by itself, in each group of rows."""

    schema: Schema
    normals: Normals
    decks: Decks

    @classmethod
    def of(
        cls, table: Table, groups: Groups, n_groups: int, weights: Floats
    ) -> Distributions:
        """Fit every column by itself."""
        numbers = [c for c in table.columns if not c.attribute.is_nominal]
        labels = [c for c in table.columns if c.attribute.is_nominal]
        normals = Normals.of(numbers, groups, n_groups, weights)
        return cls(table.schema, normals, Decks.of(labels, groups, n_groups))

    def draw(self, drawn: Groups, rng: Generator) -> Table:
        """Return fresh rows whose groups are given."""
        numbers = self.normals.draw(drawn, rng)
        labels = self.decks.draw(drawn, rng)
        columns = [
            Column(attribute, next(labels if attribute.is_nominal else numbers))
            for attribute in self.schema
        ]
        return Table(self.schema, columns, len(drawn))


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
    apart = Distributions.of(table, one_group, 1, weights)
    h = bandwidth(table.n_rows, table.n_attributes)

    def draw(n: int, rng: Generator) -> Table:
        rows = rng.choice(table.n_rows, size=n, p=shares)
        fresh = apart.draw(np.zeros(n, dtype=np.intp), rng)
        steps = iter(h * apart.normals.deviations[:, 0])
        made = []
        for column, new in zip(table.columns, fresh.columns, strict=True):
            old = column.data[rows]
            if column.attribute.is_nominal:
                data = np.where((rng.random(n) < h) | (old < 0), new.data, old)
            else:
                with np.errstate(over="ignore"):
                    near = old + next(steps) * rng.standard_normal(n)
                near = np.clip(near, -LARGEST, LARGEST)
                data = np.where(np.isnan(old), new.data, near)
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
    within = Distributions.of(table, groups, n_groups, weights)

    def draw(n: int, rng: Generator) -> Table:
        drawn = np.zeros(n, dtype=np.intp)
        if n_groups > 1:
            drawn = rng.choice(n_groups, size=n, p=shares)
        return within.draw(drawn, rng)

    return draw


def group_moments(
    data: Floats, groups: Groups, n_groups: int, weights: Floats
) -> tuple[Floats, Floats]:
    """Return weighted means and sample deviations of the known values of each group.

    The deviation is 0 where fewer than two values are known, the mean 0 where none is.
    With weights, n in n / (n - 1) is the number of rows, so that the scale of the
    weights does not matter.
    """
    known = ~np.isnan(data)
    groups, weights = groups[known], weights[known]
    exponent = exponent_of(data)
    values = divided(data[known], exponent)
    counts = np.bincount(groups, minlength=n_groups)
    totals = np.bincount(groups, weights, n_groups)
    safe = np.where(counts, totals, 1.0)
    means = np.bincount(groups, weights * values, n_groups) / safe
    squares = np.bincount(groups, weights * (values - means[groups]) ** 2, n_groups)
    correction = counts / np.maximum(counts - 1, 1)
    deviations = np.where(counts > 1, np.sqrt(squares / safe * correction), 0.0)
    return multiplied(means, exponent), multiplied(deviations, exponent)


def _from_function(
    function: Any, table: Table, y_codes: Codes, kind: InputKind
) -> Draw:
    X = to_input(table, kind)
    return lambda n, rng: Table.from_any(
        function(X, y_codes, n, rng), schema=table.schema
    )
