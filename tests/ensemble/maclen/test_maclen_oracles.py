"""MaclenClassifier against Weka's learners inside MACLEN."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.pipeline import make_pipeline

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import MaclenClassifier
from dissensus.preprocessing import MissingValueReplacer
from tests.oracles import (
    COMBO_SETS,
    PARTS,
    SHARED,
    Oracle,
    assert_close,
    load_combo,
    load_oracle,
    needs_oracles,
)

pytestmark = needs_oracles


@pytest.fixture(params=COMBO_SETS, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def fitted(oracle: Oracle, part: str, maclen: MaclenClassifier) -> Any:
    """Fit the ensemble behind the paper's replacement of missing values."""
    return make_pipeline(MissingValueReplacer(), maclen).fit(*oracle.train(part))


@pytest.mark.parametrize("labels", ["observed", "full"])
@pytest.mark.parametrize("part", PARTS)
def test_trees_in_maclen_equal_those_of_j48(name: str, part: str, labels: str) -> None:
    oracle, combo = load_oracle(name), load_combo(name)[part]
    assert combo["classes"] == oracle.classes(part)
    model = fitted(oracle, part, MaclenClassifier(labels=labels))
    expected = combo["product-j48"]
    assert [len(task.values) for task in model[-1].tasks_] == combo["values"]
    sizes = [member.tree_.n_nodes for member in model[-1].estimators_]
    assert sizes == expected["sizes"]
    dist = model.predict_proba(oracle.test(part))
    assert_close(dist, expected["dist"], "distributions")


@pytest.mark.parametrize(
    ("key", "labels"), [("product-nb", "full"), ("product-nb-present", "observed")]
)
@pytest.mark.parametrize("part", PARTS)
def test_naive_bayes_in_maclen_equals_that_of_weka(
    name: str, part: str, key: str, labels: str
) -> None:
    oracle, combo = load_oracle(name), load_combo(name)[part]
    maclen = MaclenClassifier(NaiveBayesClassifier(), labels=labels)
    dist = fitted(oracle, part, maclen).predict_proba(oracle.test(part))
    assert_close(dist, combo[key]["dist"], "distributions")


def test_the_list_of_data_sets_is_complete() -> None:
    files = (SHARED / "oracles").glob("combo-*.json.gz")
    names = {path.name[len("combo-") : -len(".json.gz")] for path in files}
    assert names == set(COMBO_SETS)
