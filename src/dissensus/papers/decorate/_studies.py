"""DECORATE's other studies: diversity, committee sizes, and what lies beyond."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dissensus.evaluation import Correlation, pearson
from dissensus.papers.decorate._curves import shares_of
from dissensus.papers.framework._frames import percent, table
from dissensus.papers.framework._paper import (
    Claim,
    Context,
    Findings,
    Measured,
    Measurement,
    Section,
)
from dissensus.results import Results, ResultTable

MEASURED = "dissensus.papers.decorate._measured"
RATIOS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
SIZES = [1, 2, 3, 5, 7, 10, 15, 20, 25, 30]
FIVE = ("anneal", "audiology", "glass", "heart-c", "soybean")
LABELLED = 0.1


def plan_diversity(context: Context) -> Iterator[Measurement]:
    """Plan a cross-validation of each data set, with all amounts of artificial rows."""
    for source, _ in context.datasets("curves"):
        yield Measurement(
            f"{MEASURED}:diversity",
            source,
            {"repeat": 0, "ratios": RATIOS, "folds": context.scale.folds or 10},
        )


def diversity(findings: Findings) -> Section:
    """Relate the diversity of committees to the error that they save."""
    measured = [m.content for m in findings.measured]
    pooled = {
        name: np.concatenate([content[name] for content in measured])
        for name in ("ratio", "diversity", "ensemble", "base")
    }
    found = {
        name: pearson(pooled["diversity"], pooled[name])
        for name in ("ensemble", "base")
    }
    return Section(
        tables=[_ratio_table(pooled), _correlation_table(findings, found)],
        claims=list(_diversity_claims(found)),
        notes=[
            "A point is one committee on one test fold. Ensemble error reduction: mean "
            "error of the members less that of the committee. Base error reduction: "
            "error of C4.5 less that of the committee."
        ],
    )


def _ratio_table(pooled: dict[str, Any]) -> ResultTable:
    ratios = sorted(set(pooled["ratio"].tolist()))
    rows = [pooled["ratio"] == ratio for ratio in ratios]
    columns: dict[str, Any] = {"artificial rows per row": ratios}
    for name, words in (
        ("diversity", "diversity"),
        ("ensemble", "ensemble error reduction"),
        ("base", "base error reduction"),
    ):
        columns[words] = [float(pooled[name][row].mean()) for row in rows]
    return table("means over data sets and folds", columns)


def _correlation_table(
    findings: Findings, found: dict[str, Correlation]
) -> ResultTable:
    measured = findings.measured
    columns: dict[str, list[Any]] = {"dataset": [*(m.dataset for m in measured), "all"]}
    for what in ("ensemble", "base"):
        own = [pearson(m.content["diversity"], m.content[what]) for m in measured]
        every = [*own, found[what]]
        columns[f"with {what} error reduction"] = [c.coefficient for c in every]
        columns[f"p ({what})"] = [f"{c.pvalue:.1e}" for c in every]
    return table("correlation of diversity", columns)


def _diversity_claims(found: dict[str, Correlation]) -> Iterator[Claim]:
    texts = {
        "ensemble": "Diversity goes with the ensemble error reduction, fairly strongly",
        "base": "Diversity goes with the base error reduction too, more weakly",
    }
    limits = {"ensemble": 0.5, "base": 0.0}
    for name, one in found.items():
        held = one.coefficient > limits[name] and one.is_significant(0.999)
        if name == "base":
            held = held and one.coefficient < found["ensemble"].coefficient
        yield Claim(
            texts[name],
            bool(held),
            f"correlation {one.coefficient:.3f}, p = {one.pvalue:.1e}, "
            f"{one.n} committees",
        )


# Committee sizes


def plan_sizes(context: Context) -> Iterator[Measurement]:
    """Plan the growth of committees on five data sets."""
    for source, _ in context.datasets("curves"):
        if source.name not in FIVE and context.scale.datasets is None:
            continue
        for repeat in range(context.scale.repeats or 10):
            yield Measurement(
                f"{MEASURED}:committee_size",
                source,
                {"repeat": repeat, "sizes": SIZES, "folds": context.scale.folds or 10},
            )


def sizes(findings: Findings) -> Section:
    """Follow the accuracy of growing committees."""
    columns: dict[str, Any] = {"members": SIZES}
    for name, own in _by_dataset(findings.measured).items():
        folds = np.concatenate([m.content["accuracy"] for m in own])
        columns[name] = (100 * folds.mean(axis=0)).tolist()
    return Section(
        tables=[table("accuracy in per cent, 20 % of the training fold", columns)],
        claims=[_size_claim([v for name, v in columns.items() if name != "members"])],
        notes=["Which five data sets the paper shows is not known; these are ours."],
    )


def _size_claim(curves: list[list[float]]) -> Claim:
    at = {size: position for position, size in enumerate(SIZES)}
    gains = [curve[at[15]] - curve[0] for curve in curves]
    changes = [abs(curve[at[30]] - curve[at[15]]) for curve in curves]
    growing = sum(gain > 0 for gain in gains)
    level = sum(
        change <= max(0.5, 0.25 * gain)
        for gain, change in zip(gains, changes, strict=True)
    )
    return Claim(
        "Accuracy grows with the size of the committee and levels out on most sets",
        growing > len(curves) / 2 and level > len(curves) / 2,
        f"15 members better than 1 on {growing} of {len(curves)}; from 15 to 30 less "
        f"than a quarter of that gain, or 0.5 points, on {level} of {len(curves)}",
    )


def _by_dataset(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    found: dict[str, list[Measured]] = {}
    for one in measured:
        found.setdefault(one.dataset, []).append(one)
    return found


# Beyond the paper


def other_base(findings: Findings) -> Section:
    """Compare DECORATE of another base learner with that learner."""
    rows = {name: _rows(results) for name, results in findings.results.items()}
    titles = {n: str(results.spec["title"]) for n, results in findings.results.items()}
    return Section(
        tables=[
            table(f"{titles[name]}: mean accuracy, significant w-d-l", columns)
            for name, columns in rows.items()
        ],
        claims=[
            _fewer_errors(titles[name], columns, findings.results[name].learners[0])
            for name, columns in rows.items()
        ],
    )


def _rows(results: Results) -> dict[str, list[Any]]:
    base, bagging, ours = results.learners
    rows: dict[str, list[Any]] = {"% of the data": []}
    for fraction in shares_of(results):
        cube = results.cube(fraction=fraction)
        rows["% of the data"].append(percent(fraction))
        for learner in results.learners:
            mean = 100 * float(cube.means()[:, cube.index(learner)].mean())
            rows.setdefault(learner, []).append(round(mean, 2))
        for rival in (base, bagging):
            a, b = cube.index(ours), cube.index(rival)
            count = str(cube.compare(a, b, "corrected", 0.95))
            rows.setdefault(f"against {rival}", []).append(count)
            ratio = cube.error_ratio(a, b)
            rows.setdefault(f"error ratio to {rival}", []).append(ratio)
    return rows


def _fewer_errors(title: str, rows: dict[str, list[Any]], base: str) -> Claim:
    ratios = rows[f"error ratio to {base}"]
    points = zip(rows["% of the data"], ratios, strict=True)
    return Claim(
        f"{title} makes fewer errors than its base at every point",
        all(ratio < 1 for ratio in ratios),
        "error ratio at " + ", ".join(f"{at} %: {ratio:.3f}" for at, ratio in points),
    )


def plan_unlabelled(context: Context) -> Iterator[Measurement]:
    """Plan committees that are given the rows without labels."""
    for source, _ in context.datasets("curves"):
        for repeat in range(context.scale.repeats or 10):
            folds = context.scale.folds or 10
            arguments = {"repeat": repeat, "share": LABELLED, "folds": folds}
            yield Measurement(f"{MEASURED}:unlabelled", source, arguments)


def unlabelled(findings: Findings) -> Section:
    """Compare invented rows with rows whose labels are not known."""
    by_dataset = _by_dataset(findings.measured)
    means = {
        learner: [
            100 * float(np.mean([m.content[learner] for m in own]))
            for own in by_dataset.values()
        ]
        for learner in findings.measured[0].content
    }
    columns: dict[str, list[Any]] = {"dataset": [*by_dataset, "mean"]}
    for learner, values in means.items():
        columns[learner] = [round(v, 2) for v in (*values, float(np.mean(values)))]
    pairs = zip(means["unlabelled"], means["invented"], strict=True)
    ahead = sum(a > b for a, b in pairs)
    mean = {learner: columns[learner][-1] for learner in means}
    return Section(
        tables=[
            table(f"accuracy in per cent, {percent(LABELLED)} % labelled", columns)
        ],
        claims=[
            Claim(
                "Unlabelled rows do as well as invented ones",
                mean["unlabelled"] >= mean["invented"] - 0.5,
                f"mean accuracy {mean['unlabelled']} and {mean['invented']}; better on "
                f"{ahead} of {len(by_dataset)} data sets",
            )
        ],
    )
