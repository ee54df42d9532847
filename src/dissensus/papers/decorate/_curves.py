"""DECORATE's learning curves: who wins at which share of the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dissensus.evaluation import LearningCurve, share_needed
from dissensus.papers.framework._frames import percent, table
from dissensus.papers.framework._paper import Claim, Findings, Section
from dissensus.results import Results, ResultTable

RIVALS = ("C4.5", "Bagging", "AdaBoost")
OURS = "DECORATE"
EARLY = 0.2  # of the training fold: where the method is said to gain most


def curves(findings: Findings) -> Section:
    """Compare DECORATE with its rivals at every point of the learning curve."""
    results = findings.results["curves"]
    points = [_point(results, rival, f) for rival in RIVALS for f in shares_of(results)]
    shares = _data_shares(results)
    return Section(
        tables=[
            *(_rival_table(points, rival) for rival in RIVALS),
            _accuracy_table(results),
            _share_table(shares),
        ],
        claims=[
            *_bagging_claims(points),
            *_adaboost_claims(points),
            *_base_claims(results, points),
            _share_claim(shares),
        ],
        notes=[
            "Significant: the paired t-test, as in the paper, here at 95 %; behind it "
            "the corrected resampled one, which takes into account that training sets "
            "overlap. An error ratio below 1 is in favour of DECORATE."
        ],
    )


def shares_of(results: Results) -> list[float]:
    """Return the shares of the training folds that were learnt from."""
    return list(results.spec["fractions"])


def _point(results: Results, rival: str, fraction: float) -> dict[str, Any]:
    """Return what there is to say about a rival at one point of the curve."""
    cube = results.cube(fraction=fraction)
    a, b = cube.index(OURS), cube.index(rival)
    return {
        "rival": rival,
        "fraction": fraction,
        "means": cube.compare(a, b, None, 0.95),
        "paired": cube.compare(a, b, "paired", 0.95),
        "corrected": cube.compare(a, b, "corrected", 0.95),
        "ratio": cube.error_ratio(a, b),
    }


def _rival_table(points: list[dict[str, Any]], rival: str) -> ResultTable:
    chosen = [point for point in points if point["rival"] == rival]
    return table(
        f"DECORATE against {rival}: wins-draws-losses and geometric mean error ratio",
        {
            "% of the data": [percent(point["fraction"]) for point in chosen],
            "means": [str(point["means"]) for point in chosen],
            "significant": [str(point["paired"]) for point in chosen],
            "corrected": [str(point["corrected"]) for point in chosen],
            "error ratio": [point["ratio"] for point in chosen],
        },
    )


def _accuracy_table(results: Results) -> ResultTable:
    """Return DECORATE's accuracy and its rivals' at four points of the curve."""
    shown = [f for f in shares_of(results) if f in (0.01, 0.05, 0.2, 1.0)]
    cubes = {f: results.cube(fraction=f) for f in shown}
    rows = [*range(len(results.datasets))]
    columns: dict[str, list[Any]] = {"dataset": [*results.datasets, "mean"]}
    for fraction, cube in cubes.items():
        means = 100 * cube.means()
        means = np.vstack([means, means.mean(axis=0)])
        for position, learner in enumerate(results.learners):
            name = f"{learner} {percent(fraction)} %"
            columns[name] = [round(means[row, position], 1) for row in (*rows, -1)]
    cube = cubes[shown[-1]]
    return table(
        "accuracy in per cent, at shares of the training fold",
        columns,
        cube.n_failed,
        results.n_missing,
    )


def _wins(point: dict[str, Any]) -> tuple[int, int]:
    return point["paired"].wins, point["paired"].losses


def _told(points: list[dict[str, Any]]) -> str:
    return "; ".join(
        f"{percent(p['fraction'])} %: {_wins(p)[0]}-{_wins(p)[1]}, {p['ratio']:.3f}"
        for p in points
    )


def _bagging_claims(points: list[dict[str, Any]]) -> Iterator[Claim]:
    chosen = [point for point in points if point["rival"] == "Bagging"]
    wins = [wins > losses for wins, losses in map(_wins, chosen)]
    ratios = [point["ratio"] < 1 for point in chosen]
    yield Claim(
        "More significant wins than losses against Bagging at every point of the curve",
        all(wins),
        f"at {sum(wins)} of {len(wins)} points (wins-losses, error ratio): "
        + _told(chosen),
    )
    yield Claim(
        "A geometric mean error ratio to Bagging below 1 at every point",
        all(ratios),
        f"at {sum(ratios)} of {len(ratios)} points; "
        f"from {min(p['ratio'] for p in chosen):.3f} "
        f"to {max(p['ratio'] for p in chosen):.3f}",
    )


def _adaboost_claims(points: list[dict[str, Any]]) -> Iterator[Claim]:
    chosen = [point for point in points if point["rival"] == "AdaBoost"]
    early = [point for point in chosen if point["fraction"] <= EARLY]
    ahead = [w > ls and p["ratio"] < 1 for p in early for w, ls in [_wins(p)]]
    yield Claim(
        "Ahead of AdaBoost early on the curve (here: up to 20 % of the data), in "
        "significant wins and in error ratio",
        all(ahead),
        f"at {sum(ahead)} of {len(ahead)} points: {_told(early)}",
    )
    last = chosen[-1]
    wins, losses = _wins(last)
    yield Claim(
        "The trend is reversed with much data, where DECORATE stays competitive",
        losses >= wins or last["ratio"] > 1,
        f"with all data {wins}-{losses} significant, {last['means']} by means, error "
        f"ratio {last['ratio']:.3f}",
    )


def _base_claims(results: Results, points: list[dict[str, Any]]) -> Iterator[Claim]:
    chosen = [point for point in points if point["rival"] == "C4.5"]
    better = [w > ls and p["ratio"] < 1 for p in chosen for w, ls in [_wins(p)]]
    yield Claim(
        "A consistent gain over its base learner, along the whole curve",
        all(better),
        f"at {sum(better)} of {len(better)} points: {_told(chosen)}",
    )
    worst = {name: _worst_drop(results, name) for name in (OURS, "AdaBoost")}
    yield Claim(
        "Never worse than its base learner by much, as AdaBoost can be",
        worst[OURS][0] > -1.0 and worst[OURS][0] > worst["AdaBoost"][0],
        "worst difference of accuracy to C4.5 with all data, in points: "
        + ", ".join(f"{n} {d:+.2f} ({where})" for n, (d, where) in worst.items()),
    )


def _worst_drop(results: Results, learner: str) -> tuple[float, str]:
    cube = results.cube()
    means = 100 * cube.means()
    change = means[:, cube.index(learner)] - means[:, cube.index("C4.5")]
    worst = int(np.nanargmin(change))
    return float(change[worst]), cube.datasets[worst]


def _data_shares(results: Results) -> dict[str, list[Any]]:
    """Return by rival the share at which DECORATE is as good as it with all data."""
    shares = np.array(shares_of(results))
    cubes = [results.cube(fraction=f) for f in shares]
    found: dict[str, list[Any]] = {"dataset": list(results.datasets)}
    ours = cubes[0].index(OURS)
    for rival in RIVALS:
        other = cubes[0].index(rival)
        found[rival] = []
        for d in range(len(results.datasets)):
            scores = np.stack([cube.values[d, ours] for cube in cubes], axis=1)
            curve = LearningCurve(
                shares, np.zeros(scores.shape, dtype=np.intp), scores, "accuracy"
            )
            target = float(cubes[-1].values[d, other].mean())
            found[rival].append(share_needed(curve, target))
    return found


def _share_table(shares: dict[str, list[Any]]) -> ResultTable:
    columns = {
        name: numbers
        if name == "dataset"
        else ["not reached" if np.isnan(n) else f"{percent(n)} %" for n in numbers]
        for name, numbers in shares.items()
    }
    return table(
        "share of the data with which DECORATE is as good as the rival with all",
        columns,
    )


def _share_claim(shares: dict[str, list[Any]]) -> Claim:
    rivals = ("Bagging", "AdaBoost")
    counts = {name: sum(n < 1.0 for n in shares[name]) for name in rivals}
    n = len(shares["dataset"])
    told = ", ".join(f"{name} on {count} of {n}" for name, count in counts.items())
    return Claim(
        "On many data sets as accurate as Bagging and AdaBoost with fewer examples",
        all(count >= n / 3 for count in counts.values()),
        f"with at most three quarters of the data as good as with all of it: {told} "
        "data sets (a third is asked for)",
    )
