from __future__ import annotations

import datetime
import time
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal

from dissensus.bayes import NaiveBayesClassifier
from dissensus.exceptions import TableError
from dissensus.table import Attribute, Schema, Table


def kinds(table: Table) -> list[str]:
    return [attribute.kind for attribute in table.schema]


def codes(table: Table, column: int | str = 0) -> list[int]:
    return [int(code) for code in table.column(column).data]


def obj(*rows: list[Any]) -> Any:
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            array[i, j] = value
    return array


def test_pandas_polars_and_numpy_give_the_same_table() -> None:
    data = {"s": ["b", None, "a"], "x": [1.5, None, 2.0], "i": [3, 1, 2]}
    tables = [
        Table.from_any(pl.DataFrame(data)),
        Table.from_any(pd.DataFrame(data)),
        Table.from_any(pd.DataFrame(data).convert_dtypes()),
        Table.from_any(pd.DataFrame(data).convert_dtypes(dtype_backend="pyarrow")),
        Table.from_any(pl.DataFrame(data).to_arrow()),
        Table.from_any(obj(*(list(row) for row in zip(*data.values(), strict=True)))),
        Table.from_any([list(row) for row in zip(*data.values(), strict=True)]),
    ]
    first = tables[0]
    assert first.schema[0] == Attribute("s", "nominal", ("a", "b"))
    for table in tables:
        assert kinds(table) == ["nominal", "numeric", "numeric"]
        assert table.schema[0].categories == ("a", "b")
        assert_array_equal(table.nominal, first.nominal)
        assert_array_equal(table.numeric, first.numeric)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.float64])
def test_arrays_of_numbers_are_numeric(dtype: type) -> None:
    table = Table.from_any(np.arange(6).reshape(3, 2).astype(dtype))
    assert kinds(table) == ["numeric", "numeric"]
    assert table.matrix is not None
    assert table.matrix.dtype == np.float64
    assert not table.schema.named


def test_an_object_column_of_numbers_is_numeric() -> None:
    table = Table.from_any(obj([1], [None], [2.5], [np.float32(3)], [Decimal("4.5")]))
    assert_array_equal(table.numeric.ravel(), [1, np.nan, 2.5, 3, 4.5])


def test_pandas_own_missing_marks_are_missing() -> None:
    table = Table.from_any(obj([pd.NA, pd.NA], [1, "a"], [pd.NaT, None]))
    assert_array_equal(table.numeric.ravel(), [np.nan, 1, np.nan])
    assert codes(table, 1) == [-1, 0, -1]


@pytest.mark.parametrize(
    "X",
    [
        obj([True], [None], [True]),
        pd.DataFrame({"x0": pd.array([True, None, True], dtype="boolean")}),
        pd.DataFrame({"x0": [True, None, True]}, dtype=object),
        pl.DataFrame({"x0": [True, None, True]}),
    ],
)
def test_booleans_are_nominal_with_both_values(X: Any) -> None:
    table = Table.from_any(X)
    assert table.schema[0].categories == (False, True)
    assert codes(table) == [1, -1, 1]


def test_a_boolean_array_is_nominal_like_a_boolean_frame() -> None:
    X = np.array([[True, False], [True, True]])
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert_array_equal(Table.from_any(X).nominal, Table.from_any(frame).nominal)


def test_strings_in_an_array_are_labels_even_when_they_spell_numbers() -> None:
    table = Table.from_any(np.array([["10", "b"], ["9", ""]]))
    assert table.schema[0].categories == ("10", "9")
    assert table.schema[1].categories == ("", "b")


def test_mixed_labels_are_sorted_by_type_and_text() -> None:
    table = Table.from_any(obj(["b"], [2], ["a"], [10], [None], [float("nan")]))
    assert table.schema[0].categories == (10, 2, "a", "b")
    assert codes(table) == [3, 1, 2, 0, -1, -1]


def test_declared_categories_keep_their_order_and_unused_values() -> None:
    values = ["lo", "hi", "lo"]
    declared = ["lo", "mid", "hi"]
    frames = [
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(declared))}),
        pd.DataFrame({"a": pd.Categorical(values, categories=declared)}),
        pd.DataFrame({"a": pd.Categorical(values, categories=declared, ordered=True)}),
    ]
    for frame in frames:
        table = Table.from_any(frame)
        assert table.schema[0] == Attribute("a", "nominal", ("lo", "mid", "hi"))
        assert codes(table) == [0, 2, 0]


def test_integer_categories_of_pandas_stay_integers() -> None:
    table = Table.from_any(pd.DataFrame({"a": pd.Categorical([7, 3, 7])}))
    assert table.schema[0].categories == (3, 7)
    assert all(type(value) is int for value in table.schema[0].categories)


def test_a_polars_categorical_declares_nothing() -> None:
    pl.Series(["zebra", "ape"], dtype=pl.Categorical)  # fills the global list
    table = Table.from_any(
        pl.DataFrame({"a": pl.Series(["u", "t"], dtype=pl.Categorical)})
    )
    assert table.schema[0].categories == ("t", "u")


@pytest.mark.parametrize("choice", [[1], ["x1"], [-1], [False, True], np.array([1])])
def test_categorical_features_make_numbers_nominal(choice: Any) -> None:
    X = np.array([[0.5, 3.0], [1.5, np.nan], [2.5, 1.0]])
    table = Table.from_any(X, categorical_features=choice)
    assert kinds(table) == ["numeric", "nominal"]
    assert table.schema[1].categories == (1, 3)
    assert codes(table, 1) == [1, -1, 0]


def test_frames_and_arrays_agree_on_categorical_features() -> None:
    X = np.array([[0.5, 3.0], [1.5, np.nan], [2.5, 1.0]])
    tables = [
        Table.from_any(X, categorical_features=[1]),
        Table.from_any(pd.DataFrame(X, columns=["a", "b"]), ["b"]),
        Table.from_any(pl.DataFrame(X, schema=["a", "b"]), [False, True]),
        Table.from_any(Table.from_any(X), categorical_features=[1]),
    ]
    for table in tables:
        assert table.schema[1].categories == (1, 3)
        assert_array_equal(table.nominal, tables[0].nominal)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("b", r"such as \['b'\]"),
        (["bb"], "Did you mean 'b'"),
        ([2], "positions run from 0 to 1"),
        ([True], "mask of 1 booleans"),
        ([1.5], "item 1.5"),
        (7, "list of names"),
    ],
)
def test_wrong_categorical_features_are_explained(choice: Any, message: str) -> None:
    frame = pd.DataFrame({"a": [1], "b": [2]})
    with pytest.raises(TableError, match=message):
        Table.from_any(frame, categorical_features=choice)


TRAIN = Table.from_any(pd.DataFrame({"c": ["a", "b"], "x": [1.0, 2.0]}))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_columns_are_matched_by_name(library: Any) -> None:
    frame = library({"more": [9, 9], "x": [5.0, None], "c": ["b", "z"]})
    table = Table.from_any(frame, schema=TRAIN.schema)
    assert table.schema is TRAIN.schema
    assert codes(table) == [1, -2]
    assert_array_equal(table.numeric.ravel(), [5, np.nan])


def test_columns_are_matched_by_position_when_there_are_no_names() -> None:
    table = Table.from_any(obj(["b", 5], [None, 6]), schema=TRAIN.schema)
    assert codes(table) == [1, -1]
    unnamed = Table.from_any(np.zeros((2, 2)))
    frame = pd.DataFrame({"b": [1.0], "a": [2.0]})
    matched = Table.from_any(frame, schema=unnamed.schema)
    assert_array_equal(matched.numeric, [[1, 2]])
    table = Table.from_any(pd.DataFrame(np.eye(2)), schema=unnamed.schema)
    assert_array_equal(table.numeric, np.eye(2))


def test_a_missing_column_is_named() -> None:
    with pytest.raises(TableError, match=r"Column 'c' is missing from X.*'cc'"):
        Table.from_any(pd.DataFrame({"cc": ["a"], "x": [1]}), schema=TRAIN.schema)


def test_another_number_of_columns_is_an_error_as_in_scikit_learn() -> None:
    schema = Table.from_any(np.zeros((2, 3))).schema
    message = r"X has 2 features, but \w+ is expecting 3 features as input"
    for X in (np.zeros((2, 2)), obj([1, "a"])):
        with pytest.raises(TableError, match=message):
            Table.from_any(X, schema=schema)


def test_numbers_find_integer_and_boolean_categories() -> None:
    train = Table.from_any(
        pd.DataFrame({"i": pd.Categorical([2, 5]), "b": [True, False]})
    )
    table = Table.from_any(
        np.array([[5.0, 0.0], [2.5, 1.0], [np.nan, np.nan]]), schema=train.schema
    )
    assert_array_equal(table.nominal, [[1, 0], [-2, 1], [-1, -1]])


def test_labels_where_numbers_are_expected_are_an_error() -> None:
    with pytest.raises(TableError, match=r"'x' was numeric .* str 'tall'"):
        Table.from_any(pd.DataFrame({"c": ["a"], "x": ["tall"]}), schema=TRAIN.schema)
    table = Table.from_any(pd.DataFrame({"c": ["a"], "x": [True]}), schema=TRAIN.schema)
    assert table.numeric[0, 0] == 1


def test_a_column_without_any_value_fits_every_attribute() -> None:
    frame = pd.DataFrame({"c": [None, None], "x": [None, None]})
    assert kinds(Table.from_any(frame)) == ["numeric", "numeric"]
    table = Table.from_any(frame, schema=TRAIN.schema)
    assert codes(table) == [-1, -1]
    assert np.isnan(table.numeric).all()
    table = Table.from_any(pl.DataFrame(frame.to_dict("list")), schema=TRAIN.schema)
    assert codes(table) == [-1, -1]


def test_a_table_passes_through_and_adapts_to_another_schema() -> None:
    assert Table.from_any(TRAIN) is TRAIN
    assert Table.from_any(TRAIN, schema=TRAIN.schema) is TRAIN
    schema = Schema((TRAIN.schema[1], Attribute("c", "nominal", ("b", "z"))))
    table = Table.from_any(TRAIN, schema=schema)
    assert codes(table, "c") == [-2, 0]
    assert_array_equal(table.numeric.ravel(), [1, 2])


BAD: list[tuple[Any, str]] = [
    (np.array([[np.inf, np.nan]]), "contains infinity"),
    (np.array([[1, np.inf]], dtype=object), "contains infinity: attribute 'x1', row 0"),
    (pd.DataFrame({"a": [1, -np.inf]}), "contains infinity: attribute 'a', row 1"),
    (np.zeros(3), "Expected 2D array, got 1D array instead"),
    (pd.Series([1, 2]), "Expected 2D array, got 1D array instead"),
    (3.0, "Expected 2D array, got 0D array instead"),
    (None, "Expected 2D array"),
    ("abc", "Expected 2D array"),
    (np.zeros((0, 2)), r"0 sample\(s\) \(shape=\(0, 2\)\) while a minimum of 1"),
    (np.zeros((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1"),
    (pd.DataFrame(), "0 sample"),
    ([[1], [1, 2]], "rows of equal length"),
    (np.array([[1j]]), "Complex data not supported"),
    (pd.DataFrame({"a": [1j]}), "Complex data not supported"),
    (scipy.sparse.csr_matrix(np.eye(2)), "Sparse data was passed"),
    (obj([{"foo": "bar"}]), "argument must be .* string.* number"),
    (obj([10**400]), "too large"),
    (obj([datetime.date(2020, 1, 1)]), "dates or times"),
    (np.array([["2020-01-01"]], dtype="M8[D]"), "dates or times"),
    (pd.DataFrame({"d": pd.to_datetime(["2020-01-01"])}), "'d' holds dates or times"),
    (pl.DataFrame({"d": [datetime.date(2020, 1, 1)]}), "'d' holds dates or times"),
    (pl.DataFrame({"d": [[1]]}), "'d' is of type List"),
    (pl.DataFrame({"a": [1]}).lazy(), "collect"),
    (pd.DataFrame(np.eye(2), columns=["a", "a"]), "unique column names"),
    (pd.DataFrame(np.eye(2), columns=["a", 1]), "string names"),
]


@pytest.mark.parametrize(("X", "message"), BAD)
def test_what_is_no_table_is_explained(X: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        Table.from_any(X)


def test_a_cell_of_a_wrong_type_is_also_a_type_error() -> None:
    with pytest.raises(TypeError):
        Table.from_any(obj([{"foo": "bar"}]))


def test_nan_and_huge_numbers_are_accepted() -> None:
    X = np.full((3, 2), 1.7e308)
    X[0, 0] = np.nan
    assert Table.from_any(X).matrix is X
    assert Table.from_any(np.full((3, 2), 1.7e308)).n_rows == 3


def test_a_small_numeric_array_costs_microseconds() -> None:
    X = np.random.default_rng(0).random((150, 4))
    Table.from_any(X)
    times = []
    for _ in range(200):
        start = time.perf_counter()
        Table.from_any(X)
        times.append(time.perf_counter() - start)
    assert min(times) < 100e-6  # about 8e-6 on an idle machine


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_masked_values_are_missing(dtype: Any) -> None:
    values = np.arange(8, dtype=dtype).reshape(4, 2)
    masked = np.ma.masked_array(values, mask=values == 5)
    plain = np.where(values == 5, np.nan, values)
    assert np.array_equal(Table.from_any(masked).numeric, plain, equal_nan=True)
    y = [0, 1, 0, 1]
    model = NaiveBayesClassifier().fit(masked, y)
    expected = NaiveBayesClassifier().fit(plain, y).predict_proba(plain)
    assert np.array_equal(model.predict_proba(masked), expected)


def test_masked_labels_are_missing() -> None:
    labels = np.array([["a"], ["b"], ["a"]])
    masked = np.ma.masked_array(labels, mask=labels == "b")
    assert Table.from_any(masked).nominal[:, 0].tolist() == [0, -1, 0]
