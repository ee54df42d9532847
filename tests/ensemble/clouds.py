"""A problem that one slanted line solves and a tree does not."""

from __future__ import annotations

from typing import Any

import numpy as np


def clouds(n: int = 200, seed: int = 0) -> tuple[Any, Any]:
    """Draw two classes that a slanted line divides, and a column of noise."""
    X = np.random.default_rng(seed).normal(size=(n, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)
