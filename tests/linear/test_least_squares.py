"""LeastSquaresClassifier: its formula, its corners and Weka's outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from dissensus.linear import LeastSquaresClassifier
from dissensus.table import Table
from tests.linear.test_discriminant import draw_rows
from tests.oracles import (
    DATA_SETS,
    PARTS,
    assert_close,
    load_oracle,
    needs_oracles,
)
from tests.reference.linear import filled, least_squares

# Weka's regressions have a ridge, and it stops at another precision.
WEKA_TOLERANCE = 1e-6
# The data sets of numbers only, save segment, whose inputs almost depend on each other.
NUMERIC_DATA_SETS = ("balance-scale", "breast-w", "glass", "iris", "vehicle")


@needs_oracles
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", NUMERIC_DATA_SETS)
def test_distributions_equal_those_of_weka(name: str, part: str) -> None:
    oracle = load_oracle(name)
    X, y = oracle.train(part)
    model = LeastSquaresClassifier().fit(X, y)
    expected = oracle.result("mlr", part)
    proba = model.predict_proba(oracle.test(part))
    assert_close(proba, expected["dist"], "distributions", WEKA_TOLERANCE)


@needs_oracles
def test_the_list_of_data_sets_is_complete() -> None:
    schemes = {name: load_oracle(name).content["schemes"] for name in DATA_SETS}
    assert tuple(n for n in DATA_SETS if "mlr" in schemes[n]) == NUMERIC_DATA_SETS


@pytest.mark.parametrize("draw", range(8))
def test_probabilities_equal_those_of_the_reference(
    global_random_seed: int, draw: int
) -> None:
    X, y, weight = draw_rows(np.random.default_rng([global_random_seed, draw]))
    whole = filled(X.tolist(), weight.tolist())
    expected = least_squares(whole, y.tolist(), weight.tolist(), whole)
    model = LeastSquaresClassifier().fit(X, y, weight)
    assert_allclose(model.predict_proba(X), expected, atol=1e-9, rtol=0)


def test_repeated_and_constant_columns_change_nothing() -> None:
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([X, X[:, 1] * 3 - 1, np.full(150, 0.1)])
    expected = LeastSquaresClassifier().fit(X, y).predict_proba(X)
    model = LeastSquaresClassifier().fit(more, y)
    assert_array_equal(model.coef_[:, 5], 0.0)
    assert_allclose(model.predict_proba(more), expected, atol=1e-9)


def test_a_row_has_the_same_bits_alone_and_in_a_batch(rng: Any) -> None:
    y = rng.integers(0, 9, 101)
    X = rng.normal(size=(101, 23)) + y[:, np.newaxis] / 5
    model = LeastSquaresClassifier().fit(X, y)
    alone = np.concatenate([model.predict_proba(row[np.newaxis]) for row in X])
    assert_array_equal(alone, model.predict_proba(X))


def test_one_class_is_certain_and_one_row_is_enough() -> None:
    assert LeastSquaresClassifier().fit([[1.0]], [3]).predict([[2.0]]).tolist() == [3]
    model = LeastSquaresClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]


def test_without_numeric_attributes_the_answer_is_the_priors() -> None:
    X = np.array([["red"], ["blue"], ["red"], ["red"]], dtype=object)
    model = LeastSquaresClassifier().fit(X, [0, 1, 1, 1])
    assert_allclose(model.predict_proba(X), [[0.25, 0.75]] * 4)


def test_classes_without_rows_are_impossible() -> None:
    X, y = load_iris(return_X_y=True)
    table, codes = Table.from_any(X), (2 * y).astype(np.int32)
    model = LeastSquaresClassifier()._fit_table(table, codes, 6)
    assert_array_equal(model._proba_table(table)[:, [1, 3, 5]], 0.0)
