"""The scoring kernels against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dissensus.bayes._codes import pack
from dissensus.bayes._counts import Counts
from dissensus.bayes._estimates import (
    PairFactors,
    Smoothing,
    ValueFactors,
    mutual_information,
    pair_factors,
    value_factors,
)
from dissensus.bayes._scores import naive_proba, one_dependence_scores
from tests.bayes.random_data import Case, make_case
from tests.reference import bayes as reference

RULES = [("laplace", 1.0), ("laplace", 0.25), ("m-estimate", 1.0), ("laplace", 0.0)]


def learnt(case: Case, kind: str, alpha: float) -> tuple[ValueFactors, PairFactors]:
    codes = pack(case.columns, case.n_values, len(case.y))
    counts = Counts.zeros(codes.n_values, case.n_classes, with_pairs=True)
    counts.add(codes, case.y, case.weight)
    rule = Smoothing(kind, alpha)
    return value_factors(counts, rule), pair_factors(counts, rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(25))
def test_naive_bayes_equals_the_reference(seed: int, rule: tuple[str, float]) -> None:
    case = make_case(seed)
    naive, _ = learnt(case, *rule)
    codes = pack(case.test, case.n_values, 8)
    data = case.training(*rule)
    expected = [reference.naive_proba(data, row) for row in case.test_rows()]
    assert_allclose(naive_proba(naive, codes), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(25))
def test_each_parent_equals_the_reference(
    seed: int, rule: tuple[str, float], normalize: bool
) -> None:
    case = make_case(seed)
    _, pairs = learnt(case, *rule)
    codes = pack(case.test, case.n_values, 8)
    data = case.training(*rule)
    for parent in range(len(case.n_values)):
        only = np.array([parent], dtype=np.int32)
        scores, steps = one_dependence_scores(pairs, codes, only, normalize=normalize)
        assert not steps.any()
        for row, found in zip(case.test_rows(), scores, strict=True):
            expected = [Fraction(0)] * case.n_classes
            if row[parent] is not None:
                expected = reference.parent_scores(data, row, parent)
            total = sum(expected) if normalize else 1
            numbers = [float(score / total) if total else 0.0 for score in expected]
            assert_allclose(found, numbers, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("n_classes", range(1, 8))
def test_scores_beyond_the_range_of_floating_point(
    rng: np.random.Generator, n_classes: int
) -> None:
    # 400 attributes of 30 values: products down to 1e-700.
    n, n_attributes, n_values = 60, 400, 30
    columns = [
        rng.integers(-1, n_values, n).astype(np.int32) for _ in range(n_attributes)
    ]
    y = rng.integers(0, n_classes, n).astype(np.int32)
    codes = pack(columns, [n_values] * n_attributes, n)
    counts = Counts.zeros(codes.n_values, n_classes, with_pairs=False)
    counts.add(codes, y)
    naive = value_factors(counts, Smoothing("laplace", 1.0))
    lines = np.cumsum(codes.n_values + 1) - codes.n_values - 1
    logs = np.log(naive.factors)
    expected = np.log(naive.prior) + np.array(
        [logs[lines + codes.codes[:, row]].sum(axis=0) for row in range(n)]
    )
    assert expected.max() < -700
    expected = np.exp(expected - expected.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    assert_allclose(naive_proba(naive, codes), expected, rtol=1e-10, atol=1e-12)


def test_parents_of_different_magnitude_are_added_exactly() -> None:
    # One parent makes the other values likely, the next ones nearly impossible.
    n_attributes, n_rows = 120, 3
    n_values = np.full(n_attributes, 2, dtype=np.int32)
    rng = np.random.default_rng(0)
    factors = np.ones((2 * n_attributes, 3 * n_attributes, 2))
    sizes = rng.uniform(0.01, 9.0, size=(2 * n_attributes, 1, 1))
    factors *= 10.0 ** -(sizes * rng.uniform(0.5, 1.0, size=factors.shape))
    factors[:, 2::3] = 1.0  # of missing values
    joint = rng.uniform(0.1, 1.0, size=(2 * n_attributes, 2))
    model = PairFactors(joint, factors, stride=2)
    codes = pack(
        [rng.integers(0, 2, n_rows).astype(np.int32) for _ in n_values],
        [2] * n_attributes,
        n_rows,
    )
    scores, steps = one_dependence_scores(model, codes)
    for row in range(n_rows):
        sums = [Fraction(0)] * 2
        for i in range(n_attributes):
            u = 2 * i + int(codes.codes[i, row])
            for c in range(2):
                term = Fraction(joint[u, c])
                for j in range(n_attributes):
                    if j != i:
                        v = 3 * j + int(codes.codes[j, row])
                        term *= Fraction(factors[u, v, c])
                sums[c] += term
        scale = Fraction(2) ** (300 * int(steps[row]))
        found = [Fraction(score) * scale for score in scores[row]]
        for got, wanted in zip(found, sums, strict=True):
            assert abs(got / wanted - 1) < Fraction(1, 10**12)


@pytest.mark.parametrize("seed", range(15))
def test_rows_have_the_same_bits_alone_and_in_company(seed: int) -> None:
    case = make_case(seed)
    naive, pairs = learnt(case, "laplace", 1.0)
    rows = np.random.default_rng(seed).integers(0, len(case.y), 600)
    codes = pack(case.columns, case.n_values, len(case.y)).take(rows)
    together = naive_proba(naive, codes)
    sums = one_dependence_scores(pairs, codes)[0]
    for row in (0, 255, 256, 599):
        alone = codes.take(np.array([row]))
        assert_array_equal(naive_proba(naive, alone)[0], together[row])
        assert_array_equal(one_dependence_scores(pairs, alone)[0][0], sums[row])


def test_threads_do_not_change_the_scores(rng: np.random.Generator) -> None:
    columns = [rng.integers(0, 4, 5000).astype(np.int32) for _ in range(5)]
    codes = pack(columns, [4] * 5, 5000)
    counts = Counts.zeros(codes.n_values, 3, with_pairs=True)
    counts.add(codes, rng.integers(0, 3, 5000).astype(np.int32))
    pairs = pair_factors(counts, Smoothing("laplace", 1.0))
    scores, steps = one_dependence_scores(pairs, codes)
    threaded, threaded_steps = one_dependence_scores(pairs, codes, n_jobs=3)
    assert_array_equal(threaded, scores)
    assert_array_equal(threaded_steps, steps)


def test_tiny_smoothing_does_not_lose_a_row() -> None:
    columns = [np.zeros(6, dtype=np.int32) for _ in range(9)]
    y = np.array([0, 0, 0, 0, 1, 1], dtype=np.int32)
    codes = pack(columns, [2] * 9, 6)
    counts = Counts.zeros(codes.n_values, 2, with_pairs=False)
    counts.add(codes, y)
    naive = value_factors(counts, Smoothing("laplace", 1e-300))
    unlikely = pack([np.ones(1, dtype=np.int32)] * 9, [2] * 9, 1)
    assert_allclose(naive_proba(naive, unlikely), [[2 / 3, 1 / 3]], rtol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_mutual_information_equals_the_reference(seed: int) -> None:
    case = make_case(seed)
    codes = pack(case.columns, case.n_values, len(case.y))
    counts = Counts.zeros(codes.n_values, case.n_classes, with_pairs=False)
    counts.add(codes, case.y, case.weight)
    data = case.training()
    expected = [
        reference.mutual_information(data, a) for a in range(len(case.n_values))
    ]
    assert_allclose(mutual_information(counts), expected, rtol=1e-9, atol=1e-12)
