"""Results that are read from a store again, and the data they were made of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dissensus.exceptions import ExperimentError
from dissensus.experiment import ExperimentSpec, LearnerSpec, run_experiment
from dissensus.results import Results
from dissensus.store import Outcome
from dissensus.store._store import Store
from tests.experiment.studies import DATA, small_spec


def write_labels(path: Path, label: str) -> None:
    """Write a small file of data."""
    rows = [f"{i},{label if i % 2 else 'no'}" for i in range(20)]
    path.write_text("\n".join(["size,class", *rows]))


def test_data_are_found_again_if_their_content_is_the_same(tmp_path: Path) -> None:
    file, store = tmp_path / "mine.csv", tmp_path / "study.sqlite"
    write_labels(file, "yes")
    spec = ExperimentSpec([str(file), "monks-1"], ["majority"], repeats=1, folds=2)
    run_experiment(spec, store, executor="serial")
    opened = Results.open(store)
    assert opened.load_data("mine").classes == ("no", "yes")
    assert opened.load_data("monks-1").table.n_rows == 432
    write_labels(file, "maybe")
    with pytest.raises(ExperimentError, match="'mine' has another content"):
        opened.load_data("mine")
    file.unlink()
    with pytest.raises(ExperimentError, match="'mine' is not here"):
        opened.load_data("mine")


def test_data_in_memory_are_gone_with_the_process(tmp_path: Path) -> None:
    store = tmp_path / "study.sqlite"
    run_experiment(small_spec(), store, executor="serial")
    with pytest.raises(ExperimentError, match="another content here"):
        Results.open(store).load_data("iris")  # an array, not the package's own frame


def test_a_new_name_of_a_learner_is_used_for_saved_cells(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    for name in ("old", "new"):
        spec = small_spec(LearnerSpec("c45", name))
        results = run_experiment(spec, path, executor="serial")
        assert results.learners == (name,)
        assert results.means().frame.columns == ["dataset", name]


def test_a_large_study_is_read_and_shown(tmp_path: Path) -> None:
    spec = ExperimentSpec(DATA, ["c45", "majority"], repeats=10, folds=10)
    plan = spec.check()
    path = tmp_path / "large.sqlite"
    example = Outcome(plan.jobs[0], n_train=90, n_test=10, n_correct=9)
    with Store(path) as store:
        store.begin_run(plan.study, plan.data, plan.spec)
        for number, job in enumerate(plan.jobs):
            score = {"accuracy": number / len(plan.jobs)}
            store.add(plan.study, replace(example, job=job, scores=score))
    results = Results.open(path)
    assert results.n_cells == 400
    assert results.means().frame.shape == (2, 3)
