"""Small random data sets that are hard on a tree: ties, gaps, odd weights.

Numeric columns have few values, or values closer than the least gap of a cut, or so
large that neighbours have no middle; nominal ones declare values that no row has, or as
many as there are rows. Columns are repeated, so that attributes tie. Weights are ones,
quarters, or range from far below the tolerance of all comparisons to hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.reference.j48 import Data, Options

Floats = NDArray[np.float64]
Generator = np.random.Generator

MISSING_RATES = (0.0, 0.0, 0.0, 0.05, 0.2, 0.2, 0.5, 1.0)
MOST_DECLARED = 30


@dataclass(frozen=True, slots=True)
class Case:
    """A training set, with rows of weight 0 among it, options, and rows to predict."""

    kinds: list[int]
    columns: list[Floats]
    y: NDArray[np.intp]
    weight: Floats
    test: list[Floats]
    options: Options

    def data(self) -> Data:
        """Return what a tree learns from: rows without weight do not count."""
        there = self.weight > 0
        columns = [column[there] for column in self.columns]
        n_classes = int(self.y.max()) + 1
        return Data(self.kinds, columns, self.y[there], self.weight[there], n_classes)


def make_case(seed: int) -> Case:
    """Draw a case; the same seed gives the same one."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 6, 12, 20, 30, 45, 60, 60, 60]))
    kinds: list[int] = []
    columns: list[Floats] = []
    test: list[Floats] = []
    for _ in range(rng.integers(1, 7)):
        if columns and rng.random() < 0.2:
            kind, column = kinds[-1], columns[-1].copy()
        else:
            kind, column = COLUMNS[rng.integers(len(COLUMNS))](rng, n)
        column[rng.random(n) < rng.choice(MISSING_RATES)] = np.nan
        kinds.append(kind)
        columns.append(column)
        test.append(_test_column(rng, kind, column))
    y = _labels(rng, columns)
    weight = _weights(rng, y)
    return Case(kinds, columns, y, weight, test, _options(rng))


# One function for each sort of column; it returns the kind and the values.


def _few_values(rng: Generator, n: int) -> tuple[int, Floats]:
    return 0, rng.integers(0, rng.integers(1, 8), n).astype(float)


def _many_values(rng: Generator, n: int) -> tuple[int, Floats]:
    return 0, np.round(rng.normal(size=n), 2)


def _close_values(rng: Generator, n: int) -> tuple[int, Floats]:
    step = float(rng.choice([3e-6, 9e-6, 1.1e-5]))
    return 0, 0.5 + step * rng.integers(0, 9, n).astype(np.float64)


def _neighbours(rng: Generator, n: int) -> tuple[int, Floats]:
    """Draw neighbours in floating point, far enough apart to be cut."""
    return 0, 1e15 + rng.integers(0, 4, n) / 8


def _nominal(rng: Generator, n: int) -> tuple[int, Floats]:
    declared = int(rng.choice([1, 2, 3, 4, 6, 10, MOST_DECLARED]))
    observed = rng.integers(1, declared + 1)
    values = rng.permutation(declared)[:observed]
    share = rng.dirichlet(np.full(observed, 0.7))
    return declared, rng.choice(values, size=n, p=share).astype(float)


COLUMNS: list[Callable[[Generator, int], tuple[int, Floats]]] = [
    _few_values,
    _few_values,
    _many_values,
    _close_values,
    _neighbours,
    _nominal,
    _nominal,
    _nominal,
]


def _labels(rng: Generator, columns: list[Floats]) -> NDArray[np.intp]:
    """Draw classes that depend on two columns, with noise; all classes have a row."""
    y = np.zeros(len(columns[0]), dtype=np.intp)
    for column in rng.choice(len(columns), 2):
        values = np.nan_to_num(columns[column], nan=-1.0)
        ranks = np.unique(values, return_inverse=True)[1]
        y += ranks // rng.integers(1, 4)
    y %= rng.choice([1, 2, 2, 2, 2, 2, 3, 3, 4])
    noisy = rng.random(len(y)) < rng.choice([0.0, 0.1, 0.2, 0.3, 0.4])
    y[noisy] = rng.integers(0, 3, noisy.sum())
    return np.unique(y, return_inverse=True)[1]


def _weights(rng: Generator, y: NDArray[np.intp]) -> Floats:
    n = len(y)
    weights = [
        np.ones(n),
        np.ones(n),
        rng.integers(1, 13, n) / 4,
        rng.uniform(0.05, 2, n),
        rng.choice([3e-7, 4.1e-6, 0.5, 1, 3], n),
        rng.choice([1.0, 20.0, 130.5], n),
    ]
    weight = weights[rng.integers(len(weights))]
    if rng.random() < 0.2:
        weight[rng.random(n) < 0.2] = 0.0
        first = np.unique(y, return_index=True)[1]
        weight[first] = 1.0
    return weight


def _test_column(rng: Generator, kind: int, column: Floats) -> Floats:
    """Draw values to predict: known ones, others, missing ones, undeclared ones."""
    n = 12
    known = column[~np.isnan(column)]
    values = rng.choice(known, n) if len(known) else np.zeros(n)
    if kind == 0:
        return np.where(rng.random(n) < 0.2, values + rng.normal(size=n), values)
    values = np.where(rng.random(n) < 0.5, rng.integers(0, kind, n), values)
    values[rng.random(n) < 0.1] = kind  # a value that was not declared
    values[rng.random(n) < 0.2] = np.nan
    return values


def _options(rng: Generator) -> Options:
    def seldom() -> bool:
        return bool(rng.random() < 0.25)

    return Options(
        confidence=float(rng.choice([0.25, 0.25, 0.1, 0.49, 0.49])),
        min_samples_leaf=int(rng.choice([1, 1, 2, 2, 2, 3])),
        prune=bool(rng.random() < 0.7),
        subtree_raising=not seldom(),
        collapse=not seldom(),
        binary_splits=seldom(),
        mdl_correction=not seldom(),
        actual_thresholds=not seldom(),
        smoothing="laplace" if seldom() else "none",
    )


def as_columns(columns: Sequence[Sequence[float | None]]) -> list[Floats]:
    """Turn lists with None for missing values into arrays with NaN."""
    return [np.array(column, dtype=float) for column in columns]


def make_frame(kinds: list[int], columns: list[Floats]) -> pd.DataFrame:
    """Make a frame whose nominal columns declare all values, v0, v1 and so on."""
    frame: dict[str, Any] = {}
    for number, (kind, column) in enumerate(zip(kinds, columns, strict=True)):
        if kind == 0:
            frame[f"a{number}"] = column
            continue
        codes = np.nan_to_num(column, nan=-1).astype(int)
        values = [f"v{code}" for code in range(max(kind, codes.max() + 1))]
        frame[f"a{number}"] = pd.Categorical.from_codes(codes, values)
    return pd.DataFrame(frame)
