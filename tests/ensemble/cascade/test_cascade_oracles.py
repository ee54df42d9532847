"""CascadeClassifier against cascades of Weka's J48 and NaiveBayes -D."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ensemble.schemes import CASCADES, assert_cascade_tree_equals
from tests.oracles import (
    PARTS,
    SHARED,
    Oracle,
    assert_close,
    load_oracle,
    needs_oracles,
    read_json,
)

COMBINED = (
    *("autos", "balance-scale", "credit-a", "glass", "hepatitis", "iris", "labor"),
    *("monks-2", "vote", "zoo"),
)
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


@pytest.mark.parametrize("part", PARTS)
def test_c45_after_naive_bayes_equals_weka(name: str, part: str) -> None:
    oracle, expected = expected_of(name, part, "cascade-nbD-j48")
    X, y = oracle.train(part)
    cascade = CASCADES["cascade-nbD-j48"].fit(X, y)
    assert_cascade_tree_equals(cascade, expected)
    proba = cascade.predict_proba(oracle.test(part))
    assert_close(proba, expected["dist"], "distributions")


@pytest.mark.parametrize("part", PARTS)
def test_naive_bayes_after_c45_equals_weka(name: str, part: str) -> None:
    oracle, expected = expected_of(name, part, "cascade-j48-nbD")
    X, y = oracle.train(part)
    cascade = CASCADES["cascade-j48-nbD"].fit(X, y)
    proba = cascade.predict_proba(oracle.test(part))
    assert_close(proba, expected["dist"], "distributions")


def test_the_list_of_data_sets_is_complete() -> None:
    files = (SHARED / "oracles").glob("combo-*.json.gz")
    names = {path.name[len("combo-") : -len(".json.gz")] for path in files}
    assert names == set(COMBINED)
