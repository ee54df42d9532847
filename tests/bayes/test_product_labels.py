"""The counts of pairs are also those of naive Bayes on pairs (class, value)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from dissensus.bayes import AODEClassifier
from dissensus.bayes._estimates import PairFactors, Smoothing, pair_factors
from dissensus.bayes._scores import one_dependence_scores
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.table import Table
from tests.oracles import (
    PARTS,
    SHARED,
    Oracle,
    assert_close,
    load_oracle,
    needs_oracles,
    read_json,
)

pytestmark = needs_oracles

DATA_SETS = (
    *("autos", "balance-scale", "credit-a", "glass", "hepatitis", "iris", "labor"),
    *("monks-2", "vote", "zoo"),
)
LAPLACE = Smoothing("laplace", 1.0)


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


def mean_of_posteriors(model: Any, pairs: PairFactors, table: Table) -> Any:
    """Return the mean, over attributes, of P(class | value of the attribute, rest)."""
    codes = model._codes(table)
    return one_dependence_scores(pairs, codes, normalize=True)[0] / table.n_attributes


def fitted(oracle: Oracle, part: str) -> tuple[Any, Table]:
    """Return AODE after filling in and discretising, and the rows to predict."""
    before = make_pipeline(MissingValueReplacer(), MDLDiscretizer())
    X, y = oracle.train(part)
    model = AODEClassifier().fit(before.fit_transform(X, y), y)
    return model, Table.from_any(before.transform(oracle.test(part)))


def result(oracle: Oracle, part: str, key: str) -> NDArray[np.float64]:
    path = SHARED / "oracles" / f"combo-{oracle.content['data']}.json.gz"
    return np.array(read_json(path)[part][key]["dist"])


@pytest.mark.parametrize("part", PARTS)
def test_posteriors_of_parents_are_those_of_naive_bayes_on_product_labels(
    oracle: Oracle, part: str
) -> None:
    model, table = fitted(oracle, part)
    found = mean_of_posteriors(model, pair_factors(model.counts_, LAPLACE), table)
    assert_close(found, result(oracle, part, "product-nb"), "distributions")
