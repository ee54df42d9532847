"""Rows taken from an encoded table are encoded as if they were a table of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dissensus.table import Table
from dissensus.table._encoded import Encoded
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem
from tests.reference.random_data import make_case, make_frame
from tests.tree.fitted import plain_arrays


def column_values(encoded: Encoded, attribute: int) -> Any:
    """Return what an encoding says of one attribute, row by row, NaN for missing."""
    values = encoded.values[attribute]
    if attribute in encoded.coded:
        place = int(np.flatnonzero(encoded.coded == attribute)[0])
        codes = encoded.codes[:, place].astype(np.intp)
        if values is None:
            return codes
        return np.append(values, np.nan)[codes]
    assert values is not None
    place = int(np.flatnonzero(encoded.sorted == attribute)[0])
    cells = np.full(encoded.n_rows, np.nan)
    cells[encoded.orders[place]] = values[encoded.ranks[place]]
    return cells


def assert_same_encoding(taken: Encoded, fresh: Encoded) -> None:
    """Compare all that matters; an attribute may be coded here and sorted there."""
    assert taken.n_rows == fresh.n_rows
    for name in ("is_nominal", "n_values", "reach"):
        assert_array_equal(getattr(taken, name), getattr(fresh, name), name)
    for attribute in range(len(fresh.n_values)):
        for name in ("values", "next_apart"):
            got, wanted = getattr(taken, name), getattr(fresh, name)
            assert_array_equal(got[attribute], wanted[attribute], name)
        got = column_values(taken, attribute)
        assert_array_equal(got, column_values(fresh, attribute))
    for order, ranks in zip(taken.orders, taken.ranks, strict=True):
        assert (np.diff(ranks) >= 0).all()
        assert (np.diff(order)[np.diff(ranks) == 0] > 0).all()  # ties in file order
    assert sorted([*taken.coded, *taken.sorted]) == list(range(len(fresh.n_values)))
    assert (np.diff(taken.n_values[taken.coded]) >= 0).all()


@pytest.mark.parametrize("seed", range(60))
def test_a_bootstrap_of_a_random_table_is_encoded_as_a_table_of_its_own(
    seed: int,
) -> None:
    case = make_case(seed)
    table = Table.from_any(make_frame(case.kinds, case.columns))
    rng = np.random.default_rng(seed)
    for n_draws in (1, table.n_rows // 2 + 1, table.n_rows, 3 * table.n_rows):
        rows = np.sort(rng.integers(table.n_rows, size=n_draws))
        fresh = Table(table.schema, table.take(rows).columns, n_draws)
        encoded = Table(table.schema, table.columns, table.n_rows)
        assert encoded.encoded.n_rows == table.n_rows
        taken = encoded.take(rows)
        assert_same_encoding(taken.encoded, fresh.encoded)
        y = case.y.astype(np.int32)[rows]
        got, wanted = (
            plain_arrays(C45Classifier()._fit_table(some, y, case.y.max() + 1).tree_)
            for some in (taken, fresh)
        )
        for name, values in wanted.items():
            assert_array_equal(got[name], values, name)


@pytest.mark.parametrize("n_rows", [200, 3000])
def test_a_bootstrap_of_a_matrix_is_encoded_as_a_table_of_its_own(
    n_rows: int, rng: np.random.Generator
) -> None:
    X = np.column_stack(
        [
            rng.normal(size=n_rows),
            rng.integers(0, 80, n_rows),
            rng.integers(0, 3, n_rows) * 1e-6,  # closer together than a cut may be
            np.where(rng.random(n_rows) < 0.3, np.nan, rng.normal(size=n_rows)),
        ]
    )
    table = Table.from_any(X)
    assert len(table.encoded.coded) > 0
    assert len(table.encoded.sorted) > 0
    rows = np.sort(rng.integers(n_rows, size=n_rows))
    taken = table.take(rows)
    assert taken.matrix is not None
    assert_same_encoding(taken.encoded, Table.from_any(X[rows]).encoded)


def test_rows_in_any_other_order_are_encoded_afresh() -> None:
    table = Table.from_any(as_pandas(make_problem()[0]))
    assert table.encoded.n_rows == 150
    for rows in ([3, 1, 2], [-2, -1], np.arange(150)[::-1]):
        taken = table.take(rows)
        fresh = Table(table.schema, taken.columns, taken.n_rows)
        assert_same_encoding(taken.encoded, fresh.encoded)


def test_no_row_can_be_taken() -> None:
    table = Table.from_any(as_pandas(make_problem()[0]))
    assert table.encoded.n_rows == 150
    empty = table.take([]).encoded
    assert empty.n_rows == 0
    assert_array_equal(empty.n_values, [3, 4, 0, 0])
