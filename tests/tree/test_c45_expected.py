"""C45Classifier against Weka's outputs on two data sets that are generated."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dissensus.datasets import load_dataset
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from tests.expected.write_expected import (
    DATA_SETS,
    expand,
    expected_outputs,
    path_of,
)
from tests.oracles import (
    J48_SCHEMES,
    MDL_SCHEMES,
    PARTS,
    Oracle,
    assert_model_equals,
    assert_same_cut_points,
    assert_same_fill_values,
    needs_oracles,
    read_json,
)
from tests.tree.schemes import fit_scheme


@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    data = load_dataset(request.param)
    content = expand(read_json(path_of(request.param)))
    return Oracle(content, data.X, np.asarray(data.y))


def test_generated_data_have_the_attributes_of_the_files(oracle: Oracle) -> None:
    data = load_dataset(oracle.content["data"])
    n_values = [
        len(v) if v != "numeric" else 0 for _, v in oracle.content["attributes"]
    ]
    assert [attribute.n_values for attribute in data.schema] == n_values[:-1]
    assert [str(label) for label in data.classes] == oracle.classes("all")


@pytest.mark.parametrize("key", J48_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_trees_equal_the_expected_ones(oracle: Oracle, part: str, key: str) -> None:
    assert_model_equals(fit_scheme(oracle, part, key), oracle, part, key)


@pytest.mark.parametrize("key", MDL_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_cut_points_equal_the_expected_ones(
    oracle: Oracle, part: str, key: str
) -> None:
    discretizer = MDLDiscretizer(**MDL_SCHEMES[key]).fit(*oracle.train(part))
    assert_same_cut_points(discretizer.cut_points_, oracle.result(key, part))


@pytest.mark.parametrize("part", PARTS)
def test_fill_values_equal_the_expected_ones(oracle: Oracle, part: str) -> None:
    replacer = MissingValueReplacer().fit(oracle.train(part)[0])
    assert_same_fill_values(replacer.fill_values_, oracle.result("fill", part))


@needs_oracles
@pytest.mark.parametrize("name", DATA_SETS)
def test_the_committed_outputs_are_those_of_weka(name: str) -> None:
    written = json.loads(json.dumps(expected_outputs(name)))
    assert read_json(path_of(name)) == written
