"""Naive Bayes and AODE in plain Python, from their formulas.

Counts and probabilities are fractions, so that nothing is rounded but normal densities.
A row is a list of values, None where a value is missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Row = Sequence[int | None]
ONE, ZERO = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class Rule:
    """How frequencies become probabilities."""

    kind: str = "laplace"
    alpha: Fraction = ONE

    def estimate(self, count: Fraction, total: Fraction, n_cells: int) -> Fraction:
        if self.kind == "laplace":
            above, below = count + self.alpha, total + self.alpha * n_cells
        else:
            above, below = count + self.alpha / n_cells, total + self.alpha
        return above / below if below else Fraction(1, n_cells)


@dataclass(frozen=True)
class Training:
    """Rows, classes and weights, with the declared numbers of values and classes."""

    rows: Sequence[Row]
    y: list[int]
    weight: list[Fraction]
    n_values: list[int]
    n_classes: int
    rule: Rule = field(default_factory=Rule)

    def count(self, c: int | None = None, **values: int) -> Fraction:
        """Return the weight of the rows of a class with values such as `a3=1`.

        A value of -1 stands for any known one.
        """
        wanted = [(int(name[1:]), value) for name, value in values.items()]
        return sum(
            (
                weight
                for row, label, weight in zip(
                    self.rows, self.y, self.weight, strict=True
                )
                if (c is None or label == c)
                and all(
                    row[a] is not None if v == -1 else row[a] == v for a, v in wanted
                )
            ),
            ZERO,
        )


def class_prior(data: Training) -> list[Fraction]:
    """Return P(c)."""
    total = data.count()
    return [
        data.rule.estimate(data.count(c), total, data.n_classes)
        for c in range(data.n_classes)
    ]


def naive_scores(data: Training, row: Row) -> list[Fraction]:
    """Return P(c) times P(v | c) over the known values."""
    scores = class_prior(data)
    for a, value in enumerate(row):
        if value is None:
            continue
        for c in range(data.n_classes):
            scores[c] *= data.rule.estimate(
                data.count(c, **{f"a{a}": value}),
                data.count(c, **{f"a{a}": -1}),
                data.n_values[a],
            )
    return scores


def parent_scores(data: Training, row: Row, parent: int) -> list[Fraction]:
    """Return P(c, u) times P(v | c, u) over the other known values, u the parent's."""
    here = {f"a{parent}": row[parent] or 0}
    n_cells = data.n_classes * data.n_values[parent]
    total = data.count(**{f"a{parent}": -1})
    scores = [
        data.rule.estimate(data.count(c, **here), total, n_cells)
        for c in range(data.n_classes)
    ]
    for a, value in enumerate(row):
        if value is None or a == parent:
            continue
        for c in range(data.n_classes):
            scores[c] *= data.rule.estimate(
                data.count(c, **here, **{f"a{a}": value}),
                data.count(c, **here, **{f"a{a}": -1}),
                data.n_values[a],
            )
    return scores


def shares(scores: Sequence[Fraction], otherwise: Sequence[Fraction]) -> list[float]:
    """Divide by the sum; the prior where all scores are 0."""
    total = sum(scores, ZERO)
    if not total:
        return [float(p) for p in otherwise]
    return [float(s / total) for s in scores]


def naive_proba(data: Training, row: Row) -> list[float]:
    """Return the probabilities of naive Bayes."""
    return shares(naive_scores(data, row), class_prior(data))


def aode_proba(
    data: Training,
    row: Row,
    min_parent_count: float = 1,
    weights: Sequence[Fraction] | None = None,
) -> list[float]:
    """Return the probabilities of AODE; naive Bayes answers for rows without parent."""
    sums = [ZERO] * data.n_classes
    for a, value in enumerate(row):
        if value is None or data.count(**{f"a{a}": value}) < min_parent_count:
            continue
        weight = ONE if weights is None else weights[a]
        own = parent_scores(data, row, a)
        sums = [s + weight * o for s, o in zip(sums, own, strict=True)]
    return shares(sums, class_prior(data)) if any(sums) else naive_proba(data, row)


def mutual_information(data: Training, attribute: int) -> float:
    """Return the sum of p(c, v) ln(p(c, v) / (p(c) p(v))) over known values."""
    name = f"a{attribute}"
    total = data.count(**{name: -1})
    information = 0.0
    for c in range(data.n_classes):
        for v in range(data.n_values[attribute]):
            both = data.count(c, **{name: v})
            if both:
                apart = data.count(c, **{name: -1}) * data.count(**{name: v})
                information += float(both / total) * math.log(both * total / apart)
    return information


def normal_factor(
    values: Sequence[float], weight: Sequence[float], x: float, precision: float
) -> float:
    """Return the probability of the interval of x, by a normal density of values."""

    def rounded(number: float) -> float:
        return round(number / precision) * precision

    near = [rounded(value) for value in values]
    total = sum(weight)
    pairs = list(zip(weight, near, strict=True))
    mean = sum(w * r for w, r in pairs) / total
    square = sum(w * (r - mean) ** 2 for w, r in pairs) / total
    deviation = max(math.sqrt(square), precision / 6)

    def below(number: float) -> float:
        return 0.5 * math.erfc(-(number - mean) / deviation / math.sqrt(2))

    middle, half = rounded(x), precision / 2
    return max(below(middle + half) - below(middle - half), 1e-75)
