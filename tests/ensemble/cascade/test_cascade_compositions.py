"""Cascades of ensembles, and ensembles of cascades: the paper's section 7.1 and after.

C5.0Boost after naive Bayes is there; boosting and bagging whole cascades is the paper's
future work, and so are cascades of other kinds of learners.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier as SklearnBagging
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.ensemble import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    CascadeClassifier,
    StackedGeneralizationClassifier,
    after,
)
from dissensus.linear import DiscriminantClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, as_polars, make_problem

NB, TREE, LINE = NaiveBayesClassifier(), C45Classifier(), DiscriminantClassifier()
BOOST = AdaBoostM1Classifier(TREE, n_estimators=5)


def frame() -> tuple[Any, Any]:
    cells, y = make_problem()
    return as_pandas(cells), np.array(["no", "perhaps", "yes"])[y]


def codes_of(y: Any) -> Any:
    return np.unique(y, return_inverse=True)[1]


# An ensemble at a level of a cascade


def test_boosting_after_naive_bayes_boosts_on_the_extended_table() -> None:
    X, y = frame()
    cascade = CascadeClassifier([NB, BOOST]).fit(X, y)
    extended = cascade.transform(X)
    by_hand = clone(BOOST).fit(extended, codes_of(y))
    assert len(by_hand.estimators_) > 1
    assert_array_equal(cascade.predict_proba(X), by_hand.predict_proba(extended))
    assert cascade.names_ == [["NB"], ["Boost"]]
    tree = cascade.estimators_[-1].estimators_[0]
    assert tree.schema_.names[4:] == ("NB:P(no)", "NB:P(perhaps)", "NB:P(yes)")


def test_a_boosted_committee_can_run_first() -> None:
    X, y = frame()
    cascade = after(TREE, [BOOST, BaggingClassifier(TREE, random_state=0)]).fit(X, y)
    boosted = clone(BOOST).fit(X, y).predict_proba(X)
    assert_array_equal(cascade.transform(X).iloc[:, 4:7].to_numpy(), boosted)
    assert cascade.names_[0] == ["Boost", "Bag"]


# A cascade as the member of an ensemble


def test_a_cascade_can_be_boosted() -> None:
    X, y = frame()
    boosted = AdaBoostM1Classifier(after(TREE, NB), n_estimators=4).fit(X, y)
    first, second = boosted.estimators_[:2]
    codes = codes_of(y).astype(np.int32)
    table = Table.from_any(X)
    alone = after(TREE, NB)._fit_table(table, codes, 3)
    assert_array_equal(first._proba_table(table), alone._proba_table(table))
    assert (first._proba_table(table) != second._proba_table(table)).any()
    assert boosted.score(X, y) > 0.8


def test_a_cascade_can_be_bagged() -> None:
    X, y = frame()
    bag = BaggingClassifier(after(TREE, NB), n_estimators=4, random_state=0)
    members = bag.fit(X, y).estimators_
    assert len(members) == 4
    table = Table.from_any(X)
    mean = np.mean([member._proba_table(table) for member in members], axis=0)
    assert_allclose(bag.predict_proba(X), mean, rtol=1e-12)
    with_threads = clone(bag).set_params(n_jobs=2).fit(X, y)
    assert_array_equal(with_threads.predict_proba(X), bag.predict_proba(X))


def test_a_cascade_with_a_learner_without_weights_is_boosted_by_drawing_rows() -> None:
    cells, y = make_problem(missing=0.0)
    cascade = after(TREE, KNeighborsClassifier())
    boosted = AdaBoostM1Classifier(cascade, n_estimators=3, random_state=0)
    assert boosted.fit(cells, y).score(cells, y) > 0.6
    with pytest.raises(ValueError, match="KNeighborsClassifier cannot learn from"):
        clone(cascade).fit(cells, y, sample_weight=np.arange(1.0, len(y) + 1))


@pytest.mark.parametrize("mode", ["paper", "crossfit", "guarded"])
def test_cascades_work_inside_scikit_learns_bagging(mode: str) -> None:
    cells, y = make_problem(missing=0.0)
    cascade = after(TREE, NB, cv=2, mode=mode, n_repeats=1, random_state=0)
    bag = SklearnBagging(cascade, n_estimators=3, random_state=0).fit(cells, y)
    assert bag.score(cells, y) > 0.6


# All at once


@pytest.mark.parametrize("make", [as_pandas, as_polars])
@pytest.mark.parametrize("mode", ["paper", "crossfit", "guarded"])
def test_everything_in_one_cascade(make: Any, mode: str) -> None:
    cells, y = make_problem()
    X, y = make(cells), np.array(["no", "perhaps", "yes"])[y]
    cascade = CascadeClassifier(
        [
            [NB, AODEClassifier(), LINE],
            StackedGeneralizationClassifier(cv=2, random_state=0),
            after(TREE, NB),
            AdaBoostM1Classifier(n_estimators=2),
        ],
        cv=2,
        mode=mode,
        n_repeats=1,
        random_state=0,
    ).fit(X, y)
    assert len(cascade.schema_out_) == 4 + 5 * 3
    assert_allclose(cascade.predict_proba(X).sum(axis=1), 1.0, rtol=1e-5)
    assert cascade.score(X, y) > 0.6
    assert len(cascade.diagnosis_) == (5 if mode == "guarded" else 0)
    assert len(cascade.fit_times_) == 4


def test_foreign_learners_see_the_new_attributes_in_frames_of_the_callers_kind() -> (
    None
):
    X, y = frame()
    numbers = X[["length", "count"]].fillna(0.0)
    network = make_pipeline(
        StandardScaler(),
        MLPClassifier((4,), solver="lbfgs", max_iter=300, random_state=0, tol=0.1),
    )
    cascade = after(network, KNeighborsClassifier(), LINE).fit(numbers, y)
    decider = cascade.estimators_[-1]
    assert decider[0].feature_names_in_.tolist() == list(cascade.schema_out_.names)
    assert cascade.estimators_[1].feature_names_in_[2] == "Discrim:P(no)"
    assert_allclose(cascade.predict_proba(numbers).sum(axis=1), 1.0)
