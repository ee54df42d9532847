"""AODEClassifier: parents, weights, fallback."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.datasets import load_dataset
from dissensus.exceptions import MemoryLimitError
from dissensus.table import Schema, Table
from dissensus.utils import _memory_limit
from tests.bayes.random_data import make_case
from tests.bayes.test_naive_bayes import nominal_frame
from tests.estimator_data import as_pandas, make_problem
from tests.reference import bayes as reference

# Weka 3.6.14, WAODE without options, on every 87th row of monks-2: P(class 0).
WAODE = [
    0.994556182435238,
    0.577752319186389,
    0.721043677844231,
    0.622065947777156,
    0.568705787778476,
]


@pytest.mark.parametrize("limit", [0, 1, 3, 1000])
@pytest.mark.parametrize("rule", [("laplace", 1.0), ("m-estimate", 1.0)])
@pytest.mark.parametrize("seed", range(12))
def test_probabilities_equal_the_reference(
    seed: int, rule: tuple[str, float], limit: int
) -> None:
    case = make_case(seed)
    model = AODEClassifier(rule[0], alpha=rule[1], min_parent_count=limit)
    model._fit_table(case.table(), case.y, case.n_classes, case.weight)
    data = case.training(*rule)
    expected = [reference.aode_proba(data, row, limit) for row in case.test_rows()]
    found = model._proba_table(case.test_table())
    assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("seed", range(12))
def test_weighted_parents_equal_the_reference(seed: int) -> None:
    case = make_case(seed)
    model = AODEClassifier(weighting="mutual-information")
    model._fit_table(case.table(), case.y, case.n_classes, case.weight)
    weights = [Fraction(weight) for weight in model.parent_weights_]
    data = case.training()
    expected = [reference.aode_proba(data, row, 1, weights) for row in case.test_rows()]
    found = model._proba_table(case.test_table())
    assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_weka_weights_parents_in_the_same_way() -> None:
    data = load_dataset("monks-2")
    model = AODEClassifier("m-estimate", weighting="mutual-information")
    proba = model.fit(data.X, data.y).predict_proba(data.X)
    assert_allclose(proba[::87, 0], WAODE, rtol=0, atol=1e-12)


def test_parents_that_tell_nothing_share_the_weight() -> None:
    X = nominal_frame("aa", "ab", "ba", "bb")
    y = [0, 1, 1, 0]  # neither column alone tells anything
    even = AODEClassifier().fit(X, y)
    weighted = AODEClassifier(weighting="mutual-information").fit(X, y)
    assert_array_equal(weighted.parent_weights_, [1.0, 1.0])
    assert_array_equal(weighted.predict_proba(X), even.predict_proba(X))
    assert_array_equal(weighted.predict(X), y)  # but both together do


def test_rare_parents_leave_naive_bayes_to_answer() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    naive = NaiveBayesClassifier().fit(X, y)
    model = AODEClassifier(min_parent_count=1000).fit(X, y)
    assert_array_equal(model.predict_proba(X), naive.predict_proba(X))


def test_rows_without_a_known_value_get_the_class_prior() -> None:
    X, y = nominal_frame("ab", "ba", "bb"), [0, 1, 1]
    model = AODEClassifier().fit(X, y)
    assert_allclose(model.predict_proba(nominal_frame("??")), [[2 / 5, 3 / 5]])


def test_without_attributes_the_class_priors_answer() -> None:
    table = Table(Schema(()), (), 3)
    y = np.array([0, 1, 1], dtype=np.int32)
    model = AODEClassifier()._fit_table(table, y, 3)
    assert_allclose(model._proba_table(table), [[2 / 6, 3 / 6, 1 / 6]] * 3)


def test_one_attribute_is_its_own_only_parent() -> None:
    X, y = nominal_frame("a", "a", "b"), [0, 0, 1]
    model = AODEClassifier().fit(X, y)
    # P(0, a) = 3/9, P(1, a) = 1/9.
    assert_allclose(model.predict_proba(X[:1]), [[0.75, 0.25]])


def test_a_row_has_the_same_bits_in_fit_and_predict() -> None:
    cells, y = make_problem(400, missing=0.1)
    table = Table.from_any(as_pandas(cells))
    model = AODEClassifier(n_jobs=2)._fit_table(table, y.astype(np.int32), 3)
    together = model._proba_table(table)
    rng = np.random.default_rng(0)
    for size in (1, 7, 300):
        rows = rng.choice(400, size, replace=False)
        assert_array_equal(model._proba_table(table.take(rows)), together[rows])


def test_the_number_of_threads_does_not_change_a_bit() -> None:
    cells, y = make_problem(3000, missing=0.1)
    X = as_pandas(cells)
    one = AODEClassifier().fit(X, y)
    three = AODEClassifier(n_jobs=3).fit(X, y)
    assert_array_equal(three.counts_.pairs, one.counts_.pairs)
    assert_array_equal(three.predict_proba(X), one.predict_proba(X))


def test_equal_width_intervals_can_be_parents() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = AODEClassifier(numeric="equal-width").fit(X, y)
    naive = NaiveBayesClassifier(numeric="equal-width").fit(X, y)
    for mine, theirs in zip(model.cut_points_, naive.cut_points_, strict=True):
        assert_array_equal(mine, theirs)
    assert model.score(X, y) > naive.score(X, y)


def test_a_column_of_names_is_refused_before_memory_runs_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"row {number}" for number in range(20_000)]
    X = np.column_stack([np.resize(["a", "b"], 20_000), names])
    y = np.arange(20_000) % 2
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: 2**33)
    with pytest.raises(MemoryLimitError, match=r"11.9 GiB.*'x1' has 20,000 values"):
        AODEClassifier().fit(X, y)
    assert NaiveBayesClassifier().fit(X, y).score(X, y) == 1.0
