"""The specification on the page of experiments is one that runs."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from dissensus.experiment import ExperimentSpec, run_experiment
from dissensus.learners._registry import LEARNERS
from dissensus.results import Results
from tests.oracles import SHARED, needs_oracles


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


def test_every_table_of_the_results_is_explained(page: str) -> None:
    named = set(re.findall(r"`([a-z_]+)`", page))
    tables = {
        name
        for name in dir(Results)
        if not name.startswith("_")
        and "ResultTable" in str(getattr(getattr(Results, name), "__annotations__", ""))
    }
    assert {"means", "against", "by_run"} <= tables
    assert tables - {"described_data"} <= named


@needs_oracles
def test_the_study_of_fifteen_data_sets_can_be_run(project_root: Path) -> None:
    spec = ExperimentSpec.from_toml(project_root / "examples" / "fifteen_sets.toml")
    plan = replace(spec, data_dir=SHARED / "data").check()
    assert len(plan.jobs) == 15 * 6 * 100
    splice = plan.study.load("splice").table
    assert splice.n_attributes == 60
