"""MACLEN's families: it and its rivals, of C4.5 and of naive Bayes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dissensus.evaluation import WinDrawLoss, average_ranks
from dissensus.papers.framework._comparison import (
    QUANTILE,
    beside_value,
    beside_wins,
    surplus,
)
from dissensus.papers.framework._frames import table
from dissensus.papers.framework._paper import Claim, Comparison, Findings, Section
from dissensus.results import Results, ResultTable

LEVEL = 0.95
TREES = ("Bagging", "AdaBoost", "RandomForest", "MACLEN")  # the ensembles
TESTS_NOTE = (
    "Significant: two-tailed t-test at 95 %, corrected for overlapping training sets "
    "as in Weka's experimenter; the plain paired test is shown beside it."
)


def versus(results: Results, ours: str, rival: str, test: str) -> WinDrawLoss:
    """Count the data sets on which one learner is significantly better."""
    cube = results.cube()
    found: WinDrawLoss = cube.compare(cube.index(ours), cube.index(rival), test, LEVEL)
    return found


def family_tables(results: Results, ours: Sequence[str]) -> list[ResultTable]:
    """Return accuracies and ranks, and how our learners fare against all others."""
    return [_accuracies(results), _ranks(results), _versus_table(results, ours)]


def _accuracies(results: Results) -> ResultTable:
    cube = results.cube()
    means, spread = 100 * cube.means(), 100 * cube.deviations()
    columns: dict[str, list[Any]] = {"dataset": [*results.datasets, "mean"]}
    for n, learner in enumerate(results.learners):
        pairs = zip(means[:, n], spread[:, n], strict=True)
        cells = [f"{mean:.2f} ± {deviation:.2f}" for mean, deviation in pairs]
        columns[learner] = [*cells, f"{means[:, n].mean():.2f}"]
    return table(
        "accuracy in per cent, mean and standard deviation over folds",
        columns,
        cube.n_failed,
        cube.n_missing,
    )


def _ranks(results: Results) -> ResultTable:
    frame = results.ranks().frame.tail(1).drop("dataset")
    return table(
        "average rank, 1 is best",
        {name: [round(frame[name][0], 2)] for name in frame.columns},
    )


def _versus_table(results: Results, ours: Sequence[str]) -> ResultTable:
    rows: list[tuple[str, ...]] = []
    for learner in ours:
        for rival in results.learners:
            if rival != learner:
                counts = [
                    str(versus(results, learner, rival, test))
                    for test in ("corrected", "paired")
                ]
                rows.append((learner, rival, *counts))
    names = ("learner", "against", "corrected", "plain")
    columns = {name: [row[n] for row in rows] for n, name in enumerate(names)}
    return table("significant wins-draws-losses at 95 %", columns)


def more_wins(results: Results, ours: str, rival: str, where: str = "") -> Claim:
    """Judge whether one learner wins more often than it loses."""
    found = versus(results, ours, rival, "corrected")
    plain = versus(results, ours, rival, "paired")
    return Claim(
        f"{ours} has more significant wins than losses against {rival}{where}",
        ahead(found),
        f"{found} (plain test {plain})",
    )


def ahead(found: WinDrawLoss) -> bool | None:
    """Whether there are more wins than losses; None if there is not one of either."""
    if not found.wins and not found.losses:
        return None
    return found.wins > found.losses


def comparable(results: Results, ours: str, rival: str, where: str = "") -> Claim:
    """Judge whether wins and losses balance, as far as so few data sets can tell."""
    found = versus(results, ours, rival, "corrected")
    mean, deviation = surplus(
        found.wins, found.losses, found.wins + found.draws + found.losses
    )
    held = None if math.isnan(mean) else mean >= -QUANTILE * deviation
    return Claim(
        f"{ours} is comparable to {rival}{where}: its losses do not clearly outnumber "
        "its wins",
        held,
        f"{found} (plain test {versus(results, ours, rival, 'paired')})",
    )


def lowest_rank(
    results: Results, ours: str, among: Sequence[str]
) -> tuple[Claim, float, float]:
    """Judge whether a learner has the best average rank; return it with its noise."""
    cube = results.cube()
    chosen = [cube.index(name) for name in among]
    found = average_ranks(cube.fair_means()[0][:, chosen])
    own = list(among).index(ours)
    ranks = ", ".join(f"{n} {r:.2f}" for n, r in zip(among, found.average, strict=True))
    column = found.by_dataset[:, own]
    spread = float(np.std(column, ddof=1)) if len(column) > 1 else float("nan")
    claim = Claim(
        f"{ours} has the lowest average rank among {', '.join(among)}",
        int(np.argmin(found.average)) == own,
        ranks,
    )
    return claim, float(found.average[own]), spread / math.sqrt(len(column))


# C4.5


def trees(findings: Findings) -> Section:
    """Compare MACLEN of C4.5 with its rivals, as the paper does."""
    ((name, results),) = findings.results.items()
    claim, rank, noise = lowest_rank(results, "MACLEN", TREES)
    rivals = ("C4.5", "Bagging", "AdaBoost", "RandomForest")
    compared = _wins_beside(findings, results, [(name, "MACLEN", r) for r in rivals])
    published = findings.published.get(f"{name}/rank")
    if published is not None:
        compared.append(beside_value(published, rank, noise))
    return Section(
        tables=family_tables(results, ["MACLEN"]),
        comparisons=compared,
        claims=[
            *(more_wins(results, "MACLEN", r) for r in rivals[:3]),
            comparable(results, "MACLEN", "RandomForest"),
            claim,
        ],
        notes=[TESTS_NOTE],
    )


def trees_with_noise(findings: Findings) -> Section:
    """Compare them where some labels are wrong."""
    ((name, results),) = findings.results.items()
    return Section(
        tables=family_tables(results, ["MACLEN"]),
        comparisons=_wins_beside(findings, results, [(name, "MACLEN", "AdaBoost")]),
        claims=[
            more_wins(results, "MACLEN", "AdaBoost", " of C4.5 with 5 % wrong labels"),
            comparable(results, "MACLEN", "RandomForest", " with 5 % wrong labels"),
        ],
        notes=[TESTS_NOTE],
    )


# Naive Bayes


def bayes(findings: Findings) -> Section:
    """Compare MACLEN of naive Bayes with its rivals, as the paper does."""
    ((name, results),) = findings.results.items()
    ours = ("MACLEN(L)", "MACLEN(M)")
    pairs = [(learner, rival) for rival in ("NB", "AdaBoost") for learner in ours]
    rank, _, _ = lowest_rank(results, "MACLEN(M)", results.learners)
    return Section(
        tables=family_tables(results, ours),
        comparisons=_wins_beside(
            findings, results, [(f"{name}/{a}", a, b) for a, b in pairs]
        ),
        claims=[
            *(more_wins(results, a, b) for a, b in pairs),
            _much_better(results, "MACLEN(M)", "MACLEN(L)"),
            comparable(results, "MACLEN(M)", "AODE"),
            rank,
        ],
        notes=[TESTS_NOTE],
    )


def _much_better(results: Results, one: str, other: str) -> Claim:
    found = versus(results, one, other, "corrected")
    return Claim(
        f"{one} is significantly better than {other}",
        ahead(found),
        f"{found} (plain test {versus(results, one, other, 'paired')})",
    )


def bayes_with_noise(findings: Findings) -> Section:
    """Compare them where some labels are wrong."""
    ((name, results),) = findings.results.items()
    where = " with 5 % wrong labels"
    return Section(
        tables=family_tables(results, ["MACLEN(L)", "MACLEN(M)"]),
        comparisons=_wins_beside(findings, results, [(name, "MACLEN(M)", "AdaBoost")]),
        claims=[
            more_wins(results, "MACLEN(M)", "AdaBoost", f" of naive Bayes{where}"),
            more_wins(results, "MACLEN(L)", "AdaBoost", f" of naive Bayes{where}"),
            comparable(results, "MACLEN(M)", "AODE", where),
        ],
        notes=[
            TESTS_NOTE,
            "The text does not say whether its number for naive Bayes is of MACLEN(L) "
            "or MACLEN(M); it is set beside that of MACLEN(M).",
        ],
    )


def _wins_beside(
    findings: Findings, results: Results, pairs: Sequence[tuple[str, str, str]]
) -> list[Comparison]:
    """Return our wins and losses beside the published ones, where there are any."""
    return list(_compared(findings, results, pairs))


def _compared(
    findings: Findings, results: Results, pairs: Sequence[tuple[str, str, str]]
) -> Iterator[Comparison]:
    for key, ours, rival in pairs:
        published = findings.published.get(f"{key}/{rival}")
        if published is not None:
            yield beside_wins(published, versus(results, ours, rival, "corrected"))


# The same, prepared inside the folds


def honest(findings: Findings) -> Section:
    """Compare them where nothing was learnt from test rows."""
    ((_, results),) = findings.results.items()
    ours = [name for name in results.learners if name.startswith("MACLEN")]
    rivals = [n for n in ("C4.5", "NB", "Bagging", "AdaBoost") if n in results.learners]
    where = ", prepared inside the folds"
    return Section(
        tables=family_tables(results, ours),
        claims=[more_wins(results, ours[-1], rival, where) for rival in rivals],
        notes=[
            "Missing values are filled in and numbers cut by MDL inside each training "
            "fold, for all learners. The published protocol does both over the whole "
            "file, which lets the classes of test rows leak.",
            TESTS_NOTE,
        ],
    )
