"""Trees of a table that lacks a column but shares the encoding of the whole one."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.oracles import assert_same_nodes, nested
from tests.reference.random_data import make_case, make_frame


def test_the_codes_are_shared_and_not_laid_out_again() -> None:
    table = Table.from_any(make_frame([3, 0, 2], [np.arange(3.0)] * 3))
    rest = table.drop(1)
    assert rest.encoded.codes is table.encoded.codes
    assert rest.encoded.n_attributes == 2
    twice = rest.drop(0)
    assert twice.encoded.codes.shape == (3, 1)


def test_sorted_columns_are_dropped_without_a_trace() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    table = Table.from_any(X)
    rest = table.drop(1)
    assert [int(a) for a in rest.encoded.sorted] == [0, 1]
    assert rest.encoded.orders[1] is table.encoded.orders[2]


@pytest.mark.parametrize("seed", range(80))
def test_a_dropped_column_changes_nothing_in_the_tree(seed: int) -> None:
    case = make_case(seed)
    data = case.data()
    table = Table.from_any(make_frame(data.kinds, data.columns))
    for attribute in range(table.n_attributes):
        rest = table.drop(attribute)
        alone = Table(rest.schema, rest.columns, rest.n_rows)
        trees = [
            C45Classifier(**asdict(case.options))._fit_table(
                part, data.y.astype(np.int32), data.n_classes, data.weight
            )
            for part in (rest, alone)
        ]
        assert_same_nodes(nested(trees[0].tree_), nested(trees[1].tree_), "root")
