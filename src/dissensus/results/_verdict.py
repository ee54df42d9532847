"""The verdict of a study in words, with the tests behind it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.evaluation import friedman, nemenyi
from dissensus.results._comparison import LEVEL, TESTS, compare_with_best, fair_cube
from dissensus.utils._format import joined, percent, pvalue_text, seconds_text

FEW_DATASETS = 5
MANY = 4  # others at the top, that a headline does not name
MOST_RIVALS = 5  # that are set against the best


def judge(results: Any) -> dict[str, Any]:
    """Return a headline, points that support it, and warnings.

    Parameters
    ----------
    results : Results
        The study.

    Returns
    -------
    dict
        With `headline` (str), `points` and `warnings` (lists of str).
    """
    cube = results.cube("accuracy")
    if np.isnan(cube.means()).all():
        nothing = results.n_failed and results.n_failed == results.n_cells
        return {
            "headline": "Every cell failed." if nothing else "There is no result yet.",
            "points": [],
            "warnings": _warnings(results),
        }
    if len(results.learners) == 1:
        headline, points = _alone(results, cube)
    elif len(results.datasets) == 1:
        headline, points = _on_one(results, cube)
    else:
        headline, points = _on_several(results)
    return {"headline": headline, "points": points, "warnings": _warnings(results)}


def _alone(results: Any, cube: Any) -> tuple[str, list[str]]:
    mean = float(np.nanmean(cube.means()))
    return f"{results.learners[0]}: {percent(mean)} right.", []


def _on_one(results: Any, cube: Any) -> tuple[str, list[str]]:
    """Judge the learners on one data set by corrected tests against the best."""
    best, worse = compare_with_best(cube, 0)
    assert best is not None
    means, names = cube.means()[0], results.learners
    order = np.argsort(-np.nan_to_num(means, nan=-np.inf), kind="stable").tolist()
    known = [a for a in order if not np.isnan(means[a])]
    level = [a for a in known if a != best and a not in worse]
    beaten = [names[a] for a in known if a in worse]
    share = percent(float(means[best]))
    highest = f"{names[best]} has the highest mean accuracy, {share}"
    points = []
    if not level:
        headline = f"{names[best]} is the most accurate: {share}."
    elif not beaten:
        headline = "No learner can be told from the others."
        points.append(f"{highest}, but no difference to it is significant.")
    else:
        headline = _at_the_top(names, best, level)
        rivals = joined([names[a] for a in level])
        points.append(f"{highest}; the difference to {rivals} is not significant.")
    if beaten:
        points.append(f"{names[best]} beats {joined(beaten)}.")
    return headline, [
        *points,
        *_fastest(results, [best, *level]),
        *_by_log_loss(results),
        _grounds(results, cube),
    ]


def _at_the_top(names: Any, best: int, level: list[int]) -> str:
    """Name the learners at the top; the best alone if they are many."""
    if len(level) < MANY:
        return f"{joined([names[a] for a in (best, *level)])} are level at the top."
    return (
        f"{names[best]} is first; {len(level)} of the {len(names) - 1} others are "
        "level with it."
    )


def _grounds(results: Any, cube: Any) -> str:
    """Say what the verdict rests on."""
    content = results.spec
    if results.resampling == "test":
        n_rows = cube.rows[0].shape[1] if cube.rows else 0
        return (
            f"One fit for each learner and one test set of {n_rows} rows: McNemar's "
            "exact test at 95 % says which of these fitted models differ, not what "
            "other training rows would have given."
        )
    if results.resampling != "folds":
        return f"Over {content['repeats']} training sets and one test set."
    n_cells = content["repeats"] * content["folds"]
    return f"By the corrected resampled t-test at 95 % over {n_cells} folds."


def _on_several(results: Any) -> tuple[str, list[str]]:
    """Judge the learners over several data sets by their ranks."""
    cube, note = fair_cube(results)
    if len(cube.learners) < 2:
        return f"Only {joined(cube.learners)} has results to be judged by.", []
    means, _ = cube.fair_means()
    test, ranks = friedman(means), nemenyi(means)
    names = cube.learners
    if not ranks.n:
        return "No data set has a result of all.", []
    order = np.argsort(ranks.average_ranks, kind="stable").tolist()
    best = order[0]
    group = next((g for g in ranks.groups(LEVEL) if best in g), (best,))
    level = [a for a in order[1:] if a in group]
    rest = [names[a] for a in order if a not in group]
    rank = f"{ranks.average_ranks[best]:.2f}"
    points = [
        f"{names[best]} has the best average rank, {rank}, over {ranks.n} data sets."
    ]
    if test.is_significant(LEVEL):
        headline = f"{names[best]} is the most accurate overall."
        if level:
            headline = _at_the_top(names, best, level)
            rivals = joined([names[a] for a in level])
            points.append(f"The difference to {rivals} is not significant.")
        if rest:
            points.append(f"It beats {joined(rest)} (Nemenyi's test at 95 %).")
        points.append(
            "The learners differ, and not by chance (Friedman's test, "
            f"{pvalue_text(test.pvalue, 'p')})."
        )
    else:
        headline = "Over these data sets no learner can be told from the others."
        points.append(
            "The ranks could be chance (Friedman's test, "
            f"{pvalue_text(test.pvalue, 'p')})."
        )
    points += filter(None, [note.strip()])
    if ranks.n < FEW_DATASETS:
        points.append(
            f"{ranks.n} data sets are few for such a test. One by one, by the "
            f"{TESTS[cube.usual_test]}:"
        )
        return headline, points + _one_by_one(cube)
    return headline, [*points, _pairs(cube, best, order)]


def _one_by_one(cube: Any) -> list[str]:
    """Return who is at the top of each data set, and who is beaten."""
    words = []
    for number, dataset in enumerate(cube.datasets):
        best, worse = compare_with_best(cube, number)
        if best is None:
            continue
        order = np.argsort(-cube.means()[number], kind="stable").tolist()
        known = [a for a in order if not np.isnan(cube.means()[number][a])]
        top = [cube.learners[a] for a in known if a not in worse]
        beaten = [cube.learners[a] for a in known if a in worse]
        sentence = (
            f"{dataset}: {joined(top)} {'leads' if len(top) == 1 else 'are level'}"
        )
        if not beaten:
            words.append(f"{sentence}; nobody is beaten.")
        elif len(top) == 1:
            words.append(f"{sentence}, ahead of {joined(beaten)}.")
        else:
            words.append(f"{sentence}; {top[0]} beats {joined(beaten)}.")
    return words


def _pairs(cube: Any, best: int, order: list[int]) -> str:
    """Return how the best fares against its nearest rivals, data set by data set."""
    words = [
        f"{cube.learners[other]} {cube.compare(best, other, cube.usual_test, LEVEL)}"
        for other in order[1 : 1 + MOST_RIVALS]
    ]
    return (
        f"Data sets on which {cube.learners[best]} wins, draws and loses by the "
        f"{TESTS[cube.usual_test]}: against {joined(words)}."
    )


def _fastest(results: Any, level: list[int]) -> list[str]:
    """Name the fastest of the learners that are level with the best."""
    if len(level) < 2:
        return []
    frame = results.cells
    times = {}
    for a in level:
        # The first cell of a process also imports: the median does not see it.
        chosen = frame.filter(frame["learner"] == results.learners[a])
        seconds = chosen["fit_seconds"].median()
        if seconds is not None:
            times[results.learners[a]] = float(seconds)
    if not times:
        return []
    name = min(times, key=lambda learner: times[learner])
    quickest = seconds_text(times[name])
    return [f"Of those at the top {name} is the fastest to fit, {quickest}."]


def _by_log_loss(results: Any) -> list[str]:
    """Say whose probabilities are best."""
    means = results.cube("log_loss").means()[0]
    if np.isnan(means).all():
        return []
    best = int(np.nanargmin(means))
    return [
        f"{results.learners[best]} gives the best probabilities (log-loss "
        f"{means[best]:.3f})."
    ]


def _warnings(results: Any) -> list[str]:
    words = []
    if results.n_failed:
        words.append(
            f"{results.n_failed} of {results.n_cells} cells failed; they are listed."
        )
    if results.n_missing:
        words.append(
            f"{results.n_missing} cells have not been run: the study is not finished."
        )
    return words
