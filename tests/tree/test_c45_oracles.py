"""C45Classifier and its preprocessing against the outputs of Weka's J48."""

from __future__ import annotations

import numpy as np
import pytest

from dissensus._core.tree._pessimistic_errors import extra_errors
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.tree import C45Classifier, export_text
from dissensus.tree._pessimistic import confidence_limits
from tests.oracles import (
    DATA_SETS,
    J48_SCHEMES,
    MDL_SCHEMES,
    PARTS,
    SHARED,
    Oracle,
    assert_close,
    assert_model_equals,
    assert_same_cut_points,
    assert_same_fill_values,
    assert_same_text,
    assert_tree_equals,
    load_oracle,
    needs_oracles,
    parameters_of,
    parse_text,
    read_json,
)
from tests.reference.random_data import as_columns, make_frame
from tests.tree.schemes import fit_scheme

N_CORNERS = 88

pytestmark = needs_oracles


# The parts of a data set come one after the other, so that it is read only once.
@pytest.fixture(params=DATA_SETS, scope="module")
def oracle(request: pytest.FixtureRequest) -> Oracle:
    return load_oracle(request.param)


@pytest.mark.parametrize("key", J48_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_trees_and_distributions_equal_those_of_j48(
    oracle: Oracle, part: str, key: str
) -> None:
    assert_model_equals(fit_scheme(oracle, part, key), oracle, part, key)


def test_printed_trees_equal_those_of_j48(oracle: Oracle) -> None:
    text = export_text(C45Classifier().fit(*oracle.train("all")))
    names = [name for name, _ in oracle.content["attributes"][:-1]]
    labels = {str(code): label for code, label in enumerate(oracle.classes("all"))}
    expected = parse_text(oracle.result("j48", "all")["text"], names)
    assert_same_text(parse_text(text, names, labels), expected)


@pytest.mark.parametrize("key", MDL_SCHEMES)
@pytest.mark.parametrize("part", PARTS)
def test_cut_points_equal_those_of_weka(oracle: Oracle, part: str, key: str) -> None:
    discretizer = MDLDiscretizer(**MDL_SCHEMES[key]).fit(*oracle.train(part))
    assert_same_cut_points(discretizer.cut_points_, oracle.result(key, part))


@pytest.mark.parametrize("part", PARTS)
def test_fill_values_equal_those_of_weka(oracle: Oracle, part: str) -> None:
    replacer = MissingValueReplacer().fit(oracle.train(part)[0])
    assert_same_fill_values(replacer.fill_values_, oracle.result("fill", part))


@pytest.mark.parametrize("number", range(N_CORNERS))
def test_corner_cases_equal_those_of_j48(number: int) -> None:
    cases = read_json(SHARED / "oracles" / "corners.json.gz")["cases"]
    assert len(cases) == N_CORNERS
    case = cases[number]
    X = make_frame(case["kinds"], as_columns(case["columns"]))
    model = C45Classifier(**parameters_of(case["options"]))
    model.fit(X, case["y"], sample_weight=case["weights"])
    assert_tree_equals(model.tree_, case["tree"])
    dist = model.predict_proba(make_frame(case["kinds"], as_columns(case["test"])))
    assert_close(dist, case["dist"], f"distributions ({case['about']})")


def test_extra_errors_equal_those_of_weka() -> None:
    rows = np.array(read_json(SHARED / "oracles" / "adderrs.json.gz")["rows"])
    for confidence in np.unique(rows[:, 2]):
        n, e, _, extra = rows[rows[:, 2] == confidence].T.copy()
        assert_close(
            extra_errors(n, e, *confidence_limits(confidence)),
            extra,
            f"CF {confidence}",
        )


def test_the_list_of_data_sets_is_complete() -> None:
    schemes = {
        path.name.removesuffix(".json.gz"): read_json(path)
        for path in (SHARED / "oracles").glob("*.json.gz")
    }
    with_j48 = {name for name, c in schemes.items() if "j48" in c.get("schemes", ())}
    assert with_j48 == set(DATA_SETS)
