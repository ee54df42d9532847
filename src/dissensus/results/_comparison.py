"""Learners set against the best one of each data set, and intervals of their means."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dissensus.utils._format import joined
from dissensus.utils._typing import Floats

LEVEL = 0.95
TESTS = {
    "corrected": "corrected resampled t-test at 95 %",
    "mcnemar": "exact test of McNemar at 95 %",
}


def compare_with_best(cube: Any, dataset: int) -> tuple[int | None, set[int]]:
    """Return the best learner on a data set, and those significantly worse."""
    means = cube.means()[dataset]
    if np.isnan(means).all():
        return None, set()
    best = int(np.nanargmax(means) if cube.greater_is_better else np.nanargmin(means))
    others = [a for a in range(len(means)) if a != best and not np.isnan(means[a])]
    return best, {
        a for a in others if cube.test(dataset, best, a).is_significant(LEVEL)
    }


def enough(done: NDArray[np.bool_]) -> list[int]:
    """Return the learners that have results on half of the data sets.

    Where learners are set against each other only what all have done counts, so one
    that fails everywhere would cost all others their comparison.

    Parameters
    ----------
    done : ndarray of shape (n_datasets, n_learners)
        Which learner has a result on which data set.
    """
    n_done = int(done.any(axis=1).sum())
    counts = done.sum(axis=0).tolist()
    return [a for a, count in enumerate(counts) if count and 2 * count >= n_done]


def fair_cube(results: Any) -> tuple[Any, str]:
    """Return the accuracies of learners that can be ranked; a note on the others."""
    cube = results.cube("accuracy")
    kept = enough(~np.isnan(cube.means()))
    names = tuple(cube.learners[a] for a in kept)
    absent = [learner for learner in cube.learners if learner not in names]
    note = f" Not ranked, for want of results: {joined(absent)}." if absent else ""
    rows = tuple(right[kept] for right in cube.rows)
    fair = replace(cube, values=cube.values[:, kept], learners=names, rows=rows)
    return fair, note


def half_widths(cube: Any) -> Floats:
    """Return half the width of a 95 % interval of each mean.

    The variance is Nadeau and Bengio's: training sets of a cross-validation overlap.
    With one test set it is that of a share of its rows.
    """
    if cube.rows:
        n_rows = np.array([[right.shape[1]] for right in cube.rows])
        means = cube.means()
        shares: Floats = stats.norm.ppf(0.5 + LEVEL / 2) * np.sqrt(
            means * (1.0 - means) / n_rows
        )
        return shares
    counts = (~np.isnan(cube.values)).sum(axis=2)
    ratio = cube.test_train_ratio
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = cube.deviations() * np.sqrt(1.0 / counts + ratio)
        widths: Floats = errors * stats.t.ppf(0.5 + LEVEL / 2, counts - 1)
    return widths
