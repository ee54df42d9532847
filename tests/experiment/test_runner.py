"""Running, comparing and estimating."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from dissensus.datasets import load_dataset
from dissensus.exceptions import SpecError
from dissensus.experiment import (
    ExperimentSpec,
    LearnerSpec,
    Progress,
    compare,
    estimate,
    run_experiment,
)
from dissensus.experiment.run._progress import TerminalProgress, format_seconds
from dissensus.store import Job, Task
from tests.experiment.learners import Constant, Raises
from tests.experiment.studies import CLASSES, IRIS, small_spec

SERIAL: dict[str, Any] = {"executor": "serial", "repeats": 1, "folds": 3}


def test_compare_takes_arrays_and_frames_of_any_kind() -> None:
    frames = [IRIS, pd.DataFrame(IRIS), pl.DataFrame(IRIS), IRIS.tolist()]
    scores = {
        compare(X, CLASSES, ["c45"], **SERIAL).means().frame["c45"][0] for X in frames
    }
    assert len(scores) == 1


def test_compare_takes_a_data_set_with_its_labels() -> None:
    results = compare(load_dataset("monks-1"), learners=["c45"], **SERIAL)
    assert results.datasets == ("monks-1",)


def test_compare_keeps_frames_for_learners_that_want_them() -> None:
    class Curious(Constant):
        def fit(self, X: Any, y: Any) -> Any:
            assert isinstance(X, pd.DataFrame)
            assert list(X.columns) == ["a", "b", "c", "d"]
            return super().fit(X, y)

    X = pd.DataFrame(IRIS, columns=["a", "b", "c", "d"])
    assert compare(X, CLASSES, [Curious()], **SERIAL).n_failed == 0


def test_compare_makes_do_with_few_rows() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"]
    results = compare(X, y, ["c45", "logistic"], repeats=2, executor="serial")
    assert results.spec["folds"] == 4
    assert results.n_failed == 0


def test_compare_refuses_one_fold_however_many_rows_there_are() -> None:
    X, y = np.arange(10.0).reshape(10, 1), [0, 1] * 5
    for folds in (1, "ten"):
        with pytest.raises(SpecError, match=f"folds is {folds!r}"):
            compare(X, y, ["c45"], folds=folds, executor="serial")  # type: ignore[arg-type]


def test_compare_lists_mistakes_like_any_study() -> None:
    with pytest.raises(SpecError, match="no learner 'c4.5'"):
        compare(IRIS, CLASSES, ["c4.5"], **SERIAL)


def test_compare_keeps_groups_together() -> None:
    groups = np.repeat(np.arange(15), 10)
    results = compare(IRIS, CLASSES, ["c45"], groups=groups, **SERIAL)
    for _, part in results.predictions("data", "c45").group_by("fold"):
        assert len(set(groups[part["row"].to_numpy()])) * 10 == len(part)


def test_a_study_is_run_from_a_file_or_from_plain_values(tmp_path: Path) -> None:
    text = 'datasets = ["iris"]\nlearners = ["majority"]\nrepeats = 1\nfolds = 2\n'
    path = tmp_path / "study.toml"
    path.write_text(text)
    content = {"datasets": ["iris"], "learners": ["majority"], "repeats": 1, "folds": 2}
    first = run_experiment(path, executor="serial")
    second = run_experiment(content, executor="serial")
    assert first.cells["accuracy"].to_list() == second.cells["accuracy"].to_list()


@pytest.mark.parametrize("spec", [None, ["iris"], 3])
def test_what_is_no_specification_is_refused(spec: Any) -> None:
    with pytest.raises(SpecError, match="It must be a study, or a TOML file"):
        run_experiment(spec, executor="serial")


def test_nothing_is_run_or_written_if_there_are_mistakes(tmp_path: Path) -> None:
    store = tmp_path / "study.sqlite"
    with pytest.raises(SpecError):
        run_experiment(ExperimentSpec(["iris"], ["c45", "c46"]), store)
    assert not list(tmp_path.iterdir())


def test_progress_tells_the_state_after_each_cell() -> None:
    seen: list[Progress] = []
    spec = small_spec(Constant(), Raises())
    run_experiment(spec, executor="serial", progress=seen.append)
    assert [progress.done for progress in seen] == list(range(9))
    assert seen[-1].failed == 4
    assert seen[0].job is None
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0.0
    assert all(progress.total == 8 for progress in seen)


def test_progress_is_one_line() -> None:
    job = Job("c45", Task("iris", 0, 0))
    assert (
        str(Progress(3, 10, 1, 6.0, 14.2, job)) == "3 of 10 cells, 1 failed, 14 s left"
    )
    assert str(Progress(10, 10, 0, 75.0, 0.0, job)) == "10 of 10 cells, 1 min 15 s"


def test_progress_in_the_terminal_ends_with_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_experiment(small_spec(), executor="serial", progress=True)
    said = capsys.readouterr().err
    assert said.endswith(" s\n")
    assert "\r" in said
    show = TerminalProgress()
    show(Progress(1, 10, 0, 1.0, 9.0))
    show(Progress(2, 10, 0, 1.0, 8.0))  # too soon
    assert "2 of 10" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (7260, "2 h 1 min")],
)
def test_times_are_said_in_words(seconds: float, words: str) -> None:
    assert format_seconds(seconds) == words


def test_an_estimate_counts_cells_and_runs_hardly_any() -> None:
    spec = small_spec(Constant(0.01), "majority", repeats=50, folds=10)
    found = estimate(spec, executor="serial")
    assert (found.n_cells, found.n_done) == (1000, 0)
    assert found.by_learner["majority"] > 0
    slow = next(seconds for name, seconds in found.by_learner.items() if "0.01" in name)
    assert slow > 500 * 0.01
    assert found.seconds == pytest.approx(sum(found.by_learner.values()))
    assert "1000 cells; about" in str(found)


def test_an_estimate_knows_what_is_done_and_what_will_fail(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    run_experiment(small_spec(), path, executor="serial")
    spec = small_spec(Constant(), LearnerSpec(Raises(), "bad"))
    found = estimate(spec, path, executor="serial")
    assert (found.n_cells, found.n_done) == (8, 4)
    assert found.failures == ("bad on iris: ZeroDivisionError: it was bound to happen",)
    assert "4 of them done" in str(found)
    assert str(estimate(small_spec(), path)) == "4 cells, all done"


def test_more_workers_take_less_time() -> None:
    class Four:
        n_workers = 4

        def run(self, study: Any, jobs: Any) -> Any:
            raise NotImplementedError

    found = estimate(small_spec(Constant(0.01)), executor=Four())
    assert found.seconds == pytest.approx(sum(found.by_learner.values()) / 4)


def test_an_estimator_of_sklearn_is_a_learner() -> None:
    results = compare(IRIS, CLASSES, {"lr": LogisticRegression(max_iter=500)}, **SERIAL)
    assert results.means().frame["lr"][0] > 0.9
