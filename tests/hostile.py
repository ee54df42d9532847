"""Inputs and weights that arithmetic finds hard, for every estimator of ESTIMATORS."""

from __future__ import annotations

import warnings
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
    kind = rng.integers(9)
    if kind == 0:
        return None
    if kind == 1:
        return np.full(n, rng.choice([DENORMAL, NORMAL, 1e-200, 1e200, 1e308, LARGEST]))
    if kind == 2:
        return np.asarray(10.0 ** rng.uniform(-320, 308, n))
    if kind == 3:
        return np.asarray(10.0 ** rng.uniform(-14, 0, n) * 10.0 ** rng.uniform(-150, 0))
    if kind == 4:
        return np.asarray(rng.uniform(1e-149, 2e-149, n))
    if kind == 5:
        return np.asarray(rng.uniform(1e147, 1e148, n))
    if kind == 6:
        return np.asarray(rng.choice([0.0, 1.0, 1e-16, 1e15], n))
    if kind == 7:
        return np.full(n, 1.0 / n)
    return np.asarray(rng.exponential(size=n))


def draw_column(n: int, rng: Generator) -> Any:
    """Draw a column of numbers or of labels, perhaps with missing values."""
    kind = rng.integers(8)
    if kind == 0:
        return rng.choice(np.array(NUMBERS), n)
    if kind == 1:
        return np.full(n, rng.choice(np.array(NUMBERS)))
    if kind == 2:
        return np.full(n, np.nan)
    if kind == 3:
        values = ["", "nul\0", "a", "ä", "None", "in no row"]
        return pd.Categorical.from_codes(rng.integers(-1, 5, n), values)
    if kind == 4:
        return pd.Categorical([None] * n, categories=["a", "b"])
    column = rng.normal(size=n) if kind < 7 else rng.integers(0, 3, n).astype(float)
    column *= rng.choice([1.0, 1e-310, 1e307])
    column[rng.random(n) < rng.choice([0.0, 0.3])] = np.nan
    return column


def draw_problem(rng: Generator) -> tuple[Any, NDArray[Any], Floats | None]:
    """Draw inputs, an array or a frame, classes, and weights."""
    n = int(rng.choice([1, 2, 3, 10, 40]))
    width = int(rng.choice([1, 2, 5]))
    columns = {f"c{i}": draw_column(n, rng) for i in range(width)}
    X: Any = pd.DataFrame(columns)
    if all(isinstance(column, np.ndarray) for column in columns.values()):
        X = X if rng.random() < 0.5 else np.column_stack(list(columns.values()))
    y = rng.integers(0, rng.choice([1, 2, 3, 12]), n)
    return X, y, draw_weights(n, rng)


def fit_and_answer(estimator: Any, X: Any, y: Any, weights: Floats | None) -> str:
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
            fitted = clone(estimator).fit(X, y, sample_weight=weights)
        except ValueError as error:
            return str(error)
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
