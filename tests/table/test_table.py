from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from dissensus.exceptions import TableError
from dissensus.table import Attribute, Column, Schema, Table

FRAME = pd.DataFrame(
    {
        "size": [1.0, np.nan, 3.0, 4.0],
        "colour": pd.Categorical(["b", "a", None, "b"], categories=["b", "a", "c"]),
        "n": [4, 3, 2, 1],
    }
)


def mixed() -> Table:
    return Table.from_any(FRAME)


def matrix_table() -> Table:
    return Table.from_any(np.arange(8.0).reshape(4, 2))


def test_columns_of_each_kind_stand_side_by_side_in_column_major_order() -> None:
    table = mixed()
    assert table.numeric.flags.f_contiguous
    assert table.numeric.dtype == np.float64
    assert table.nominal.dtype == np.int32
    assert_array_equal(table.numeric, [[1, 4], [np.nan, 3], [3, 2], [4, 1]])
    assert_array_equal(table.nominal, [[0], [1], [-1], [0]])
    assert (table.n_rows, table.n_attributes, len(table)) == (4, 3, 4)
    assert repr(table) == "<Table: 4 rows, 2 numeric and 1 nominal attributes>"


def test_a_c_ordered_matrix_is_kept_without_a_copy() -> None:
    X = np.arange(6.0).reshape(3, 2)
    table = Table.from_any(X)
    assert table.matrix is X
    assert table.schema.names == ("x0", "x1")
    assert table.nominal.shape == (3, 0)
    for position, column in enumerate(table.columns):
        assert np.shares_memory(column.data, X)
        assert_array_equal(column.data, X[:, position])


def test_a_column_major_matrix_lends_its_columns() -> None:
    X = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    table = Table.from_any(X)
    assert table.matrix is None
    assert np.shares_memory(table.columns[1].data, X)
    assert table.schema == Table.from_any(np.ascontiguousarray(X)).schema


@pytest.mark.parametrize("table", [mixed(), matrix_table()])
def test_take_chooses_rows_by_number_or_mask(table: Table) -> None:
    taken = table.take([3, 0, 0])
    assert_array_equal(taken.numeric, table.numeric[[3, 0, 0]])
    assert_array_equal(taken.nominal, table.nominal[[3, 0, 0]])
    masked = table.take(np.array([True, False, False, True]))
    assert_array_equal(masked.numeric, table.numeric[[0, 3]])
    assert table.take([]).n_rows == 0


def test_take_gives_the_same_rows_before_and_after_the_columns_were_made() -> None:
    fresh, used = matrix_table(), matrix_table()
    _ = used.columns
    assert_array_equal(fresh.take([2, 1]).numeric, used.take([2, 1]).numeric)


def test_drop_leaves_one_column_out_and_shares_the_others() -> None:
    table = mixed()
    for attribute in ("colour", 1, -2):
        dropped = table.drop(attribute)
        assert dropped.schema.names == ("size", "n")
        assert dropped.columns[0] is table.columns[0]


def test_a_table_without_columns_still_has_rows() -> None:
    table = matrix_table().drop(0).drop(0)
    assert (table.n_rows, table.n_attributes) == (4, 0)
    assert table.take([0, 1]).n_rows == 2
    assert table.concat(table).n_rows == 8


@pytest.mark.parametrize("attribute", ["colr", 3, -4])
def test_dropping_an_unknown_column_is_an_error(attribute: str | int) -> None:
    with pytest.raises(TableError, match="No attribute"):
        mixed().drop(attribute)


def test_append_puts_columns_behind_and_shares_them() -> None:
    table = mixed()
    more = Column(Attribute("p", "numeric"), np.arange(4.0))
    wider = table.append(Table(Schema((more.attribute,)), (more,)))
    assert wider.schema.names == ("size", "colour", "n", "p")
    assert wider.columns[3] is more
    assert wider.columns[0] is table.columns[0]
    assert wider.schema.named
    assert not matrix_table().append(table).schema.named


def test_append_refuses_other_rows_and_names_that_are_taken() -> None:
    with pytest.raises(TableError, match="3 rows to a table of 4 rows"):
        mixed().append(matrix_table().take([0, 1, 2]))
    with pytest.raises(TableError, match="second column 'colour'"):
        mixed().append(mixed())


@pytest.mark.parametrize("table", [mixed(), matrix_table()])
def test_concat_puts_rows_below(table: Table) -> None:
    longer = table.concat(table.take([1]))
    assert longer.n_rows == 5
    assert longer.schema == table.schema
    assert_array_equal(longer.numeric, table.numeric[[0, 1, 2, 3, 1]])
    assert_array_equal(longer.nominal, table.nominal[[0, 1, 2, 3, 1]])


def test_concat_does_not_code_rows_again() -> None:
    codes = np.array([[0.0, 1.0], [2.0, np.nan], [1.0, 0.0]])
    table = Table.from_any(codes, [0, 1])
    fresh = table.concat(table.take([1, 1])).encoded
    table.encoded  # noqa: B018 - from now on it is there
    appended = table.concat(table.take([1, 1])).encoded
    assert_array_equal(appended.codes, fresh.codes)
    assert appended.n_rows == fresh.n_rows == 5
    assert appended.coded is table.encoded.coded


def test_concat_refuses_another_schema() -> None:
    with pytest.raises(TableError, match="2 attributes to a table of 3"):
        mixed().concat(matrix_table())
    other = Table.from_any(FRAME.assign(colour=["b", "a", "c", "b"]))
    with pytest.raises(TableError, match="attribute 'colour' is declared as"):
        mixed().concat(other)


def test_a_frame_goes_out_as_it_came_in() -> None:
    frame = mixed().to_frame("pandas")
    pd.testing.assert_frame_equal(frame, FRAME.astype({"n": float}))
    polars = mixed().to_frame("polars")
    assert polars.schema == {
        "size": pl.Float64,
        "colour": pl.Enum(["b", "a", "c"]),
        "n": pl.Float64,
    }
    assert polars["colour"].to_list() == ["b", "a", None, "b"]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_table_survives_the_way_through_a_frame(kind: str) -> None:
    table = mixed()
    back = Table.from_any(table.to_frame(kind))  # type: ignore[arg-type]
    assert back.schema == table.schema
    assert_array_equal(back.numeric, table.numeric)
    assert_array_equal(back.nominal, table.nominal)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([2, 1, 2], pl.Int64),
        ([True, False, True], pl.Boolean),
        ([0.5, 1, 1], pl.Float64),
    ],
)
def test_labels_that_no_enum_can_hold_become_a_plain_polars_column(
    values: list[object], dtype: object
) -> None:
    table = Table.from_any(pd.DataFrame({"c": pd.Categorical(values)}))
    frame = table.to_frame("polars")
    assert frame["c"].dtype == dtype
    assert frame["c"].to_list() == values
    assert_array_equal(
        Table.from_any(frame, schema=table.schema).nominal, table.nominal
    )


def test_labels_of_mixed_types_need_pandas() -> None:
    table = Table.from_any(np.array([[1], ["a"]], dtype=object))
    assert table.to_frame("pandas")["x0"].tolist() == [1, "a"]
    with pytest.raises(TableError, match=r"to_frame\('pandas'\)"):
        table.to_frame("polars")


def test_an_unseen_label_leaves_as_missing() -> None:
    table = Table.from_any([["z"]], schema=Table.from_any([["a"]]).schema)
    assert table.nominal[0, 0] == -2
    assert table.to_frame("polars")["x0"].to_list() == [None]
    assert table.to_frame("pandas")["x0"].isna().all()


def test_an_unknown_kind_of_frame_is_an_error() -> None:
    with pytest.raises(TableError, match="'pandas' or 'polars'"):
        mixed().to_frame("arrow")  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [mixed(), matrix_table()])
def test_a_table_survives_pickling(table: Table) -> None:
    copy = pickle.loads(pickle.dumps(table))
    assert copy.schema == table.schema
    assert_array_equal(copy.numeric, table.numeric)
    assert_array_equal(copy.nominal, table.nominal)


def test_more_rows_than_can_be_numbered_are_refused() -> None:
    long = np.broadcast_to(np.zeros((1, 1)), (2**31 - 1, 1))
    match = r"2,147,483,647 rows is too long: 2,147,483,646 are the most. Fit on a"
    with pytest.raises(TableError, match=match):
        Table.from_matrix(long)
    column = Column(Attribute("x", "numeric"), long[:, 0])
    with pytest.raises(TableError, match=match):
        Table(Schema((column.attribute,)), [column])
    assert Table.from_matrix(long[:-1]).n_rows == 2**31 - 2
