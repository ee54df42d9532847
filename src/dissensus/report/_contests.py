"""The parts of a page that set learners against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dissensus.evaluation import friedman, nemenyi
from dissensus.report._scores import Part
from dissensus.report._tables import cell, make_table
from dissensus.results import LEVEL, TESTS, fair_cube
from dissensus.utils._format import pvalue_text

PARTS = ("wins", "draws", "losses")
MOST_TICKS = 12  # that whole numbers get, one for each


def win_draw_loss_part(results: Any) -> Part | None:
    """Return the significant wins, draws and losses of each pair."""
    learners = results.learners
    if len(learners) < 2:
        return None
    cube = results.cube("accuracy")
    several = len(results.datasets) > 1
    pairs = _outcomes(cube)
    if not any(p.wins + p.draws + p.losses for p in pairs.values()):
        return None
    totals = {
        a: [sum(getattr(pairs[a, b], part) for b in _others(a, cube)) for part in PARTS]
        for a in range(len(learners))
    }
    means = np.nan_to_num(cube.fair_means()[0]).mean(axis=0)
    order = sorted(totals, key=lambda a: (totals[a][2] - totals[a][0], -means[a]))
    rows = [
        {
            "learner": learners[a],
            "part": part,
            "value": totals[a][number],
            "text": str(totals[a][number]),
        }
        for a in order
        for number, part in enumerate(PARTS)
    ]
    most = max(map(sum, totals.values()))
    words = _words_of_several(cube) if several else _words_of_one(cube)
    return {
        "id": "win-draw-loss",
        "title": "Wins, draws and losses",
        "sentence": words,
        "table": make_table(
            ["line against column", *(learners[a] for a in order)],
            [
                [
                    learners[a],
                    *(
                        "" if a == b else _pair_cell(cube, pairs, a, b, several)
                        for b in order
                    ),
                ]
                for a in order
            ],
        ),
        "chart": {
            "kind": "wins",
            "rows": rows,
            "order": [learners[a] for a in order],
            "title": "comparisons with others",
            "most": most if most <= MOST_TICKS else None,
        },
    }


def _others(a: int, cube: Any) -> list[int]:
    return [b for b in range(len(cube.learners)) if b != a]


def _outcomes(cube: Any) -> dict[tuple[int, int], Any]:
    return {
        (a, b): cube.compare(a, b, cube.usual_test, LEVEL)
        for a in range(len(cube.learners))
        for b in _others(a, cube)
    }


def _words_of_several(cube: Any) -> str:
    return (
        "On how many data sets a learner is significantly more accurate than another "
        "(a win), level with it (a draw), or less accurate (a loss), by the "
        f"{TESTS[cube.usual_test]}. The bars count all its comparisons."
    )


def _words_of_one(cube: Any) -> str:
    return (
        "How many of the others a learner beats, is level with, and loses to, by the "
        f"{TESTS[cube.usual_test]}. The table has the differences of the accuracies in "
        "percentage points; arrows mark those that are significant."
    )


def _pair_cell(
    cube: Any, pairs: dict[tuple[int, int], Any], a: int, b: int, several: bool
) -> dict[str, Any]:
    found = pairs[a, b]
    if several:
        return cell(float(found.wins - found.losses), str(found))
    difference = cube.test(0, a, b).difference
    mark = "better" if found.wins else "worse" if found.losses else ""
    return cell(float(difference), f"{100 * difference:+.1f}", mark)


def ranks_part(results: Any) -> Part | None:
    """Return the average ranks with Nemenyi's critical difference."""
    cube, note = fair_cube(results)
    if len(cube.learners) < 2 or len(cube.datasets) < 2:
        return None
    means, _ = cube.fair_means()
    found = nemenyi(means)
    if found.n < 2:
        return None
    test = friedman(means)
    order = np.argsort(found.average_ranks, kind="stable").tolist()
    names = [cube.learners[a] for a in order]
    ranks = [float(found.average_ranks[a]) for a in order]
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
        "title": "Average ranks and critical difference",
        "sentence": (
            f"Rank 1 is the most accurate; the ranks are means over {found.n} data "
            "sets. Learners beside the same bar cannot be told apart: their ranks "
            f"differ by less than the critical difference of {reach:.2f} (Nemenyi's "
            "test, 95 %). Friedman's test that all are alike: "
            f"{pvalue_text(test.pvalue, 'p')}.{few}{note}"
        ),
        "table": make_table(
            ["learner", "average rank", "not told from"],
            [
                [name, cell(rank, f"{rank:.2f}"), _partners(place, names, groups)]
                for place, (name, rank) in enumerate(zip(names, ranks, strict=True))
            ],
        ),
        "chart": {
            "kind": "ranks",
            "rows": [
                {"learner": name, "rank": rank, "text": f"{rank:.2f}"}
                for name, rank in zip(names, ranks, strict=True)
            ],
            "groups": [
                {
                    "first": names[first],
                    "last": names[last],
                    "lane": lane,
                    "words": f"{names[first]} to {names[last]}",
                }
                for (first, last), lane in zip(groups, _lanes(groups), strict=True)
            ],
            "order": names,
            "title": "average rank (1 is the best)",
            "reach": reach,
            "words": f"critical difference {reach:.2f}",
        },
    }


def _partners(place: int, names: Sequence[str], groups: Sequence[Sequence[int]]) -> str:
    """Return the learners that a learner shares a bar with."""
    places = {
        other
        for first, last in groups
        if first <= place <= last
        for other in range(first, last + 1)
    }
    return ", ".join(names[other] for other in sorted(places - {place})) or "-"


def _lanes(groups: Sequence[Sequence[int]]) -> list[int]:
    """Return the lane of each bar, so that bars in one lane do not touch."""
    ends: list[int] = []
    lanes = []
    for first, last in groups:
        free = [lane for lane, end in enumerate(ends) if end < first]
        lane = free[0] if free else len(ends)
        if lane == len(ends):
            ends.append(last)
        ends[lane] = last
        lanes.append(lane)
    return lanes
