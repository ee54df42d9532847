"""dissensus compare: which learner is best for a table, and whether that is real."""

from __future__ import annotations

from typing import Any

import click

from dissensus.cli._data import note_folds, read_for_study
from dissensus.cli._options import Command, table_options
from dissensus.cli._study import (
    Fractions,
    StudyOptions,
    learner_option,
    read_learners,
    resampling_options,
    run_study,
    study_options,
)


@click.command(
    "compare",
    cls=Command,
    examples=[
        "dissensus compare weather.csv --target play",
        "dissensus compare credit.csv --target good --test new.csv --drop id",
        'dissensus compare monks-2 --learner c45 --learner "cascade(nb, c45)"',
    ],
)
@table_options
@click.option(
    "--test",
    metavar="FILE",
    type=click.Path(),
    help="Score on this file instead: learners are fitted once, on all of the first.",
)
@learner_option
@resampling_options
@click.option(
    "--fractions",
    type=Fractions(),
    default="1",
    show_default=True,
    help="Shares of the training rows to learn from, such as 0.1,0.5,1.",
)
@study_options
def command(
    *,
    file: str,
    target: str | None,
    test: str | None,
    learners: tuple[str, ...],
    group: str | None,
    data_dir: str | None,
    download: bool,
    encoding: str,
    drop: tuple[str, ...],
    nominal: tuple[str, ...],
    options: StudyOptions,
    **study: Any,
) -> None:
    """Compare learners on one table.

    All learners see the same folds of repeated cross-validation, and all that is
    learnt is learnt from training folds. The verdict rests on corrected resampled
    t-tests; with --test on McNemar's exact test of the answers on that file. FILE is
    a CSV, TSV, Parquet or ARFF file, or the name of a data set ("dissensus datasets"
    lists them). Without --learner, trees, naive Bayes, the ensembles of this package
    and three of scikit-learn's are compared.
    """
    from dissensus.experiment import comparison

    chosen = read_learners(learners, None)
    data = read_for_study(
        file,
        target,
        test=test,
        group=group,
        data_dir=data_dir,
        download=download,
        encoding=encoding,
        drop=drop,
        nominal=nominal,
        quiet=options.quiet,
    )
    note_folds(data, study["folds"], quiet=options.quiet)
    spec = comparison(data, learners=chosen, data_dir=data_dir, **study)
    run_study(spec, data.name, options)
