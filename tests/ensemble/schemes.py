"""Cascades of Weka's learners as those of this package, and how trees are compared."""

from __future__ import annotations

from typing import Any

import pytest

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import after
from dissensus.tree import C45Classifier
from tests.oracles import assert_same_nodes, nested

CASCADES = {
    "cascade-nbD-j48": after(C45Classifier(), NaiveBayesClassifier()),
    "cascade-j48-nbD": after(NaiveBayesClassifier(), C45Classifier()),
}
# Thresholds on attributes that a learner has made are probabilities.
THRESHOLD_TOLERANCE = 1e-12


def assert_cascade_tree_equals(cascade: Any, expected: Any) -> None:
    """Compare the deciding tree of a cascade with Weka's, node by node."""
    decider = cascade.estimators_[-1]
    tree = nested(decider.tree_)
    take_thresholds(tree, expected["tree"], cascade.n_features_in_)
    assert_same_nodes(tree, expected["tree"], "root")
    assert cascade.n_leaves_ == expected["leaves"]
    assert decider.tree_.n_nodes == expected["size"]


def take_thresholds(actual: Any, expected: Any, n_inputs: int) -> None:
    """Compare the thresholds on made attributes, and put the expected ones in."""
    if actual.get("k") == expected.get("k") == "le" and expected["a"] >= n_inputs:
        assert actual["t"] == pytest.approx(
            expected["t"], rel=0, abs=THRESHOLD_TOLERANCE
        )
        actual["t"] = expected["t"]
    for child, wanted in zip(actual.get("s", ()), expected.get("s", ()), strict=True):
        take_thresholds(child, wanted, n_inputs)
