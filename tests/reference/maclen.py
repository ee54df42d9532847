"""MACLEN as plain as possible: one dictionary of pairs per member and row."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.reference import j48
from tests.reference.nodes import Data

Row = list[float]
Pair = tuple[int, int]
Answer = Callable[[Row], "list[float]"]
Learner = Callable[[Data], Answer]


@dataclass(frozen=True, slots=True)
class Member:
    """A member: its attribute, its pairs in the order of its classes, its answers."""

    attribute: int
    pairs: list[Pair]
    answer: Answer


def fit(data: Data, learn: Learner, labels: str = "observed") -> list[Member]:
    """Train one member per attribute of nominal data."""
    return [_fit_member(data, a, learn, labels) for a in range(len(data.kinds))]


def _fit_member(data: Data, attribute: int, learn: Learner, labels: str) -> Member:
    column, n_values = data.columns[attribute], data.kinds[attribute]
    known = ~np.isnan(column)
    if not known.any():  # nothing to predict beside the class
        n_values = 1
        column, known = np.zeros(data.n_rows), np.ones(data.n_rows, dtype=bool)
    targets = [
        (int(c), int(v)) for c, v in zip(data.y[known], column[known], strict=True)
    ]
    pairs = sorted(set(targets))
    if labels == "full":
        pairs = [(c, v) for c in range(data.n_classes) for v in range(n_values)]
    others = [a for a in range(len(data.kinds)) if a != attribute]
    answer = learn(
        Data(
            [data.kinds[a] for a in others],
            [data.columns[a][known] for a in others],
            np.array([pairs.index(target) for target in targets], dtype=np.intp),
            data.weight[known],
            len(pairs),
        )
    )
    return Member(attribute, pairs, answer)


def vote(
    member: Member, row: Row, n_classes: int, rule: str = "conditional"
) -> list[float]:
    """Return the class probabilities by equation 2 where defined, else equation 1."""
    inputs = [x for a, x in enumerate(row) if a != member.attribute]
    joint = dict(zip(member.pairs, member.answer(inputs), strict=True))
    value = row[member.attribute]
    if rule == "conditional" and not math.isnan(value):
        with_value = [joint.get((c, int(value)), 0.0) for c in range(n_classes)]
        if sum(with_value) > 0:
            return [p / sum(with_value) for p in with_value]
    return [
        sum(p for (c_of_pair, _), p in joint.items() if c_of_pair == c)
        for c in range(n_classes)
    ]


def average(
    members: list[Member], row: Row, n_classes: int, rule: str = "conditional"
) -> list[float]:
    """Return the mean of the members' votes."""
    votes = [vote(member, row, n_classes, rule) for member in members]
    return [sum(column) / len(votes) for column in zip(*votes, strict=True)]


def tree_learner(options: j48.Options) -> Learner:
    """Return a learner of plain C4.5 trees."""

    def learn(data: Data) -> Answer:
        tree = j48.build(data, options)
        return lambda row: j48.distribution(tree, row, options.smoothing).tolist()

    return learn
