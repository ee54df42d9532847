"""dissensus demo: single learners and committees that disagree, side by side."""

from __future__ import annotations

from typing import Any

import click

from dissensus.cli._options import Command
from dissensus.cli._study import StudyOptions, run_study, study_options

NAME = "dissensus-demo"
DATASETS = ("monks-2", "tic-tac-toe", "balance-scale")
LEARNERS = {
    "C4.5": "c45",
    "naive Bayes": "nb",
    "C4.5 after naive Bayes": "cascade(nb, c45)",
    "MACLEN": "maclen(c45)",
    "DECORATE": "decorate(c45)",
    "local cascade": "local",
    "Bagging": "bagging(c45)",
    "random forest": "forest",
}


@click.command(
    "demo",
    cls=Command,
    examples=["dissensus demo"],
)
@study_options
def command(*, options: StudyOptions) -> None:
    """Show single learners and committees at work.

    Three data sets that need no file and no network, eight learners, a table and a
    page; about half a minute.
    """
    from dissensus.experiment import ExperimentSpec

    spec: Any = ExperimentSpec(
        DATASETS,
        LEARNERS,
        repeats=2,
        folds=10,
        measures=("accuracy", "log_loss"),
        title="Single learners and committees that disagree",
    )
    run_study(spec, NAME, options)
