"""What is measured for the DECORATE paper beside the cells of its studies."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from dissensus.datasets import Loaded
from dissensus.ensemble import (
    BaggingClassifier,
    DecorateClassifier,
    committee_size_study,
    diversity_study,
)
from dissensus.evaluation import nested_fractions


def diversity(
    data: Loaded, seed: int, *, repeat: int, ratios: list[float], folds: int
) -> dict[str, list[float]]:
    """Fit committees with several amounts of artificial rows on each training fold."""
    del repeat  # it tells the seeds of repeats apart
    study = diversity_study(
        data.table, data.y, ratios=ratios, cv=folds, random_state=seed
    )
    return {
        "ratio": study.artificial_ratio.tolist(),
        "diversity": study.diversity.tolist(),
        "ensemble": study.ensemble_error_reduction.tolist(),
        "base": study.base_error_reduction.tolist(),
    }


def committee_size(
    data: Loaded, seed: int, *, repeat: int, sizes: list[int], folds: int
) -> dict[str, Any]:
    """Follow the accuracy of growing committees that learn from a fifth of the rows."""
    del repeat
    study = committee_size_study(
        data.table, data.y, sizes=sizes, cv=folds, random_state=seed
    )
    return {"accuracy": study.accuracy.tolist(), "reached": study.reached.tolist()}


def unlabelled(
    data: Loaded, seed: int, *, repeat: int, share: float, folds: int
) -> dict[str, list[float]]:
    """Learn from a few labelled rows, with and without the other rows as they are."""
    del repeat
    rng = np.random.default_rng(seed)
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    scores: dict[str, list[float]] = {}
    for train, test in splitter.split(np.zeros(len(data.y)), data.y):
        parts = nested_fractions(data.y[train], [share], rng=rng)[share]
        rest = np.setdiff1d(np.arange(len(train)), parts)
        X, y = data.table.take(np.sort(train[parts])), data.y[np.sort(train[parts])]
        more = data.table.take(train[rest])
        for name, model, given in _learners(int(rng.integers(2**31)), more):
            fitted = model.fit(X, y, **given)
            right = fitted.predict(data.table.take(test)) == data.y[test]
            scores.setdefault(name, []).append(float(right.mean()))
    return scores


def _learners(seed: int, more: Any) -> list[tuple[str, Any, dict[str, Any]]]:
    own: dict[str, Any] = {"random_state": seed}
    return [
        ("Bagging", BaggingClassifier(n_estimators=15, **own), {}),
        ("invented", DecorateClassifier(**own), {}),
        (
            "unlabelled",
            DecorateClassifier(unlabeled="instead", **own),
            {"X_unlabeled": more},
        ),
        ("both", DecorateClassifier(unlabeled="beside", **own), {"X_unlabeled": more}),
    ]
