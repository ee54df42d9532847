"""Unsupervised cut points and groups of values, walked through one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise


def equal_width(values: Sequence[float], n_bins: int) -> list[float]:
    """Return the cut points of known values."""
    low, high = min(values), max(values)
    if low == high:
        return []
    return [low + i * (high - low) / n_bins for i in range(1, n_bins)]


def equal_frequency(
    values: Sequence[float], weights: Sequence[float], n_bins: int
) -> list[float]:
    """Return the cut points of known values, by a walk over the sorted rows."""
    rows = sorted(zip(values, weights, strict=True))
    left = math.fsum(weights)
    target = left / n_bins
    count = 0.0
    remembered: tuple[float, float] | None = None  # a place and the count there
    cuts: list[float] = []
    for (value, weight), (following, _) in pairwise(rows):
        count += weight
        left -= weight
        if value == following:
            continue
        place = (value + following) / 2
        if count < target:
            remembered = place, count
            continue
        if remembered and target - remembered[1] < count - target:
            cuts.append(remembered[0])
            count -= remembered[1]
            remembered = place, count
        else:
            cuts.append(place)
            count = 0.0
            remembered = None
        target = (left + count) / (n_bins - len(cuts))
    if remembered and len(cuts) < n_bins - 1:
        cuts.append(remembered[0])
    return cuts


def merge_values(counts: Sequence[Sequence[float]], max_values: int) -> list[list[int]]:
    """Return groups of values; every union is tried anew at every step."""
    groups = [[value] for value in range(len(counts))]
    while len(groups) > max_values:
        best, most = (0, 1), -math.inf
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                united = [*groups[:i], groups[i] + groups[j]]
                united += groups[i + 1 : j] + groups[j + 1 :]
                kept = information(united, counts)
                if kept > most + 1e-12:
                    best, most = (i, j), kept
        i, j = best
        groups[i] = sorted(groups[i] + groups.pop(j))
    return groups


def information(groups: list[list[int]], counts: Sequence[Sequence[float]]) -> float:
    """Return the mutual information of groups and classes, in nats."""
    joint = [
        [math.fsum(column) for column in zip(*(counts[v] for v in g), strict=True)]
        for g in groups
    ]
    total = math.fsum(map(math.fsum, joint))
    classes = [math.fsum(column) for column in zip(*joint, strict=True)]
    return math.fsum(
        n / total * math.log(n * total / (math.fsum(row) * classes[c]))
        for row in joint
        for c, n in enumerate(row)
        if n > 0
    )
