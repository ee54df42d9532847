"""dissensus curve: how accuracy grows with the number of training rows."""

from __future__ import annotations

from typing import Any

import click

from dissensus.cli._data import note_folds, read_for_study
from dissensus.cli._options import Command, seed_option, table_options
from dissensus.cli._results import drawn, percent, print_verdict, results_content
from dissensus.cli._study import (
    Fractions,
    StudyOptions,
    folds_option,
    group_option,
    learner_option,
    read_learners,
    run_study,
    study_options,
)
from dissensus.cli._words import print_table

LEARNERS = ("c45", "bagging", "adaboost", "decorate", "maclen", "forest")


@click.command(
    "curve",
    cls=Command,
    examples=[
        "dissensus curve weather.csv --target play",
        "dissensus curve monks-2 --learner c45 --learner decorate --fractions 0.1,1",
    ],
)
@table_options
@learner_option
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Number of cross-validations.",
)
@folds_option
@group_option
@click.option(
    "--fractions",
    type=Fractions(),
    default="0.05,0.1,0.2,0.3,0.5,0.75,1",
    show_default=True,
    help="Shares of each training fold to learn from.",
)
@seed_option
@study_options
def command(
    *,
    file: str,
    target: str | None,
    learners: tuple[str, ...],
    data_dir: str | None,
    repeats: int,
    folds: int,
    fractions: tuple[float, ...],
    seed: int,
    options: StudyOptions,
    **reading: Any,
) -> None:
    """Draw learning curves.

    Learners are fitted on growing parts of each training fold, the same parts for
    all. The table has their accuracies, the page the curves.
    """
    from dissensus.experiment import comparison

    chosen = read_learners(learners, LEARNERS)
    data = read_for_study(
        file, target, data_dir=data_dir, quiet=options.quiet, **reading
    )
    note_folds(data, folds, quiet=options.quiet)
    spec = comparison(
        data,
        learners=chosen,
        data_dir=data_dir,
        repeats=repeats,
        folds=folds,
        fractions=fractions,
        seed=seed,
    )
    run_study(spec, f"{data.name}-curve", options, show=print_result, content=content)


def print_result(results: Any) -> None:
    """Print accuracies by share of the training rows."""
    from dissensus.results import judge

    frame = results.learning_curves().frame
    shares = frame["fraction"].to_list()
    columns = ["learner", *(f"{100 * share:g} %" for share in shares)]
    lines = [
        [learner, *(percent(value, unit="") for value in frame[learner].to_list())]
        for learner in results.learners
    ]
    print_table(
        columns,
        lines,
        title=f"{results.datasets[0]}: accuracy in % by share of the training rows, "
        f"{drawn(results)}",
        right=columns[1:],
    )
    verdict = judge(results)
    headline = f"With all training rows: {verdict['headline']}"
    print_verdict({**verdict, "headline": headline})


def content(results: Any) -> dict[str, Any]:
    """Return the curves as plain values too."""
    curves = results.learning_curves().frame.to_dicts()
    return {**results_content(results), "curves": curves}
