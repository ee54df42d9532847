"""Tables made into numbers for classifiers that want them."""

from __future__ import annotations

import numpy as np
import pytest

from dissensus.learners import parse_learner
from dissensus.learners._encoded import native, onehot, ordinal
from dissensus.table import Table

THEIRS = ("forest(n_estimators=5)", "hgb(max_iter=5)", "logistic", "majority")


@pytest.fixture
def table() -> Table:
    rows = [["a", 1.0], ["b", None], [None, 3.0]]
    return Table.from_any(np.array(rows, dtype=object))


def test_native_codes_leave_gaps(table: Table) -> None:
    expected = [[0.0, 1.0], [1.0, np.nan], [np.nan, 3.0]]
    np.testing.assert_array_equal(native(table), expected)


def test_ordinal_codes_have_a_number_for_unseen_labels(table: Table) -> None:
    unseen = Table.from_any(np.array([["c", 1.0]], dtype=object), schema=table.schema)
    np.testing.assert_array_equal(ordinal(unseen), [[-1.0, 1.0]])


def test_onehot_columns_are_zero_for_missing_and_unseen_labels(table: Table) -> None:
    np.testing.assert_array_equal(onehot(table)[:, :2], [[1, 0], [0, 1], [0, 0]])
    unseen = Table.from_any(np.array([["c", 1.0]], dtype=object), schema=table.schema)
    np.testing.assert_array_equal(onehot(unseen), [[0.0, 0.0, 1.0]])


@pytest.mark.parametrize("text", THEIRS)
def test_nominal_and_missing_values_are_no_hindrance(text: str) -> None:
    rng = np.random.default_rng(0)
    X = np.empty((60, 3), dtype=object)
    X[:, 0] = rng.choice(["a", "b", "c"], 60)
    X[:, 1] = rng.normal(size=60)
    X[:, 2] = None  # a column without a value
    X[rng.integers(60, size=10), 0] = None
    X[rng.integers(60, size=10), 1] = None
    y = np.where(X[:, 0] == "a", "yes", "no")
    model = parse_learner(text).build().fit(X, y)
    unseen = np.array([["z", None, None]], dtype=object)
    proba = model.predict_proba(np.vstack([X, unseen]))
    assert proba.shape == (61, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


@pytest.mark.parametrize("text", THEIRS)
def test_one_class_is_learnt_as_a_certainty(text: str) -> None:
    X = np.arange(10.0).reshape(5, 2)
    model = parse_learner(text).build().fit(X, ["only"] * 5)
    assert (model.predict_proba(X) == 1.0).all()
    assert model.predict(X).tolist() == ["only"] * 5


def test_scales_are_learnt_from_training_rows_only() -> None:
    X = np.array([[0.0], [2.0], [0.0], [2.0]])
    model = parse_learner("logistic").build().fit(X, [0, 1, 0, 1])
    assert model.scaler_.mean_.tolist() == [1.0]
    model.predict(np.array([[1000.0]]))
    assert model.scaler_.mean_.tolist() == [1.0]
