"""Small random tables that are hard on counting learners."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dissensus.table import Attribute, Column, Schema, Table
from tests.reference.bayes import Rule, Training

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A training set, and rows to predict; -1 is missing and -2 is unseen."""

    columns: list[NDArray[np.int32]]
    test: list[NDArray[np.int32]]
    n_values: list[int]
    y: NDArray[np.int32]
    n_classes: int
    weight: Floats | None

    def training(self, kind: str = "laplace", alpha: float = 1.0) -> Training:
        """Return what the reference learns from."""
        weight = np.ones(len(self.y)) if self.weight is None else self.weight
        return Training(
            rows=as_rows(self.columns, len(self.y)),
            y=self.y.tolist(),
            weight=[Fraction(w) for w in weight],
            n_values=self.n_values,
            n_classes=self.n_classes,
            rule=Rule(kind, Fraction(alpha)),
        )

    def table(self) -> Table:
        """Return the training set."""
        return as_table(self.columns, self.n_values, len(self.y))

    def test_table(self) -> Table:
        """Return the rows to predict."""
        return as_table(self.test, self.n_values, N_TEST)

    def test_rows(self) -> list[list[int | None]]:
        """Return the rows to predict as the reference wants them."""
        return as_rows(self.test, N_TEST)


N_TEST = 8


def make_case(seed: int) -> Case:
    """Draw a case: missing values, values and classes without a row, odd weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 5, 20, 70, 140]))
    n_attributes = int(rng.choice([0, 1, 2, 3, 5, 6]))
    n_classes = int(rng.choice([1, 2, 2, 3, 4, 6, 7]))
    n_observed = max(1, n_classes - int(rng.integers(0, 2)))
    y = rng.integers(0, n_observed, n).astype(np.int32)
    n_values = [int(v) for v in rng.choice([1, 2, 2, 3, 5, 14], n_attributes)]
    columns = [_column(rng, v, y) for v in n_values]
    test = [rng.integers(-2, v, N_TEST).astype(np.int32) for v in n_values]
    weights = [None, rng.integers(1, 5, n).astype(float), rng.integers(1, 9, n) / 8]
    weight = weights[int(rng.integers(3))]
    return Case(columns, test, n_values, y, n_classes, weight)


def _column(
    rng: np.random.Generator, n_values: int, y: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Draw values that depend on the class, some of them never, some missing."""
    observed = int(rng.integers(1, n_values + 1))
    column = rng.integers(0, observed, len(y))
    follow = rng.random(len(y)) < 0.5
    column[follow] = y[follow] % observed
    column[rng.random(len(y)) < rng.choice([0.0, 0.0, 0.2, 1.0])] = -1
    return column.astype(np.int32)


def as_rows(columns: list[NDArray[np.int32]], n_rows: int) -> list[list[int | None]]:
    """Return the rows of columns of codes, None for negative ones."""
    return [
        [int(column[row]) if column[row] >= 0 else None for column in columns]
        for row in range(n_rows)
    ]


def as_table(
    columns: list[NDArray[np.int32]], n_values: list[int], n_rows: int
) -> Table:
    """Return columns of codes as a table that declares all values."""
    attributes = [
        Attribute(f"a{number}", "nominal", tuple(f"v{v}" for v in range(declared)))
        for number, declared in enumerate(n_values)
    ]
    made = [Column(a, c) for a, c in zip(attributes, columns, strict=True)]
    return Table(Schema(tuple(attributes)), made, n_rows)
