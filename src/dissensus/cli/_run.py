"""dissensus run: a study that is written in a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from dissensus.cli._options import Command, data_dir_option, download_option
from dissensus.cli._study import StudyOptions, run_study, study_options


@click.command(
    "run",
    cls=Command,
    examples=[
        "dissensus run study.toml",
        "dissensus run study.toml --dry-run",
        "dissensus run study.toml --scheduler tcp://10.0.0.1:8786 --retry-failed",
    ],
)
@click.argument("spec", type=click.Path(path_type=Path))
@data_dir_option
@download_option
@click.option("--retry-failed", is_flag=True, help="Run cells again that had failed.")
@study_options
def command(
    *,
    spec: Path,
    data_dir: str | None,
    download: bool,
    retry_failed: bool,
    options: StudyOptions,
) -> None:
    """Run a study that a TOML file describes.

    Everything in the file is checked before anything runs. The same command again
    resumes where it was stopped.
    """
    from dissensus.exceptions import SpecError
    from dissensus.experiment import ExperimentSpec

    try:
        study = ExperimentSpec.from_toml(spec)
        if data_dir is not None:
            study = replace(study, data_dir=data_dir)
        if download:
            study = replace(study, download=True)
        run_study(study, spec.stem, options, retry_failed=retry_failed)
    except SpecError as error:
        first, *others = error.mistakes
        named = first if first.startswith(f"{spec}:") else f"{spec}: {first}"
        raise SpecError([named, *others]) from None
