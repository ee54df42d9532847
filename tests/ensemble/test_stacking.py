"""StackedGeneralizationClassifier: what level 1 learns from, and who may be level 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import StackedGeneralizationClassifier, after
from dissensus.linear import DiscriminantClassifier, LeastSquaresClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem

NB, TREE, LINE = NaiveBayesClassifier(), C45Classifier(), DiscriminantClassifier()


def frame() -> tuple[Any, Any]:
    cells, y = make_problem()
    return as_pandas(cells), np.array(["no", "perhaps", "yes"])[y]


def folds_of(y: Any) -> Any:
    return list(StratifiedKFold(5, shuffle=True, random_state=0).split(y, y))


def out_of_fold(learner: Any, X: Any, y: Any, folds: Any) -> Any:
    proba = np.zeros((len(y), len(np.unique(y))))
    for train, test in folds:
        fitted = clone(learner).fit(X.iloc[train], y[train])
        proba[test] = fitted.predict_proba(X.iloc[test])
    return proba


def test_level_1_learns_from_models_that_have_not_seen_the_rows() -> None:
    X, y = frame()
    folds = folds_of(y)
    stack = StackedGeneralizationClassifier([TREE, NB], cv=folds).fit(X, y)
    made = np.hstack([out_of_fold(learner, X, y, folds) for learner in (TREE, NB)])
    by_hand = clone(LINE).fit(made, y)
    assert_array_equal(stack.final_estimator_.coef_, by_hand.coef_)
    later = [clone(learner).fit(X, y).predict_proba(X) for learner in (TREE, NB)]
    expected = by_hand.predict_proba(np.hstack(later))
    assert_array_equal(stack.predict_proba(X), expected)


def test_level_1_sees_no_inputs() -> None:
    X, y = frame()
    stack = StackedGeneralizationClassifier(random_state=0).fit(X, y)
    assert stack.names_ == ["C45", "NB"]
    names = [f"{n}:P({c})" for n in stack.names_ for c in ("no", "perhaps", "yes")]
    assert list(stack.schema_out_.names) == names
    out = stack.transform(X)
    assert isinstance(out, pd.DataFrame)
    assert out.columns.tolist() == names == stack.get_feature_names_out().tolist()


def test_times_and_leaves_are_told() -> None:
    X, y = frame()
    stack = StackedGeneralizationClassifier(final_estimator=TREE, cv=2).fit(X, y)
    assert stack.fit_times_.shape == (2,)
    assert (stack.fit_times_ > 0).all()
    assert stack.n_leaves_ == stack.final_estimator_.n_leaves_ > 1
    assert not hasattr(StackedGeneralizationClassifier(cv=2).fit(X, y), "n_leaves_")


def test_a_stack_of_foreign_learners_equals_scikit_learns() -> None:
    X, y = load_iris(return_X_y=True)
    learners = [KNeighborsClassifier(), DecisionTreeClassifier(random_state=0)]
    folds, top = folds_of(y), LogisticRegression(max_iter=1000)
    ours = StackedGeneralizationClassifier(learners, cv=folds, final_estimator=top)
    peer = StackingClassifier(
        list(zip("ab", learners, strict=True)), final_estimator=top, cv=folds
    )
    assert_allclose(
        ours.fit(X, y).predict_proba(X), peer.fit(X, y).predict_proba(X), rtol=1e-9
    )


@pytest.mark.parametrize(
    "top", [LINE, LeastSquaresClassifier(), TREE, LogisticRegression()]
)
def test_any_classifier_may_be_level_1(top: Any) -> None:
    X, y = frame()
    stack = StackedGeneralizationClassifier(final_estimator=top, random_state=0)
    assert stack.fit(X, y).score(X, y) > 0.6
    assert type(stack.final_estimator_) is type(top)


def test_weights_reach_both_levels() -> None:
    X, y = frame()
    weight = np.random.default_rng(1).choice([0.0, 0.5, 3.0], len(y))
    kept = np.flatnonzero(weight)
    stack = StackedGeneralizationClassifier(random_state=0)
    weighted = clone(stack).fit(X, y, sample_weight=weight)
    shorter = clone(stack).fit(X.iloc[kept], y[kept], sample_weight=weight[kept])
    assert_array_equal(weighted.predict_proba(X), shorter.predict_proba(X))
    plain = clone(stack).fit(X.iloc[kept], y[kept])
    assert (weighted.final_estimator_.coef_ != plain.final_estimator_.coef_).any()


def test_rows_of_a_group_are_not_divided() -> None:
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(40, 3)), 3, axis=0)
    y = np.repeat(rng.integers(0, 2, 40), 3)
    stack = StackedGeneralizationClassifier([KNeighborsClassifier(1)], random_state=0)
    divided = clone(stack).fit(X, y).final_estimator_.coef_
    kept = clone(stack).fit(X, y, groups=np.arange(120) // 3).final_estimator_.coef_
    assert np.abs(kept).max() < np.abs(divided).max() / 4


def test_parameters_of_both_levels_are_reached() -> None:
    stack = StackedGeneralizationClassifier(
        [("old", NaiveBayesClassifier())], final_estimator=C45Classifier()
    )
    stack.set_params(old__alpha=2.0, final_estimator__confidence=0.1)
    assert stack.estimators[0][1].alpha == 2.0
    assert stack.final_estimator.confidence == 0.1


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows_are_enough(rows: int) -> None:
    X, y = np.arange(3.0)[:rows, np.newaxis], np.array(["a", "b", "b"])[:rows]
    stack = StackedGeneralizationClassifier(random_state=0).fit(X, y)
    assert_allclose(stack.predict_proba(X).sum(axis=1), 1.0)


def test_a_stack_and_a_cascade_compose() -> None:
    X, y = frame()
    stack = StackedGeneralizationClassifier([after(TREE, NB), NB], random_state=0)
    assert stack.fit(X, y).names_ == ["Cascade", "NB"]
    cascade = after(TREE, StackedGeneralizationClassifier(random_state=0)).fit(X, y)
    first = cascade.schema_out_.names[4]
    assert first == "Stack:P(no)"
    assert cascade.transform(Table.from_any(X)).n_attributes == 7


def test_wrong_learners_are_refused() -> None:
    X, y = frame()
    with pytest.raises(ValueError, match="There is no learner"):
        StackedGeneralizationClassifier([]).fit(X, y)
    with pytest.raises(ValueError, match="cannot be called 'final_estimator'"):
        StackedGeneralizationClassifier([("final_estimator", NB)]).fit(X, y)
    with pytest.raises(ValueError, match="'final_estimator' parameter of Stacked"):
        StackedGeneralizationClassifier(final_estimator="mlr").fit(X, y)
