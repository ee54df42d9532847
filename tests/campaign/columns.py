"""Columns that a careless or malicious caller might send, by what is odd about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Maker = Callable[[Generator, int], NDArray[Any]]

LARGEST = np.finfo(np.float64).max
SMALLEST = np.nextafter(0.0, 1.0)


def numbers_of(*values: float) -> Maker:
    """Return a maker of columns that draw from a few numbers."""
    return lambda rng, n: rng.choice(np.array(values, dtype=np.float64), n)


def objects_of(values: Sequence[Any]) -> Maker:
    """Return a maker of columns that draw from a few objects."""

    def make(rng: Generator, n: int) -> NDArray[Any]:
        column = np.empty(n, dtype=object)
        for row, place in enumerate(rng.integers(0, len(values), n)):
            column[row] = values[place]
        return column

    return make


def _with_gaps(rng: Generator, n: int) -> NDArray[Any]:
    column = rng.normal(size=n)
    column[rng.random(n) < 0.4] = np.nan
    return column


def _labels(rng: Generator, n: int) -> NDArray[Any]:
    return np.array([f"id{row}" for row in rng.permutation(n)], dtype=object)


def _dates(rng: Generator, n: int) -> NDArray[Any]:
    return np.datetime64("2020-01-01") + rng.integers(-1000, 1000, n)


NUMERIC: dict[str, Maker] = {
    "1e308": numbers_of(1e308, -1e308, LARGEST, -LARGEST, 0.0, 1.0),
    "all missing": lambda _, n: np.full(n, np.nan),
    "constant": lambda _, n: np.full(n, 7.0),
    "denormal": numbers_of(SMALLEST, -SMALLEST, 1e-310, 2.2e-308, 0.0),
    "distinct": lambda rng, n: rng.permutation(n).astype(np.float64),
    "far apart": lambda rng, n: 10 ** rng.uniform(-300, 300, n),
    "far whole numbers": numbers_of(2.0**53, 2.0**62, 2.0**63, -(2.0**63), 2.0**64, 0),
    "neighbours": lambda rng, n: 1.0 + rng.integers(0, 4, n) * 2.0**-52,
    "normal": lambda rng, n: rng.normal(size=n),
    "signed zero": numbers_of(0.0, -0.0),
    "small whole numbers": lambda rng, n: rng.integers(0, 4, n).astype(np.float64),
    "some missing": _with_gaps,
}

NOMINAL: dict[str, Maker] = {
    "a constant label": objects_of(["only"]),
    "all labels missing": objects_of([None]),
    "booleans": objects_of([True, False]),
    "distinct labels": _labels,
    "empty labels": objects_of(["", " ", "\n", "?", "nan", "None"]),
    "few labels": objects_of(["a", "b", "c"]),
    "labels with NUL": objects_of(["a\0", "a\0b", "a", "\0", "b"]),
    "long labels": objects_of(["x" * 9999, "x" * 10000, "y"]),
    "some labels missing": objects_of(["a", "b", None, None]),
    "surrogates": objects_of(["\ud800", "\udfff", "a"]),
    "unicode": objects_of(["é", "e\u0301", "ß", "ẞ", "\U0001f600"]),
}

# Most of these have to be refused.
ODD: dict[str, Maker] = {
    "bytes": objects_of([b"a", b"b\0", b""]),
    "complex numbers": objects_of([1j, 2 + 0j]),
    "dates": _dates,
    "decimals": objects_of([Decimal("1e999"), Decimal("0.1"), Decimal("NaN")]),
    "infinite": numbers_of(np.inf, -np.inf, 0.0, 1.0),
    "lists": objects_of([[1], [1, 2], []]),
    "long whole numbers": objects_of([10**400, -(10**30), 0]),
    "mixed objects": objects_of(["1", 1, 1.5, True, None, (1,), "x", np.nan, b"x"]),
    "numbers and text": objects_of([1, "1", 2.5, "two", None]),
    "text of numbers": objects_of(["1e400", "-inf", "1_0", "0x1p3", "\u0661"]),
    "things": objects_of([object(), len, {}, set()]),
}
