"""Inputs and weights that arithmetic finds hard, for every estimator of ESTIMATORS."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

Floats = NDArray[np.float64]

LARGEST = float(np.finfo(np.float64).max)
NORMAL = float(np.finfo(np.float64).tiny)
DENORMAL = 5e-324
NUMBERS = [0.0, -0.0, 1.0, 1e308, -1e308, LARGEST, -LARGEST, DENORMAL, NORMAL, 1e-300]


def draw_weights(n: int, rng: Generator) -> Floats | None:
    """Draw weights: of one size or of many, from denormal to infinite sums."""
    extremes = [DENORMAL, NORMAL, 1e-200, 1e200, 1e308, LARGEST]
    kinds: list[Callable[[], Floats | None]] = [
        lambda: None,
        lambda: np.full(n, 1.0 / n),
        lambda: np.full(n, rng.choice(extremes)),
        lambda: rng.exponential(size=n),
        lambda: rng.uniform(1e-149, 2e-149, n),
        lambda: rng.uniform(1e147, 1e148, n),
        lambda: rng.choice([0.0, 1.0, 1e-16, 1e15], n),
        lambda: 10.0 ** rng.uniform(-320, 308, n),
        lambda: 10.0 ** (rng.uniform(-14, 0, n) + rng.uniform(-136, 0)),
    ]
    return kinds[rng.integers(len(kinds))]()


def draw_numbers(n: int, rng: Generator) -> Floats:
    """Draw a column of numbers, ordinary or extreme, perhaps with missing values."""
    kind = rng.integers(5)
    if kind == 0:
        return rng.choice(np.array(NUMBERS), n)
    if kind == 1:
        return np.full(n, rng.choice(np.array(NUMBERS)))
    if kind == 2:
        return np.full(n, np.nan)
    column = rng.normal(size=n) if kind == 3 else rng.integers(0, 3, n).astype(float)
    column *= rng.choice([1.0, 1e-310, 1e307])
    column[rng.random(n) < rng.choice([0.0, 0.3])] = np.nan
    return column


def draw_labels(n: int, rng: Generator) -> Any:
    """Draw a column of odd labels, or one without any."""
    if rng.random() < 0.3:
        return pd.Categorical([None] * n, categories=["a", "b"])
    values = ["", "nul\0", "a", "ä", "None", "in no row"]
    return pd.Categorical.from_codes(rng.integers(-1, 5, n), values)


def draw_inputs(n: int, nominal: list[bool], rng: Generator) -> Any:
    """Draw a frame with some columns of labels, or an array if there are none."""
    columns = [(draw_labels if one else draw_numbers)(n, rng) for one in nominal]
    if not any(nominal) and rng.random() < 0.5:
        return np.column_stack(columns)
    return pd.DataFrame({f"c{i}": column for i, column in enumerate(columns)})


@dataclass(frozen=True)
class Problem:
    """Rows to learn from, their classes and weights, and other rows to answer."""

    X: Any
    y: NDArray[np.intp]
    weights: Floats | None
    X_asked: Any


def draw_problem(rng: Generator) -> Problem:
    """Draw a small problem with hard numbers everywhere."""
    n = int(rng.choice([1, 2, 3, 10, 40]))
    nominal = (rng.random(rng.choice([1, 2, 5])) < rng.choice([0, 0, 0.5])).tolist()
    y = rng.integers(0, rng.choice([1, 2, 3, 12]), n)
    X, asked = (draw_inputs(size, nominal, rng) for size in (n, 7))
    if isinstance(X, pd.DataFrame) != isinstance(asked, pd.DataFrame):
        asked = X  # names would be missing, or not be known
    return Problem(X, y, draw_weights(n, rng), asked)


def fit_and_answer(estimator: Any, problem: Problem) -> str:
    """Fit and answer; return "answered", or the words of the refusal.

    Raises
    ------
    AssertionError
        If a probability is no number, is not from 0 to 1, or their sum is not 1.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "The number of unique classes", category=UserWarning
        )
        try:
            fitted = clone(estimator).fit(
                problem.X, problem.y, sample_weight=problem.weights
            )
        except ValueError as error:
            return str(error)
    for X in (problem.X, problem.X_asked):
        if is_classifier(fitted):
            check_probabilities(fitted.predict_proba(X))
            assert set(fitted.predict(X)) <= set(fitted.classes_)
        else:
            fitted.transform(X)
    return "answered"


def check_probabilities(proba: Floats) -> None:
    """Raise an error unless each row is a distribution."""
    assert np.isfinite(proba).all(), f"{np.isnan(proba).sum()} of {proba.size} NaN"
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-9)
