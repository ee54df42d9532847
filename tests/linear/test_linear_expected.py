"""Regressions and unsupervised cut points against Weka's on a generated data set."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dissensus.datasets import load_dataset
from dissensus.linear import LeastSquaresClassifier
from dissensus.preprocessing import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from tests.expected.write_expected import DATA_SETS, expand, expected_outputs, path_of
from tests.oracles import (
    PARTS,
    Oracle,
    assert_close,
    assert_same_cut_points,
    needs_oracles,
    read_json,
)


def expected(name: str) -> Oracle:
    """Return a generated data set with the outputs that are kept here."""
    data = load_dataset(name)
    content = expand(read_json(path_of(name, "linear")))
    return Oracle(content, data.X, np.asarray(data.y))


@pytest.mark.parametrize("part", PARTS)
def test_distributions_equal_the_expected_ones(part: str) -> None:
    oracle = expected("balance-scale")  # the other one has no numeric attribute
    model = LeastSquaresClassifier().fit(*oracle.train(part))
    dist = oracle.result("mlr", part)["dist"]
    proba = model.predict_proba(oracle.test(part))
    assert_close(proba, dist, "distributions", oracle.content["tolerance"])


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", DATA_SETS)
def test_cut_points_equal_the_expected_ones(name: str, part: str) -> None:
    oracle = expected(name)
    X = oracle.train(part)[0]
    for key, discretizer in (
        ("width10", EqualWidthDiscretizer()),
        ("freq10", EqualFrequencyDiscretizer()),
    ):
        cuts = discretizer.fit(X).cut_points_
        assert_same_cut_points(cuts, oracle.result(key, part))


@needs_oracles
@pytest.mark.parametrize("name", DATA_SETS)
def test_the_committed_outputs_are_those_of_weka(name: str) -> None:
    written = json.loads(json.dumps(expected_outputs(name, "linear")))
    assert read_json(path_of(name, "linear")) == written
