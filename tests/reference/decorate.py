"""DECORATE in plain Python, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Distribution = Sequence[float]
Model = Callable[[Any], Sequence[Distribution]]


def first_maximum(dist: Distribution) -> int:
    """Return the first class of the largest probability."""
    return max(range(len(dist)), key=lambda c: (dist[c], -c))


def chances(dist: Distribution) -> list[float]:
    """Return the probability of each label: inversely proportional, zeros take all."""
    zeros = [p == 0 for p in dist]
    inverse = [float(z) for z in zeros] if any(zeros) else [1 / p for p in dist]
    return [i / sum(inverse) for i in inverse]


def pick(distribution: Sequence[float], u: float) -> int:
    """Return the class whose part of [0, 1) the number falls in."""
    total = 0.0
    for c, p in enumerate(distribution):
        total += p
        if u < total:
            return c
    return len(distribution) - 1


def mean(models: Sequence[Model], rows: Any) -> list[list[float]]:
    """Return the mean of the models' distributions."""
    answers = [model(rows) for model in models]
    return [
        [sum(column) / len(models) for column in zip(*dists, strict=True)]
        for dists in zip(*answers, strict=True)
    ]


def error(models: Sequence[Model], rows: Any, y: Sequence[int]) -> float:
    """Return the share of rows that the committee gets wrong."""
    found = [first_maximum(dist) for dist in mean(models, rows)]
    return sum(f != t for f, t in zip(found, y, strict=True)) / len(y)


def build(
    rows: Any,
    y: Sequence[int],
    *,
    size: int,
    max_iter: int,
    base: Callable[[Any, Sequence[int]], Model],
    invent: Callable[[], Any],
    uniforms: Callable[[int], Sequence[float]],
    join: Callable[[Any, Any], Any],
) -> tuple[list[Model], list[bool]]:
    """Return the committee, and for each trial whether the member was taken."""
    committee = [base(rows, y)]
    accepted = [True]
    best = error(committee, rows, y)
    while len(committee) < size and len(accepted) < max_iter:
        artificial = invent()
        dists = mean(committee, artificial)
        drawn = uniforms(len(dists))
        labels = [pick(chances(d), u) for d, u in zip(dists, drawn, strict=True)]
        committee.append(base(join(rows, artificial), [*y, *labels]))
        new = error(committee, rows, y)
        accepted.append(new <= best)
        if accepted[-1]:
            best = new
        else:
            committee.pop()
    return committee, accepted
