"""MACLEN's bias and variance, and what the paper only proposes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dissensus.datasets import Loaded, paper
from dissensus.evaluation import bias_variance
from dissensus.learners import parse_learner
from dissensus.papers.framework._frames import table
from dissensus.papers.framework._paper import (
    Claim,
    Context,
    Findings,
    Measured,
    Measurement,
    Section,
)
from dissensus.papers.maclen._families import ahead, family_tables, versus
from dissensus.results import Results

HERE = "dissensus.papers.maclen._studies"
LARGE = 1000  # rows: the paper decomposes the error on larger sets only
LEARNERS = {
    "C4.5": "c45",
    "MACLEN of C4.5": "maclen(c45)",
    "NB": "nb",
    "MACLEN(L) of NB": "maclen(nb, labels=full)",
    "MACLEN(M) of NB": "maclen(nb(smoothing=m-estimate), labels=full)",
}
PAIRS = {
    "MACLEN of C4.5": "C4.5",
    "MACLEN(L) of NB": "NB",
    "MACLEN(M) of NB": "NB",
}


def plan_bias_variance(context: Context) -> Iterator[Measurement]:
    """Plan the decomposition of each learner's error on the large data sets."""
    for source, rows in context.datasets("c45-family"):
        if rows < LARGE and context.scale.datasets is None:
            continue
        for name, text in LEARNERS.items():
            arguments = {"name": name, "learner": text, "models": 50}
            yield Measurement(f"{HERE}:decompose", source, arguments)


def decompose(
    data: Loaded, seed: int, *, name: str, learner: str, models: int
) -> dict[str, float]:
    """Measure the bias and variance of a learner, prepared by the paper's protocol."""
    del name, seed
    prepared = paper(data)
    # One seed for all learners: they get the same training sets.
    found = bias_variance(
        parse_learner(learner).build(),
        prepared.table,
        prepared.y,
        n_models=models,
        rng=len(prepared.y),
    ).decomposition
    return {"bias": found.bias, "variance": found.variance, "error": found.error}


def decomposition(findings: Findings) -> Section:
    """Ask where MACLEN's gain comes from."""
    cells = {(m.dataset, m.arguments["name"]): m for m in findings.measured}
    names = list(dict.fromkeys(m.dataset for m in findings.measured))
    names = [n for n in names if all((n, learner) in cells for learner in LEARNERS)]
    columns: dict[str, list[Any]] = {"dataset": [*names, "mean"]}
    for learner in LEARNERS:
        for what in ("bias", "variance", "error"):
            numbers = [_percent(cells[name, learner], what) for name in names]
            columns[f"{learner} {what}"] = [*numbers, float(np.mean(numbers))]
    rounded = {
        name: values if name == "dataset" else [round(v, 2) for v in values]
        for name, values in columns.items()
    }
    return Section(
        tables=[table("bias, variance and error in per cent", rounded)],
        claims=[_bias_claim(columns, *pair) for pair in PAIRS.items()],
        notes=[
            "Kohavi and Wolpert's decomposition in Weka's form: half of the file is "
            "the pool, each of 50 training sets is half of it, the rest is for testing."
        ],
    )


def _percent(measured: Measured, what: str) -> float:
    return 100 * float(measured.content[what])


def _bias_claim(columns: dict[str, list[Any]], ours: str, base: str) -> Claim:
    gains = {
        what: columns[f"{base} {what}"][-1] - columns[f"{ours} {what}"][-1]
        for what in ("bias", "variance", "error")
    }
    by_set = [
        b - a
        for a, b in zip(
            columns[f"{ours} bias"][:-1], columns[f"{base} bias"][:-1], strict=True
        )
    ]
    return Claim(
        f"The gain of {ours} over {base} is mostly one of bias",
        gains["error"] > 0 and gains["bias"] > gains["variance"],
        f"mean error less by {gains['error']:.2f} points: bias {gains['bias']:.2f}, "
        f"variance {gains['variance']:.2f}; bias less on "
        f"{sum(gain > 0 for gain in by_set)} of {len(by_set)} data sets",
    )


# What the paper only proposes


def mtforest(findings: Findings) -> Section:
    """Compare MACLEN with its predecessor."""
    results = findings.results["mtforest"]
    return Section(tables=family_tables(results, ["MACLEN", "MTForest"]))


def variants(findings: Findings) -> Section:
    """Compare MACLEN with several discretisers, and with grouped values."""
    results = findings.results["variants"]
    plain, *others = [n for n in results.learners if n.startswith("MACLEN")]
    return Section(
        tables=family_tables(results, [plain, *others]),
        claims=[_variant_claim(results, other, plain) for other in others],
        notes=["Numbers are cut inside each training fold, for MACLEN's members only."],
    )


def _variant_claim(results: Results, other: str, plain: str) -> Claim:
    found = versus(results, other, plain, "corrected")
    cube = results.cube()
    means = 100 * cube.means().mean(axis=0)
    return Claim(
        f"{other}: more significant wins than losses against {plain}",
        ahead(found),
        f"{found}; mean accuracy {means[cube.index(other)]:.2f} and "
        f"{means[cube.index(plain)]:.2f}",
    )
