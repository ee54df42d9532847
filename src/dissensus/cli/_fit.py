"""dissensus fit: learn a model from a file and save it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dissensus.cli._data import read_data
from dissensus.cli._options import (
    Command,
    LearnerText,
    common_options,
    memory_option,
    seed_option,
    table_options,
)
from dissensus.cli._words import note


@click.command(
    "fit",
    cls=Command,
    examples=[
        "dissensus fit weather.csv --target play -o weather.skops",
        'dissensus fit monks-2 --learner "maclen(nb)"',
    ],
)
@table_options
@click.option(
    "--learner",
    type=LearnerText(),
    default="c45",
    show_default=True,
    help='The learner as text, such as c45, nb, "maclen(nb)", "cascade(nb, c45)".',
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The model file; by default FILE's name with .skops, here.",
)
@seed_option
@memory_option("What learning may allocate, such as 2GB; beyond, it fails. Linux only.")
@common_options
def command(
    *,
    file: str,
    target: str | None,
    learner: str,
    output: Path | None,
    seed: int,
    memory_limit: int | None,
    quiet: bool,
    **reading: Any,
) -> None:
    """Learn a model and save it.

    The model file is safe to open: it holds no code. FILE is a CSV, TSV, Parquet or
    ARFF file, or the name of a data set ("dissensus datasets" lists them).
    """
    from dissensus.evaluation import seeded_copy
    from dissensus.learners import parse_learner
    from dissensus.persistence import save_model

    parsed = parse_learner(learner)
    data = read_data(file, target, quiet=quiet, **reading)
    model = _learn(seeded_copy(parsed.build(), seed), data, memory_limit)
    path = Path(f"{data.name}.skops") if output is None else output
    save_model(
        model,
        path,
        schema=data.schema,
        target=data.target,
        learner=str(parsed),
        source=f"{data.name}, {len(data.y)} rows",
    )
    note(f"{parsed} learnt {data.target!r} from {len(data.y)} rows{_size(model)}.")
    note(f"Saved to {path}. Next: dissensus predict {path} NEW.csv", quiet=quiet)


def _learn(model: Any, data: Any, n_bytes: int | None) -> Any:
    """Return the fitted model."""
    weights = (
        {} if data.sample_weight is None else {"sample_weight": data.sample_weight}
    )
    if n_bytes is None:
        return model.fit(data.X, data.y, **weights)
    from dissensus.cli._limited import fit_limited

    return fit_limited(model, data.X, data.y, n_bytes=n_bytes, **weights)


def _size(model: Any) -> str:
    """Return how large a model is, where it can be told."""
    leaves = getattr(model, "n_leaves_", None)
    if leaves is not None:
        return f": a tree of {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    members = getattr(model, "estimators_", None)
    return f": {len(members)} members" if isinstance(members, list) else ""
