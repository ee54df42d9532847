"""NaiveBayesClassifier: estimates, numeric modes, missing values, the inner door."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

from dissensus.bayes import NaiveBayesClassifier
from dissensus.bayes._intervals import dougherty_cut_points
from dissensus.preprocessing import MDLDiscretizer
from dissensus.table import Schema, Table
from tests.bayes.random_data import make_case
from tests.estimator_data import as_pandas, make_problem
from tests.reference import bayes as reference

WAYS: list[dict[str, Any]] = [
    {},
    {"numeric": "equal-width"},
    {"numeric": "gaussian"},
    {"missing": "value"},
    {"numeric": "equal-width", "missing": "value", "alpha": 0},
    {"smoothing": "m-estimate"},
]


def nominal_frame(*rows: str) -> pd.DataFrame:
    """Return a frame of one letter per cell, with a, b and c declared; ? is missing."""
    columns = list(zip(*rows, strict=True))
    return pd.DataFrame(
        {
            f"x{j}": pd.Categorical(
                [None if v == "?" else v for v in column], categories=list("abc")
            )
            for j, column in enumerate(columns)
        }
    )


@pytest.mark.parametrize("rule", [("laplace", 1.0), ("m-estimate", 2.0)])
@pytest.mark.parametrize("seed", range(20))
def test_probabilities_equal_the_reference(seed: int, rule: tuple[str, float]) -> None:
    case = make_case(seed)
    model = NaiveBayesClassifier(rule[0], alpha=rule[1])
    model._fit_table(case.table(), case.y, case.n_classes, case.weight)
    data = case.training(*rule)
    expected = [reference.naive_proba(data, row) for row in case.test_rows()]
    found = model._proba_table(case.test_table())
    assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_laplace_and_m_estimate_by_hand() -> None:
    X, y = nominal_frame("a", "a", "b", "c"), [0, 0, 0, 1]
    # P(0) = 4/6, P(1) = 2/6; P(a|0) = 3/6, P(a|1) = 1/4.
    laplace = NaiveBayesClassifier().fit(X, y)
    assert_allclose(laplace.class_prior_, [2 / 3, 1 / 3])
    assert_allclose(laplace.predict_proba(X[:1]), [[0.8, 0.2]])
    # P(0) = 3.5/5, P(1) = 1.5/5; P(a|0) = (2 + 1/3)/4, P(a|1) = (1/3)/2.
    m_estimate = NaiveBayesClassifier("m-estimate").fit(X, y)
    scores = np.array([0.7 * (7 / 3) / 4, 0.3 / 6])
    assert_allclose(m_estimate.predict_proba(X[:1])[0], scores / scores.sum())


def test_without_smoothing_a_class_that_never_had_the_value_is_impossible() -> None:
    X, y = nominal_frame("a", "a", "b"), [0, 1, 1]
    model = NaiveBayesClassifier(alpha=0).fit(X, y)
    proba = model.predict_proba(nominal_frame("b", "a"))
    assert_allclose(proba, [[0.0, 1.0], [0.5, 0.5]])


def test_where_every_class_is_impossible_the_prior_answers() -> None:
    X, y = nominal_frame("a", "a", "b"), [0, 1, 1]
    model = NaiveBayesClassifier(alpha=0).fit(X, y)
    assert_allclose(model.predict_proba(nominal_frame("c")), [[1 / 3, 2 / 3]])


def test_categorical_nb_of_scikit_learn_agrees(rng: np.random.Generator) -> None:
    codes = rng.integers(0, 4, size=(300, 6))
    y = (codes[:, 0] + rng.integers(0, 2, 300)) % 3
    model = NaiveBayesClassifier(alpha=0.5, categorical_features=list(range(6)))
    other = CategoricalNB(alpha=0.5, class_prior=model.fit(codes, y).class_prior_)
    expected = other.fit(codes, y).predict_proba(codes)
    assert_allclose(model.predict_proba(codes), expected, rtol=1e-10)


# Numeric attributes


def test_mdl_intervals_are_those_of_the_discretizer() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    discretizer = MDLDiscretizer().fit(X, y)
    model = NaiveBayesClassifier().fit(X, y)
    for mine, theirs in zip(model.cut_points_, discretizer.cut_points_, strict=True):
        assert (mine is None) == (theirs is None)
        if mine is not None and theirs is not None:
            assert_array_equal(mine, theirs)
    before = discretizer.transform(X)
    expected = NaiveBayesClassifier().fit(before, y).predict_proba(before)
    assert_array_equal(model.predict_proba(X), expected)


@pytest.mark.parametrize(
    ("n_distinct", "n_bins"), [(1, 1), (2, 2), (3, 3), (4, 4), (10, 7), (100, 13)]
)
def test_the_number_of_intervals_follows_doughertys_rule(
    n_distinct: int, n_bins: int
) -> None:
    values = np.linspace(-1.0, 3.0, n_distinct)
    cuts = dougherty_cut_points(values)
    assert len(cuts) == n_bins - 1
    assert_allclose(cuts, -1.0 + 4.0 * np.arange(1, n_bins) / n_bins)


@pytest.mark.parametrize(
    "values",
    [[], [7.0], [-1e308, 1e308], [1.0, np.nextafter(1.0, 2.0)], [-1e308, 0.0, 1e308]],
)
def test_extreme_columns_can_be_cut(values: list[float]) -> None:
    cuts = dougherty_cut_points(np.array(values))
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()


def test_a_value_outside_the_training_range_is_in_the_outer_interval() -> None:
    X = np.array([[0.0], [1.0], [6.0], [8.0]])
    model = NaiveBayesClassifier(numeric="equal-width").fit(X, [0, 0, 1, 1])
    assert_array_equal(model.cut_points_[0], [2.0, 4.0, 6.0])
    proba = model.predict_proba([[-99.0], [0.0], [8.0], [99.0]])
    assert_array_equal(proba[[0, 3]], proba[[1, 2]])


@pytest.mark.parametrize("weighted", [False, True])
def test_normal_densities_equal_the_reference(
    rng: np.random.Generator, weighted: bool
) -> None:
    values = np.round(rng.normal(size=40), 1)
    y = (values + rng.normal(size=40) > 0).astype(int)
    weight = rng.integers(1, 4, 40) / 2 if weighted else np.ones(40)
    model = NaiveBayesClassifier(numeric="gaussian")
    model.fit(values[:, np.newaxis], y, sample_weight=weight)
    precision = float(np.diff(np.unique(values)).mean())
    for x in (-1.0, 0.3, 2.5):
        scores = model.class_prior_ * [
            reference.normal_factor(
                values[y == c].tolist(), weight[y == c].tolist(), x, precision
            )
            for c in range(2)
        ]
        found = model.predict_proba([[x]])[0]
        assert_allclose(found, scores / scores.sum(), rtol=1e-9)


@pytest.mark.parametrize(
    "column",
    [
        [5.0, 5.0, 5.0, 5.0],
        [1e308, 1e308, -1e308, -1e308],
        [1e308, 1e308, 1e308, 1e308],
        [5e-324, 0.0, 5e-324, 0.0],
        [np.nan, np.nan, 1.0, 2.0],
        [np.nan, np.nan, np.nan, np.nan],
    ],
)
@pytest.mark.parametrize("numeric", ["gaussian", "equal-width", "mdl"])
def test_odd_columns_give_probabilities(column: list[float], numeric: str) -> None:
    X = np.array(column)[:, np.newaxis]
    model = NaiveBayesClassifier(numeric=numeric).fit(X, [0, 0, 1, 1])
    proba = model.predict_proba(np.vstack([X, [[0.0]], [[np.nan]], [[-1e308]]]))
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1.0)


def test_a_class_without_a_number_has_the_density_that_weka_gives_it() -> None:
    X = np.array([[1.0], [2.0], [4.0], [np.nan], [np.nan]])
    model = NaiveBayesClassifier(numeric="gaussian").fit(X, list("aaabb"))
    found = model.predict_proba([[0.5], [2.0], [4.0]])[:, 1]
    # Weka 3.6.14, NaiveBayes without options.
    expected = [0.8850106549709915, 0.0031354879924645395, 4.616390411890592e-75]
    assert_allclose(found, expected, rtol=1e-12)


# Missing and unseen values


def test_missing_values_are_skipped_in_counts_and_products() -> None:
    X, y = nominal_frame("a", "a", "?", "b"), [0, 0, 0, 1]
    model = NaiveBayesClassifier().fit(X, y)
    assert_array_equal(model.counts_.values[0], [2, 0, 0])
    assert_allclose(model.predict_proba(nominal_frame("?")), [model.class_prior_])


def test_missing_can_be_a_value() -> None:
    X, y = nominal_frame("a", "a", "?", "b"), [0, 0, 1, 1]
    model = NaiveBayesClassifier(missing="value").fit(X, y)
    # Four values: P(?|0) = 1/6, P(?|1) = 2/6.
    assert_allclose(model.predict_proba(nominal_frame("?")), [[1 / 3, 2 / 3]])
    unseen = X.assign(x0="mauve")[:1]
    assert_allclose(model.predict_proba(unseen), [[0.5, 0.5]])


def test_missing_numbers_can_be_a_value() -> None:
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    model = NaiveBayesClassifier(numeric="equal-width", missing="value")
    proba = model.fit(X, [0, 0, 1, 1]).predict_proba(X)
    assert_array_equal(model.predict(X), [0, 0, 1, 1])
    assert_allclose(proba[2], [1 / 4, 3 / 4])


def test_normal_densities_cannot_count_missing_as_a_value() -> None:
    model = NaiveBayesClassifier(numeric="gaussian", missing="value")
    with pytest.raises(ValueError, match="missing='value' needs intervals"):
        model.fit([[1.0], [2.0]], [0, 1])


# The inner door


def test_declared_classes_without_a_row_get_the_smoothed_floor() -> None:
    table = Table.from_any(nominal_frame("a", "a", "b"))
    y = np.array([0, 0, 2], dtype=np.int32)
    model = NaiveBayesClassifier()._fit_table(table, y, 4)
    assert_allclose(model.class_prior_, [3 / 7, 1 / 7, 2 / 7, 1 / 7])
    scores = np.array([3 / 7 * 3 / 5, 1 / 7 * 1 / 3, 2 / 7 * 1 / 4, 1 / 7 * 1 / 3])
    assert_allclose(model._proba_table(table)[0], scores / scores.sum())


def test_without_attributes_the_class_priors_answer() -> None:
    table = Table(Schema(()), (), 3)
    y = np.array([0, 1, 1], dtype=np.int32)
    model = NaiveBayesClassifier()._fit_table(table, y, 2)
    assert_allclose(model._proba_table(table), [[2 / 5, 3 / 5]] * 3)


@pytest.mark.parametrize("way", WAYS)
def test_a_row_has_the_same_bits_in_fit_and_predict(way: dict[str, Any]) -> None:
    cells, y = make_problem(400, missing=0.1)
    table = Table.from_any(as_pandas(cells))
    codes = y.astype(np.int32)
    model = NaiveBayesClassifier(**way)._fit_table(table, codes, 3)
    together = model._proba_table(table)
    rng = np.random.default_rng(0)
    for size in (1, 7, 300):
        rows = rng.choice(400, size, replace=False)
        assert_array_equal(model._proba_table(table.take(rows)), together[rows])


def test_weights_count_as_rows() -> None:
    X, y = nominal_frame("a", "b", "c"), [0, 1, 1]
    weighted = NaiveBayesClassifier().fit(X, y, sample_weight=[2.5, 1.0, 0.5])
    assert_array_equal(weighted.counts_.classes, [2.5, 1.5])
    assert_array_equal(weighted.counts_.values, [[2.5, 0, 0], [0, 1, 0.5]])
    assert_allclose(weighted.class_prior_, [3.5 / 6, 2.5 / 6])


def best(proba: NDArray[np.float64]) -> list[int]:
    return [int(code) for code in proba.argmax(axis=1)]


def test_one_row_and_one_class_are_enough() -> None:
    model = NaiveBayesClassifier().fit(nominal_frame("a"), ["only"])
    assert_array_equal(model.predict_proba(nominal_frame("a", "?")), [[1.0], [1.0]])


def test_many_attributes_do_not_underflow(rng: np.random.Generator) -> None:
    n_columns = 3000
    codes = rng.integers(0, 9, size=(40, n_columns))
    y = np.arange(40) % 2
    model = NaiveBayesClassifier(categorical_features=list(range(n_columns)))
    proba = model.fit(codes, y).predict_proba(codes)
    assert best(proba) == y.tolist()
    assert_allclose(proba.sum(axis=1), 1.0)
