"""The specification on the page of experiments is one that runs."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from dissensus.experiment import ExperimentSpec, run_experiment
from dissensus.experiment._registry import LEARNERS


@pytest.fixture
def page(project_root: Path) -> str:
    return (project_root / "docs" / "experiments.md").read_text()


def test_the_study_in_a_file_runs(page: str, tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    path = tmp_path / "study.toml"
    path.write_text(text)
    results = run_experiment(path, executor="serial")
    assert results.learners[2] == "AdaBoost"
    assert (results.n_cells, results.n_failed, results.n_missing) == (120, 0, 0)


def test_every_key_and_every_learner_is_explained(page: str) -> None:
    keys = {field.name for field in fields(ExperimentSpec)} - {"title"}
    named = set(re.findall(r"`([a-z0-9_]+)`", page))
    assert keys <= named
    assert set(LEARNERS) <= named
