"""Linear discriminant and least squares from their formulas, in loops.

Missing values get the mean of their column. Linear systems are solved by Gaussian
elimination, in fractions: the references know neither rounding nor singular matrices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Row = Sequence[float]
Matrix = list[list[Fraction]]


def filled(rows: Sequence[Row], weight: Row) -> list[list[float]]:
    """Return the rows with column means in place of missing values (NaN)."""
    means = []
    for column in zip(*rows, strict=True):
        pairs = zip(column, weight, strict=True)
        known = [(v, w) for v, w in pairs if not math.isnan(v)]
        total = math.fsum(w for _, w in known)
        means.append(math.fsum(v * w for v, w in known) / total if known else 0.0)
    return [
        [mean if math.isnan(v) else v for v, mean in zip(row, means, strict=True)]
        for row in rows
    ]


def discriminant(
    rows: Sequence[Row], y: Sequence[int], weight: Row, test: Sequence[Row]
) -> list[list[float]]:
    """Return the posteriors of normal distributions with one covariance.

    Written from the density, with the Mahalanobis distance to every class mean, and not
    from the hyperplanes.
    """
    n_classes, width = max(y) + 1, len(rows[0])
    total = sum(map(Fraction, weight))
    prior = [Fraction(0)] * n_classes
    mean = [[Fraction(0)] * width for _ in range(n_classes)]
    for row, c, w in zip(rows, y, weight, strict=True):
        prior[c] += Fraction(w) / total
        for j in range(width):
            mean[c][j] += Fraction(w) * Fraction(row[j]) / total
    mean = [[m / p for m in ms] for ms, p in zip(mean, prior, strict=True)]

    covariance = [[Fraction(0)] * width for _ in range(width)]
    for row, c, w in zip(rows, y, weight, strict=True):
        away = [Fraction(v) - m for v, m in zip(row, mean[c], strict=True)]
        for i in range(width):
            for j in range(width):
                covariance[i][j] += Fraction(w) * away[i] * away[j] / total
    return [_posterior(row, prior, mean, covariance) for row in test]


def _posterior(
    row: Row, prior: list[Fraction], mean: Matrix, covariance: Matrix
) -> list[float]:
    logs = []
    for p, centre in zip(prior, mean, strict=True):
        away = [Fraction(v) - m for v, m in zip(row, centre, strict=True)]
        solved = solve(covariance, away)
        distance = sum(a * s for a, s in zip(away, solved, strict=True))
        logs.append(math.log(p) - float(distance) / 2)
    powers = [math.exp(log - max(logs)) for log in logs]
    return [power / math.fsum(powers) for power in powers]


def least_squares(
    rows: Sequence[Row], y: Sequence[int], weight: Row, test: Sequence[Row]
) -> list[list[float]]:
    """Return the outputs of a regression per class, cut off at 0 and 1, normalised."""
    outputs = []
    for c in range(max(y) + 1):
        target = [Fraction(int(code == c)) for code in y]
        outputs.append(_regression(rows, target, weight, test))
    result = []
    for row in zip(*outputs, strict=True):
        cut = [min(max(float(value), 0.0), 1.0) for value in row]
        result.append([value / math.fsum(cut) for value in cut])
    return result


def _regression(
    rows: Sequence[Row], target: list[Fraction], weight: Row, test: Sequence[Row]
) -> list[Fraction]:
    design = [[Fraction(1), *map(Fraction, row)] for row in rows]
    width = len(design[0])
    normal = [[Fraction(0)] * width for _ in range(width)]
    right = [Fraction(0)] * width
    for row, t, w in zip(design, target, weight, strict=True):
        for i in range(width):
            right[i] += Fraction(w) * row[i] * t
            for j in range(width):
                normal[i][j] += Fraction(w) * row[i] * row[j]
    solution = solve(normal, right)
    return [
        sum(
            (s * Fraction(v) for s, v in zip(solution, (1, *row), strict=True)),
            Fraction(0),
        )
        for row in test
    ]


def solve(matrix: Matrix, right: list[Fraction]) -> list[Fraction]:
    """Solve a linear system exactly."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(n):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [
                    a - factor * b for a, b in zip(rows[r], rows[i], strict=True)
                ]
    return [row[-1] for row in rows]
