"""What goes in as a frame, array or table comes out as one, with its names."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from dissensus.exceptions import TableError
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MissingValueReplacer,
    ValueGrouper,
)
from dissensus.table import Table

Y = np.repeat(["lo", "mid", "hi"], 10)
INTERVALS = ["(-inf, 9.5]", "(9.5, 19.5]", "(19.5, inf)"]
TRANSFORMERS = [
    EqualFrequencyDiscretizer(),
    EqualWidthDiscretizer(),
    MDLDiscretizer(),
    MissingValueReplacer(),
    ValueGrouper(2),
]


def pandas_frame() -> Any:
    """Return a frame with row labels, a number, a constant and declared categories."""
    colours = pd.Categorical(["red", None, "blue"] * 10, ["blue", "grey", "red"])
    return pd.DataFrame(
        {"size": np.arange(30.0), "one": 1, "colour": colours},
        index=[f"row {i}" for i in range(30)],
    )


def polars_frame() -> pl.DataFrame:
    """Return the same with an Enum."""
    frame = pandas_frame()
    colours = pl.Series(
        frame["colour"].astype(object).where(frame["colour"].notna(), None).tolist(),
        dtype=pl.Enum(["blue", "grey", "red"]),
    )
    return pl.DataFrame({"size": np.arange(30.0), "one": 1, "colour": colours})


def test_pandas_in_gives_pandas_out_with_intervals_as_categories() -> None:
    X = pandas_frame()
    out = MDLDiscretizer().fit_transform(X, Y)
    assert list(out.columns) == ["size", "one", "colour"]
    assert list(out.index) == list(X.index)
    assert out["size"].cat.categories.tolist() == INTERVALS
    assert out["size"].tolist() == list(np.repeat(INTERVALS, 10))
    assert out["one"].cat.categories.tolist() == ["All"]
    pd.testing.assert_series_equal(out["colour"], X["colour"])


def test_polars_in_gives_polars_out_with_intervals_as_enum() -> None:
    X = polars_frame()
    out = MDLDiscretizer().fit_transform(X, Y)
    assert isinstance(out, pl.DataFrame)
    assert out["size"].dtype == pl.Enum(INTERVALS)
    assert out["size"].to_list() == list(np.repeat(INTERVALS, 10))
    assert out["one"].dtype == pl.Enum(["All"])
    assert out["colour"].equals(X["colour"])


def test_missing_numbers_are_missing_intervals() -> None:
    X = pandas_frame()
    discretizer = MDLDiscretizer().fit(X, Y)
    X.loc["row 3", "size"] = np.nan
    assert discretizer.transform(X)["size"].isna().tolist() == [
        label == "row 3" for label in X.index
    ]


def test_arrays_give_the_numbers_of_intervals_and_keep_labels() -> None:
    X = np.empty((30, 2), dtype=object)
    X[:, 0] = np.arange(30.0)
    X[:, 1] = ["red", None, "blue"] * 10
    out = MDLDiscretizer().fit_transform(X, Y)
    assert out.dtype == object
    assert out[:, 0].tolist() == np.repeat([0.0, 1.0, 2.0], 10).tolist()
    assert out[0, 1] == "red"
    assert np.isnan(out[1, 1])


def test_numbers_declared_nominal_go_through_an_array_unchanged() -> None:
    X = np.column_stack([np.arange(30.0), np.tile([5.0, np.nan, 8.0], 10)])
    out = MDLDiscretizer(categorical_features=[1]).fit_transform(X, Y)
    assert out.dtype == np.float64
    np.testing.assert_array_equal(out[:, 1], X[:, 1])


def test_a_table_in_gives_a_table_out() -> None:
    discretizer = MDLDiscretizer().fit(pandas_frame(), Y)
    out = discretizer.transform(Table.from_any(pandas_frame()))
    assert isinstance(out, Table)
    assert out.schema == discretizer.schema_out_


@pytest.mark.parametrize("transformer", TRANSFORMERS)
@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_set_output_turns_frames_into_the_other_kind(
    transformer: Any, make: Any
) -> None:
    fitted = clone(transformer).fit(make(), Y)
    as_pandas = fitted.set_output(transform="pandas").transform(make())
    as_polars = fitted.set_output(transform="polars").transform(make())
    assert isinstance(as_pandas, pd.DataFrame)
    assert isinstance(as_polars, pl.DataFrame)
    assert Table.from_any(as_pandas).schema == fitted.schema_out_
    assert Table.from_any(as_polars).schema == fitted.schema_out_
    same_kind = fitted.set_output(transform="default").transform(make())
    assert type(same_kind) is type(make())


def test_set_output_puts_an_array_into_a_frame_as_it_is() -> None:
    X = np.arange(30.0)[:, np.newaxis]
    discretizer = MDLDiscretizer().fit(X, Y).set_output(transform="pandas")
    out = discretizer.transform(X)
    assert list(out.columns) == ["x0"]
    assert out["x0"].tolist() == np.repeat([0.0, 1.0, 2.0], 10).tolist()


@pytest.mark.parametrize("transformer", TRANSFORMERS)
def test_names_go_out_as_they_came_in(transformer: Any) -> None:
    fitted = clone(transformer).fit(pandas_frame(), Y)
    assert fitted.get_feature_names_out().tolist() == ["size", "one", "colour"]
    assert fitted.feature_names_in_.tolist() == ["size", "one", "colour"]
    fitted.fit(np.arange(60.0).reshape(30, 2), Y)
    assert fitted.get_feature_names_out().tolist() == ["x0", "x1"]
    assert not hasattr(fitted, "feature_names_in_")


@pytest.mark.parametrize("transformer", TRANSFORMERS)
@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_columns_are_found_by_name(transformer: Any, make: Any) -> None:
    fitted = clone(transformer).fit(make(), Y)
    shuffled = make()[["colour", "size", "one"]]
    straight = Table.from_any(fitted.transform(make()))
    found = Table.from_any(fitted.transform(shuffled))
    assert found.schema == straight.schema
    np.testing.assert_array_equal(found.nominal, straight.nominal)
    with pytest.raises(TableError, match="'colour' is missing"):
        fitted.transform(make()[["size", "one"]])


@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_a_label_that_was_not_declared_goes_out_as_missing(make: Any) -> None:
    discretizer = MDLDiscretizer().fit(make(), Y)
    new = pd.DataFrame({"size": [1.0, 2.0], "one": [1, 1], "colour": ["mauve", "red"]})
    assert discretizer.transform(new)["colour"].isna().tolist() == [True, False]


def test_a_pipeline_of_both_leaves_no_missing_value_and_no_number() -> None:
    X = pandas_frame()
    X.loc["row 3", "size"] = np.nan
    out = make_pipeline(MissingValueReplacer(), MDLDiscretizer()).fit_transform(X, Y)
    assert not out.isna().to_numpy().any()
    assert all(attribute.is_nominal for attribute in Table.from_any(out).schema)


@pytest.mark.parametrize("transformer", TRANSFORMERS)
def test_a_pickled_transformer_does_the_same(transformer: Any) -> None:
    fitted = clone(transformer).fit(pandas_frame(), Y)
    again = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(
        again.transform(pandas_frame()), fitted.transform(pandas_frame())
    )


@pytest.mark.parametrize("transformer", TRANSFORMERS)
def test_transform_before_fit_is_refused(transformer: Any) -> None:
    with pytest.raises(NotFittedError):
        clone(transformer).transform(pandas_frame())


def test_wrong_parameters_are_refused_with_the_rule() -> None:
    X: NDArray[np.float64] = np.zeros((2, 1))
    with pytest.raises(ValueError, match="'criterion' parameter of MDLDiscretizer"):
        MDLDiscretizer("gini").fit(X, [0, 1])
    with pytest.raises(ValueError, match="'efficient_encoding' parameter"):
        MDLDiscretizer(efficient_encoding="yes").fit(X, [0, 1])  # type: ignore[arg-type]
    with pytest.raises(TableError, match="categorical_features"):
        MissingValueReplacer(categorical_features=["a"]).fit(X)
