"""Bias and variance: worked by hand, against the plain version and against Weka."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus.metrics import kohavi_wolpert
from dissensus.metrics._kohavi_wolpert import Form
from tests.oracles import SHARED, needs_oracles, read_json
from tests.reference.measures import bias_and_variance

BV_SETS = ["balance-scale", "glass", "iris", "vote"]


def test_four_models_worked_by_hand() -> None:
    # Example 1, truth a: p(a) = 3/4, p(b) = 1/4; example 2, truth b: p(c) = 1.
    found = kohavi_wolpert(["a", "b"], [list("ac"), list("ac"), list("ac"), list("bc")])
    assert found.error == pytest.approx((1 / 4 + 1) / 2)
    assert found.bias == pytest.approx(((1 / 16 + 1 / 16) / 2 + 1) / 2)
    assert found.variance == pytest.approx((1 - 9 / 16 - 1 / 16) / 2 / 2)
    assert (found.noise, found.n_models, found.n_examples) == (0.0, 4, 2)


def test_form_of_weka_worked_by_hand() -> None:
    found = kohavi_wolpert([0], [[0], [0], [0], [1]], form="weka")
    # Of the bias 1/16 goes (3/4 * 1/4 + 1/4 * 3/4) / 2 / 3 = 1/16.
    assert found.bias == pytest.approx(0.0, abs=1e-15)
    assert found.variance == pytest.approx(3 / 16)
    assert found.error == pytest.approx(1 / 4)


def test_models_that_are_always_right_have_neither_bias_nor_variance() -> None:
    found = kohavi_wolpert([0, 1], [[0, 1]] * 3)
    assert (found.error, found.bias, found.variance) == (0.0, 0.0, 0.0)


@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 8), st.integers(0, 9999))
def test_bias_and_variance_add_up_to_the_error(
    n_labels: int, n_models: int, n_examples: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(n_labels, size=n_examples)
    predictions = rng.integers(n_labels + 1, size=(n_models, n_examples))
    found = kohavi_wolpert(y, predictions)
    assert found.bias + found.variance == pytest.approx(found.error, abs=1e-12)


@given(st.integers(1, 4), st.integers(2, 9), st.integers(0, 9999))
def test_bias_of_weka_is_never_negative(
    n_labels: int, n_models: int, seed: int
) -> None:
    predictions = np.random.default_rng(seed).integers(n_labels, size=(n_models, 1))
    assert kohavi_wolpert([0], predictions, form="weka").bias >= -1e-12


@pytest.mark.parametrize("form", ["plug-in", "weka"])
def test_both_forms_equal_the_plain_version(
    form: Form, rng: np.random.Generator
) -> None:
    y = rng.integers(3, size=20)
    predictions = rng.integers(4, size=(6, 20))
    found = kohavi_wolpert(y, predictions, form=form)
    expected = bias_and_variance(
        y.tolist(), predictions.tolist(), corrected=form == "weka"
    )
    assert (found.bias, found.variance) == pytest.approx(expected, abs=1e-12)


@needs_oracles
@pytest.mark.parametrize("name", BV_SETS)
def test_form_of_weka_equals_bvdecompose(name: str) -> None:
    content: dict[str, Any] = read_json(SHARED / "oracles" / f"bv-{name}.json.gz")
    runs = [run for scheme in content["schemes"].values() for run in scheme]
    assert len(runs) >= 3
    for run in runs:
        found = kohavi_wolpert(run["truth"], run["pred"], form="weka")
        assert found.n_models == content["iterations"]
        assert found.error == pytest.approx(run["error"], abs=1e-9)
        assert found.bias == pytest.approx(run["bias"], abs=1e-9)
        assert found.variance == pytest.approx(run["variance"], abs=1e-9)
        assert found.noise == run["sigma"]


def test_one_model_has_no_form_of_weka() -> None:
    with pytest.raises(ValueError, match="at least two"):
        kohavi_wolpert([0], [[0]], form="weka")
    assert kohavi_wolpert([0], [[1]]).bias == 1.0


def test_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="'plug-in' or 'weka'"):
        kohavi_wolpert([0], [[0]], form="domingos")  # type: ignore[arg-type]
