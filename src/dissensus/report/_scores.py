"""The parts of a page that come from scores: tables, ranks, curves, times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dissensus.metrics import find_measure
from dissensus.report._tables import (
    cell,
    make_table,
    number_text,
    percent,
    plain_number,
    seconds_text,
)

Floats = NDArray[np.float64]
Part = dict[str, Any]
LEVEL = 0.95
SHARES = ("accuracy", "balanced_accuracy", "auc")
TESTS = {
    "corrected": "the corrected resampled t-test at 95 %",
    "mcnemar": "McNemar's exact test on the rows of the test set at 95 %",
}
MARKS = (
    "Bold: the best of its line. An arrow: significantly worse than the best by {}; "
    "without one, the difference could be chance."
)
NO_MARKS = "Bold: the best of its line. With one test set there is no test of this."


def score_text(measure: str, value: float) -> str:
    """Return a score: shares in percent, others as numbers."""
    return percent(value) if measure in SHARES else number_text(value)


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


def scores_part(results: Any, measure: str) -> Part | None:
    """Return the mean scores by data set, with marks; None if there are none."""
    cube = results.cube(measure)
    means = cube.means()
    if np.isnan(means).all():
        return None
    rows = []
    for number, dataset in enumerate(cube.datasets):
        best, worse = compare_with_best(cube, number)
        marks: dict[int | None, str] = {best: "best"}
        marks.update(dict.fromkeys(worse, "worse"))
        cells = [
            cell(float(value), score_text(measure, float(value)), marks.get(a, ""))
            for a, value in enumerate(means[number])
        ]
        rows.append([dataset, *cells])
    title = find_measure(measure).title
    better = "Larger is better." if cube.greater_is_better else "Smaller is better."
    return {
        "id": f"scores-{measure.replace('_', '-')}",
        "title": f"{title} by data set",
        "sentence": f"{_of_what(results, cube)} {better} {_marks(results, cube)}",
        "table": make_table(["data set", *cube.learners], rows, f"{title} by data set"),
        "chart": _gaps(cube, means, measure)
        if len(rows) > 1
        else _intervals(cube, measure),
        "open": True,
    }


def _of_what(results: Any, cube: Any) -> str:
    if results.resampling == "test":
        return "On the test set."
    drawn = "folds" if results.resampling == "folds" else "training sets"
    return f"Mean over {cube.values.shape[2]} {drawn}."


def _marks(results: Any, cube: Any) -> str:
    if results.resampling == "test" and not cube.rows:
        return NO_MARKS
    return MARKS.format(TESTS[cube.usual_test])


def _intervals(cube: Any, measure: str) -> dict[str, Any]:
    """Return the data of a chart of means with their intervals, on one data set."""
    means, widths = cube.means()[0], half_widths(cube)[0]
    _, worse = compare_with_best(cube, 0)
    rows = [
        {
            "learner": learner,
            "value": float(means[a]),
            "low": plain_number(float(means[a] - widths[a])),
            "high": plain_number(float(means[a] + widths[a])),
            "standing": "worse than the best" if a in worse else "level with the best",
        }
        for a, learner in enumerate(cube.learners)
        if not np.isnan(means[a])
    ]
    return {
        "kind": "intervals",
        "rows": rows,
        "measure": measure,
        "title": find_measure(measure).title,
        "descending": cube.greater_is_better,
    }


def _gaps(cube: Any, means: Floats, measure: str) -> dict[str, Any]:
    """Return the data of a chart of distances to the best on each data set."""
    sign = 1.0 if cube.greater_is_better else -1.0
    best = np.nanmax(sign * means, axis=1, keepdims=True)
    gaps = best - sign * means
    rows = [
        {
            "learner": learner,
            "dataset": dataset,
            "gap": float(gaps[d, a]),
            "value": float(means[d, a]),
        }
        for d, dataset in enumerate(cube.datasets)
        for a, learner in enumerate(cube.learners)
        if not np.isnan(gaps[d, a])
    ]
    return {
        "kind": "gaps",
        "rows": rows,
        "measure": measure,
        "title": find_measure(measure).title,
        "order": _by_mean(cube.learners, -gaps),
    }


def _by_mean(learners: Any, values: Floats) -> list[str]:
    """Return the learners, the one with the largest mean first."""
    with np.errstate(invalid="ignore"):
        means = np.nan_to_num(np.nanmean(values, axis=0), nan=-np.inf)
    return [learners[a] for a in np.argsort(-means, kind="stable")]


def win_draw_loss_part(results: Any) -> Part:
    """Return the significant wins, draws and losses of each pair."""
    table = results.win_draw_loss().frame
    learners = results.learners
    rows = [
        [learner, *("" if value is None else value for value in values)]
        for learner, *values in table.iter_rows()
    ]
    return {
        "id": "win-draw-loss",
        "title": "Wins, draws and losses",
        "sentence": (
            "On how many data sets the learner of the line is significantly more "
            "accurate than that of the column, level with it, and less accurate."
        ),
        "table": make_table(
            ["line against column", *learners], rows, "Significant wins-draws-losses"
        ),
        "chart": None,
        "open": True,
    }


def ranks_part(results: Any) -> Part | None:
    """Return the average ranks with Nemenyi's critical difference."""
    found = results.nemenyi()
    if found.n < 2 or len(results.learners) < 2:
        return None
    order = np.argsort(found.average_ranks, kind="stable").tolist()
    ranks = [float(found.average_ranks[a]) for a in order]
    names = [results.learners[a] for a in order]
    reach = found.critical_difference(LEVEL)
    groups = [
        [order.index(group[0]), order.index(group[-1])] for group in found.groups(LEVEL)
    ]
    few = (
        " With so few data sets hardly any difference is significant."
        if found.n < 5
        else ""
    )
    return {
        "id": "ranks",
        "title": "Average ranks",
        "sentence": (
            f"Rank 1 is the best, averaged over {found.n} data sets. Learners under "
            "one bar cannot be told apart: their ranks differ by less than the "
            f"critical difference of {reach:.2f} (Nemenyi's test, 95 %).{few}"
        ),
        "table": make_table(
            ["learner", "average rank"],
            list(zip(names, ranks, strict=True)),
            "Average ranks",
        ),
        "diagram": {"names": names, "ranks": ranks, "groups": groups, "reach": reach},
        "chart": None,
    }


def curves_part(results: Any) -> Part | None:
    """Return learning curves, where the study has several fractions."""
    fractions = results.spec["fractions"]
    if len(fractions) < 2:
        return None
    rows = []
    for fraction in fractions:
        cube = results.cube("accuracy", fraction=fraction)
        counts = (~np.isnan(cube.values)).sum(axis=2)
        means, deviations = cube.means(), cube.deviations()
        for d, dataset in enumerate(cube.datasets):
            for a, learner in enumerate(cube.learners):
                if not counts[d, a]:
                    continue
                error = float(deviations[d, a]) / math.sqrt(counts[d, a])
                value = float(means[d, a])
                rows.append(
                    {
                        "dataset": dataset,
                        "learner": learner,
                        "percent": 100 * fraction,
                        "value": value,
                        "low": value - np.nan_to_num(error),
                        "high": value + np.nan_to_num(error),
                    }
                )
    table_rows = [
        [
            row["dataset"],
            row["learner"],
            cell(row["percent"], f"{row['percent']:g} %"),
            cell(row["value"], percent(row["value"])),
        ]
        for row in rows
    ]
    return {
        "id": "curves",
        "title": "Learning curves",
        "sentence": (
            "Accuracy against the share of each training fold that is learnt from. The "
            "bands are one standard error of the mean to either side."
        ),
        "table": make_table(
            ["data set", "learner", "share learnt from", "accuracy"],
            table_rows,
            "Learning curves",
        ),
        "chart": {"kind": "curves", "rows": rows},
    }


def times_part(results: Any) -> Part:
    """Return how long learners take, over all data sets."""
    frame = results.times().frame
    rows = []
    for learner in results.learners:
        chosen = frame.filter(frame["learner"] == learner)
        values = [
            chosen[name].mean() for name in ("fit_seconds", "predict_seconds", "leaves")
        ]
        rows.append(
            [
                learner,
                *(math.nan if value is None else float(value) for value in values),
            ]
        )
    return {
        "id": "times",
        "title": "Time",
        "sentence": (
            "Mean time to fit on a training fold and to predict a test fold, on one "
            "processor of the machine that ran the study."
        ),
        "table": make_table(
            ["learner", "fit", "predict", "leaves"],
            [
                [
                    learner,
                    cell(fit, seconds_text(fit)),
                    cell(predict, seconds_text(predict)),
                    cell(leaves if math.isnan(leaves) else round(leaves)),
                ]
                for learner, fit, predict, leaves in rows
            ],
            "Times",
        ),
        "chart": {
            "kind": "times",
            "rows": [
                {"learner": learner, "seconds": fit, "text": seconds_text(fit)}
                for learner, fit, *_ in rows
                if fit > 0
            ],
        },
    }


def failures_part(results: Any) -> Part | None:
    """Return the cells that failed; None if there are none."""
    frame = results.failures().frame
    if not len(frame):
        return None
    counted: dict[tuple[str, str, str, str], int] = {}
    for row in frame.select("dataset", "learner", "failure", "error").iter_rows():
        counted[row] = counted.get(row, 0) + 1
    rows = [
        [count, *key] for key, count in sorted(counted.items(), key=lambda i: -i[1])
    ]
    return {
        "id": "failures",
        "title": "Failures",
        "sentence": (
            f"{len(frame)} of {results.n_cells} cells ended with an error. They count "
            "for nobody: means leave them out, and ranks compare only what all "
            "learners have done."
        ),
        "table": make_table(
            ["cells", "data set", "learner", "kind", "error"], rows, "Failed cells"
        ),
        "chart": None,
        "open": True,
    }
