"""AdaBoostM1Classifier against Weka, a plain version, and by hand."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import AdaBoostM1Classifier
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.table import Table
from dissensus.table._weights import check_weights
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem
from tests.oracles import (
    DATA_SETS,
    PARTS,
    Oracle,
    assert_close,
    load_oracle,
    needs_oracles,
)
from tests.reference.adaboost_m1 import Boosted
from tests.reference.random_data import make_case, make_frame

# XOR with one more row: a stump can do little, a tree of C4.5 all.
X_XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]] * 4, dtype=float)
Y_XOR = np.array([0, 1, 1, 0, 0] * 4)


def test_votes_and_weights_follow_the_paper() -> None:
    # Four rows, one input; the first stump gets row 2 wrong, so it weighs 3 times 1,
    # and all weights are scaled back to the sum of 4.
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 0]
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = AdaBoostM1Classifier(stump, n_estimators=2).fit(X, y)
    first = stump.fit(X, y)
    wrong = first.predict(X) != y
    assert wrong.sum() == 1
    weights = np.where(wrong, 3.0, 1.0) * 4 / 6
    second = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=weights)
    error = weights[second.predict(X) != y].sum() / 4
    assert_allclose(model.estimator_errors_, [0.25, error])
    assert_allclose(model.estimator_weights_, [log(3), log((1 - error) / error)])
    votes = np.zeros((4, 2))
    for tree, vote in zip((first, second), model.estimator_weights_, strict=True):
        votes[np.arange(4), tree.predict(X)] += vote
    expected = np.exp(votes) / np.exp(votes).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected)


def test_a_first_member_without_errors_answers_alone() -> None:
    model = AdaBoostM1Classifier(DecisionTreeClassifier()).fit(X_XOR, Y_XOR)
    assert len(model.estimators_) == 1
    assert_array_equal(model.estimator_weights_, [1.0])
    assert_array_equal(model.predict_proba(X_XOR), np.eye(2)[Y_XOR])


def test_a_first_member_that_is_no_better_than_guessing_answers_alone() -> None:
    constant = DummyClassifier(strategy="prior")
    model = AdaBoostM1Classifier(constant).fit(X_XOR[:4], Y_XOR[:4])
    assert len(model.estimators_) == 1
    assert_array_equal(model.estimator_errors_, [0.5])
    assert_array_equal(model.predict_proba(X_XOR[:2]), np.full((2, 2), 0.5))


def test_a_later_member_that_ends_the_boosting_is_thrown_away() -> None:
    # With the weights of round two, every stump is wrong for half of the weight.
    model = AdaBoostM1Classifier(DummyClassifier()).fit(X_XOR, Y_XOR)
    assert_array_equal(model.estimator_errors_, [0.4])
    assert_allclose(model.estimator_weights_, [log(1.5)])
    assert_allclose(model.predict_proba(X_XOR[:1]), [[0.6, 0.4]])  # not a vote


@pytest.mark.parametrize("seed", range(40))
def test_boosted_trees_equal_those_of_the_plain_version(seed: int) -> None:
    case = make_case(seed)
    there = case.weight > 0
    X = make_frame(case.kinds, case.columns)[there]
    classes, y = np.unique(case.y[there], return_inverse=True)
    n_classes = len(classes)

    def learn(weights: Any) -> Any:
        tree = C45Classifier().fit(X, y, sample_weight=weights)
        return list(tree.predict_proba(X)).__getitem__

    expected = Boosted(learn, y.tolist(), case.weight[there].tolist(), 6)
    model = AdaBoostM1Classifier(n_estimators=6)
    model.fit(X, y, sample_weight=case.weight[there])
    assert_close(model.estimator_weights_, expected.votes, "votes")
    dist = [expected.distribution(row, n_classes) for row in range(len(y))]
    assert_close(model.predict_proba(X), dist, "distributions")


def test_members_that_cannot_use_weights_are_given_drawn_rows() -> None:
    cells, y = make_problem(n=300, missing=0.0)
    for estimator in (make_pipeline(GaussianNB()), Perceptron()):
        model = AdaBoostM1Classifier(estimator, n_estimators=5, random_state=0)
        again = AdaBoostM1Classifier(estimator, n_estimators=5, random_state=0)
        proba = model.fit(cells, y).predict_proba(cells)
        assert_array_equal(again.fit(cells, y).predict_proba(cells), proba)
        assert (model.estimator_errors_[1:] < 0.5).all()
    weighted = AdaBoostM1Classifier(GaussianNB(), n_estimators=5).fit(cells, y)
    drawn = AdaBoostM1Classifier(make_pipeline(GaussianNB()), n_estimators=5)
    drawn.set_params(random_state=0).fit(cells, y)
    assert not np.allclose(drawn.predict_proba(cells), weighted.predict_proba(cells))
    assert drawn.score(cells, y) > 0.4


def test_many_votes_do_not_overflow() -> None:
    cells, y = make_problem()
    model = AdaBoostM1Classifier().fit(cells, y)
    assert len(model.estimators_) > 1
    model.estimator_weights_ *= 1e4
    proba = model.predict_proba(cells)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1.0)


def test_row_that_is_always_right_keeps_some_weight() -> None:
    table = Table.from_any(np.zeros((3, 1)))
    y_codes = np.array([0, 0, 1], dtype=np.int32)
    member = NaiveBayesClassifier()._fit_table(table, y_codes, 2)
    weights = np.array([1e-15, 1.0, 1.0])
    for _ in range(2000):  # the third row is always wrong
        weights = AdaBoostM1Classifier()._reweighted(
            member, table, y_codes, weights, 0.4
        )
        check_weights(weights)
    assert weights[2] > 1.9


def test_one_class_and_one_row_are_enough() -> None:
    one = AdaBoostM1Classifier().fit([[1.0, "a"]], ["yes"])
    assert_array_equal(one.predict([[None, "b"]]), ["yes"])
    X = as_pandas(make_problem()[0])
    assert set(AdaBoostM1Classifier().fit(X, np.ones(len(X))).predict(X)) == {1.0}


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


@needs_oracles
@pytest.mark.parametrize("part", PARTS)
def test_boosted_trees_equal_those_of_weka(oracle: Oracle, part: str) -> None:
    expected = oracle.result("boost10-j48", part)
    model = AdaBoostM1Classifier().fit(*oracle.train(part))
    assert [m.tree_.n_nodes for m in model.estimators_] == expected["sizes"]
    assert len(model.estimators_) == expected["members"]
    assert_close(model.estimator_weights_, expected["vote"], "votes")
    dist = model.predict_proba(oracle.test(part))
    assert_close(dist, expected["dist"], "distributions")


@needs_oracles
@pytest.mark.parametrize("part", PARTS)
def test_boosted_naive_bayes_equals_that_of_weka(oracle: Oracle, part: str) -> None:
    expected = oracle.result("boost10-nb", part)
    boosted = AdaBoostM1Classifier(NaiveBayesClassifier())
    model = make_pipeline(MissingValueReplacer(), MDLDiscretizer(), boosted)
    model.fit(*oracle.train(part))
    assert len(model[-1].estimators_) == expected["members"]
    assert_close(model[-1].estimator_weights_, expected["vote"], "votes")
    dist = model.predict_proba(oracle.test(part))
    assert_close(dist, expected["dist"], "distributions")
