"""MissingValueReplacer: means, most frequent labels, and columns without any."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from dissensus.preprocessing import MissingValueReplacer
from dissensus.table import Attribute, Column, Schema, Table
from tests.reference.fill import fill_value

NUMBERS = st.floats(-1e6, 1e6, width=32)


def any_known(values: list[Any]) -> bool:
    """Whether not all values are missing."""
    return any(value is not None for value in values)


def test_numbers_get_the_mean_and_labels_the_most_frequent_one() -> None:
    X = pd.DataFrame({"a": [1.0, None, 3.0, 5.0], "b": ["x", "y", "y", None]})
    replacer = MissingValueReplacer().fit(X)
    assert replacer.fill_values_ == [3.0, "y"]
    filled = replacer.transform(X)
    assert filled["a"].tolist() == [1.0, 3.0, 3.0, 5.0]
    assert filled["b"].tolist() == ["x", "y", "y", "y"]


@given(st.lists(NUMBERS | st.none(), min_size=1).filter(any_known))
def test_mean_equals_that_of_the_reference(values: list[float | None]) -> None:
    column = np.array(values, dtype=float)
    replacer = MissingValueReplacer().fit(column[:, np.newaxis])
    expected = fill_value(0, column)
    assert replacer.fill_values_ == [pytest.approx(expected, rel=1e-9, abs=1e-7)]


@given(st.lists(st.integers(0, 4) | st.none(), min_size=1).filter(any_known))
def test_mode_equals_that_of_the_reference(codes: list[int | None]) -> None:
    labels = pd.Categorical.from_codes(
        [-1 if code is None else code for code in codes], list("edcba")
    )
    replacer = MissingValueReplacer().fit(pd.DataFrame({"a": labels}))
    expected = int(fill_value(5, np.array(codes, dtype=float)))
    assert replacer.fill_values_ == ["edcba"[expected]]


def test_of_equally_frequent_labels_the_first_declared_wins() -> None:
    declared = pl.Enum(["c", "b", "a"])
    X = pl.DataFrame({"n": ["a", "b", None, "b", "a"]}, schema={"n": declared})
    assert MissingValueReplacer().fit(X).fill_values_ == ["b"]


def test_weights_count_in_means_and_modes() -> None:
    X = np.array([[1.0, "x"], [4.0, "y"], [None, "y"]], dtype=object)
    replacer = MissingValueReplacer().fit(X, sample_weight=[3, 1, 1])
    assert replacer.fill_values_ == [1.75, "x"]


def test_rows_of_weight_zero_are_as_if_absent() -> None:
    X = np.array([[1.0, "x"], [4.0, "y"], [100.0, "y"]], dtype=object)
    replacer = MissingValueReplacer().fit(X, sample_weight=[1, 0, 0])
    assert replacer.fill_values_ == [1.0, "x"]


def test_a_numeric_column_without_values_is_filled_with_zero() -> None:
    X = np.full((3, 2), np.nan)
    X[:, 1] = 2.0
    replacer = MissingValueReplacer()
    assert replacer.fit_transform(X).tolist() == [[0.0, 2.0]] * 3


def test_a_nominal_column_without_values_gets_the_first_declared_label() -> None:
    labels = pd.Categorical.from_codes([-1, -1], ["u", "v"])
    filled = MissingValueReplacer().fit_transform(pd.DataFrame({"a": labels}))
    assert filled["a"].tolist() == ["u", "u"]


def test_a_nominal_column_without_labels_stays_missing() -> None:
    column = Column(Attribute("a", "nominal"), np.array([-1, -1], dtype=np.int32))
    table = Table(Schema((column.attribute,)), (column,))
    replacer = MissingValueReplacer().fit(table)
    assert replacer.fill_values_ == [None]
    assert replacer.transform(table).nominal.ravel().tolist() == [-1, -1]


def test_labels_that_were_not_declared_are_replaced_too() -> None:
    X = np.array([["x"], ["x"], ["y"]], dtype=object)
    replacer = MissingValueReplacer().fit(X)
    assert replacer.transform([["z"], [None], ["y"]]).tolist() == [["x"], ["x"], ["y"]]


def test_numbers_declared_nominal_get_the_most_frequent_one() -> None:
    X = np.array([[1.0, 7.0], [2.0, 7.0], [6.0, 9.0], [np.nan, np.nan]])
    replacer = MissingValueReplacer(categorical_features=[1]).fit(X)
    assert replacer.fill_values_ == [3.0, 7]
    assert replacer.transform(X)[3].tolist() == [3.0, 7.0]


def test_huge_numbers_have_a_mean() -> None:
    X = np.array([[1.5e308], [1.5e308], [np.nan]])
    (mean,) = MissingValueReplacer().fit(X).fill_values_
    assert mean == pytest.approx(1.5e308)


def test_input_is_left_as_it_was() -> None:
    X = np.array([[1.0], [np.nan]])
    before = X.copy()
    filled = MissingValueReplacer().fit_transform(X)
    filled[0] = 99.0
    np.testing.assert_array_equal(X, before)


def test_an_array_without_missing_values_is_copied() -> None:
    X = np.array([[1.0], [2.0]])
    assert not np.shares_memory(MissingValueReplacer().fit_transform(X), X)
