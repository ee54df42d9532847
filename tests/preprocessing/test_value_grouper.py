"""ValueGrouper: which values it unites, and what it calls them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from dissensus.preprocessing import ValueGrouper, _value_grouper
from dissensus.preprocessing._value_grouper import (
    group_names,
    merge_values,
    unite_alike,
)
from dissensus.table import Table
from tests.reference import cuts as reference

COUNTS = st.integers(2, 4).flatmap(
    lambda n_classes: st.lists(
        st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes),
        min_size=1,
        max_size=8,
    )
)


@given(counts=COUNTS, max_values=st.integers(1, 6), scale=st.sampled_from([1, 0.3]))
def test_groups_equal_those_of_the_reference(
    counts: list[list[int]], max_values: int, scale: float
) -> None:
    weights = np.array(counts, dtype=float) * scale
    weights[0, 0] += 1.0
    expected = reference.merge_values(weights.tolist(), max_values)
    assert merge_values(weights, max_values) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_value_grouper, "MOST_PAIRED", 0)
        alike = unite_alike(weights, max_values)
    assert len(alike) >= min(max_values, len(weights))
    assert merge_values(weights, max_values, alike) == expected


def test_many_names_are_grouped_by_their_classes() -> None:
    X = np.array([f"row {row}" for row in range(3000)], dtype=object)[:, np.newaxis]
    y = np.arange(3000) % 3
    (groups,) = ValueGrouper(3).fit(X, y).groups_
    assert groups is not None
    order = np.argsort(X[:, 0])  # labels are declared in ascending order
    assert groups == [
        tuple(X[order[y[order] == c], 0]) for c in dict.fromkeys(y[order].tolist())
    ]


def frame() -> tuple[Any, Any]:
    """Return values a to e: a and d tell one thing, b and c another, e a third."""
    labels = list("aaaabbbbccccdddeee")
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 2, 2, 2])
    declared = ["e", "d", "c", "b", "a"]
    X = pd.DataFrame(
        {"letter": pd.Categorical(labels, declared), "size": np.arange(18.0)}
    )
    return X, y


def test_values_that_tell_the_same_are_united_first() -> None:
    X, y = frame()
    grouper = ValueGrouper(max_values=3).fit(X, y)
    assert grouper.groups_ == [[("e",), ("d", "a"), ("c", "b")], None]


def test_pandas_in_gives_pandas_out_with_groups_as_categories() -> None:
    X, y = frame()
    X.index = [f"row {i}" for i in range(18)]
    out = ValueGrouper(max_values=3).fit_transform(X, y)
    assert list(out.index) == list(X.index)
    assert out["letter"].cat.categories.tolist() == ["e", "{d, a}", "{c, b}"]
    assert out["letter"].tolist() == [
        {"a": "{d, a}", "d": "{d, a}", "e": "e"}.get(v, "{c, b}") for v in X["letter"]
    ]
    pd.testing.assert_series_equal(out["size"], X["size"])


def test_polars_in_gives_polars_out_with_groups_as_enum() -> None:
    X, y = frame()
    enum = pl.Series(X["letter"].tolist(), dtype=pl.Enum(["e", "d", "c", "b", "a"]))
    out = ValueGrouper(max_values=3).fit_transform(pl.DataFrame({"letter": enum}), y)
    assert out["letter"].dtype == pl.Enum(["e", "{d, a}", "{c, b}"])


def test_set_output_turns_one_kind_of_frame_into_the_other() -> None:
    X, y = frame()
    grouper = ValueGrouper(max_values=3).fit(X, y).set_output(transform="polars")
    out = grouper.transform(X)
    assert isinstance(out, pl.DataFrame)
    assert Table.from_any(out).schema == grouper.schema_out_
    assert grouper.get_feature_names_out().tolist() == ["letter", "size"]


def test_missing_and_unseen_values_stay_outside_all_groups() -> None:
    X, y = frame()
    grouper = ValueGrouper(max_values=2).fit(X, y)
    table = grouper._transform_table(
        Table.from_any(
            pd.DataFrame({"letter": ["a", None, "mauve"], "size": 0.0}),
            schema=grouper.schema_,
        )
    )
    assert table.nominal.ravel().tolist() == [1, -1, -2]
    out = grouper.transform(pd.DataFrame({"letter": [None, "mauve"], "size": 0.0}))
    assert out["letter"].isna().all()


def test_missing_values_count_nowhere() -> None:
    X, y = frame()
    more = pd.concat([X, X.assign(letter=None)], ignore_index=True)
    more["letter"] = more["letter"].astype(X["letter"].dtype)
    fuller = ValueGrouper(max_values=2).fit(more, np.concatenate([y, y[::-1]]))
    assert fuller.groups_ == ValueGrouper(max_values=2).fit(X, y).groups_


def test_weights_count_as_repeated_rows() -> None:
    X, y = frame()
    times = np.arange(18) % 4
    weighted = ValueGrouper(max_values=2).fit(X, y, times)
    repeated = ValueGrouper(max_values=2).fit(
        X.iloc[np.repeat(np.arange(18), times)], np.repeat(y, times)
    )
    assert weighted.groups_ == repeated.groups_


def test_declared_values_without_rows_join_the_first_value() -> None:
    letters = pd.Categorical(["b", "c", "b", "c"], ["a", "b", "c", "d"])
    X = pd.DataFrame({"letter": letters})
    grouper = ValueGrouper(max_values=2).fit(X, [0, 1, 0, 1])
    assert grouper.groups_ == [[("a", "b", "d"), ("c",)]]


def test_few_values_and_numbers_are_left_alone() -> None:
    X, y = frame()
    grouper = ValueGrouper(max_values=5).fit(X, y)
    assert grouper.groups_ == [None, None]
    assert grouper.schema_out_ == grouper.schema_
    pd.testing.assert_frame_equal(grouper.transform(X), X)


def test_one_group_holds_everything() -> None:
    X, y = frame()
    out = ValueGrouper(max_values=1).fit_transform(X, y)
    assert out["letter"].unique().tolist() == ["{e, d, c, b, a}"]


def test_an_array_of_numbers_gets_the_numbers_of_groups() -> None:
    X, y = frame()
    codes = X["letter"].cat.codes.to_numpy(float)
    array = np.column_stack([codes * 10, X["size"]])
    array[5, 0] = np.nan
    out = ValueGrouper(3, categorical_features=[0]).fit_transform(array, y)
    assert out.dtype == np.float64
    expected = np.array([0.0, 1.0, 2.0, 2.0, 1.0])[codes.astype(int)]
    expected[5] = np.nan
    np.testing.assert_array_equal(out[:, 0], expected)


def test_an_array_of_strings_gets_the_names_of_groups() -> None:
    X, y = frame()
    array = X.astype(object).to_numpy()
    out = ValueGrouper(max_values=3).fit_transform(array, y)
    assert set(out[:, 0]) == {"{a, d}", "{b, c}", "e"}
    assert out[:, 1].tolist() == X["size"].tolist()


def test_names_of_large_groups_are_short_and_different() -> None:
    names = group_names([tuple("abcdefgh"), tuple("vwxyz"), ("i",)])
    assert names == ("{a, b, c, d, 4 more}", "{v, w, x, y, z}", "i")
    twins = group_names([("a, b", "c"), ("a", "b, c")])
    assert twins == ("{'a, b', 'c'}", "{'a', 'b, c'}")


def test_one_class_and_one_row_unite_from_the_first() -> None:
    X = np.array([["a"], ["b"], ["c"]], dtype=object)
    assert ValueGrouper(2).fit(X, [1, 1, 1]).groups_ == [[("a", "b"), ("c",)]]
    assert ValueGrouper(1).fit(X[:1], [1]).groups_ == [None]


def test_a_thousand_values_are_grouped_into_ten(rng: np.random.Generator) -> None:
    codes = rng.integers(0, 1000, 20_000)
    y = (codes % 10 + (rng.random(20_000) < 0.1)).astype(int) % 10
    X = codes[:, np.newaxis].astype(float)
    grouper = ValueGrouper(10, categorical_features=[0]).fit(X, y)
    (groups,) = grouper.groups_
    assert groups is not None
    assert all(len({label % 10 for label in group}) == 1 for group in groups)


def test_wrong_parameters_and_targets_are_refused() -> None:
    with pytest.raises(ValueError, match="'max_values' parameter of ValueGrouper"):
        ValueGrouper(0).fit([["a"]], [0])
    with pytest.raises(ValueError, match="requires y"):
        ValueGrouper().fit([["a"]], None)
