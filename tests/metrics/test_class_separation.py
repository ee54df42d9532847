"""Mahalanobis distances, worked by hand."""

import numpy as np
import pytest

from dissensus.metrics import class_separation

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])


def test_distance_between_two_squares_worked_by_hand() -> None:
    # Each coordinate has variance 4/3 in both, no covariance; the means are (4, 0)
    # apart: 16 / (4/3) = 12.
    X = np.vstack([SQUARE, SQUARE + np.array([4.0, 0.0])])
    found = class_separation(X, ["a"] * 4 + ["b"] * 4)
    assert found.between == pytest.approx(np.array([[0.0, 12.0], [12.0, 0.0]]))
    # (1 + 1) / (4/3) for each corner.
    assert found.within == pytest.approx(np.array([1.5, 1.5]))
    assert found.classes.tolist() == ["a", "b"]
    assert (found.mean_within, found.mean_between) == pytest.approx((1.5, 12.0))


def test_pooled_covariance_weights_classes_by_their_degrees_of_freedom() -> None:
    # Variances 2 (two examples) and 1 (three): (1 * 2 + 2 * 1) / 3 = 4/3; gap 10.
    found = class_separation([[0], [2], [10], [11], [12]], [0, 0, 1, 1, 1])
    assert found.between[0, 1] == pytest.approx(100 / (4 / 3))


def test_distances_do_not_depend_on_the_units(rng: np.random.Generator) -> None:
    X, y = rng.normal(size=(30, 3)), np.repeat([0, 1, 2], 10)
    mixed = X @ rng.normal(size=(3, 3)) + 5.0
    assert class_separation(X, y).between == pytest.approx(
        class_separation(mixed, y).between
    )


def test_within_class_distance_counts_the_rank(rng: np.random.Generator) -> None:
    X = rng.normal(size=(20, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.ones(20)])
    found = class_separation(X, np.zeros(20))
    assert found.within == pytest.approx(np.array([3 * 19 / 20]))


def test_directions_in_which_nothing_varies_do_not_count() -> None:
    X = np.array([[0.0, 7.0], [2.0, 7.0], [10.0, 9.0], [12.0, 9.0]])
    assert class_separation(X, [0, 0, 1, 1]).between[0, 1] == pytest.approx(50.0)


def test_a_class_of_one_example_has_no_distance_within() -> None:
    found = class_separation([[0.0], [2.0], [9.0]], [0, 0, 1])
    assert np.isnan(found.within[1])
    assert found.between[0, 1] == pytest.approx(64 / 2)
    assert found.mean_within == 0.5


def test_classes_of_one_example_each_have_no_distance_at_all() -> None:
    found = class_separation([[0.0], [1.0]], [0, 1])
    assert np.isnan(found.between[0, 1])
    assert np.isnan(found.mean_between)
    assert np.isnan(found.mean_within)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_inputs_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        class_separation([[0.0], [bad]], [0, 1])
