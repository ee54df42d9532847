"""What the cascades of the paper cost and how alike their parts err."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from dissensus.metrics import error_correlation
from dissensus.papers.framework._comparison import beside_value
from dissensus.papers.framework._frames import table
from dissensus.papers.framework._paper import (
    Claim,
    Comparison,
    Findings,
    Published,
    Section,
)
from dissensus.results import Results, ResultTable
from dissensus.table import import_polars

TREES = ("C4/Bay", "C4/Dis", "C4/Dis/Bay", "C4/Bay/Dis")
LOCAL_TREES = ("CGBtree", "CGLtree", "CGBLtree")
PLAIN = ("C4.5", "Dtree")
CORRELATED = ("C4.5", "Bayes", "Discrim")
NAN = float("nan")


def effort(findings: Findings) -> Section:
    """Count leaves and compare learning times."""
    effort = _effort(findings.results.values())
    leaves, ratios = _leaf_tables(effort)
    times, typical = _times(effort), _typical(effort)
    return Section(
        tables=[leaves, _time_table(times, typical, findings.published)],
        comparisons=list(_time_comparisons(times, findings.published)),
        claims=[*_leaf_claims(ratios), *_time_claims(times)],
        notes=[
            "Published learning times are of other machines and programs; only their "
            "order can be compared. The largest data sets rule the mean; the geometric "
            "mean of the ratios says what is usual on a small one.",
        ],
    )


def _effort(studies: Any) -> Any:
    """Return mean leaves and times of each learner on each data set."""
    return import_polars().concat([results.times().frame for results in studies])


def _by_learner(effort: Any, column: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for dataset, learner, value in effort.select(
        "dataset", "learner", column
    ).iter_rows():
        if value is not None:
            found.setdefault(learner, {})[dataset] = float(value)
    return found


def _leaf_tables(effort: Any) -> tuple[ResultTable, dict[str, list[float]]]:
    """Return the leaves, and by learner their ratios to Dtree's."""
    leaves = _by_learner(effort, "leaves")
    names = [name for name in (*PLAIN, *TREES, *LOCAL_TREES) if name in leaves]
    datasets = list(leaves["Dtree"])
    ratios = {
        name: [leaves[name][d] / leaves["Dtree"][d] for d in datasets] for name in names
    }
    columns: dict[str, list[Any]] = {
        "dataset": [*datasets, "geometric mean of the ratios to Dtree"]
    }
    for name in names:
        mean = float(np.exp(np.mean(np.log(ratios[name]))))
        columns[name] = [f"{leaves[name][d]:.1f}" for d in datasets] + [f"{mean:.2f}"]
    return table("Number of leaves, mean over folds", columns), ratios


def _leaf_claims(ratios: Mapping[str, list[float]]) -> Iterator[Claim]:
    for group, names in (("global", TREES), ("local", LOCAL_TREES)):
        means = {n: float(np.exp(np.mean(np.log(ratios[n])))) for n in names}
        halves = {n: sum(r <= 0.6 for r in ratios[n]) for n in names}
        n_sets = len(ratios[names[0]])
        yield Claim(
            f"The trees of {group} cascades have about half the leaves of Dtree",
            all(mean <= 0.6 for mean in means.values()),
            "ratio of leaves, geometric mean (data sets with at most 0.6 of "
            f"{n_sets}): "
            + ", ".join(f"{n} {means[n]:.2f} ({halves[n]})" for n in names),
        )


def _times(effort: Any) -> dict[str, float]:
    """Return learning times in units of naive Bayes, of the mean over data sets."""
    seconds = _by_learner(effort, "fit_seconds")
    means = {name: float(np.mean(list(own.values()))) for name, own in seconds.items()}
    return {name: mean / means["Bayes"] for name, mean in means.items()}


def _typical(effort: Any) -> dict[str, float]:
    """Return the same as the geometric mean of the ratios on single data sets."""
    seconds = _by_learner(effort, "fit_seconds")
    ratios = {
        name: [time / seconds["Bayes"][d] for d, time in own.items()]
        for name, own in seconds.items()
    }
    return {name: float(np.exp(np.mean(np.log(r)))) for name, r in ratios.items()}


def _time_table(
    times: Mapping[str, float],
    typical: Mapping[str, float],
    published: Mapping[str, Published],
) -> ResultTable:
    order = sorted(times, key=lambda name: times[name])
    numbers = [published.get(f"time {name}") for name in order]
    return table(
        "Learning time, that of naive Bayes being 1",
        {
            "learner": order,
            "mean over data sets": [f"{times[name]:.2f}" for name in order],
            "published": [n and f"{n.value:.2f}" for n in numbers],
            "geometric mean of the ratios": [f"{typical[name]:.2f}" for name in order],
        },
    )


def _time_comparisons(
    times: Mapping[str, float], published: Mapping[str, Published]
) -> Iterator[Comparison]:
    for name, time in times.items():
        if f"time {name}" in published:
            yield beside_value(published[f"time {name}"], time, NAN)


def _time_claims(times: Mapping[str, float]) -> Iterator[Claim]:
    names = ("C4/Dis/Bay", "C4/Bay/Dis")
    yield Claim(
        "Cascades of three are at least three times faster to learn than stacking",
        all(3 * times[name] <= times["Stacked"] for name in names),
        ", ".join(f"{name} {times[name]:.1f}" for name in (*names, "Stacked")),
    )
    for rival in ("Boost", "Stacked"):
        yield Claim(
            f"Every local cascade is faster to learn than {rival}",
            all(times[name] < times[rival] for name in LOCAL_TREES),
            ", ".join(f"{name} {times[name]:.1f}" for name in (*LOCAL_TREES, rival)),
        )


# Error correlation


def correlation(findings: Findings) -> Section:
    """Measure how often two base learners make the same error."""
    columns: dict[str, list[Any]] = {"dataset": []}
    pairs = list(combinations(range(len(CORRELATED)), 2))
    names = {pair: " ".join(CORRELATED[i] for i in pair) for pair in pairs}
    found: dict[str, list[float]] = {name: [] for name in names.values()}
    for results in findings.results.values():
        for dataset in results.datasets:
            matrix = _correlations(results, dataset)
            columns["dataset"].append(dataset)
            for pair, name in names.items():
                found[name].append(float(matrix[pair]))
    means = {name: float(np.nanmean(values)) for name, values in found.items()}
    for name, values in found.items():
        columns[name.replace(" ", " and ")] = [*values, means[name]]
    columns["dataset"].append("mean")
    return Section(
        tables=[table("Error correlation", columns)],
        comparisons=[
            beside_value(
                findings.published[f"correlation {name}"],
                means[name],
                _deviation(values),
                deviation_published=0.0,
            )
            for name, values in found.items()
        ],
        claims=[_correlation_claim(means)],
        notes=[
            "The share of rows on which both make the same error, among those on which "
            "one errs. The noise is that of other data sets of this kind."
        ],
    )


def _deviation(values: list[float]) -> float:
    known = np.array(values)[~np.isnan(values)]
    return float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else NAN


def _correlations(results: Results, dataset: str) -> Any:
    tasks = ("repeat", "fold", "row")
    frames = [
        results.predictions(dataset, learner).sort(tasks) for learner in CORRELATED
    ]
    predictions = np.stack([frame["prediction"].to_numpy() for frame in frames])
    return error_correlation(frames[0]["truth"].to_numpy(), predictions)


def _correlation_claim(means: Mapping[str, float]) -> Claim:
    with_tree = [means["C4.5 Bayes"], means["C4.5 Discrim"]]
    return Claim(
        "Trees err more differently from Bayes and from Discrim than these two from "
        "each other",
        max(with_tree) < means["Bayes Discrim"],
        ", ".join(f"{name}: {mean:.2f}" for name, mean in means.items()),
    )
