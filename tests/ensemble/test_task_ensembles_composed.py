"""MACLEN and MTForest around other ensembles, inside them, and in scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier as SklearnBagging, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.ensemble import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    CascadeClassifier,
    MaclenClassifier,
    MTForestClassifier,
)
from dissensus.preprocessing import EqualWidthDiscretizer, MDLDiscretizer
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, as_polars, make_problem

COMPOSED = {
    "maclen around bagging": MaclenClassifier(
        BaggingClassifier(n_estimators=3, random_state=0)
    ),
    "bagging around maclen": BaggingClassifier(
        MaclenClassifier(), n_estimators=3, random_state=0
    ),
    "maclen around boosting": MaclenClassifier(AdaBoostM1Classifier(n_estimators=3)),
    "boosting around maclen": AdaBoostM1Classifier(MaclenClassifier(), n_estimators=3),
    "boosting around counts": AdaBoostM1Classifier(
        MaclenClassifier(NaiveBayesClassifier()), n_estimators=3
    ),
    "maclen around maclen": MaclenClassifier(MaclenClassifier()),
    "maclen around counts": MaclenClassifier(MaclenClassifier(NaiveBayesClassifier())),
    "maclen around aode": MaclenClassifier(AODEClassifier()),
    "maclen around mtforest": MaclenClassifier(MTForestClassifier()),
    "bagging around mtforest": BaggingClassifier(
        MTForestClassifier(), n_estimators=3, random_state=0
    ),
    "cascade around maclen": CascadeClassifier(
        [NaiveBayesClassifier(), MaclenClassifier()]
    ),
    "maclen around cascade": MaclenClassifier(
        CascadeClassifier([NaiveBayesClassifier(), C45Classifier()])
    ),
}


@pytest.mark.parametrize("name", COMPOSED)
def test_ensembles_compose(name: str) -> None:
    cells, y = make_problem()
    labels = np.array(["a", "b", "c"])[y]
    for X in (as_pandas(cells), as_polars(cells)):
        model = clone(COMPOSED[name]).fit(X, labels)
        proba = model.predict_proba(X)
        assert proba.shape == (len(y), 3)
        assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-5)
        assert model.score(X, labels) > 0.6
        again = clone(COMPOSED[name]).fit(X, labels)
        assert_array_equal(again.predict_proba(X), proba)


@pytest.mark.parametrize("name", COMPOSED)
def test_ensembles_compose_with_weights(name: str) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    weight = np.random.default_rng(0).choice([0.0, 0.5, 2.0], len(y))
    model = clone(COMPOSED[name]).fit(X, y, sample_weight=weight)
    assert model.score(X, y, sample_weight=weight) > 0.6


def test_foreign_members_deep_inside_get_numbers_from_arrays() -> None:
    cells, y = make_problem(missing=0.0)
    for inner in (LogisticRegression(), DecisionTreeClassifier(random_state=0)):
        model = MaclenClassifier(
            BaggingClassifier(inner, n_estimators=2, random_state=0)
        )
        assert model.fit(cells, y).score(cells, y) > 0.6


@pytest.mark.parametrize("encoder", [OneHotEncoder, OrdinalEncoder])
def test_pipelines_of_scikit_learn_can_be_members(encoder: Any) -> None:
    cells, y = make_problem(missing=0.0)
    options: dict[str, Any] = {"handle_unknown": "ignore"}
    if encoder is OrdinalEncoder:
        options = {"handle_unknown": "use_encoded_value", "unknown_value": -1}
    member = make_pipeline(encoder(**options), DecisionTreeClassifier(random_state=0))
    for X in (as_pandas(cells), as_polars(cells)):
        assert MaclenClassifier(member).fit(X, y).score(X, y) > 0.6


def test_grid_search_reaches_every_parameter() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    grid = {
        "estimator__confidence": [0.1, 0.4],
        "rule": ["conditional", "marginal"],
        "discretizers": [None, [MDLDiscretizer(), EqualWidthDiscretizer(4)]],
    }
    search = GridSearchCV(
        MaclenClassifier(C45Classifier()), grid, cv=2, error_score="raise"
    )
    search.fit(X, y)
    assert len(search.cv_results_["params"]) == 8
    assert search.best_estimator_.score(X, y) > 0.6
    search = GridSearchCV(
        MTForestClassifier(), {"task_weight": [0, 1]}, cv=2, error_score="raise"
    )
    assert search.fit(X, y).best_score_ > 0.4


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize(
    "model",
    [
        MaclenClassifier(),
        MaclenClassifier(NaiveBayesClassifier()),
        MTForestClassifier(),
    ],
)
def test_probabilities_can_be_calibrated(model: Any, method: str) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    calibrated = CalibratedClassifierCV(model, method=method, cv=2).fit(X, y)
    proba = calibrated.predict_proba(X)
    assert_allclose(proba.sum(axis=1), 1.0)
    assert calibrated.score(X, y) > 0.6


def test_in_the_meta_estimators_of_scikit_learn() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    voting = VotingClassifier(
        [("maclen", MaclenClassifier()), ("mtforest", MTForestClassifier())],
        voting="soft",
    )
    assert voting.fit(X, y).score(X, y) > 0.6
    bag = SklearnBagging(MaclenClassifier(), n_estimators=2, random_state=0)
    whole = np.nan_to_num(cells)
    assert bag.fit(whole, y).score(whole, y) > 0.6


def test_in_pipelines_and_cross_validation() -> None:
    cells, y = make_problem()
    for X in (as_pandas(cells), as_polars(cells), cells):
        pipeline = make_pipeline(EqualWidthDiscretizer(5), MaclenClassifier())
        assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.4
    proba = cross_val_predict(
        MaclenClassifier(NaiveBayesClassifier()),
        as_pandas(cells),
        y,
        cv=3,
        method="predict_proba",
    )
    assert proba.shape == (len(y), 3)


def test_binary_problems_with_boolean_labels() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    for model in (MaclenClassifier(), MTForestClassifier()):
        proba = model.fit(X, y > 0).predict_proba(X)
        assert proba.shape == (len(y), 2)
        assert model.predict(X).dtype == bool


def test_an_attribute_with_a_value_for_each_row_is_cured_by_groups() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": np.arange(40).astype(str), "x": rng.normal(size=40)})
    y = (X["x"] > 0).to_numpy().astype(int)
    member = make_pipeline(
        OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=0)
    )
    with pytest.warns(UserWarning, match="number of unique classes"):
        MaclenClassifier(member).fit(X, y)
    model = MaclenClassifier(member, max_values=3).fit(X, y)
    assert model.score(X, y) > 0.9
