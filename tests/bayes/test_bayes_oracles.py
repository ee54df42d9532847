"""NaiveBayesClassifier and AODEClassifier against the outputs of Weka."""

from __future__ import annotations

import pytest

from tests.bayes.schemes import BAYES_SCHEMES, fit_scheme
from tests.oracles import (
    DATA_SETS,
    PARTS,
    Oracle,
    assert_close,
    load_oracle,
    needs_oracles,
)

pytestmark = needs_oracles


# The parts of a data set come one after the other, so that it is read only once.
@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


@pytest.mark.parametrize("key", BAYES_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_distributions_equal_those_of_weka(oracle: Oracle, part: str, key: str) -> None:
    model = fit_scheme(oracle, part, key)
    dist = model.predict_proba(oracle.test(part))
    assert_close(dist, oracle.result(key, part)["dist"], "distributions")
