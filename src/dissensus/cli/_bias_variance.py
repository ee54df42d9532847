"""dissensus bias-variance: why learners err."""

from __future__ import annotations

from typing import Any

import click

from dissensus.cli._data import read_for_study
from dissensus.cli._options import Command, seed_option, table_options
from dissensus.cli._results import drawn, percent, results_content
from dissensus.cli._study import (
    StudyOptions,
    learner_option,
    read_learners,
    run_study,
    study_options,
)
from dissensus.cli._words import print_points, print_table

LEARNERS = (
    "c45",
    "nb",
    "bagging",
    "adaboost",
    "maclen",
    "decorate",
    "cascade(nb, c45)",
)
MODELS = {"maclen": 50, "bootstrap": 10}


@click.command(
    "bias-variance",
    cls=Command,
    examples=[
        "dissensus bias-variance weather.csv --target play",
        "dissensus bias-variance monks-2 --protocol bootstrap --models 20",
    ],
)
@table_options
@learner_option
@click.option(
    "--protocol",
    type=click.Choice(list(MODELS)),
    default="maclen",
    show_default=True,
    help="maclen: half of the rows are a pool, each training set is half of it. "
    "bootstrap: two thirds are the pool, each training set is a replicate of it.",
)
@click.option(
    "--models",
    type=click.IntRange(2),
    help="Number of training sets; 50 for maclen, 10 for bootstrap if not given.",
)
@seed_option
@study_options
def command(
    *,
    file: str,
    target: str | None,
    learners: tuple[str, ...],
    data_dir: str | None,
    protocol: str,
    models: int | None,
    seed: int,
    options: StudyOptions,
    **reading: Any,
) -> None:
    """Take errors apart into bias and variance.

    Each learner is fitted on many training sets and asked about one test set. What
    its models get wrong together is bias; where they differ from each other is
    variance, which ensembles lower.
    """
    from dissensus.experiment import comparison

    chosen = read_learners(learners, LEARNERS)
    data = read_for_study(
        file, target, data_dir=data_dir, quiet=options.quiet, **reading
    )
    spec = comparison(
        data,
        learners=chosen,
        data_dir=data_dir,
        resampling=protocol,
        repeats=models or MODELS[protocol],
        seed=seed,
    )
    name = f"{data.name}-bias-variance"
    run_study(spec, name, options, show=print_result, content=content)


def print_result(results: Any) -> None:
    """Print the parts of each learner's error, the smallest error first."""
    found = results.bias_variance().frame.to_dicts()
    known = [row for row in found if row["error"] is not None]
    rows = sorted(known, key=lambda row: row["error"])
    rows += [row for row in found if row["error"] is None]
    columns = ("learner", "error", "bias", "variance")
    print_table(
        columns,
        [
            [row["learner"], *(percent(row[name]) for name in columns[1:])]
            for row in rows
        ],
        title=f"{results.datasets[0]}: {drawn(results)} ({results.resampling})",
        right=columns[1:],
    )
    if known:
        click.echo("")
        print_points(_words(known, "bias") + _words(known, "variance"))


def _words(rows: list[dict[str, Any]], part: str) -> list[str]:
    least = min(rows, key=lambda row: row[part])
    return [f"The least {part}: {least['learner']}, {percent(least[part])}."]


def content(results: Any) -> dict[str, Any]:
    """Return the parts as plain values too."""
    parts = results.bias_variance().frame.to_dicts()
    return {**results_content(results), "bias_variance": parts}
