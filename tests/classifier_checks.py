"""Our own battery: what every classifier promises about its answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from dissensus.preprocessing import MissingValueReplacer
from dissensus.table import Table
from tests.estimator_data import (
    NOMINAL,
    as_objects,
    as_pandas,
    as_polars,
    make_problem,
)

Check = Callable[[Any], None]


def least_score(estimator: Any) -> float:
    """Return the share of right answers that a classifier must exceed."""
    # One that ignores nominal attributes is only a little better than the 0.513 of
    # the most frequent class.
    return 0.52 if getattr(estimator, "encode", None) == "none" else 0.6


def check_probabilities_and_classes_agree(estimator: Any) -> None:
    cells, y = make_problem(missing=0.2)
    X = as_pandas(cells)
    labels = np.array(["a", "b", "c"])
    model = clone(estimator).fit(X, labels[y])
    proba, classes = model.predict_proba(X), model.predict(X)
    assert proba.dtype == np.float64
    assert proba.shape == (len(y), 3)
    assert (proba >= 0).all()
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-5)  # J48 does not normalise
    chosen = proba[np.arange(len(y)), np.searchsorted(labels, classes)]
    assert_allclose(chosen, proba.max(axis=1), atol=1e-5)
    assert (classes == labels[y]).mean() > least_score(estimator)


def check_inner_door_answers_for_every_class(estimator: Any) -> None:
    cells, y = make_problem()
    table = Table.from_any(as_pandas(cells))
    codes = (2 * y).astype(np.int32)  # the classes 1, 3, 5, 6 have no row
    proba = clone(estimator)._fit_table(table, codes, 7, None)._proba_table(table)
    assert proba.shape == (len(y), 7)
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-5)
    assert (proba[:, [0, 2, 4]].sum(axis=1) >= proba[:, [1, 3, 5, 6]].sum(axis=1)).all()


def check_inside_scikit_learns_bagging(estimator: Any) -> None:
    cells, y = make_problem(missing=0.0)
    whole = cells[:, [0, 1, 3]].astype(int)
    given = clone(estimator).set_params(categorical_features=NOMINAL)
    for member, X in ((given, whole), (clone(estimator), as_objects(cells))):
        bag = BaggingClassifier(member, n_estimators=4, random_state=0).fit(X, y)
        kinds = [a.is_nominal for a in bag.estimators_[0].schema_]
        assert kinds[:3] == [True, True, False]
        assert_allclose(bag.predict_proba(X).sum(axis=1), 1.0)
        assert bag.score(X, y) > least_score(estimator)
    # A label may be missing from a bootstrap, and a class too.
    rare = BaggingClassifier(given, n_estimators=4, max_samples=12, random_state=0)
    assert rare.fit(whole, y).predict_proba(whole).shape == (len(y), 3)


def check_inside_pipelines_and_searches(estimator: Any) -> None:
    cells, y = make_problem()
    for X in (as_pandas(cells), as_polars(cells)):
        pipeline = make_pipeline(MissingValueReplacer(), clone(estimator))
        scores = cross_val_score(pipeline, X, y, cv=2, error_score="raise")
        assert scores.mean() > 0.4
    grid = {"categorical_features": ["from_dtype", NOMINAL]}
    search = GridSearchCV(clone(estimator), grid, cv=2, error_score="raise")
    search.fit(cells, y)
    assert search.best_estimator_.score(cells, y) > 0.6


CLASSIFIERS: list[Check] = [
    check_probabilities_and_classes_agree,
    check_inner_door_answers_for_every_class,
    check_inside_scikit_learns_bagging,
    check_inside_pipelines_and_searches,
]
