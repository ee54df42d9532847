"""A learner behind the preparation of the MACLEN paper."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from dissensus.exceptions import LearnerError
from dissensus.learners import parse_learner
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer,
    MDLDiscretizer,
    MissingValueReplacer,
)
from dissensus.tree import C45Classifier


def test_a_discretized_learner_is_the_pipeline_of_its_parts() -> None:
    X, y = load_iris(return_X_y=True)
    X = X.copy()
    X[::7, 2] = np.nan
    model = parse_learner("discretized(c45)").build().fit(X, y)
    filled = MissingValueReplacer().fit(X)
    cut = MDLDiscretizer().fit(filled.transform(X), y)
    from dissensus.table import Table

    inner = cut.transform(filled.transform(Table.from_any(X)))
    tree = C45Classifier().fit(inner, y)
    np.testing.assert_array_equal(model.predict_proba(X), tree.predict_proba(inner))


def test_test_rows_do_not_move_the_cuts() -> None:
    X, y = load_iris(return_X_y=True)
    model = parse_learner("discretized(nb)").build().fit(X[::2], y[::2])
    before = model.predict_proba(X[1::2])[:5]
    after = model.predict_proba(np.vstack([X[1::2][:5], X[:50] * 100]))[:5]
    np.testing.assert_array_equal(before, after)


def test_discretisers_are_named_in_the_text_of_a_learner() -> None:
    text = "maclen(c45, discretizers=[mdl, frequency(n_bins=5)])"
    learner = parse_learner(text)
    assert str(learner) == text
    kinds = [type(part) for part in learner.build().discretizers]
    assert kinds == [MDLDiscretizer, EqualFrequencyDiscretizer]


def test_a_discretiser_alone_is_no_learner() -> None:
    with pytest.raises(LearnerError, match="is a discretiser"):
        parse_learner("mdl")
