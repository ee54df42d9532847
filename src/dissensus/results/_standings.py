"""How each learner of a study stands, as plain values: what a terminal shows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dissensus.results._comparison import compare_with_best, half_widths
from dissensus.utils._format import plain_number

BEST, LEVEL, WORSE = "best", "level", "worse"


def standings(results: Any, measure: str = "accuracy") -> list[dict[str, Any]]:
    """Return how each learner stands on each data set.

    Parameters
    ----------
    results : Results
        The study.
    measure : str, default="accuracy"
        The measure by which learners are ordered and tested.

    Returns
    -------
    list of dict
        For each data set and learner, the best first: "dataset", "learner", the mean of
        each measure of the study, "half_width" (half of the mean's 95 % interval),
        "standing" ("best", "level" if the difference to the best is not significant,
        else "worse"), "fit_seconds" (the median) and "failed" (cells). None where there
        is no number.

    Examples
    --------
    >>> from dissensus import load_dataset
    >>> from dissensus.experiment import compare
    >>> from dissensus.results import standings
    >>> iris = load_dataset("iris")
    >>> results = compare(iris, learners=["majority", "c45"], executor="serial")
    >>> [(row["learner"], row["standing"]) for row in standings(results)]
    [('c45', 'best'), ('majority', 'worse')]
    """
    measures = [measure, *(m for m in results.measures if m != measure)]
    cubes = {name: results.cube(name) for name in measures}
    cube = cubes[measure]
    widths = half_widths(cube)
    means = {name: found.means() for name, found in cubes.items()}
    effort = _effort(results)
    rows = []
    for d, dataset in enumerate(results.datasets):
        best, worse = compare_with_best(cube, d)
        for a in _order(means[measure][d], cube.greater_is_better):
            learner = results.learners[a]
            row: dict[str, Any] = {"dataset": dataset, "learner": learner}
            row |= {name: plain_number(float(means[name][d, a])) for name in measures}
            row["half_width"] = plain_number(float(widths[d, a]))
            row["standing"] = _standing(a, best, worse, row[measure])
            row["fit_seconds"], row["failed"] = effort.get(
                (dataset, learner), (None, 0)
            )
            rows.append(row)
    return rows


def _order(means: Any, greater_is_better: bool) -> list[int]:
    """Return the learners, the best first, those without a number last."""
    keys = -means if greater_is_better else means
    order: list[int] = np.argsort(keys, kind="stable").tolist()  # NaN is sorted last
    return order


def _standing(a: int, best: int | None, worse: set[int], mean: float | None) -> str:
    if mean is None:
        return ""
    if a == best:
        return BEST
    return WORSE if a in worse else LEVEL


def _effort(results: Any) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Return the usual time to fit and the number of failures, by set and learner."""
    cells = results.cells
    found: dict[tuple[str, str], tuple[float | None, int]] = {}
    for (dataset, learner), part in cells.group_by("dataset", "learner"):
        seconds = part["fit_seconds"].median()
        known = None if seconds is None or math.isnan(seconds) else float(seconds)
        found[dataset, learner] = (known, int((part["failure"] != "").sum()))
    return found
