"""DecorateClassifier: the paper's algorithm, small data, unlabelled rows, queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from dissensus.ensemble import (
    DecorateClassifier,
)
from dissensus.ensemble.decorate._artificial import row_source
from dissensus.ensemble.decorate._committee import opposite_labels
from dissensus.metrics import diversity
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_objects, as_pandas, as_polars, make_problem
from tests.reference import decorate as plain

X_IRIS, Y_IRIS = load_iris(return_X_y=True)
ALL = np.arange(3)


def generator_of(model: DecorateClassifier) -> np.random.Generator:
    """Return the generator that `fit` starts from."""
    first = np.random.RandomState(model.random_state).randint(2**31 - 1)
    return np.random.default_rng(first)


# Labels


def test_labels_are_drawn_with_inverse_probabilities(rng: np.random.Generator) -> None:
    for proba in ([0.2, 0.3, 0.5], [0.01, 0.98, 0.01], [1 / 3, 1 / 3, 1 / 3]):
        labels = opposite_labels(np.tile(proba, (60_000, 1)), ALL, 0.0, rng)
        found = np.bincount(labels, minlength=3) / 60_000
        assert_allclose(found, plain.chances(proba), atol=0.01)


def test_two_classes_swap_their_probabilities(rng: np.random.Generator) -> None:
    labels = opposite_labels(np.tile([0.9, 0.1], (60_000, 1)), ALL[:2], 0.0, rng)
    assert (labels == 0).mean() == pytest.approx(0.1, abs=0.01)


def test_classes_of_probability_zero_share_all_labels(rng: np.random.Generator) -> None:
    labels = opposite_labels(np.tile([0.0, 1.0, 0.0], (60_000, 1)), ALL, 0.0, rng)
    assert_allclose(np.bincount(labels) / 60_000, [0.5, 0.0, 0.5], atol=0.01)


def test_a_zero_can_be_replaced_by_a_small_value(rng: np.random.Generator) -> None:
    labels = opposite_labels(np.tile([0.0, 1.0], (60_000, 1)), ALL[:2], 0.25, rng)
    assert (labels == 0).mean() == pytest.approx(4 / 5, abs=0.01)


def test_only_candidates_are_drawn(rng: np.random.Generator) -> None:
    proba = rng.dirichlet(np.ones(5), size=500)
    labels = opposite_labels(proba, np.array([1, 3]), 0.0, rng)
    assert set(labels) == {1, 3}
    assert set(opposite_labels(proba, np.array([2]), 0.0, rng)) == {2}


def test_probabilities_near_zero_do_not_overflow(rng: np.random.Generator) -> None:
    proba = np.tile([1.0, 1e-299, 1e-320, 5e-324], (100, 1))
    labels = opposite_labels(proba, np.arange(4), 0.0, rng)
    assert set(labels) == {2, 3}


# The algorithm


@pytest.mark.parametrize("seed", range(6))
def test_the_committee_equals_that_of_the_plain_version(seed: int) -> None:
    cells, y = make_problem(n=70, missing=0.1, seed=seed)
    X = as_pandas(cells)
    model = DecorateClassifier(n_estimators=7, max_iter=12, random_state=seed)
    proba = model.fit(X, y).predict_proba(X)

    rng = generator_of(model)
    table = Table.from_any(X)
    source = row_source("independent", table, y, None, kind="pandas")

    def base(rows: Any, labels: Any) -> Any:
        return C45Classifier().fit(rows, np.array(labels)).predict_proba

    committee, accepted = plain.build(
        X,
        y.tolist(),
        size=7,
        max_iter=12,
        base=base,
        invent=lambda: source(70, rng).to_frame("pandas"),
        uniforms=lambda n: rng.random(n).tolist(),
        join=lambda upper, lower: pd.concat([upper, lower], ignore_index=True),
    )
    assert model.trace_["accepted"].tolist() == accepted
    assert len(model.estimators_) == len(committee)
    assert_allclose(proba, plain.mean(committee, X), atol=1e-12)


def test_the_answer_is_the_mean_of_the_members() -> None:
    model = DecorateClassifier(random_state=0).fit(X_IRIS, Y_IRIS)
    members = [member.predict_proba(X_IRIS) for member in model.estimators_]
    assert_allclose(model.predict_proba(X_IRIS), np.mean(members, axis=0), rtol=1e-14)


def test_the_first_member_is_the_plain_learner() -> None:
    model = DecorateClassifier(random_state=0).fit(X_IRIS, Y_IRIS)
    alone = C45Classifier().fit(X_IRIS, Y_IRIS)
    first = model.estimators_[0].predict_proba(X_IRIS)
    assert_array_equal(first, alone.predict_proba(X_IRIS))


@pytest.mark.parametrize("seed", range(3))
def test_the_training_error_never_rises(seed: int) -> None:
    cells, y = make_problem(seed=seed)
    model = DecorateClassifier(random_state=seed).fit(cells, y)
    trace = model.trace_
    assert (np.diff(trace["committee_error"]) <= 0).all()
    refused = ~trace["accepted"]
    assert refused.any()
    before = trace["committee_error"][:-1][refused[1:]]
    assert (trace["trial_error"][refused] > before).all()
    assert trace["accepted"].sum() == len(model.estimators_)
    assert trace["committee_error"][-1] == pytest.approx(1 - model.score(cells, y))


def test_the_trace_tells_errors_and_diversity() -> None:
    cells, y = make_problem()
    model = DecorateClassifier(random_state=0).fit(cells, y)
    assert model.n_iter_ == len(model.trace_["diversity"])
    votes = [m.predict_proba(cells).argmax(axis=1) for m in model.estimators_]
    committee = model.predict(cells)
    expected = diversity(votes, committee)
    assert model.trace_["diversity"][-1] == pytest.approx(expected)
    errors = [(vote != y).mean() for vote in votes]
    accepted = model.trace_["accepted"]
    assert_allclose(model.trace_["member_error"][accepted], errors)
    assert len(pd.DataFrame(model.trace_)) == model.n_iter_


def test_trials_are_counted_with_the_first() -> None:
    cells, y = make_problem()
    for max_iter in (1, 2, 5):
        model = DecorateClassifier(max_iter=max_iter, random_state=0).fit(cells, y)
        assert model.n_iter_ == max_iter
        assert len(model.estimators_) <= max_iter
    alone = DecorateClassifier(n_estimators=1, random_state=0).fit(cells, y)
    assert alone.n_iter_ == 1


def test_a_smaller_committee_is_the_beginning_of_a_larger_one() -> None:
    small, large = (
        DecorateClassifier(n_estimators=n, random_state=0).fit(X_IRIS, Y_IRIS)
        for n in (4, 9)
    )
    for one, other in zip(small.estimators_, large.estimators_, strict=False):
        assert_array_equal(one.predict_proba(X_IRIS), other.predict_proba(X_IRIS))


def test_the_number_of_artificial_rows_is_truncated_and_at_least_one() -> None:
    asked: list[int] = []

    def count(X: Any, y: Any, n: int, rng: Any) -> Any:
        asked.append(n)
        return X[rng.integers(len(X), size=n)]

    for ratio in (0.999, 0.5, 1e-9, 2.0):
        model = DecorateClassifier(
            n_estimators=2, max_iter=2, artificial_ratio=ratio, generator=count
        )
        model.fit(X_IRIS, Y_IRIS)
    assert asked == [149, 75, 1, 300]


def test_more_artificial_rows_give_more_diversity() -> None:
    found = []
    for ratio in (0.05, 1.0):
        model = DecorateClassifier(artificial_ratio=ratio, random_state=0)
        found.append(model.fit(X_IRIS[::2], Y_IRIS[::2]).trace_["diversity"][-1])
    assert found[0] < found[1]


@pytest.mark.parametrize("generator", ["independent", "class-conditional", "kernel"])
def test_it_learns_with_every_generator(generator: str) -> None:
    cells, y = make_problem(n=300)
    for X in (as_pandas(cells), as_polars(cells), as_objects(cells)):
        model = DecorateClassifier(generator=generator, random_state=0)
        assert model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.55


# Small data


@pytest.mark.parametrize("n_rows", [1, 2, 3, 5, 10])
@pytest.mark.parametrize("estimator", [None, GaussianNB(), RidgeClassifier()])
def test_a_few_rows_are_enough(n_rows: int, estimator: Any) -> None:
    rows = np.arange(n_rows) * 50 % 149
    X, y = X_IRIS[rows], Y_IRIS[rows]
    model = DecorateClassifier(estimator, random_state=0).fit(X, y)
    proba = model.predict_proba(X_IRIS)
    assert proba.shape == (150, len(np.unique(y)))
    assert_allclose(proba.sum(axis=1), 1.0)
    assert model.trace_["committee_error"][-1] <= model.trace_["committee_error"][0]


def test_one_class_is_always_predicted() -> None:
    cells, _ = make_problem()
    model = DecorateClassifier(random_state=0).fit(as_pandas(cells), ["yes"] * 150)
    assert set(model.predict(as_pandas(cells))) == {"yes"}
    assert len(model.estimators_) == 15


def test_a_declared_class_without_rows_gets_opposite_labels() -> None:
    rows = np.arange(100)  # no virginica
    X, y = X_IRIS[rows], np.array(["setosa", "versicolor"])[Y_IRIS[rows]]
    known = DecorateClassifier(random_state=0).fit(X, y)
    assert_array_equal(known.classes_, ["setosa", "versicolor"])
    names = ["virginica", "setosa", "versicolor"]
    told = DecorateClassifier(classes=names, random_state=0).fit(X, y)
    assert_array_equal(told.classes_, sorted(names))
    # A leaf of one class leaves two classes of probability zero.
    invented = told.estimators_[1].tree_.value[0] - [50, 50, 0]
    assert invented.sum() == 100
    assert 30 < invented[2] < 70
    assert told.predict_proba(X_IRIS).shape == (150, 3)


def test_a_label_that_is_not_declared_is_refused() -> None:
    model = DecorateClassifier(classes=["a", "b"])
    with pytest.raises(ValueError, match="label 'c', which is not among the declared"):
        model.fit([[1.0], [2.0]], ["a", "c"])


# Unlabelled rows


def test_unlabelled_rows_take_the_place_of_invented_ones() -> None:
    seen: list[Table] = []

    class Watched(C45Classifier):
        def _fit_table(
            self, table: Any, y: Any, k: int, sample_weight: Any = None
        ) -> Any:
            seen.append(table)
            return super()._fit_table(table, y, k, sample_weight)

    labelled, pool = X_IRIS[::5], X_IRIS[1::5] + 100
    for unlabeled, n_more in (("instead", 30), ("beside", 60)):
        seen.clear()
        model = DecorateClassifier(
            Watched(), n_estimators=2, max_iter=2, unlabeled=unlabeled, random_state=0
        )
        model.fit(labelled, Y_IRIS[::5], X_unlabeled=pool)
        rows = seen[1].numeric[30:]
        assert len(rows) == n_more
        assert_array_equal(rows[:30], pool)  # as many as are wanted: all of them
        assert unlabeled == "instead" or (rows[30:] < 50).all()


def test_as_many_unlabelled_rows_are_drawn_as_would_be_invented() -> None:
    cells, y = make_problem(n=400)
    X = as_pandas(cells)
    model = DecorateClassifier(artificial_ratio=0.5, random_state=0)
    model.fit(X[:60], y[:60], X_unlabeled=X[60:])
    assert model.estimators_[1].tree_.value[0].sum() == 90
    # Columns are matched by name, as everywhere.
    backwards = X[X.columns[::-1]][60:]
    again = DecorateClassifier(artificial_ratio=0.5, random_state=0)
    again.fit(X[:60], y[:60], X_unlabeled=backwards)
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))


# Queries


def test_the_margin_query_finds_the_closest_call() -> None:
    model = DecorateClassifier(random_state=0).fit(X_IRIS[::10], Y_IRIS[::10])
    ordered = np.sort(model.predict_proba(X_IRIS), axis=1)
    margins = ordered[:, -1] - ordered[:, -2]
    rows = model.query(X_IRIS, n=20)
    assert len(set(rows)) == 20
    assert_allclose(margins[rows], np.sort(margins)[:20])
    assert (np.diff(margins[rows]) >= 0).all()


def test_the_divergence_query_finds_where_members_differ() -> None:
    model = DecorateClassifier(random_state=0).fit(X_IRIS[::10], Y_IRIS[::10])
    dists = np.array([m.predict_proba(X_IRIS) for m in model.estimators_])

    def entropy(dist: Any) -> float:
        return -sum(p * np.log2(p) for p in dist if p > 0)

    divergence = np.array(
        [
            entropy(dists[:, row].mean(axis=0))
            - np.mean([entropy(dist) for dist in dists[:, row]])
            for row in range(150)
        ]
    )
    rows = model.query(X_IRIS, n=150, strategy="jensen-shannon")
    assert_allclose(divergence[rows], np.sort(divergence)[::-1], atol=1e-12)


def test_a_query_of_more_rows_than_there_are_gives_all() -> None:
    model = DecorateClassifier(random_state=0).fit(X_IRIS[:3], Y_IRIS[:3])
    assert_array_equal(model.query(X_IRIS[:4], n=9), [0, 1, 2, 3])  # one class: ties


def test_a_query_that_makes_no_sense_is_refused() -> None:
    model = DecorateClassifier(n_estimators=2).fit(X_IRIS, Y_IRIS)
    with pytest.raises(ValueError, match="strategy is 'entropy'"):
        model.query(X_IRIS, strategy="entropy")
    with pytest.raises(ValueError, match="n is 0"):
        model.query(X_IRIS, n=0)
