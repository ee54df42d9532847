"""The parts of a page on learning curves, times and failures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dissensus.report._scores import Part
from dissensus.report._tables import cell, make_table
from dissensus.utils._format import joined, percent, seconds_text

MEAN = "mean of all data sets"
MANY = 6  # data sets with the same failure that are named
CURVES = {
    "fraction": {
        "id": "curves",
        "title": "Learning curves",
        "axis": "share of the training fold, %",
        "words": "the share of each training fold that is learnt from",
        "column": "learnt from",
    },
    "noise": {
        "id": "noise",
        "title": "Wrong labels",
        "axis": "wrong training labels, %",
        "words": "the share of training labels that were replaced by wrong ones",
        "column": "wrong labels",
    },
}


def curves_part(results: Any, setting: str) -> Part | None:
    """Return curves over fractions or noise, where the study has several."""
    shares = results.spec["fractions" if setting == "fraction" else "noise"]
    if len(shares) < 2:
        return None
    words = CURVES[setting]
    rows = [
        row
        for share in shares
        for row in _points(results.cube(**{setting: share}), share)
    ]
    if not rows:
        return None
    names = list(results.datasets)
    if len(names) > 1:
        names = [MEAN, *names]
    return {
        "id": words["id"],
        "title": words["title"],
        "sentence": (
            f"Accuracy against {words['words']}. The bands are one standard error of "
            "the mean to either side. Click a name below the chart to see it alone."
        ),
        "table": _wide(rows, names, shares, results.learners, words["column"]),
        "chart": {
            "kind": "curves",
            "rows": rows,
            "names": names,
            "learners": list(results.learners),
            "title": words["axis"],
            "column": words["column"],
        },
    }


def _points(cube: Any, share: float) -> list[dict[str, Any]]:
    """Return the points of all curves at one share."""
    counts = (~np.isnan(cube.values)).sum(axis=2)
    means, deviations = cube.means(), cube.deviations()
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.nan_to_num(deviations / np.sqrt(counts))
    lines = [
        (dataset, learner, means[d, a], errors[d, a])
        for d, dataset in enumerate(cube.datasets)
        for a, learner in enumerate(cube.learners)
    ]
    if len(cube.datasets) > 1:
        complete = means[~np.isnan(means).any(axis=1)]
        lines += [
            (MEAN, learner, column.mean() if len(column) else math.nan, 0.0)
            for learner, column in zip(cube.learners, complete.T, strict=True)
        ]
    return [
        {
            "dataset": dataset,
            "learner": learner,
            "percent": 100 * share,
            "share": f"{100 * share:g} %",
            "value": round(100 * float(mean), 3),
            "low": round(100 * float(mean - error), 3),
            "high": round(100 * float(mean + error), 3),
            "text": percent(float(mean)),
        }
        for dataset, learner, mean, error in lines
        if not np.isnan(mean)
    ]


def _wide(
    rows: list[dict[str, Any]], names: Any, shares: Any, learners: Any, column: str
) -> dict[str, Any]:
    """Return a table with a line for each data set and share."""
    found = {(r["dataset"], r["percent"], r["learner"]): r for r in rows}
    lines = []
    for name in names:
        for share in shares:
            points = [found.get((name, 100 * share, learner)) for learner in learners]
            cells = [None if p is None else cell(p["value"], p["text"]) for p in points]
            lines.append([name, cell(share, f"{100 * share:g} %"), *cells])
    return make_table(["data set", column, *learners], lines)


def times_part(results: Any) -> Part | None:
    """Return how long learners take, over all data sets."""
    content, frame = results.spec, results.cells
    frame = frame.filter(
        (frame["fraction"] == max(content["fractions"]))
        & (frame["noise"] == min(content["noise"]))
    )
    rows = []
    for learner in results.learners:
        chosen = frame.filter(frame["learner"] == learner)
        # The first cell of a process also imports: the median does not see it.
        values = [chosen[name].median() for name in ("fit_seconds", "predict_seconds")]
        values += [chosen[name].mean() for name in ("leaves", "members")]
        rows.append([learner, *(math.nan if v is None else float(v) for v in values)])
    known = [row for row in rows if not math.isnan(row[1])]
    if not known:
        return None
    known.sort(key=lambda row: row[1])
    return {
        "id": "times",
        "title": "Time",
        "sentence": (
            "Median time to fit on a training set and to predict a test set, in one "
            "process on the machine that ran the study. The table has the mean numbers "
            "of leaves and of members, too."
        ),
        "table": make_table(
            ["learner", "fit", "predict", "leaves", "members"],
            [
                [
                    learner,
                    cell(fit, seconds_text(fit)),
                    cell(predict, seconds_text(predict)),
                    *(cell(n if math.isnan(n) else round(n, 1)) for n in sizes),
                ]
                for learner, fit, predict, *sizes in known
            ],
        ),
        "chart": {
            "kind": "times",
            "rows": [
                {
                    "learner": learner,
                    "step": step,
                    "seconds": seconds,
                    "text": seconds_text(seconds),
                }
                for learner, fit, predict, *_ in known
                for step, seconds in (("fit", fit), ("predict", predict))
                if seconds > 0
            ],
            "order": [row[0] for row in known],
            "ticks": _powers([s for _, *times in known for s in times[:2] if s > 0]),
        },
    }


def _powers(seconds: list[float]) -> list[float]:
    """Return the powers of ten that enclose some times."""
    first = math.floor(math.log10(min(seconds)))
    last = max(math.ceil(math.log10(max(seconds))), first + 1)
    return [float(f"1e{power}") for power in range(first, last + 1)]


def failures_part(results: Any) -> Part | None:
    """Return the cells that failed; None if there are none."""
    frame = results.failures().frame
    if not len(frame):
        return None
    counted: dict[tuple[str, str, str], list[str]] = {}
    for row in frame.select("learner", "error", "failure", "dataset").iter_rows():
        counted.setdefault(row[:3], []).append(row[3])
    rows = [
        [learner, error, len(where), _some(results.datasets, where), kind]
        for (learner, error, kind), where in sorted(
            counted.items(), key=lambda item: -len(item[1])
        )
    ]
    return {
        "id": "failures",
        "title": "Failures",
        "sentence": (
            f"{len(frame)} of {results.n_cells} cells ended with an error. They count "
            "for nobody: means leave them out, and ranks compare only what all "
            "learners have done."
        ),
        "table": make_table(["learner", "error", "cells", "data sets", "kind"], rows),
        "chart": None,
        "open": True,
    }


def _some(known: Sequence[str], chosen: Sequence[str]) -> str:
    """Return some data sets in words, the number of them if they are many."""
    names = [name for name in known if name in chosen]
    return joined(names) if len(names) <= MANY else f"{len(names)} data sets"
