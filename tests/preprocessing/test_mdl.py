"""MDLDiscretizer: what it cuts and what it leaves alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from dissensus.preprocessing import MDLDiscretizer
from dissensus.table import Table

STEP = np.repeat([0, 1], 10)


def cuts_of(values: Any, y: Any = STEP, **parameters: Any) -> list[float]:
    """Return the cut points of one column."""
    X = np.asarray(values, dtype=float)[:, np.newaxis]
    (cuts,) = MDLDiscretizer(**parameters).fit(X, y).cut_points_
    assert cuts is not None
    assert cuts.dtype == np.float64
    return [float(cut) for cut in cuts]


def test_a_clean_step_is_cut_in_the_middle() -> None:
    assert cuts_of(np.arange(20)) == [9.5]


def test_a_value_on_the_cut_belongs_to_the_lower_interval() -> None:
    X = np.arange(20.0)[:, np.newaxis]
    discretizer = MDLDiscretizer().fit(X, STEP)
    assert discretizer.transform([[9.5], [9.6]]).tolist() == [[0], [1]]


def test_missing_values_count_nowhere_and_stay_missing() -> None:
    known = np.arange(20.0)
    values = np.concatenate([known, np.full(30, np.nan)])
    y = np.concatenate([STEP, np.arange(30) % 2])
    X = values[:, np.newaxis]
    discretizer = MDLDiscretizer().fit(X, y)
    assert cuts_of(values, y) == cuts_of(known)
    assert np.isnan(discretizer.transform(X)[20:]).all()


@pytest.mark.parametrize(
    ("values", "y"),
    [
        (np.arange(20), np.zeros(20)),  # one class
        (np.ones(20), STEP),  # one value
        (np.full(20, np.nan), STEP),  # no value
        ([5.0], [1]),  # one row
        (np.arange(20), np.arange(20) % 2),  # no pattern
    ],
)
def test_a_column_that_tells_nothing_is_one_interval(values: Any, y: Any) -> None:
    for criterion in ("fayyad-irani", "kononenko"):
        assert cuts_of(values, y, criterion=criterion) == []


def test_one_interval_is_called_all() -> None:
    X = np.array([[1.0], [1.0], [np.nan]])
    discretizer = MDLDiscretizer().fit(X, [0, 1, 1])
    assert discretizer.schema_out_[0].categories == ("All",)
    assert discretizer.transform(X)[:2].tolist() == [[0], [0]]


def test_rows_of_weight_zero_are_as_if_absent() -> None:
    X, y = load_iris(return_X_y=True)
    weight = (np.arange(150) % 3 > 0).astype(float)
    weighted = MDLDiscretizer().fit(X, y, weight)
    shorter = MDLDiscretizer().fit(X[weight > 0], y[weight > 0])
    for left, right in zip(weighted.cut_points_, shorter.cut_points_, strict=True):
        np.testing.assert_array_equal(left, right)


def test_all_weights_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="zero"):
        MDLDiscretizer().fit([[1.0], [2.0]], [0, 1], [0, 0])


def test_efficient_encoding_cuts_where_few_places_make_a_cut_cheap() -> None:
    values, y = np.repeat([0.0, 1.0], 6), [1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert cuts_of(values, y) == []
    assert cuts_of(values, y, efficient_encoding=True) == [0.5]


def test_neighbouring_numbers_are_cut_between_them() -> None:
    low = np.nextafter(1.0, 2.0)
    high = np.nextafter(low, 2.0)  # the midpoint of the two rounds to `high`
    X = np.repeat([low, high], 10)[:, np.newaxis]
    codes = MDLDiscretizer().fit(X, STEP).transform(X)
    assert codes.ravel().tolist() == STEP.tolist()


def test_huge_numbers_are_cut_between_them() -> None:
    X = np.repeat([1.0e308, 1.7e308], 10)[:, np.newaxis]
    codes = MDLDiscretizer().fit(X, STEP).transform(X)
    assert codes.ravel().tolist() == STEP.tolist()


def test_names_of_intervals_hide_rounding_errors() -> None:
    X = np.repeat([0.1, 0.2], 10)[:, np.newaxis]
    labels = MDLDiscretizer().fit(X, STEP).schema_out_[0].categories
    assert labels == ("(-inf, 0.15]", "(0.15, inf)")


def test_names_of_intervals_differ_however_close_the_cuts_are() -> None:
    values = [1.0]
    for _ in range(29):
        values.append(float(np.nextafter(values[-1], 2.0)))
    X = np.repeat(values, 20)[:, np.newaxis]
    y = np.repeat(np.arange(15), 40)
    labels = MDLDiscretizer().fit(X, y).schema_out_[0].categories
    assert len(set(labels)) == len(labels) == 15


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [3, 7], [1.0, 2.0]])
def test_classes_of_any_type_give_the_same_cuts(labels: list[Any]) -> None:
    y = np.array(labels)[STEP]
    assert cuts_of(np.arange(20), y) == [9.5]
    assert cuts_of(np.arange(20), y.tolist()) == [9.5]
    assert cuts_of(np.arange(20), pd.Series(y)) == [9.5]


def test_target_must_be_given_and_nominal() -> None:
    X = np.arange(20.0)[:, np.newaxis]
    with pytest.raises(ValueError, match="requires y"):
        MDLDiscretizer().fit(X, None)
    with pytest.raises(ValueError, match="continuous"):
        MDLDiscretizer().fit(X, X.ravel() + 0.5)
    with pytest.raises(ValueError, match="inconsistent"):
        MDLDiscretizer().fit(X, STEP[:5])


def test_inner_door_does_what_the_public_one_does() -> None:
    X, y = load_iris(return_X_y=True)
    table = Table.from_any(X)
    public = MDLDiscretizer("kononenko").fit(X, y)
    inner = clone(public)._fit_table(table, y, 3, None)
    for left, right in zip(public.cut_points_, inner.cut_points_, strict=True):
        np.testing.assert_array_equal(left, right)
    changed = inner._transform_table(table)
    assert changed.schema == inner.schema_out_ == public.schema_out_
    np.testing.assert_array_equal(changed.nominal, public.transform(X))


# Weka 3.6.14 gave these. In exact arithmetic both sides of each decision are equal.
@pytest.mark.parametrize(
    ("y", "criterion", "expected"),
    [
        # Cuts at 5.5 and at 6.5 leave the same entropy.
        ([0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2, 0, 0], "fayyad-irani", [6.5, 10.5]),
        # A cut in the middle saves as many bits as it costs.
        ([0, 0, 1], "kononenko", [1.5]),
        ([1, 0, 0, 0, 2, 2, 2, 1], "kononenko", []),
    ],
)
def test_exact_ties_fall_as_in_weka(
    y: list[int], criterion: str, expected: list[float]
) -> None:
    assert cuts_of(np.arange(len(y)), y, criterion=criterion) == expected
