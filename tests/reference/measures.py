"""Measures written out example by example, straight from their formulas."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

Labels = Sequence[Any]


def four_counts(y: Labels, first: Labels, second: Labels) -> tuple[int, int, int, int]:
    """Return N11, N00, N10 and N01: right or wrong, the first and the second."""
    n = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for truth, one, other in zip(y, first, second, strict=True):
        n[one == truth, other == truth] += 1
    return n[True, True], n[False, False], n[True, False], n[False, True]


def disagreement(y: Labels, first: Labels, second: Labels) -> float:
    _, _, n10, n01 = four_counts(y, first, second)
    return (n10 + n01) / len(y)


def double_fault(y: Labels, first: Labels, second: Labels) -> float:
    return four_counts(y, first, second)[1] / len(y)


def q_statistic(y: Labels, first: Labels, second: Labels) -> float:
    n11, n00, n10, n01 = four_counts(y, first, second)
    if n11 * n00 + n01 * n10 == 0:
        return math.nan
    return (n11 * n00 - n01 * n10) / (n11 * n00 + n01 * n10)


def kappa(y: Labels, first: Labels, second: Labels) -> float:
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    labels = {*first, *second}
    if len(labels) == 1:
        return math.nan
    expected = sum(
        sum(a == label for a in first) / n * (sum(b == label for b in second) / n)
        for label in labels
    )
    return (observed - expected) / (1 - expected)


def error_correlation(y: Labels, first: Labels, second: Labels) -> float:
    one_errs = [
        a == b
        for truth, a, b in zip(y, first, second, strict=True)
        if a != truth or b != truth
    ]
    return sum(one_errs) / len(one_errs) if one_errs else math.nan


def area(y: Sequence[int], proba: Sequence[Sequence[float]], c: int) -> float:
    """Return the share of (c, not c) pairs of examples that are ranked rightly."""
    points = [
        1.0 if mine[c] > other[c] else 0.5 if mine[c] == other[c] else 0.0
        for label, mine in zip(y, proba, strict=True)
        for other_label, other in zip(y, proba, strict=True)
        if label == c and other_label != c
    ]
    return sum(points) / len(points)


def calibration_error(
    y: Sequence[int], proba: Sequence[Sequence[float]], n_bins: int
) -> float:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for label, row in zip(y, proba, strict=True):
        confidence = max(row)
        number = min(int(confidence * n_bins), n_bins - 1)
        hit = list(row).index(confidence) == label
        bins.setdefault(number, []).append((confidence, hit))
    total = 0.0
    for members in bins.values():
        confidence = sum(c for c, _ in members) / len(members)
        accuracy = sum(hit for _, hit in members) / len(members)
        total += len(members) / len(y) * abs(accuracy - confidence)
    return total


def bias_and_variance(
    y: Labels, predictions: Sequence[Labels], *, corrected: bool
) -> tuple[float, float]:
    """Return the mean bias and variance of Kohavi and Wolpert, label by label."""
    n_models, bias, variance = len(predictions), 0.0, 0.0
    labels = {*y, *itertools.chain.from_iterable(predictions)}
    for x, truth in enumerate(y):
        for label in labels:
            p = sum(model[x] == label for model in predictions) / n_models
            bias += ((truth == label) - p) ** 2 / 2
            if corrected:
                bias -= p * (1 - p) / (n_models - 1) / 2
            variance -= p**2 / 2
        variance += 1 / 2
    return bias / len(y), variance / len(y)


def signed_ranks_pvalue(differences: Sequence[float]) -> float:
    """Return Wilcoxon's p-value by trying all signs; zeros keep their ranks."""
    sizes = [abs(d) for d in differences]
    ranks = [
        sum(other < size for other in sizes)
        + (sum(other == size for other in sizes) + 1) / 2
        for size in sizes
    ]
    nonzero = [
        (rank, math.copysign(1, d))
        for rank, d in zip(ranks, differences, strict=True)
        if d
    ]
    observed = abs(sum(rank * sign for rank, sign in nonzero))
    sums = [
        abs(sum(s * rank for s, (rank, _) in zip(signs, nonzero, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(nonzero))
    ]
    return sum(total >= observed for total in sums) / len(sums)
