"""BaggingClassifier: bootstraps, their mean, and threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from dissensus.datasets import load_dataset
from dissensus.ensemble import AdaBoostM1Classifier, BaggingClassifier
from dissensus.ensemble._bagging import bootstrap
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem


def seeds_of(bag: BaggingClassifier) -> Any:
    """Draw the members' seeds as `fit` draws them."""
    first = np.random.RandomState(bag.random_state).randint(2**31 - 1)
    return np.random.default_rng(first).integers(2**31 - 1, size=bag.n_estimators)


def test_members_are_trees_of_bootstraps_and_the_answer_is_their_mean() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    bag = BaggingClassifier(n_estimators=6, random_state=3).fit(X, y)
    expected = []
    for seed, member in zip(seeds_of(bag), bag.estimators_, strict=True):
        rows = np.sort(np.random.default_rng(seed).integers(len(y), size=len(y)))
        tree = C45Classifier().fit(X.iloc[rows], y[rows])
        assert_array_equal(member.tree_.threshold, tree.tree_.threshold)
        assert_array_equal(member.predict_proba(X), tree.predict_proba(X))
        expected.append(tree.predict_proba(X))
    assert_allclose(bag.predict_proba(X), np.mean(expected, axis=0), rtol=1e-15)


@pytest.mark.parametrize(
    "estimator", [None, DecisionTreeClassifier(max_features=1), AdaBoostM1Classifier()]
)
def test_the_number_of_threads_does_not_matter(estimator: Any) -> None:
    cells, y = make_problem(missing=0.0)
    bag = BaggingClassifier(estimator, n_estimators=9, random_state=1)
    one, two = (clone(bag).set_params(n_jobs=n).fit(cells, y) for n in (None, 2))
    assert_array_equal(one.predict_proba(cells), two.predict_proba(cells))


def test_a_bootstrap_is_drawn_evenly_with_replacement() -> None:
    rng = np.random.default_rng(0)
    drawn = np.concatenate([bootstrap(50, 50, None, rng) for _ in range(400)])
    assert (np.abs(np.bincount(drawn, minlength=50) - 400) < 5 * 20).all()
    rows = bootstrap(10_000, 10_000, None, rng)
    assert len(np.unique(rows)) / 10_000 == pytest.approx(1 - np.exp(-1), abs=0.01)
    assert (np.diff(rows) >= 0).all()


def test_weighted_rows_are_drawn_in_proportion() -> None:
    weights = np.array([1.0, 2.0, 5.0])
    rows = bootstrap(3, 80_000, weights, np.random.default_rng(0))
    assert_allclose(np.bincount(rows) / 10_000, weights, rtol=0.05)


def test_a_row_with_all_the_weight_is_the_only_one_drawn() -> None:
    cells, y = make_problem()
    weight = np.full(len(y), 1e-12)
    weight[7] = 1.0
    bag = BaggingClassifier(random_state=0).fit(cells, y, sample_weight=weight)
    assert set(bag.predict(cells)) == {y[7]}


def test_the_size_of_a_bootstrap_is_a_share_of_the_rows() -> None:
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    for share, n_rows in ((0.25, 10), (1.0, 40), (1.5, 60), (1e-9, 1)):
        bag = BaggingClassifier(max_samples=share, n_estimators=3).fit(X, y)
        assert all(m.tree_.value[0].sum() == n_rows for m in bag.estimators_)


def test_members_that_miss_a_class_or_have_no_probabilities() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = np.array(["b"] * 28 + ["a", "c"])  # rare in any bootstrap
    for estimator in (C45Classifier(), LogisticRegression(), Perceptron()):
        bag = BaggingClassifier(estimator, max_samples=0.1, random_state=0).fit(X, y)
        proba = bag.predict_proba(X)
        assert proba.shape == (30, 3)
        assert_allclose(proba.sum(axis=1), 1.0)


def test_pipelines_can_be_bagged_with_weights() -> None:
    X, y = load_dataset("iris").X, load_dataset("iris").y
    pipeline = make_pipeline(LogisticRegression(max_iter=500))
    bag = BaggingClassifier(pipeline, n_estimators=4, random_state=0)
    bag.fit(X, y, sample_weight=np.linspace(0.5, 1.5, len(y)))
    assert bag.score(X, y) > 0.9


def test_declared_values_reach_the_members() -> None:
    X = as_pandas(make_problem()[0])
    X["colour"] = X["colour"].cat.set_categories(["red", "green", "blue", "mauve"])
    bag = BaggingClassifier(n_estimators=3, random_state=0).fit(X, make_problem()[1])
    for member in bag.estimators_:
        assert member.schema_[0].categories == ("red", "green", "blue", "mauve")


def test_one_row_is_enough() -> None:
    bag = BaggingClassifier(random_state=0).fit([[1.0, "a"]], ["yes"])
    assert_array_equal(bag.predict([[2.0, "b"], [None, None]]), ["yes", "yes"])


def test_a_table_is_not_changed_by_being_bagged() -> None:
    cells, y = make_problem()
    table = Table.from_any(as_pandas(cells))
    before = [data.copy() for data in table.arrays]
    BaggingClassifier(random_state=0).fit(table, y)
    for data, old in zip(table.arrays, before, strict=True):
        assert_array_equal(data, old)
