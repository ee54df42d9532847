"""LocalCascadeClassifier with other learners, and among other ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from dissensus import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    C45Classifier,
    CascadeClassifier,
    DiscriminantClassifier,
    LocalCascadeClassifier,
    load_dataset,
)
from dissensus.table import Table
from tests.ensemble.clouds import clouds
from tests.estimator_data import as_pandas, make_problem


def test_trees_inside_the_nodes() -> None:
    cells, y = make_problem(400)
    X = as_pandas(cells)
    model = LocalCascadeClassifier([C45Classifier(min_samples_leaf=20)]).fit(X, y)
    assert {type(c.model) for c in model.constructions_} == {C45Classifier}
    assert model.schema_out_.names[4] == "C45@0:P(0)"


def test_learners_of_an_inner_list_do_not_see_each_other() -> None:
    X, y = clouds()
    model = LocalCascadeClassifier(
        [[("one", DiscriminantClassifier()), ("two", DiscriminantClassifier())]],
        max_constructor_depth=1,
        prune=False,
        collapse=False,
    ).fit(X, y)
    names = model.schema_out_.names
    assert "two@0:P(1)" in names or "one@0:P(1)" in names
    for construction in model.constructions_:
        assert construction.inputs.tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", ["array", "pandas", "polars"])
def test_models_of_other_packages(kind: str) -> None:
    X, y = clouds(300)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    given = {"array": X, "pandas": frame}.get(kind)
    if given is None:
        given = Table.from_any(frame).to_frame("polars")
    learners = [LogisticRegression(), KNeighborsClassifier()]
    model = LocalCascadeClassifier(learners, confidence=0.5, min_samples_leaf=1)
    model.fit(given, y)
    assert {type(c.model) for c in model.constructions_} & {
        LogisticRegression,
        KNeighborsClassifier,
    }
    assert model.score(given, y) > 0.95
    # Thresholds lie between the values that rows have: bits may differ next time.
    first = model.constructions_[0]
    made = first.model.predict_proba(given)
    for node in np.flatnonzero(np.isin(model.tree_.attribute, first.made)):
        column = made[:, model.tree_.attribute[node] - first.first]
        assert np.abs(column - model.tree_.threshold[node]).min() > 1e-7


def test_foreign_learners_without_weights_learn_from_rows_with_missing_values() -> None:
    cells, y = make_problem(400, missing=0.1)
    learner = make_pipeline(DecisionTreeClassifier(max_depth=3, random_state=0))
    model = LocalCascadeClassifier([learner], confidence=0.5).fit(cells, y)
    assert model.constructions_
    with pytest.raises(ValueError, match="cannot learn from weighted rows"):
        model.fit(cells, y, sample_weight=np.linspace(1, 2, len(y)))


def test_random_learners_follow_the_seed() -> None:
    X, y = clouds(300)
    y[np.random.default_rng(1).random(300) < 0.2] ^= 1
    learners = [DecisionTreeClassifier(max_features=1, max_depth=3)]
    first, again = (
        LocalCascadeClassifier(learners, random_state=5).fit(X, y) for _ in range(2)
    )
    assert_array_equal(first.predict_proba(X), again.predict_proba(X))
    other = LocalCascadeClassifier(learners, random_state=6).fit(X, y)
    assert not np.array_equal(first.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize("constructor", [[], [[]], [3], [("a__b", C45Classifier())]])
def test_a_bad_list_of_learners_is_refused(constructor: Any) -> None:
    X, y = clouds(20)
    with pytest.raises(ValueError, match="learner|classifier"):
        LocalCascadeClassifier(constructor).fit(X, y)


@pytest.mark.parametrize(
    "committee",
    [
        AdaBoostM1Classifier(LocalCascadeClassifier(), n_estimators=3),
        BaggingClassifier(LocalCascadeClassifier("bayes"), 3, random_state=0),
        CascadeClassifier([LocalCascadeClassifier("bayes"), C45Classifier()]),
        LocalCascadeClassifier(
            [LocalCascadeClassifier("bayes", max_constructor_depth=1)]
        ),
    ],
)
def test_in_and_around_other_ensembles(committee: Any) -> None:
    balance = load_dataset("balance-scale")
    rows = np.random.default_rng(0).random(len(balance.y)) < 0.6
    table, y = Table.from_any(balance.X), np.asarray(balance.y)
    alone = C45Classifier().fit(table.take(rows), y[rows])
    committee.fit(table.take(rows), y[rows])
    better = committee.score(table.take(~rows), y[~rows])
    assert better > alone.score(table.take(~rows), y[~rows]) + 0.05
