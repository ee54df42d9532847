"""CascadeClassifier against cascades of Weka's J48 and NaiveBayes -D."""

from __future__ import annotations

from typing import Any

import pytest

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import CascadeClassifier, after
from dissensus.tree import C45Classifier
from tests.oracles import (
    PARTS,
    SHARED,
    Oracle,
    assert_close,
    assert_same_nodes,
    load_oracle,
    needs_oracles,
    nested,
    read_json,
)

COMBINED = (
    *("autos", "balance-scale", "credit-a", "glass", "hepatitis", "iris", "labor"),
    *("monks-2", "vote", "zoo"),
)
# Thresholds on attributes that a learner has made are probabilities.
THRESHOLD_TOLERANCE = 1e-12

pytestmark = needs_oracles


@pytest.fixture(params=COMBINED, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def expected_of(name: str, part: str, key: str) -> tuple[Oracle, Any]:
    """Return data and outputs; the classes of both have the same order."""
    oracle = load_oracle(name)
    outputs = read_json(SHARED / "oracles" / f"combo-{name}.json.gz")[part]
    assert outputs["classes"] == oracle.classes(part)
    return oracle, outputs[key]


def take_thresholds(actual: Any, expected: Any, n_inputs: int) -> None:
    """Compare the thresholds on made attributes, and put the expected ones in."""
    if actual.get("k") == expected.get("k") == "le" and expected["a"] >= n_inputs:
        assert actual["t"] == pytest.approx(
            expected["t"], rel=0, abs=THRESHOLD_TOLERANCE
        )
        actual["t"] = expected["t"]
    for son, wanted in zip(actual.get("s", ()), expected.get("s", ()), strict=True):
        take_thresholds(son, wanted, n_inputs)


@pytest.mark.parametrize("part", PARTS)
def test_c45_after_naive_bayes_equals_weka(name: str, part: str) -> None:
    oracle, expected = expected_of(name, part, "cascade-nbD-j48")
    X, y = oracle.train(part)
    cascade = after(C45Classifier(), NaiveBayesClassifier()).fit(X, y)
    decider = cascade.estimators_[-1]
    tree = nested(decider.tree_)
    take_thresholds(tree, expected["tree"], cascade.n_features_in_)
    assert_same_nodes(tree, expected["tree"], "root")
    assert cascade.n_leaves_ == expected["leaves"]
    assert decider.tree_.n_nodes == expected["size"]
    proba = cascade.predict_proba(oracle.test(part))
    assert_close(proba, expected["dist"], "distributions")


@pytest.mark.parametrize("part", PARTS)
def test_naive_bayes_after_c45_equals_weka(name: str, part: str) -> None:
    oracle, expected = expected_of(name, part, "cascade-j48-nbD")
    X, y = oracle.train(part)
    cascade = CascadeClassifier([C45Classifier(), NaiveBayesClassifier()]).fit(X, y)
    proba = cascade.predict_proba(oracle.test(part))
    assert_close(proba, expected["dist"], "distributions")


def test_the_list_of_data_sets_is_complete() -> None:
    files = (SHARED / "oracles").glob("combo-*.json.gz")
    names = {path.name[len("combo-") : -len(".json.gz")] for path in files}
    assert names == set(COMBINED)
