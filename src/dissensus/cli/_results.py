"""The results of a study in the terminal: a table, then the verdict in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from dissensus.cli._words import Cell, print_points, print_table
from dissensus.utils._printable import printable

MARKS = {"best": "*", "level": "=", "worse": ""}
STYLES = {"best": "bold", "level": "", "worse": "dim", "": ""}
WORDS = {"": "no result"}
WIDEST = 0.5
MOST_FAILURES = 5  # lines
TESTS = {
    "corrected": "corrected resampled t-test at 95 %",
    "mcnemar": "McNemar's exact test at 95 %",
}


def show_results(results: Any) -> None:
    """Print how learners stand, and the verdict."""
    from dissensus.results import judge, standings

    rows = standings(results)
    if len(results.datasets) == 1:
        _one_dataset(results, rows)
    else:
        _several_datasets(results, rows)
    print_verdict(judge(results))
    if results.n_failed:
        print_points(_failures(results))


def _failures(results: Any) -> list[str]:
    """Return what went wrong, each once, with how often."""
    counted = Counter(
        results.failures().frame.select("learner", "dataset", "error").iter_rows()
    )
    return [
        f"Failed: {learner} on {dataset}, {n} cells: {error}"
        for (learner, dataset, error), n in counted.most_common(MOST_FAILURES)
    ]


def results_content(results: Any) -> dict[str, Any]:
    """Return the same as plain values."""
    from dissensus.results import judge, standings

    return {
        "verdict": judge(results),
        "standings": standings(results),
        "cells": results.n_cells,
        "failed": results.n_failed,
        "missing": results.n_missing,
        "resampling": results.resampling,
        **{key: results.spec[key] for key in ("repeats", "folds", "seed", "protocol")},
    }


def print_verdict(verdict: dict[str, Any]) -> None:
    """Print a headline and what supports it."""
    click.echo("")
    click.secho(printable(verdict["headline"]), bold=True)
    print_points([*verdict["points"], *(f"Note: {w}" for w in verdict["warnings"])])


def drawn(results: Any) -> str:
    """Return how rows were drawn, in words."""
    content = results.spec
    if results.resampling == "test":
        return "fitted once, scored on the test set"
    if results.resampling != "folds":
        return f"{content['repeats']} training sets, one test set"
    return f"{content['repeats']} x {content['folds']}-fold cross-validation"


def _one_dataset(results: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Print a line for each learner, the best first."""
    scores = {"log-loss": "log_loss", "AUC": "auc"}
    shown = {title: key for title, key in scores.items() if key in results.measures}
    columns = ["learner", "accuracy", "+/-", "verdict", *shown, "fit"]
    lines = [
        [
            row["learner"],
            percent(row["accuracy"]),
            _half_width(row["half_width"]),
            WORDS.get(row["standing"], row["standing"]),
            *(number(row[key]) for key in shown.values()),
            seconds(row["fit_seconds"]),
        ]
        for row in rows
    ]
    failed = [row["failed"] for row in rows]
    if any(failed):
        columns.append("failed")
        lines = [[*line, n or ""] for line, n in zip(lines, failed, strict=True)]
    print_table(
        columns,
        [_styled(line, row) for line, row in zip(lines, rows, strict=True)],
        title=f"{results.datasets[0]}: {drawn(results)}",
        right=[name for name in columns if name not in ("learner", "verdict")],
    )


def _half_width(share: float | None) -> str:
    # Two or three folds say next to nothing about a mean.
    return percent(None if share is None or share > WIDEST else share, unit="")


def _styled(line: Sequence[Any], row: dict[str, Any]) -> list[Any]:
    return [Cell(str(cell), STYLES[row["standing"]]) for cell in line]


def _several_datasets(results: Any, rows: Sequence[dict[str, Any]]) -> None:
    """Print accuracies with a mark where a learner is at the top."""
    found = {(row["dataset"], row["learner"]): row for row in rows}
    cells = {
        key: Cell(
            f"{MARKS.get(row['standing'], '')} {percent(row['accuracy'], unit='')}",
            STYLES[row["standing"]],
        )
        for key, row in found.items()
    }
    title = f"Accuracy in %: {drawn(results)}"
    datasets, learners = list(results.datasets), _by_rank(results)
    if len(datasets) <= len(learners):
        lines: list[list[Any]] = [
            [learner, *(cells[dataset, learner] for dataset in datasets)]
            for learner in learners
        ]
        columns = ["learner", *datasets]
    else:
        lines = [
            [dataset, *(cells[dataset, learner] for learner in learners)]
            for dataset in datasets
        ]
        columns = ["data set", *learners]
    print_table(columns, lines, title=title, right=columns[1:])
    test = TESTS[results.cube().usual_test]
    print_points([f"* the best on that data set; = not significantly worse ({test})."])


def _by_rank(results: Any) -> list[str]:
    """Return the learners, the one with the best average rank first."""
    frame = results.ranks().frame
    average = dict(zip(frame.columns[1:], frame.row(-1)[1:], strict=True))
    unknown = float("inf")
    return sorted(
        results.learners,
        key=lambda name: unknown if average[name] is None else average[name],
    )


def percent(share: float | None, *, unit: str = " %") -> str:
    """Return a share in percent."""
    return "-" if share is None else f"{100 * share:.1f}{unit}"


def number(value: float | None) -> str:
    """Return a number with three digits behind the point."""
    return "-" if value is None else f"{value:.3f}"


def seconds(value: float | None) -> str:
    """Return a time that may be long or short."""
    from dissensus.utils._format import seconds_text

    return "-" if value is None else seconds_text(value)
