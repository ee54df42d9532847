"""AdaBoost.M1 with reweighting, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log

from tests.reference.tolerance import equal, greater, greater_or_equal

Distribution = Sequence[float]
Learner = Callable[[Sequence[float]], Callable[[int], Distribution]]


def first_maximum(dist: Distribution) -> int:
    """Return the first class of the largest probability."""
    return max(range(len(dist)), key=lambda c: (dist[c], -c))


def tolerant_maximum(dist: Distribution) -> int:
    """Return the class that J48 predicts: a later one must be greater for sure."""
    best = 0
    for c in range(1, len(dist)):
        if greater(dist[c], dist[best]):
            best = c
    return best


class Boosted:
    """Members and votes; `learn(weights)` gives a function from row to distribution."""

    def __init__(
        self, learn: Learner, y: Sequence[int], weights: Sequence[float], rounds: int
    ) -> None:
        self.members: list[Callable[[int], Distribution]] = []
        self.votes: list[float] = []
        w = list(weights)
        rows = range(len(y))
        for _ in range(rounds):
            member = learn(w)
            total = wrong = 0.0
            for i in rows:
                total += w[i]
                wrong += w[i] if first_maximum(member(i)) != y[i] else 0.0
            error = wrong / total
            if greater_or_equal(error, 0.5) or equal(error, 0.0):
                if not self.members:
                    self.members, self.votes = [member], [1.0]
                break
            self.members.append(member)
            self.votes.append(log((1 - error) / error))
            for i in rows:
                if tolerant_maximum(member(i)) != y[i]:
                    w[i] *= (1 - error) / error
            new_total = 0.0
            for i in rows:
                new_total += w[i]
            w = [weight * total / new_total for weight in w]

    def distribution(self, row: int, n_classes: int) -> list[float]:
        """Return the class distribution of one row."""
        if len(self.members) == 1:
            return list(self.members[0](row))
        sums = [0.0] * n_classes
        for member, vote in zip(self.members, self.votes, strict=True):
            sums[tolerant_maximum(member(row))] += vote
        powers = [exp(s) for s in sums]
        return [p / sum(powers) for p in powers]
