"""What a committee would like to know: how useful the labels of rows would be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dissensus.utils._typing import Floats


def margin(proba: Floats) -> Floats:
    """Return how little the most probable class leads over the next."""
    mean = np.sort(proba.mean(axis=0), axis=1)
    second = mean[:, -2] if mean.shape[1] > 1 else 0.0
    return second - mean[:, -1]


def jensen_shannon(proba: Floats) -> Floats:
    """Return the Jensen-Shannon divergence of the members' distributions, in bits."""
    return entropy(proba.mean(axis=0)) - entropy(proba).mean(axis=0)


def entropy(proba: Floats) -> Floats:
    """Return the entropy of distributions along the last axis, in bits."""
    logarithms = np.log2(np.where(proba > 0, proba, 1.0))
    return np.asarray(-(proba * logarithms).sum(axis=-1))


# Each takes the probabilities of shape (n_members, n_rows, n_classes).
STRATEGIES: dict[str, Callable[[Floats], Floats]] = {
    "margin": margin,
    "jensen-shannon": jensen_shannon,
}
