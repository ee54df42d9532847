"""MACLEN with naive Bayes from counts, against the same with fitted members."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dissensus.bayes import NaiveBayesClassifier
from dissensus.datasets import load_dataset
from dissensus.ensemble import MaclenClassifier
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer,
    MDLDiscretizer,
    ValueGrouper,
)
from dissensus.table import Table
from tests.estimator_data import NAMES, NOMINAL, as_pandas, make_problem
from tests.reference.nominal_data import make_nominal_case
from tests.reference.random_data import make_frame


class FittedBayes(NaiveBayesClassifier):
    """Naive Bayes that MACLEN does not know how to count."""


BAYES: list[dict[str, Any]] = [
    {},
    {"smoothing": "m-estimate"},
    {"alpha": 0.1, "missing": "value"},
    {"alpha": 0},
    {"smoothing": "m-estimate", "missing": "value", "alpha": 0},
]
WAYS = list(product(BAYES, ["observed", "full"], ["conditional", "marginal"]))


def both(parameters: dict[str, Any], **of_maclen: Any) -> list[MaclenClassifier]:
    """Return the ensemble that counts and the one that fits its members."""
    return [
        MaclenClassifier(kind(**parameters), **of_maclen)
        for kind in (NaiveBayesClassifier, FittedBayes)
    ]


@pytest.mark.parametrize("seed", range(100))
def test_counts_vote_as_fitted_members_do(seed: int) -> None:
    case = make_nominal_case(seed)
    X = make_frame(case.kinds, case.columns)
    rows = pd.concat([X, make_frame(case.kinds, case.test)])
    parameters, labels, rule = WAYS[seed % len(WAYS)]
    counted, fitted = both(parameters, labels=labels, rule=rule)
    counted.fit(X, case.y, case.weight)
    fitted.fit(X, case.y, case.weight)
    assert not hasattr(fitted, "counts_")
    expected = fitted.member_votes(rows)
    assert_allclose(counted.member_votes(rows), expected, rtol=1e-12, atol=1e-12)
    mean = expected.mean(axis=1)
    assert_allclose(counted.predict_proba(rows), mean, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("parameters", BAYES)
@pytest.mark.parametrize("max_values", [None, [2, ValueGrouper(3)]])
def test_several_views_vote_as_fitted_members_do(
    parameters: dict[str, Any], max_values: Any
) -> None:
    cells, y = make_problem(missing=0.15)
    X = as_pandas(cells)
    discretizers = [MDLDiscretizer(), EqualFrequencyDiscretizer(4)]
    models = both(parameters, discretizers=discretizers, max_values=max_values)
    counted, fitted = (model.fit(X, y) for model in models)
    assert len(counted.counts_) == len(counted.views_)
    assert [task.name for task in counted.tasks_] == [t.name for t in fitted.tasks_]
    expected = fitted.member_votes(X)
    assert_allclose(counted.member_votes(X), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("parameters", BAYES)
@pytest.mark.parametrize("labels", ["observed", "full"])
def test_members_made_of_counts_are_those_that_would_be_fitted(
    parameters: dict[str, Any], labels: str
) -> None:
    cells, y = make_problem(missing=0.15)
    cells[:, 3] = np.nan
    X = as_pandas(cells)
    models = both(parameters, labels=labels)
    counted, fitted = (model.fit(X, y) for model in models)
    pairs = zip(counted.estimators_, fitted.estimators_, strict=True)
    for mine, theirs in pairs:
        assert_allclose(mine.class_prior_, theirs.class_prior_, rtol=1e-12)
        assert mine.schema_ == theirs.schema_
        table = fitted.views_[0][0]._transform_table(Table.from_any(X))
        rest = table.drop(next(n for n in NAMES if n not in mine.schema_.names))
        assert_allclose(
            mine._proba_table(rest), theirs._proba_table(rest), rtol=1e-12, atol=1e-15
        )


def test_many_attributes_do_not_underflow(rng: np.random.Generator) -> None:
    n, n_attributes = 60, 700
    y = np.arange(n) % 2
    X = rng.integers(0, 4, (n, n_attributes))
    X[:, ::7] = y[:, np.newaxis]
    frame = pd.DataFrame(X.astype(str))
    model = MaclenClassifier(NaiveBayesClassifier()).fit(frame, y)
    proba = model.predict_proba(frame)
    assert np.isfinite(proba).all()
    assert_array_equal(proba.argmax(axis=1), y)


# Chunks


def chunked(weight: Any = None) -> tuple[MaclenClassifier, MaclenClassifier, Any]:
    """Return an ensemble fitted at once, one fitted in chunks, and the rows."""
    cells, y = make_problem(missing=0.15)
    X = as_pandas(cells[:, NOMINAL], NAMES[:2])
    whole = MaclenClassifier(NaiveBayesClassifier()).fit(X, y, sample_weight=weight)
    parts = MaclenClassifier(NaiveBayesClassifier())
    for rows in np.array_split(np.arange(len(y)), 4):
        some = None if weight is None else weight[rows]
        parts.partial_fit(X.iloc[rows], y[rows], classes=[0, 1, 2], sample_weight=some)
    return whole, parts, X


def test_chunks_give_the_model_of_all_rows_to_the_last_bit() -> None:
    whole, parts, X = chunked()
    assert_array_equal(parts.member_votes(X), whole.member_votes(X))
    assert parts.tasks_ == whole.tasks_
    assert parts.classes_.tolist() == [0, 1, 2]
    assert list(parts.feature_names_in_) == ["colour", "size"]


def test_chunks_with_weights_give_the_model_of_all_rows() -> None:
    weight = np.random.default_rng(0).choice([0.0, 0.5, 1.0, 2.25], 150)
    whole, parts, X = chunked(weight)
    assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-12)


def test_a_pair_that_comes_late_becomes_a_label() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["p", "q"]), "b": pd.Categorical(["r", "r"])})
    model = MaclenClassifier(NaiveBayesClassifier())
    model.partial_fit(X[:1], [0], classes=[0, 1])
    assert [labels.n_labels for labels in model.product_labels_] == [1, 1]
    model.partial_fit(X[1:], [1])
    assert [labels.n_labels for labels in model.product_labels_] == [2, 2]


def test_fit_forgets_earlier_chunks() -> None:
    whole, parts, X = chunked()
    y = make_problem(missing=0.15)[1]
    assert_array_equal(parts.fit(X, y).predict_proba(X), whole.predict_proba(X))
    parts.set_params(estimator=None).fit(X, y)
    assert not hasattr(parts, "counts_")
    assert not hasattr(parts, "partial_fit")


def test_merged_halves_are_the_whole() -> None:
    cells, y = make_problem(missing=0.15)
    X = as_pandas(cells[:, NOMINAL], NAMES[:2])
    models = [
        MaclenClassifier(NaiveBayesClassifier()).fit(X.iloc[rows], y[rows])
        for rows in (slice(0, 70), slice(70, None), slice(None))
    ]
    before = models[1].predict_proba(X)
    merged = models[0].merge(models[1])
    assert_array_equal(merged.member_votes(X), models[2].member_votes(X))
    assert_array_equal(models[1].predict_proba(X), before)


def test_only_equal_intervals_can_be_merged() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    one, other, same = (
        MaclenClassifier(
            NaiveBayesClassifier(), discretizers=[EqualFrequencyDiscretizer(bins)]
        ).fit(X, y)
        for bins in (3, 4, 3)
    )
    with pytest.raises(ValueError, match="cut or grouped"):
        one.merge(other)
    votes = one.merge(same).member_votes(X)
    assert votes.shape == (len(y), 4, 3)


def test_only_counts_can_be_merged() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    counted, fitted = (model.fit(X, y) for model in both({}))
    with pytest.raises(ValueError, match="has no counts"):
        counted.merge(fitted)
    assert not hasattr(fitted, "merge")


def test_other_classes_cannot_be_merged() -> None:
    data = load_dataset("tic-tac-toe")
    one = MaclenClassifier(NaiveBayesClassifier()).fit(data.X, data.y)
    two = MaclenClassifier(NaiveBayesClassifier()).fit(data.X, data.y == "positive")
    with pytest.raises(ValueError, match="classes are"):
        one.merge(two)


def test_numbers_cannot_be_learnt_in_chunks() -> None:
    cells, y = make_problem()
    model = MaclenClassifier(NaiveBayesClassifier())
    with pytest.raises(ValueError, match="'length' is numeric"):
        model.partial_fit(as_pandas(cells), y, classes=[0, 1, 2])


def test_groups_cannot_be_learnt_in_chunks() -> None:
    cells, y = make_problem()
    model = MaclenClassifier(NaiveBayesClassifier(), max_values=2)
    with pytest.raises(ValueError, match="max_values is 2"):
        model.partial_fit(as_pandas(cells[:, NOMINAL], NAMES[:2]), y, classes=[0, 1, 2])


def test_the_first_chunk_names_all_classes() -> None:
    model = MaclenClassifier(NaiveBayesClassifier())
    with pytest.raises(ValueError, match="classes must be passed"):
        model.partial_fit([["a"], ["b"]], [0, 1])
    with pytest.raises(ValueError, match="not declared"):
        model.partial_fit([["a"], ["b"]], [0, 1], classes=[0, 2])
