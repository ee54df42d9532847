"""Rows of every kind of table."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from dissensus.table import Table
from dissensus.table._rows import count_rows, take_rows

ROWS = np.array([2, 0, 2])


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1.0], [2.0], [3.0]]),
        np.array([["a"], [None], ["b"]], dtype=object),
        [[1.0], [2.0], [3.0]],
        ([1.0], [2.0], [3.0]),
        csr_array([[1.0], [2.0], [3.0]]),
        pd.DataFrame({"u": [1.0, 2.0, 3.0]}, index=[7, 8, 9]),
        pl.DataFrame({"u": [1.0, 2.0, 3.0]}),
        Table.from_any([[1.0], [2.0], [3.0]]),
    ],
    ids=lambda X: type(X).__name__,
)
def test_rows_come_in_the_order_asked_for_and_as_often(X: Any) -> None:
    assert count_rows(X) == 3
    taken = take_rows(X, ROWS)
    assert count_rows(taken) == 3
    matrix, whole = as_matrix(taken), as_matrix(X)
    assert matrix == [whole[2], whole[0], whole[2]]


def as_matrix(X: Any) -> Any:
    """Return the rows as lists."""
    if isinstance(X, Table):
        X = X.numeric
    if hasattr(X, "toarray"):
        X = X.toarray()
    return np.asarray(X).tolist()


def test_categories_that_no_row_has_stay_declared() -> None:
    frame = pd.DataFrame({"u": pd.Categorical(["a", "b"], categories=["a", "b", "c"])})
    taken = take_rows(frame, np.array([0]))
    assert taken["u"].cat.categories.tolist() == ["a", "b", "c"]
    enum = pl.DataFrame({"u": ["a", "b"]}, schema={"u": pl.Enum(["a", "b", "c"])})
    assert take_rows(enum, np.array([0])).schema["u"] == pl.Enum(["a", "b", "c"])
