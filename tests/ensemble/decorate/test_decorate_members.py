"""DecorateClassifier with members of every sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from dissensus import ensemble
from dissensus.ensemble import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    DecorateClassifier,
)
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem

X_IRIS, Y_IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(),
        GaussianNB(),
        KNeighborsClassifier(3),
        RidgeClassifier(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        AdaBoostM1Classifier(n_estimators=3),
        BaggingClassifier(n_estimators=3),
        DecorateClassifier(n_estimators=3),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_base_learner_serves(estimator: Any) -> None:
    model = DecorateClassifier(estimator, n_estimators=4, max_iter=6, random_state=0)
    proba = model.fit(X_IRIS, Y_IRIS).predict_proba(X_IRIS)
    assert_allclose(proba.sum(axis=1), 1.0)
    assert model.score(X_IRIS, Y_IRIS) > 0.75
    again = DecorateClassifier(estimator, n_estimators=4, max_iter=6, random_state=0)
    assert_array_equal(again.fit(X_IRIS, Y_IRIS).predict_proba(X_IRIS), proba)


def test_a_committee_can_be_a_member() -> None:
    bag = BaggingClassifier(
        DecorateClassifier(n_estimators=3), n_estimators=3, random_state=0
    )
    assert bag.fit(X_IRIS, Y_IRIS).score(X_IRIS, Y_IRIS) > 0.9


@pytest.mark.skipif(
    not hasattr(ensemble, "MaclenClassifier"), reason="this build has no MACLEN"
)
def test_labels_and_examples_can_be_changed_together() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    maclen: Any = vars(ensemble)["MaclenClassifier"]
    few: Any = {"n_estimators": 3, "max_iter": 5, "random_state": 0}
    for model in (
        DecorateClassifier(maclen(), **few),
        maclen(DecorateClassifier(**few)),
    ):
        proba = model.fit(X[:100], y[:100]).predict_proba(X)
        assert_allclose(proba.sum(axis=1), 1.0)
        assert model.score(X[100:], y[100:]) > 0.5


def test_boosting_draws_rows_for_a_committee_that_cannot_use_weights() -> None:
    committee = DecorateClassifier(make_pipeline(GaussianNB()), n_estimators=2)
    boost = AdaBoostM1Classifier(committee, n_estimators=3, random_state=0)
    assert boost.fit(X_IRIS, Y_IRIS).score(X_IRIS, Y_IRIS) > 0.9


def test_weights_reach_the_members_and_invented_rows_weigh_one() -> None:
    seen: list[Any] = []

    class Watched(C45Classifier):
        def _fit_table(
            self, table: Any, y: Any, k: int, sample_weight: Any = None
        ) -> Any:
            seen.append(sample_weight)
            return super()._fit_table(table, y, k, sample_weight)

    weight = np.linspace(0.5, 1.5, 150)
    model = DecorateClassifier(Watched(), n_estimators=2, max_iter=2, random_state=0)
    model.fit(X_IRIS, Y_IRIS, sample_weight=weight)
    assert_array_equal(seen[0], weight)
    assert_array_equal(seen[1], np.append(weight, np.ones(150)))


def test_weights_are_refused_for_a_member_that_cannot_use_them() -> None:
    model = DecorateClassifier(make_pipeline(GaussianNB()))
    with pytest.raises(ValueError, match="cannot learn from weighted rows"):
        model.fit(X_IRIS, Y_IRIS, sample_weight=np.linspace(0.5, 1.5, 150))
