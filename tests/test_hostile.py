"""Every estimator with numbers and weights that arithmetic finds hard."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from tests.hostile import DENORMAL, NUMBERS, Problem, draw_problem, fit_and_answer
from tests.test_common import ESTIMATORS, label

# So many fits in all, shared among the estimators.
N_FITS = int(os.environ.get("DISSENSUS_HOSTILE_FITS", "400"))

ROWS = np.arange(20)
CLASSES = ROWS % 3 % 2
REFUSALS = (
    "The weights of the rows sum to",
    "The weights of the rows go from",
    "The smallest weight of a row is",
    "Sample weights must contain at least one non-zero number",
)
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=label)


def answer(estimator: Any, X: Any, y: Any = CLASSES, weights: Any = None) -> str:
    """Fit, and answer the same rows."""
    return fit_and_answer(estimator, Problem(X, y, weights, X))


@every_estimator
def test_random_hard_problems_are_answered_or_refused(
    estimator: Any, global_random_seed: int
) -> None:
    number = ESTIMATORS.index(estimator)
    for fit in range(number, max(N_FITS, len(ESTIMATORS)), len(ESTIMATORS)):
        problem = draw_problem(np.random.default_rng([global_random_seed, fit]))
        said = fit_and_answer(estimator, problem)
        assert said == "answered" or said.startswith(REFUSALS), (fit, said)


@every_estimator
def test_weights_near_the_limits_are_answered(estimator: Any) -> None:
    X = np.column_stack([ROWS, ROWS % 4, np.where(ROWS % 5, ROWS, np.nan)])
    for weights in (
        np.full(20, 1e-150),
        np.full(20, 4e148),
        np.where(ROWS == 7, 1e-14, 1.0),
        np.where(ROWS == 7, 1e15, 1.0),
        np.full(20, 1 / 150),
    ):
        assert answer(estimator, X, weights=weights) == "answered"


@every_estimator
@pytest.mark.parametrize("weight", [1e308, 1e200, DENORMAL, 1e-300])
def test_weights_beyond_the_limits_are_refused(estimator: Any, weight: float) -> None:
    said = answer(estimator, ROWS[:, np.newaxis], weights=np.full(20, weight))
    assert said.startswith(REFUSALS)


@every_estimator
def test_weights_that_would_be_lost_in_their_sum_are_refused(estimator: Any) -> None:
    weights = np.where(ROWS == 7, 1e-17, 1.0)
    said = answer(estimator, ROWS[:, np.newaxis], weights=weights)
    assert "lost in it" in said


@every_estimator
@pytest.mark.parametrize("number", NUMBERS)
def test_column_of_one_hard_number_is_answered(estimator: Any, number: float) -> None:
    X = np.column_stack([np.full(20, number), np.where(ROWS < 8, number, -number)])
    assert answer(estimator, X) == "answered"


@every_estimator
def test_nothing_but_missing_values_is_answered(estimator: Any) -> None:
    assert answer(estimator, np.full((20, 2), np.nan)) == "answered"


@every_estimator
def test_one_class_and_one_row_are_answered(estimator: Any) -> None:
    X = ROWS[:, np.newaxis].astype(float)
    assert answer(estimator, X, np.zeros(20, dtype=int)) == "answered"
    assert answer(estimator, X[:1], np.zeros(1, dtype=int)) == "answered"


@every_estimator
def test_infinite_numbers_are_refused(estimator: Any) -> None:
    for infinite in (np.inf, -np.inf):
        X = np.where(ROWS == 3, infinite, ROWS)[:, np.newaxis]
        assert "infinity" in answer(estimator, X)
