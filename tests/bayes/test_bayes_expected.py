"""Naive Bayes and AODE against Weka's outputs on two data sets that are generated."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dissensus.datasets import load_dataset
from tests.bayes.schemes import BAYES_SCHEMES, fit_scheme
from tests.expected.write_expected import DATA_SETS, expand, expected_outputs, path_of
from tests.oracles import PARTS, Oracle, assert_close, needs_oracles, read_json


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    data = load_dataset(request.param)
    content = expand(read_json(path_of(request.param, "bayes")))
    return Oracle(content, data.X, np.asarray(data.y))


@pytest.mark.parametrize("key", BAYES_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_distributions_equal_the_expected_ones(
    oracle: Oracle, part: str, key: str
) -> None:
    dist = fit_scheme(oracle, part, key).predict_proba(oracle.test(part))
    assert_close(dist, oracle.result(key, part)["dist"], "distributions")


@needs_oracles
@pytest.mark.parametrize("name", DATA_SETS)
def test_the_committed_outputs_are_those_of_weka(name: str) -> None:
    written = json.loads(json.dumps(expected_outputs(name, "bayes")))
    assert read_json(path_of(name, "bayes")) == written
