"""Learning from chunks and merging models: counts add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.datasets import load_dataset
from dissensus.exceptions import TableError
from dissensus.preprocessing import MDLDiscretizer
from tests.estimator_data import NAMES, NOMINAL, as_pandas, make_problem

Make = Callable[[], Any]
MODELS = pytest.mark.parametrize(
    "make",
    [
        AODEClassifier,
        lambda: AODEClassifier("m-estimate", weighting="mutual-information"),
        NaiveBayesClassifier,
        lambda: NaiveBayesClassifier(missing="value"),
    ],
)


def nominal_problem(n: int = 150) -> tuple[Any, Any]:
    cells, y = make_problem(n, missing=0.1)
    return as_pandas(cells[:, NOMINAL], NAMES[:2]), y


def in_chunks(make: Make, X: Any, y: Any, size: int, weight: Any = None) -> Any:
    model = make()
    for start in range(0, len(y), size):
        part = slice(start, start + size)
        model.partial_fit(
            X[part],
            y[part],
            classes=[0, 1, 2],
            sample_weight=None if weight is None else weight[part],
        )
    return model


def assert_same_model(model: Any, other: Any, X: Any) -> None:
    assert_array_equal(model.classes_, other.classes_)
    assert_array_equal(model.counts_.values, other.counts_.values)
    if other.counts_.pairs is not None:
        assert_array_equal(model.counts_.pairs, other.counts_.pairs)
    assert_array_equal(model.predict_proba(X), other.predict_proba(X))


@MODELS
@pytest.mark.parametrize("size", [1, 7, 150])
def test_chunks_give_the_model_of_all_rows_bit_by_bit(make: Make, size: int) -> None:
    X, y = nominal_problem()
    assert_same_model(in_chunks(make, X, y, size), make().fit(X, y), X)


@MODELS
def test_whole_weights_do_not_spoil_a_bit(make: Make, rng: np.random.Generator) -> None:
    X, y = nominal_problem()
    weight = rng.integers(1, 5, len(y)).astype(float)
    whole = make().fit(X, y, sample_weight=weight)
    assert_same_model(in_chunks(make, X, y, 40, weight), whole, X)


@MODELS
def test_fractional_weights_agree_closely(make: Make, rng: np.random.Generator) -> None:
    X, y = nominal_problem()
    weight = rng.uniform(0.1, 3.0, len(y))
    whole = make().fit(X, y, sample_weight=weight)
    parts = in_chunks(make, X, y, 40, weight)
    assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-12)


@MODELS
def test_discretised_inputs_can_come_in_chunks(make: Make) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    before = MDLDiscretizer().fit(X, y).transform(X)
    assert_same_model(in_chunks(make, before, y, 33), make().fit(before, y), before)


@MODELS
def test_merged_models_are_the_model_of_all_rows(make: Make) -> None:
    X, y = nominal_problem()
    first = make().partial_fit(X[:70], y[:70], classes=[0, 1, 2])
    second = make().partial_fit(X[70:], y[70:], classes=[0, 1, 2])
    kept = second.counts_.values.copy()
    assert first.merge(second) is first
    assert_same_model(first, make().fit(X, y), X)
    assert_array_equal(second.counts_.values, kept)


@MODELS
def test_a_fitted_model_can_go_on(make: Make) -> None:
    X, y = nominal_problem()
    model = make().fit(X[:100], y[:100]).partial_fit(X[100:], y[100:])
    assert_same_model(model, make().fit(X, y), X)


@MODELS
def test_declared_classes_may_have_no_row(make: Make) -> None:
    X, y = nominal_problem()
    some = np.flatnonzero(y < 2)
    model = make().partial_fit(X.iloc[some], y[some], classes=[2, 1, 0])
    assert_array_equal(model.classes_, [0, 1, 2])
    assert (model.predict_proba(X)[:, 2] > 0).all()


# What is refused, and the cure


@MODELS
def test_numeric_inputs_are_refused_with_the_cure(make: Make) -> None:
    cells, y = make_problem()
    model = make()
    with pytest.raises(TableError, match="'length' is numeric.*MDLDiscretizer"):
        model.partial_fit(as_pandas(cells), y, classes=[0, 1, 2])
    with pytest.raises(NotFittedError):
        model.predict(as_pandas(cells))
    model.fit(as_pandas(cells), y)
    with pytest.raises(TableError, match="'length' is numeric"):
        model.partial_fit(as_pandas(cells), y)


@MODELS
def test_the_first_call_needs_the_classes(make: Make) -> None:
    X, y = nominal_problem()
    model = make()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    model.partial_fit(X, y, classes=[0, 1, 2]).partial_fit(X, y)
    with pytest.raises(ValueError, match="is not the same as on the last call"):
        model.partial_fit(X, y, classes=[0, 1])


@MODELS
def test_labels_that_were_not_declared_are_refused(make: Make) -> None:
    X, y = nominal_problem()
    with pytest.raises(ValueError, match=r"label 2, which is not declared.*\[0, 1\]"):
        make().partial_fit(X, y, classes=[0, 1])


@MODELS
def test_values_that_were_not_declared_count_as_missing(make: Make) -> None:
    X, y = nominal_problem()
    model = make().partial_fit(X, y, classes=[0, 1, 2])
    before = model.counts_.values.copy()
    model.partial_fit(X[:1].assign(colour="mauve", size="huge"), y[:1])
    added = (model.counts_.values - before).sum()
    assert added == 0


@MODELS
def test_only_models_that_mean_the_same_are_merged(make: Make) -> None:
    X, y = nominal_problem()
    model = make().fit(X, y)
    with pytest.raises(NotFittedError):
        model.merge(make())
    with pytest.raises(NotFittedError):
        make().merge(model)
    with pytest.raises(TypeError, match="Cannot merge dict"):
        model.merge({})
    with pytest.raises(ValueError, match="declared values differ"):
        model.merge(make().fit(X.astype(str), y))
    with pytest.raises(ValueError, match=r"the classes are \[0, 1, 2\] and \[0, 1\]"):
        model.merge(make().fit(X[y < 2], y[y < 2]))


@MODELS
def test_numeric_models_are_merged_only_with_the_same_cut_points(make: Make) -> None:
    cells, _ = make_problem()
    X, y = as_pandas(cells), cells[:, 2] > 0
    model = make().fit(X, y)
    twice = make().fit(X, y).merge(model)
    assert_array_equal(twice.counts_.values, 2 * model.counts_.values)
    with pytest.raises(ValueError, match="'length' was not cut at the same points"):
        model.merge(make().fit(X, cells[:, 2] > 1))


def test_normal_densities_are_not_merged() -> None:
    X, y = make_problem()[0][:, 2:], make_problem()[1]
    model = NaiveBayesClassifier(numeric="gaussian").fit(X, y)
    with pytest.raises(ValueError, match="was not cut at the same points"):
        model.merge(model)


def test_models_that_count_missing_differently_are_not_merged() -> None:
    X, y = nominal_problem()
    model = NaiveBayesClassifier().fit(X, y)
    with pytest.raises(ValueError, match="same parameter `missing`"):
        model.merge(NaiveBayesClassifier(missing="value").fit(X, y))


def test_a_data_set_with_declared_values_comes_in_chunks() -> None:
    data = load_dataset("tic-tac-toe")
    y = np.asarray(data.y)
    whole = AODEClassifier().fit(data.X, y)
    model = AODEClassifier()
    for start in range(0, len(y), 100):
        part = slice(start, start + 100)
        model.partial_fit(data.X[part], y[part], classes=data.classes)
    assert_same_model(model, whole, data.X)
