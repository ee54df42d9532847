"""C45Classifier: the fitted tree, ways through it, and what a leaf answers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris

from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.tree.fitted import plain_arrays

COLOUR = ["red"] * 4 + ["blue"] * 4
LENGTH = [1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0]
Y = np.array([0, 0, 1, 1, 1, 1, 1, 1])
KIND = pd.CategoricalDtype(["x", "y", "z"])


def rows(colour: Any, length: Any) -> Any:
    labels = pd.Categorical(colour, categories=["red", "blue"])
    return pd.DataFrame({"colour": labels, "length": length})


def two_levels(**parameters: Any) -> C45Classifier:
    """Grow a tree where colour decides, and among the red ones the length.

    colour = red           [2, 2]
    |   length <= 1        [2, 0]
    |   length > 1         [0, 2]
    colour = blue          [0, 4]
    """
    return C45Classifier(prune=False, **parameters).fit(rows(COLOUR, LENGTH), Y)


def one_test(**parameters: Any) -> C45Classifier:
    """Grow a tree of one test, of an attribute that declares a value no row has.

    kind = x               [3, 1]
    kind = y               [0, 4]
    kind = z               empty
    """
    X = pd.DataFrame({"kind": pd.Series(list("xxxxyyyy"), dtype=KIND)})
    model = C45Classifier(prune=False, **parameters)
    return model.fit(X, [0, 0, 0, 1, 1, 1, 1, 1])


def asked(model: C45Classifier, *values: str | None) -> Any:
    X = pd.DataFrame({"kind": pd.Series(values, dtype=KIND)})
    return model.predict_proba(X)


# The tree


def test_nodes_are_numbered_level_by_level() -> None:
    tree = two_levels().tree_
    assert_array_equal(tree.attribute, [0, 1, -1, -1, -1])
    assert_array_equal(tree.kind, [2, 1, 0, 0, 0])
    assert_array_equal(tree.threshold, [np.nan, 1.0, np.nan, np.nan, np.nan])
    assert_array_equal(tree.first_child, [1, 3, -1, -1, -1])
    assert_array_equal(tree.n_children, [2, 2, 0, 0, 0])
    assert_array_equal(tree.parent, [-1, 0, 0, 1, 1])
    assert_array_equal(tree.value, [[2, 6], [2, 2], [0, 4], [2, 0], [0, 2]])
    assert_array_equal(tree.branch_weight, [8, 4, 4, 2, 2])
    assert not tree.empty.any()


def test_leaves_and_depth_are_counted() -> None:
    model = two_levels()
    assert (model.n_leaves_, model.max_depth_) == (3, 2)
    assert (one_test().n_leaves_, one_test().max_depth_) == (3, 1)


def test_rows_are_sent_to_their_leaves() -> None:
    model = two_levels()
    X = rows(["red", "red", "blue", "red"], [0.0, 1.5, 9.0, 1.0])
    assert_array_equal(model.apply(X), [3, 4, 2, 3])


def test_a_row_with_a_missing_value_goes_on_along_the_heaviest_branch() -> None:
    weight = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    X = pd.DataFrame({"colour": [None, "red", "mauve"], "length": [1.0, np.nan, 2.0]})
    for smoothing in ("none", "path"):
        model = C45Classifier(prune=False, smoothing=smoothing)
        model.fit(rows(COLOUR, LENGTH), Y, sample_weight=weight)
        assert_array_equal(model.apply(X), [2, 3, 2])


def test_the_path_of_a_row_is_every_node_on_its_way() -> None:
    path = two_levels().decision_path(rows(["blue", "red"], [1.0, 5.0]))
    assert path.shape == (2, 5)
    assert_array_equal(path.toarray(), [[1, 0, 1, 0, 0], [1, 1, 0, 0, 1]])


def test_importance_is_the_share_of_the_bits_gained() -> None:
    root = -8 * (0.25 * np.log2(0.25) + 0.75 * np.log2(0.75))
    expected = [(root - 4) / root, 4 / root]
    assert two_levels().feature_importances_ == pytest.approx(expected, rel=1e-12)


def test_importances_of_a_tree_without_a_test_are_zero() -> None:
    model = C45Classifier().fit([[1.0, 2.0], [1.0, 2.0]], [0, 1])
    assert_array_equal(model.feature_importances_, [0.0, 0.0])


def test_importances_of_iris_add_up_to_one() -> None:
    X, y = load_iris(return_X_y=True)
    importances = C45Classifier().fit(X, y).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert importances.argmax() in (2, 3)  # the petals


def test_a_pickled_tree_is_the_same_tree() -> None:
    model = two_levels(smoothing="laplace")
    again = pickle.loads(pickle.dumps(model))
    found = plain_arrays(again.tree_)
    for name, expected in plain_arrays(model.tree_).items():
        assert np.asarray(found[name]).dtype == np.asarray(expected).dtype
        assert_array_equal(found[name], expected)
    X = rows(["red", None], [np.nan, 1.0])
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_a_fitted_tree_holds_nothing_compiled() -> None:
    model = two_levels()
    for part in plain_arrays(model.tree_).values():
        assert type(part) in (np.ndarray, int)


def test_a_clone_is_not_fitted() -> None:
    copy = clone(two_levels(confidence=0.1))
    assert copy.confidence == 0.1
    assert not hasattr(copy, "tree_")


def test_the_fitted_tree_stays_when_the_training_set_is_changed() -> None:
    X = np.array([[1.0], [1.0], [2.0], [2.0]])
    model = C45Classifier().fit(X, [0, 0, 1, 1])
    X[:] = 0.0
    assert_array_equal(model.predict([[1.0], [2.0]]), [0, 1])


# What leaves answer


def test_frequencies_are_those_of_the_leaf() -> None:
    found = asked(one_test(), "x", "y", "z", None)
    shared = [4 / 8 * 3 / 4, 4 / 8 * 1 / 4 + 4 / 8]
    assert_allclose(found, [[3 / 4, 1 / 4], [0.0, 1.0], [3 / 8, 5 / 8], shared])


def test_laplace_adds_a_row_of_each_class() -> None:
    found = asked(one_test(smoothing="laplace"), "x", "y", "z", None)
    shared = [(4 / 6 + 1 / 6) / 2, (2 / 6 + 5 / 6) / 2]
    assert_allclose(found, [[4 / 6, 2 / 6], [1 / 6, 5 / 6], [4 / 10, 6 / 10], shared])


def test_path_smoothing_updates_the_distribution_of_the_root() -> None:
    # Root [3/8, 5/8]. P(x | class) = (3+1)/(3+3), (1+1)/(5+3): products 1/4 and 5/32.
    # P(y | class) = (0+1)/(3+3), (4+1)/(5+3): products 4/64 and 25/64.
    found = asked(one_test(smoothing="path"), "x", "y", "z", None)
    root = [3 / 8, 5 / 8]
    assert_allclose(found, [[8 / 13, 5 / 13], [4 / 29, 25 / 29], root, root])


def test_path_smoothing_goes_on_from_level_to_level() -> None:
    # Root [1/4, 3/4]; red [2/5, 3/5] by factors (2+1)/(2+2) and (2+1)/(6+2);
    # below red factors 3/4 and 1/4, or 1/4 and 3/4; blue by factors 1/4 and 5/8.
    model = two_levels(smoothing="path")
    X = rows(["red", "red", "blue"], [1.0, 2.0, 1.0])
    expected = [[2 / 3, 1 / 3], [2 / 11, 9 / 11], [2 / 17, 15 / 17]]
    assert_allclose(model.predict_proba(X), expected)
    assert_array_equal(model.predict(X), [0, 1, 1])


def test_under_path_smoothing_a_missing_value_ends_the_walk() -> None:
    model = two_levels(smoothing="path")
    X = rows(["red", None, "blue"], [np.nan, 1.0, np.nan])
    expected = [[2 / 5, 3 / 5], [1 / 4, 3 / 4], [2 / 17, 15 / 17]]
    assert_allclose(model.predict_proba(X), expected)
    assert_array_equal(model.predict(X), [1, 1, 1])


def test_without_smoothing_a_missing_value_goes_everywhere() -> None:
    X = rows([None, None, "red"], [1.0, np.nan, np.nan])
    expected = [[1 / 2, 1 / 2], [1 / 4, 3 / 4], [1 / 2, 1 / 2]]
    assert_allclose(two_levels().predict_proba(X), expected)


def test_smoothing_does_not_change_the_tree() -> None:
    expected = two_levels().tree_
    for smoothing in ("laplace", "path"):
        assert_array_equal(two_levels(smoothing=smoothing).tree_.value, expected.value)


def test_of_equal_classes_the_first_is_predicted() -> None:
    model = C45Classifier().fit([[0.0]] * 4, ["b", "a", "b", "a"])
    assert model.predict([[0.0]]) == ["a"]


def test_a_class_must_be_clearly_more_probable_than_an_earlier_one() -> None:
    model = C45Classifier()
    for lead, expected in ((1e-7, 0), (1e-5, 1)):
        model.fit([[0.0]] * 2, [0, 1], sample_weight=[1.0, 1.0 + lead])
        proba = model.predict_proba([[0.0]])[0]
        assert proba[1] > proba[0]
        assert model.predict([[0.0]]) == [expected]


# The inner door


def test_without_an_attribute_the_answer_is_the_prior() -> None:
    table = Table.from_any([[1.0]] * 4).drop(0)
    codes = np.array([2, 0, 2, 2], dtype=np.int32)
    expected = {
        "none": [1 / 4, 0, 3 / 4],
        "laplace": [2 / 7, 1 / 7, 4 / 7],
        "path": [1 / 4, 0, 3 / 4],
    }
    for smoothing, prior in expected.items():
        model = C45Classifier(smoothing=smoothing)._fit_table(table, codes, 3, None)
        assert_allclose(model._proba_table(table), [prior] * 4)


def test_classes_without_a_row_get_a_column_too() -> None:
    # As J48 does, growing counts these classes: a split needs a tenth of the rows
    # divided by the number of classes on both sides.
    table = Table.from_any(np.repeat([[1.0], [2.0]], 4, axis=0))
    codes = np.repeat([1, 3], 4).astype(np.int32)
    model = C45Classifier()._fit_table(table, codes, 5, None)
    assert model.n_leaves_ == 2
    assert_allclose(model._proba_table(table)[[0, 7]], np.eye(5)[[1, 3]])
    laplace = C45Classifier(smoothing="laplace")._fit_table(table, codes, 5, None)
    expected = np.array([1.0, 5.0, 1.0, 1.0, 1.0]) / 9
    assert_allclose(laplace._proba_table(table)[0], expected)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("confidence", 0.0),
        ("confidence", 1.0),
        ("min_samples_leaf", 0),
        ("smoothing", "m-estimate"),
        ("prune", "yes"),
        ("categorical_features", 3),
    ],
)
def test_parameters_out_of_range_are_refused(parameter: str, value: Any) -> None:
    model = C45Classifier(**{parameter: value})
    with pytest.raises(ValueError, match=f"'{parameter}' parameter of C45Classifier"):
        model.fit([[1.0], [2.0]], [0, 1])
