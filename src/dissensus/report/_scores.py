"""The parts of a page that show scores by data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.metrics import find_measure
from dissensus.report._tables import cell, make_table
from dissensus.results import TESTS, compare_with_best, half_widths
from dissensus.utils._format import percent, plain_number, pvalue_text
from dissensus.utils._typing import Floats

Part = dict[str, Any]
SHARES = ("accuracy", "balanced_accuracy", "auc")
BEST, WORSE = "level with the best", "worse than the best"
MARKS = (
    "The best value is bold; an arrow marks what is significantly worse than it by "
    "the {}. Without an arrow the difference could be chance."
)
NO_MARKS = "The best value is bold. With one test set there is no test of this."


def score_text(measure: str, value: float) -> str:
    """Return a score: shares in percent, others with three digits."""
    if measure in SHARES or np.isnan(value):
        return percent(value)
    return f"{value:.3f}"


def score_unit(measure: str) -> tuple[float, str]:
    """Return what charts multiply a score by, and what they call it."""
    title = find_measure(measure).title
    return (100.0, f"{title}, %") if measure in SHARES else (1.0, title)


def scores_part(results: Any, measure: str) -> Part | None:
    """Return the mean scores by data set, with marks; None if there are none."""
    cube = results.cube(measure)
    if np.isnan(cube.means()).all():
        return None
    title = find_measure(measure).title
    better = "Larger is better." if cube.greater_is_better else "Smaller is better."
    several = len(cube.datasets) > 1
    shown = _of_several(cube, measure) if several else _of_one(cube, measure)
    drawn = _drawn(results, cube)
    drawn += ", in percent." if measure in SHARES and several else "."
    sentences = [drawn, better, shown.pop("sentence"), _marks(cube)]
    return {
        "id": f"scores-{measure.replace('_', '-')}",
        "title": f"{title} by data set" if several else title,
        "sentence": " ".join(filter(None, sentences)),
        "open": True,
        **shown,
    }


def _drawn(results: Any, cube: Any) -> str:
    """Say what a mean is taken over."""
    if results.resampling == "test":
        return "On the test set"
    sets = "test folds" if results.resampling == "folds" else "training sets"
    return f"Mean over {cube.values.shape[2]} {sets}"


def _marks(cube: Any) -> str:
    """Say what the marks of a table mean."""
    if cube.values.shape[2] == 1 and not cube.rows:
        return NO_MARKS
    return MARKS.format(TESTS[cube.usual_test])


# Several data sets


def _of_several(cube: Any, measure: str) -> Part:
    means = cube.means()
    chart = _gaps(cube, means, measure)
    order = [cube.index(learner) for learner in chart["order"]]
    unit, digits = (100.0, 1) if measure in SHARES else (1.0, 3)

    def shown(value: float, mark: str = "") -> dict[str, Any]:
        return cell(value, f"{unit * value:.{digits}f}", mark)

    rows = []
    for number, dataset in enumerate(cube.datasets):
        best, worse = compare_with_best(cube, number)
        marks: dict[int | None, str] = {best: "best"}
        marks.update(dict.fromkeys(worse, "worse"))
        cells = [shown(float(means[number, a]), marks.get(a, "")) for a in order]
        rows.append([dataset, *cells])
    complete = means[~np.isnan(means).any(axis=1)]
    foot = []
    if len(complete):
        whole = complete.mean(axis=0)
        foot.append([f"mean of {len(complete)}", *(shown(whole[a]) for a in order)])
    return {
        "sentence": (
            "The chart shows how far each learner stays behind the best one of a data "
            "set; the upright line is the mean of its data sets."
        ),
        "table": make_table(["data set", *chart["order"]], rows, foot=foot),
        "chart": chart,
    }


def _gaps(cube: Any, means: Floats, measure: str) -> dict[str, Any]:
    """Return the data of a chart of distances to the best on each data set."""
    sign = 1.0 if cube.greater_is_better else -1.0
    unit, title = score_unit(measure)
    known = ~np.isnan(means).all(axis=1)
    best = np.nanmax(sign * means[known], axis=1, keepdims=True)
    gaps = np.full(means.shape, np.nan)
    gaps[known] = best - sign * means[known]
    rows = [
        {
            "learner": learner,
            "dataset": dataset,
            "gap": float(unit * gaps[d, a]),
            "text": score_text(measure, float(means[d, a])),
            "away": _points(unit, float(gaps[d, a])),
        }
        for d, dataset in enumerate(cube.datasets)
        for a, learner in enumerate(cube.learners)
        if not np.isnan(gaps[d, a])
    ]
    return {
        "kind": "gaps",
        "rows": rows,
        "title": f"{'points' if unit > 1 else title.lower()} behind the best",
        "order": by_mean(cube.learners, -gaps),
        "datasets": list(cube.datasets),
    }


def by_mean(learners: Any, values: Floats) -> list[str]:
    """Return the learners, the one with the largest mean of its column first."""
    counts = (~np.isnan(values)).sum(axis=0)
    means = np.full(len(learners), -np.inf)
    np.divide(np.nansum(values, axis=0), counts, out=means, where=counts > 0)
    return [learners[a] for a in np.argsort(-means, kind="stable")]


def _points(unit: float, gap: float) -> str:
    return f"{unit * gap:.1f} points" if unit > 1 else f"{gap:.3f}"


# One data set


def _of_one(cube: Any, measure: str) -> Part:
    best, worse = compare_with_best(cube, 0)
    assert best is not None
    means, widths = cube.means()[0], half_widths(cube)[0]
    order = np.argsort(-means if cube.greater_is_better else means, kind="stable")
    lines = [_line(cube, measure, a, best, worse) for a in order.tolist()]
    unit, title = score_unit(measure)
    rows = [
        {
            "learner": cube.learners[a],
            "value": unit * float(means[a]),
            "low": plain_number(unit * low),
            "high": plain_number(unit * high),
            "text": score_text(measure, float(means[a])),
            "interval": _interval_text(measure, low, high),
            "standing": WORSE if a in worse else BEST,
        }
        for a in order.tolist()
        if not np.isnan(means[a])
        for low, high in [_interval(measure, float(means[a]), float(widths[a]))]
    ]
    # With one test set there may be neither intervals nor tests.
    known = [c for c in lines[0] if any(line[c]["sort"] != "" for line in lines)]
    return {
        "sentence": _about_intervals(cube) if "95 % interval" in known else "",
        "table": make_table(known, [[line[c] for c in known] for line in lines]),
        "chart": {
            "kind": "intervals",
            "rows": rows,
            "title": title,
            "order": [row["learner"] for row in rows],
        },
    }


def _line(cube: Any, measure: str, a: int, best: int, worse: set[int]) -> Part:
    """Return the cells of one learner by their headings."""
    mean, width = float(cube.means()[0, a]), float(half_widths(cube)[0, a])
    top = float(cube.means()[0, best])
    gap = top - mean if cube.greater_is_better else mean - top
    unit, _ = score_unit(measure)
    p = float("nan") if a == best else cube.test(0, best, a).pvalue
    mark = "best" if a == best else "worse" if a in worse else ""
    return {
        "learner": cell(cube.learners[a]),
        "mean": cell(mean, score_text(measure, mean), mark),
        "95 % interval": cell(
            width, _interval_text(measure, *_interval(measure, mean, width))
        ),
        "behind the best": cell(gap, "" if a == best else _points(unit, gap)),
        "p": cell(p, pvalue_text(p)),
    }


def _about_intervals(cube: Any) -> str:
    if cube.rows:
        return "The lines are 95 % intervals."
    return (
        "The lines are 95 % intervals of the mean, which allow for the overlap of "
        "training sets."
    )


def _interval(measure: str, mean: float, width: float) -> tuple[float, float]:
    """Return the ends of an interval, within the values that a score can have."""
    if np.isnan(width):
        return width, width
    most = 1.0 if measure in SHARES else np.inf
    return max(mean - width, 0.0), min(mean + width, most)


def _interval_text(measure: str, low: float, high: float) -> str:
    if np.isnan(low):
        return "-"
    if measure in SHARES:
        return f"{100 * low:.1f} to {100 * high:.1f} %"
    return f"{low:.3f} to {high:.3f}"
