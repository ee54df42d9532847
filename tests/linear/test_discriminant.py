"""DiscriminantClassifier: its formula, its corners and its bits."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dissensus.linear import DiscriminantClassifier
from dissensus.table import Table
from tests.reference.linear import discriminant, filled

Floats = NDArray[np.float64]


def fitted(X: Any, y: Any, **parameters: Any) -> Any:
    return DiscriminantClassifier(**parameters).fit(X, y)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_probabilities_equal_those_of_scikit_learn(load: Any) -> None:
    X, y = load(return_X_y=True)
    peer = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    proba = fitted(X, y).predict_proba(X)
    assert_allclose(proba, peer.predict_proba(X), atol=1e-9, rtol=0)


def draw_rows(rng: np.random.Generator) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Draw rows with ties, missing values, an unequal scale and odd weights."""
    n = int(rng.integers(25, 50))
    y = rng.integers(0, 3, n)
    y[:3] = [0, 1, 2]
    X = np.column_stack(
        [
            rng.integers(0, 5, n) + y,
            rng.normal(size=n).round(2) * 1000 - 400 * y,
            rng.normal(size=n).round(3) / 1000,
        ]
    )
    X[rng.random(X.shape) < 0.1] = np.nan
    weight = rng.choice([0.25, 1.0, 1.0, 2.5], n)
    return X, y, weight


@pytest.mark.parametrize("draw", range(8))
def test_probabilities_equal_those_of_the_reference(
    global_random_seed: int, draw: int
) -> None:
    X, y, weight = draw_rows(np.random.default_rng([global_random_seed, draw]))
    whole = filled(X.tolist(), weight.tolist())
    expected = discriminant(whole, y.tolist(), weight.tolist(), whole)
    model = DiscriminantClassifier().fit(X, y, weight)
    assert_allclose(model.predict_proba(X), expected, atol=1e-9, rtol=0)


def test_hyperplanes_are_the_logarithms_of_the_probabilities() -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(X, y)
    heights = X @ model.coef_.T + model.intercept_
    logs = np.log(model.predict_proba(X))
    assert_allclose(heights - heights[:, :1], logs - logs[:, :1], atol=1e-8, rtol=0)


# The bits of a row


def test_a_row_has_the_same_bits_alone_and_in_any_batch(
    rng: np.random.Generator,
) -> None:
    n, width = 203, 37
    y = rng.integers(0, 9, n)
    X = rng.normal(size=(n, width)) + y[:, np.newaxis] / 5
    X[rng.random(X.shape) < 0.05] = np.nan
    model = fitted(X, y)
    whole = model.predict_proba(X)
    alone = np.concatenate([model.predict_proba(row[np.newaxis]) for row in X])
    assert_array_equal(alone, whole)
    for start, size in ((0, 2), (1, 7), (3, 64), (5, 129)):
        part = model.predict_proba(X[start : start + size])
        assert_array_equal(part, whole[start : start + size])
    shuffled = rng.permutation(n)
    assert_array_equal(model.predict_proba(X[shuffled]), whole[shuffled])
    strided = np.repeat(X, 2, axis=0)[::2]
    assert_array_equal(model.predict_proba(strided), whole)


def test_columns_of_any_layout_give_the_same_bits(rng: np.random.Generator) -> None:
    X, y = load_wine(return_X_y=True)
    matrix = Table.from_matrix(np.ascontiguousarray(X))
    frame = Table.from_any(pd.DataFrame(X))
    model = fitted(X, y)
    assert frame.matrix is None
    assert_array_equal(model._proba_table(frame), model._proba_table(matrix))
    assert_array_equal(model._proba_table(frame), model.predict_proba(X))


# What is left out


def test_repeated_columns_change_nothing() -> None:
    X, y = load_iris(return_X_y=True)
    twice = np.column_stack([X, X[:, 1] * 3 - 1, X[:, 0] + X[:, 2]])
    expected = fitted(X, y).predict_proba(X)
    assert_allclose(fitted(twice, y).predict_proba(twice), expected, atol=1e-9)


def test_units_of_measurement_do_not_matter() -> None:
    X, y = load_iris(return_X_y=True)
    scaled = X * np.array([1e-120, 1.0, 1e9, 1e150]) + np.array([0, 5, 0, 0])
    expected = fitted(X, y).predict_proba(X)
    assert_allclose(fitted(scaled, y).predict_proba(scaled), expected, atol=1e-9)


def test_a_large_tolerance_leaves_fewer_directions() -> None:
    X, y = load_iris(return_X_y=True)
    ranks = [
        np.linalg.matrix_rank(fitted(X, y, tolerance=t).coef_ * X.std(axis=0), tol=1e-6)
        for t in (1e-8, 0.9)
    ]
    assert ranks == [2, 1]  # three classes differ in two directions


@pytest.mark.parametrize("value", [0.0, 0.1, -1 / 3, 1e12])
def test_a_constant_column_has_no_weight(value: float) -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(np.column_stack([X, np.full(150, value)]), y)
    assert_array_equal(model.coef_[:, 4], 0.0)
    assert_array_equal(model.coef_[:, :4], fitted(X, y).coef_)


def test_a_column_constant_inside_each_class_has_no_weight() -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(np.column_stack([X, np.array([0.1, 0.7, 1 / 3])[y]]), y)
    assert_array_equal(model.coef_[:, 4], 0.0)


def test_without_numeric_attributes_the_answer_is_the_priors() -> None:
    X = pd.DataFrame({"colour": pd.Categorical(["red", "blue", "red", None])})
    model = DiscriminantClassifier().fit(X, ["a", "b", "b", "b"], [1, 1, 1, 2])
    assert model.coef_.shape == (2, 0)
    assert_allclose(model.predict_proba(X), [[0.2, 0.8]] * 4)


def test_one_hot_columns_are_weighed_where_asked_for() -> None:
    colours = pd.Categorical(["red", "blue", "red", None, "blue", "red"])
    X = pd.DataFrame({"colour": colours, "size": [1.0, 2.0, 1.5, 2.0, 3.0, 2.5]})
    y = [0, 1, 0, 1, 1, 1]
    assert fitted(X, y).inputs_ == ("size",)
    model = fitted(X, y, encode="onehot")
    assert model.inputs_ == ("colour=blue", "colour=red", "size")
    red = (colours == "red").astype(float)
    red[3] = np.nan
    by_hand = fitted(np.column_stack([1 - red, red, X["size"]]), y)
    assert_array_equal(
        model.predict_proba(X),
        by_hand.predict_proba(np.column_stack([1 - red, red, X["size"]])),
    )


def test_what_hardly_varies_inside_the_classes_gets_no_weight() -> None:
    """As the probability of a class that another discriminant is quite sure of."""
    X, y = load_iris(return_X_y=True)
    sure = (y == 0) + 1e-9 * np.sin(np.arange(len(y)))
    expected = fitted(X, y).predict_proba(X)
    wide = np.column_stack([X, sure])
    assert_allclose(fitted(wide, y).predict_proba(wide), expected, atol=1e-6, rtol=0)


def test_numbers_of_values_are_weighed_where_asked_for() -> None:
    values = ["small", "medium", "large"]
    sizes = ["large", "small", "medium", None, "large", "small"]
    X = pd.DataFrame(
        {"size": pd.Categorical(sizes, values), "age": [1.0, 2.0, 1.5, 2.0, 3.0, 2.5]}
    )
    y = [0, 1, 0, 1, 1, 1]
    model = fitted(X, y, encode="ordinal")
    assert model.inputs_ == ("size", "age")
    numbers = np.column_stack([[2, 0, 1, np.nan, 2, 0], X["age"]])
    expected = fitted(numbers, y).predict_proba(numbers)
    assert_array_equal(model.predict_proba(X), expected)
    unseen = pd.DataFrame({"size": ["huge"], "age": [2.0]})
    mean = fitted(numbers, y).predict_proba([[np.nan, 2.0]])
    assert_array_equal(model.predict_proba(unseen), mean)


def test_a_missing_value_counts_as_the_mean_of_its_column() -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(X, y)
    assert_allclose(model.means_, X.mean(axis=0), rtol=1e-14)
    rows = X[[0, 80]].copy()
    rows[:, 2] = np.nan
    instead = rows.copy()
    instead[:, 2] = model.means_[2]
    assert_array_equal(model.predict_proba(rows), model.predict_proba(instead))


# Corners


def test_one_class_is_certain() -> None:
    model = fitted([[1.0], [2.0], [3.0]], ["only"] * 3)
    assert model.predict_proba([[5.0], [np.nan]]).tolist() == [[1.0], [1.0]]


def test_one_row_is_enough() -> None:
    assert fitted([[1.0, 2.0]], [7]).predict([[0.0, 0.0]]).tolist() == [7]


def test_one_row_per_class_gives_the_priors() -> None:
    model = fitted([[0.0], [9.0]], [0, 1])
    assert model.predict_proba([[0.0], [9.0]]).tolist() == [[0.5, 0.5]] * 2


def test_a_column_without_any_value_has_no_weight() -> None:
    X = np.column_stack([np.full(4, np.nan), [0.0, 1.0, 3.0, 4.5]])
    model = fitted(X, [0, 0, 1, 1])
    assert_array_equal(model.coef_[:, 0], 0.0)
    assert model.predict([[np.nan, 0.0], [5.0, 4.0]]).tolist() == [0, 1]


def test_the_scale_of_the_weights_does_not_matter() -> None:
    X, y = load_iris(return_X_y=True)
    weight = 1.0 + np.arange(150) % 3
    expected = DiscriminantClassifier().fit(X, y, weight).predict_proba(X)
    for scale in (0.25, 1e-6, 1e6):
        model = DiscriminantClassifier().fit(X, y, weight * scale)
        assert_allclose(model.predict_proba(X), expected, atol=1e-11)


def test_classes_without_rows_are_impossible() -> None:
    X, y = load_iris(return_X_y=True)
    table, codes = Table.from_any(X), (2 * y).astype(np.int32)
    model = DiscriminantClassifier()._fit_table(table, codes, 6)
    proba = model._proba_table(table)
    assert_array_equal(proba[:, [1, 3, 5]], 0.0)
    # Two fits on matrices of other shapes: BLAS may add up in another order.
    expected = fitted(X, y).predict_proba(X)
    assert_allclose(proba[:, [0, 2, 4]], expected, rtol=1e-11, atol=1e-14)


def test_rows_far_from_all_classes_have_sharp_answers() -> None:
    X, y = load_iris(return_X_y=True)
    proba = fitted(X, y).predict_proba(X[:1] * 1e6)
    assert_array_equal(np.sort(proba), [[0.0, 0.0, 1.0]])


def test_a_pickled_model_answers_the_same() -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="'tolerance' parameter of Discriminant"):
        fitted([[1.0]], [0], tolerance=1.0)
    with pytest.raises(ValueError, match="'encode' parameter of Discriminant"):
        fitted([[1.0]], [0], encode="binary")
