"""C45Classifier where there is little, much or something odd to learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris

from dissensus.tree import C45Classifier
from tests.tree.fitted import plain_arrays

TWO = np.repeat([[1.0], [2.0]], 4, axis=0)
HALVES = np.repeat([0, 1], 4)


def grown(X: Any, y: Any, weight: Any = None, **parameters: Any) -> C45Classifier:
    return C45Classifier(**parameters).fit(X, y, sample_weight=weight)


# Labels


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype=object),
        np.array([False, True]),
        np.array([-7, 12], dtype=np.int8),
        np.array([0.0, 1.0]),
    ],
    ids=str,
)
def test_labels_come_back_as_they_were(labels: Any) -> None:
    model = grown(TWO, labels[HALVES])
    assert_array_equal(model.classes_, labels)
    found = model.predict([[1.0], [2.0]])
    assert found.dtype == labels.dtype
    assert_array_equal(found, labels)


@pytest.mark.parametrize("absent", [None, np.nan])
def test_a_missing_label_is_refused(absent: Any) -> None:
    y = np.array(["a", absent] * 4, dtype=object)
    with pytest.raises(ValueError, match=r"no label in row 1\.|contains NaN"):
        grown(TWO, y)


def test_labels_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(ValueError, match=r"several types: int, str\. Turn them all"):
        grown(TWO, np.array(["a", 1] * 4, dtype=object))


def test_numbers_with_fractions_are_no_labels() -> None:
    with pytest.raises(ValueError, match="continuous"):
        grown(TWO, np.linspace(0, 1, 8))


# Little to learn from


@pytest.mark.parametrize("smoothing", ["none", "laplace", "path"])
def test_one_row_is_enough(smoothing: str) -> None:
    model = grown([[1.0, np.nan]], ["only"], smoothing=smoothing)
    assert (model.n_leaves_, model.max_depth_) == (1, 0)
    assert_array_equal(model.predict([[9.0, 9.0], [np.nan, 9.0]]), ["only", "only"])
    assert_array_equal(model.predict_proba([[9.0, 9.0]]), [[1.0]])
    assert_array_equal(model.apply([[9.0, 9.0]]), [0])
    assert_array_equal(model.decision_path([[9.0, 9.0]]).toarray(), [[1]])


def test_one_class_gives_one_leaf() -> None:
    model = grown(np.arange(20.0).reshape(10, 2), ["a"] * 10)
    assert model.n_leaves_ == 1
    assert_array_equal(model.tree_.value, [[10.0]])


def test_constant_columns_are_never_tested() -> None:
    X = np.column_stack([np.full(8, 3.0), TWO[:, 0]])
    assert_array_equal(grown(X, HALVES).tree_.attribute, [1, -1, -1])
    assert grown(X[:, :1], HALVES).n_leaves_ == 1


def test_columns_without_a_value_are_never_tested() -> None:
    nothing = pd.Categorical([None] * 8, categories=["a", "b"])
    undeclared = pd.Categorical([None] * 8, categories=[])
    X = pd.DataFrame(
        {"n": np.full(8, np.nan), "c": nothing, "u": undeclared, "x": TWO[:, 0]}
    )
    for binary in (False, True):
        model = grown(X, HALVES, binary_splits=binary)
        assert_array_equal(model.tree_.attribute, [3, -1, -1])
        assert_array_equal(model.predict(X), HALVES)
        assert grown(X[["n", "c", "u"]], HALVES, binary_splits=binary).n_leaves_ == 1


def test_one_attribute_of_one_declared_value_is_never_tested() -> None:
    X = pd.DataFrame({"c": pd.Categorical(["a"] * 8)})
    assert grown(X, HALVES, min_samples_leaf=1, prune=False).n_leaves_ == 1


# Weights


def test_no_weights_are_weights_of_one() -> None:
    X, y = load_iris(return_X_y=True)
    expected = plain_arrays(grown(X, y).tree_)
    for weight in (np.ones(len(y)), [1] * len(y), 1.0):
        found = plain_arrays(grown(X, y, weight).tree_)
        for name, values in expected.items():
            assert_array_equal(found[name], values)


def test_rows_of_weight_zero_are_no_rows() -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.ones(len(y))
    weight[::3] = 0.0
    left = weight > 0
    found = plain_arrays(grown(X, y, weight).tree_)
    for name, expected in plain_arrays(grown(X[left], y[left]).tree_).items():
        assert_array_equal(found[name], expected)


def test_a_class_whose_rows_weigh_nothing_is_no_class() -> None:
    model = grown(TWO, [0, 0, 2, 2, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 1, 1])
    assert_array_equal(model.classes_, [0, 1])


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.zeros(8), "at least one non-zero"),
        (0.0, "at least one non-zero"),
        (np.full(8, -1.0), "[Nn]egative"),
        (np.full(8, np.nan), "NaN"),
        (np.ones(7), "shape"),
    ],
    ids=["zeros", "zero", "negative", "nan", "too few"],
)
def test_weights_without_meaning_are_refused(weight: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        grown(TWO, HALVES, weight)


def test_weights_below_the_tolerance_give_a_leaf() -> None:
    model = grown(TWO, HALVES, np.where(HALVES, 3e-9, 1e-9), min_samples_leaf=1)
    assert model.n_leaves_ == 1
    assert model.predict_proba([[1.0]])[0] == pytest.approx([0.25, 0.75])


def test_j48_counts_rows_where_a_numeric_attribute_is_split() -> None:
    # Three rows of weight 4 are less than two rows for each of two branches, so there
    # is no split; twelve rows are enough.
    X, y = np.array([[1.0], [1.0], [2.0]]), np.array([0, 0, 1])
    assert grown(X, y, np.full(3, 4.0)).n_leaves_ == 1
    assert grown(X.repeat(4, axis=0), y.repeat(4)).n_leaves_ == 2


# Much to learn from


def test_trees_may_be_thousands_of_levels_deep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It takes weights that are refused: the lightest is lost in their sum.
    monkeypatch.setattr("dissensus.base._inputs.check_weights", lambda weights: None)
    # The heaviest row is cut off again and again, until fewer than 50 rows are left:
    # J48 asks for two times min(25, a tenth of the weight per class) of them.
    n = 5000
    X, y = np.arange(n)[:, np.newaxis] * 1.0, np.arange(n) % 2
    weight = 1.1 ** np.arange(n)
    options = {"min_samples_leaf": 1, "mdl_correction": False}
    for prune in (False, True):
        model = grown(X, y, weight, prune=prune, subtree_raising=False, **options)
        assert model.max_depth_ == n - 49
        assert_array_equal(model.predict(X[49:]), y[49:])
        assert model.apply([[0.0]]) >= model.tree_.n_nodes - 2
        missing = model.predict_proba([[np.nan]])
        assert missing.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("n_values", "binary"),
    [
        *((n, binary) for n in (254, 255, 256, 300) for binary in (False, True)),
        (70_000, False),
    ],
)
def test_nominal_attributes_may_have_many_values(n_values: int, binary: bool) -> None:
    codes = np.repeat(np.arange(n_values), 2)
    X = pd.DataFrame({"id": pd.Categorical.from_codes(codes, np.arange(n_values) * 10)})
    y = codes % 2
    model = grown(X, y, binary_splits=binary, prune=False)
    assert_array_equal(model.predict(X), y)
    assert model.n_leaves_ >= n_values // 2
    unseen = model.predict_proba(pd.DataFrame({"id": [5, 15]}))
    assert unseen[:, 1] == pytest.approx(y.mean())


def test_there_may_be_hundreds_of_classes() -> None:
    X = np.arange(600.0)[:, np.newaxis]
    y = np.arange(600) // 2
    model = grown(X, y, min_samples_leaf=1, prune=False, mdl_correction=False)
    assert_array_equal(model.predict(X), y)


# Odd numbers


@pytest.mark.parametrize("actual", [True, False])
def test_numbers_near_the_largest_one_are_told_apart(actual: bool) -> None:
    largest = np.finfo(np.float64).max
    for low, high in ((0.6, 0.9), (-0.9, -0.6), (-1.0, 1.0), (0.0, 1.0)):
        X = np.repeat([[low * largest], [high * largest]], 4, axis=0)
        # As a list, for scikit-learn's check of an array adds up the numbers.
        model = grown(X.tolist(), HALVES, actual_thresholds=actual)
        assert_array_equal(model.predict(X.tolist()), HALVES)
        assert np.isfinite(model.tree_.threshold[0])


def test_neighbouring_large_numbers_are_told_apart() -> None:
    low = 2.0**60
    X = np.repeat([[low], [np.nextafter(low, np.inf)]], 4, axis=0)
    for actual in (True, False):
        model = grown(X, HALVES, actual_thresholds=actual)
        assert_array_equal(model.predict(X), HALVES)


def test_numbers_closer_than_the_smallest_gap_are_not() -> None:
    assert grown(TWO * 9e-6, HALVES).n_leaves_ == 1
    assert grown(TWO * 1.1e-5, HALVES).n_leaves_ == 2


def test_negative_zero_is_zero() -> None:
    X = np.array([[-0.0], [0.0], [-0.0], [0.0], [1.0], [1.0], [1.0], [1.0]])
    model = grown(X, HALVES)
    assert_array_equal(model.predict([[0.0], [-0.0], [1e-300]]), [0, 0, 1])
    assert str(model.tree_.threshold[0]) == "0.0"
    below = grown(-X[::-1], HALVES)
    assert_array_equal(below.predict([[0.0], [-0.0], [-1.0]]), [1, 1, 0])
    few = grown(X, HALVES, categorical_features=[0])
    assert few.schema_[0].n_values == 2


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="infinity"):
        grown([[1.0], [np.inf]], [0, 1])
    with pytest.raises(ValueError, match="infinity"):
        grown(TWO, HALVES).predict([[-np.inf]])


# Columns


def test_a_missing_column_is_named() -> None:
    X = pd.DataFrame({"length": TWO[:, 0], "width": 1.0})
    model = grown(X, HALVES)
    with pytest.raises(ValueError, match="'width' is missing"):
        model.predict(X[["length"]])
    with pytest.raises(ValueError, match=r"'length' is missing .*1 more"):
        model.predict(X.rename(columns=str.upper))


def test_columns_may_come_in_another_order_and_with_others() -> None:
    X = pd.DataFrame({"length": TWO[:, 0], "width": TWO[::-1, 0]})
    model = grown(X, HALVES)
    other = pd.DataFrame({"height": "?", "width": 0.0, "length": [1.0, 2.0]})
    assert_array_equal(model.predict(other), [0, 1])
    assert_array_equal(model.apply(other), [1, 2])


def test_numbers_of_columns_must_agree_without_names() -> None:
    with pytest.raises(ValueError, match=r"2 features, but .* expecting 1 feature"):
        grown(TWO, HALVES).predict([[1.0, 2.0]])
    labels = np.array([["a"], ["b"]] * 4, dtype=object)
    with pytest.raises(ValueError, match=r"2 features, but .* expecting 1 feature"):
        grown(labels, HALVES).predict([["a", "b"]])


def test_text_where_numbers_were_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'x0' was numeric .* the str 'tall'"):
        grown(TWO, HALVES).predict([["tall"]])
