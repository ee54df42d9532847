"""Executors: the same numbers from each, limits that hold, faults that stay small."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from dissensus.exceptions import ExecutorError
from dissensus.experiment import (
    DaskExecutor,
    ExperimentSpec,
    LearnerSpec,
    ProcessExecutor,
    SerialExecutor,
    run_experiment,
)
from dissensus.experiment.executors import _worker_process as process
from dissensus.experiment.executors._find import EXECUTORS, find_executor
from dissensus.experiment.run._memory import can_limit_memory, read_size
from tests.experiment import learners
from tests.experiment.studies import outcomes_of, read_store, small_spec

needs_memory_limits = pytest.mark.skipif(
    not can_limit_memory(), reason="this system has no memory limits that hold"
)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


def same(outcome: Any) -> tuple[Any, ...]:
    """Return what must be equal bit for bit, whatever ran the cell."""
    return outcome.failure, outcome.answers, dict(outcome.scores), outcome.leaves


def test_results_are_the_same_for_every_executor_order_and_number_of_workers() -> None:
    texts = ["c45", "forest(n_estimators=3)", "logistic", "hgb(max_iter=3)"]
    spec = ExperimentSpec(
        ["iris", "monks-1"],
        texts,
        repeats=1,
        folds=2,
        fractions=[0.3, 1.0],
        measures=["accuracy", "auc", "log_loss"],
    )
    expected = {job: same(found) for job, found in outcomes_of(spec, "serial").items()}
    assert all(not failure for failure, *_ in expected.values())
    for workers in (1, 2):
        outcomes = outcomes_of(spec, ProcessExecutor(workers))
        assert {job: same(found) for job, found in outcomes.items()} == expected
    plan = spec.check()
    backwards = SerialExecutor().run(plan.study, plan.jobs[::-1])
    assert {found.job: same(found) for found in backwards} == expected


def test_a_misbehaving_learner_is_a_row_and_the_rest_completes() -> None:
    spec = small_spec(
        learners.Constant(),
        learners.Raises(),
        learners.AnswersNan(),
        learners.Crashes(),
        learners.Exits(),
    )
    outcomes = outcomes_of(spec, ProcessExecutor(2)).values()
    found = {(o.job.learner.rpartition(".")[2], o.failure) for o in outcomes}
    assert found == {
        ("Constant()", ""),
        ("Raises()", "raised"),
        ("AnswersNan()", "answer"),
        ("Crashes()", "died"),
        ("Exits()", "raised"),
    }
    died = next(outcome for outcome in outcomes if outcome.failure == "died")
    assert died.error == "its process was ended by SIGKILL"


def test_a_learner_that_runs_for_ever_is_stopped() -> None:
    spec = small_spec(learners.Constant(), learners.Endless(), folds=2)
    outcomes = outcomes_of(spec, ProcessExecutor(2, time_limit=1.5)).values()
    errors = sorted(outcome.error for outcome in outcomes)
    assert errors == ["", "", *["it ran longer than the limit of 1.5 s"] * 2]
    assert {o.failure for o in outcomes} == {"", "time"}


@needs_memory_limits
def test_a_learner_that_eats_its_memory_limit_is_stopped() -> None:
    spec = small_spec(learners.Constant(), learners.Hungry(), folds=2)
    executor = ProcessExecutor(2, memory_limit="300 MB")
    outcomes = outcomes_of(spec, executor).values()
    assert sorted(outcome.failure for outcome in outcomes) == [
        "",
        "",
        "memory",
        "memory",
    ]
    assert all("out of memory" in o.error for o in outcomes if o.failure)


def test_a_cell_whose_process_died_once_is_run_again_alone(tmp_path: Path) -> None:
    crash = learners.Crashes(str(tmp_path / "was-here"))
    outcomes = outcomes_of(small_spec(learners.Constant(), crash), ProcessExecutor(2))
    assert {outcome.failure for outcome in outcomes.values()} == {""}
    assert len(outcomes) == 8


def test_without_retries_the_first_death_counts(tmp_path: Path) -> None:
    crash = learners.Crashes(str(tmp_path / "was-here"))
    outcomes = outcomes_of(small_spec(crash, folds=2), ProcessExecutor(1, retries=0))
    assert sorted(outcome.failure for outcome in outcomes.values()) == ["", "died"]


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path: Path) -> None:
    spec = small_spec(learners.Constant(0.02), folds=10, repeats=4)
    undisturbed, disturbed = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    run_experiment(spec, undisturbed, executor="serial")
    killed: list[int] = []

    def kill_some(progress: Any) -> None:
        if progress.done in (3, 11, 12):
            killed.append(kill_a_worker())

    run_experiment(spec, disturbed, executor=ProcessExecutor(2), progress=kill_some)
    assert len(set(killed)) == 3
    assert read_store(disturbed) == read_store(undisturbed)


STARTED: list[process.WorkerProcess] = []


@pytest.fixture(autouse=True)
def _remember_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests know the worker processes that are started."""
    original = process.WorkerProcess.__init__

    def remember(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        STARTED.append(self)

    STARTED.clear()
    monkeypatch.setattr(process.WorkerProcess, "__init__", remember)


def kill_a_worker() -> int:
    """Kill a worker process that is alive and return its number."""
    worker = next(worker for worker in STARTED if worker.alive)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while worker.alive and time.monotonic() < deadline:
        time.sleep(0.01)
    return worker.pid


def is_running(pid: int) -> bool:
    """Whether a process is there and not only waiting to be buried."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def assert_all_end(workers: list[int]) -> None:
    deadline = time.monotonic() + 10
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_running, workers))


def test_no_worker_outlives_a_study() -> None:
    outcomes_of(small_spec(), ProcessExecutor(2))
    assert len(STARTED) == 2
    assert_all_end([worker.pid for worker in STARTED if worker.pid])


def test_workers_stop_when_the_outcomes_are_closed() -> None:
    plan = small_spec(learners.Constant(), learners.Endless()).check()
    outcomes = ProcessExecutor(2).run(plan.study, plan.jobs)
    next(outcomes)
    outcomes.close()
    assert_all_end([worker.pid for worker in STARTED if worker.pid])
    assert not [t for t in threading.enumerate() if t.name.startswith("dissensus")]


@needs_fork
@pytest.mark.parametrize("executor", ["serial", ProcessExecutor(1)])
@pytest.mark.parametrize("seconds", [0.0, 0.2])
def test_a_learner_that_forks_answers_once(
    executor: Any, seconds: float, tmp_path: Path
) -> None:
    spec = small_spec(learners.Forks(seconds), learners.Constant())
    path = tmp_path / "study.sqlite"
    run_experiment(spec, path, executor=executor)
    whole = tmp_path / "whole.sqlite"
    run_experiment(small_spec(learners.Constant()), whole, executor="serial")
    answers = [row[3:] for row in read_store(path)]
    assert sorted(answers) == sorted([row[3:] for row in read_store(whole)] * 2)


@needs_fork
@pytest.mark.parametrize("then", ["returns", "stays", "dies"])
def test_what_a_learner_leaves_behind_ends_with_its_cell(
    then: str, tmp_path: Path
) -> None:
    file = tmp_path / "left"
    spec = small_spec(learners.Leaves(str(file), then), folds=2)
    executor = ProcessExecutor(1, time_limit=0.5, retries=0)
    outcomes = outcomes_of(spec, executor).values()
    failures = {"returns": "", "stays": "time", "dies": "died"}
    assert [outcome.failure for outcome in outcomes] == [failures[then]] * 2
    left = [int(line) for line in file.read_text().split()]
    assert len(left) == 2
    assert_all_end(left)


PRINTING = """
from dissensus.experiment import DaskExecutor, ProcessExecutor, run_experiment
from tests.experiment.learners import Prints
from tests.experiment.studies import small_spec

for executor in ("serial", ProcessExecutor(1), DaskExecutor(workers=1)):
    print(run_experiment(small_spec(Prints(), folds=2), executor=executor).n_cells)
"""


@needs_fork
def test_what_learners_print_goes_to_the_standard_error(project_root: Path) -> None:
    said = run_python("-c", PRINTING, root=project_root)
    assert said.stdout == "2\n2\n2\n", said.stderr
    for words in ("printed by Python", "written to the file", "put by compiled code"):
        assert said.stderr.count(words) == 6


def run_python(*arguments: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a process that can import the tests."""
    path = os.pathsep.join([str(root), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


def test_cells_in_two_threads_give_the_standard_output_back(
    capfd: pytest.CaptureFixture[str],
) -> None:
    spec = small_spec(learners.Constant(0.01), folds=5)
    threads = [
        threading.Thread(target=outcomes_of, args=(spec, "serial")) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
        time.sleep(0.015)
    for thread in threads:
        thread.join()
    print("here")
    os.write(1, b"and here\n")
    assert capfd.readouterr().out == "here\nand here\n"


def test_ctrl_c_stops_cleanly_with_what_is_done_saved(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    spec = small_spec(learners.Constant(0.01), folds=10)

    def interrupt(progress: Any) -> None:
        if progress.done == 4:
            raise KeyboardInterrupt

    for executor in ("serial", ProcessExecutor(2)):
        with pytest.raises(KeyboardInterrupt, match="stopped: 4 of 10 cells are saved"):
            run_experiment(spec, path, executor=executor, progress=interrupt)
    assert_all_end([worker.pid for worker in STARTED if worker.pid])
    assert run_experiment(spec, path, executor="serial").n_missing == 0


def test_data_that_a_worker_cannot_load_stop_the_study(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    rows = "\n".join(f"{i},{'ab'[i % 2]}" for i in range(40))
    path.write_text(f"x,class\n{rows}\n")
    plan = ExperimentSpec([path], ["majority"], repeats=1, folds=2).check()
    path.write_text(f"x,class\n{rows}\n7,a\n")
    with pytest.raises(ExecutorError, match="another content here"):
        list(ProcessExecutor(1).run(plan.study, plan.jobs))


def test_a_worker_that_cannot_start_stops_the_study(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "serve", os._exit)
    with pytest.raises(ExecutorError, match="a worker process could not start"):
        outcomes_of(small_spec(), ProcessExecutor(1))


SCRIPT = """
import sys
from sklearn.datasets import load_iris
from dissensus.experiment import ProcessExecutor, compare
from tests.experiment.learners import Constant

print("once")

class Mine(Constant):
    pass

X, y = load_iris(return_X_y=True)
learners = {"mine": Mine(), "c45": "c45"}
print(compare(X, y, learners, repeats=1, folds=2, executor=ProcessExecutor(2)))
print({"dask", "distributed"} & set(sys.modules))
"""


def test_a_script_without_a_guard_is_not_run_again_by_workers(
    tmp_path: Path, project_root: Path
) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    said = run_python(str(script), root=project_root)
    assert said.stdout.splitlines() == [
        "once",
        "<Results: 1 data sets, 2 learners, 4 cells, 0 failed, 0 missing>",
        "set()",  # nothing of Dask is imported unless it is asked for
    ], said.stderr


@pytest.mark.parametrize("name", EXECUTORS)
def test_an_executor_is_found_by_name(name: str) -> None:
    assert type(find_executor(name)) is EXECUTORS[name]


def test_processes_are_the_usual_executor() -> None:
    assert isinstance(find_executor(None), ProcessExecutor)


@pytest.mark.parametrize(
    ("executor", "words"),
    [
        ("prozesses", "There is no executor 'prozesses'. Did you mean 'processes'?"),
        (5, "executor is 5. It must be a name"),
    ],
)
def test_an_unknown_executor_is_refused(executor: Any, words: str) -> None:
    with pytest.raises(ExecutorError, match=words):
        find_executor(executor)


def test_an_absent_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r'pip install "dissensus\[dask\]"'):
        outcomes_of(small_spec(), "dask")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"workers": 0}, "workers is 0"),
        ({"workers": 1.5}, "workers is 1.5. It must be a whole number from 1"),
        ({"retries": -1}, "retries is -1. It must be a whole number from 0"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"time_limit": "1 h"}, "time_limit is '1 h'. It must be above 0 seconds"),
        ({"memory_limit": "much"}, "'much' is no size. Write it as '500 MB'"),
        ({"memory_limit": 0}, "memory_limit: a size of 0 bytes"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    options: dict[str, Any], words: str
) -> None:
    for kind in (ProcessExecutor, DaskExecutor):
        with pytest.raises(ExecutorError, match=words):
            kind(**options)


@pytest.mark.parametrize(
    ("text", "size"),
    [("2 GB", 2**31), ("1.5k", 1536), ("500MiB", 500 * 2**20), (10, 10), ("7", 7)],
)
def test_sizes_are_read(text: Any, size: int) -> None:
    assert read_size(text) == size


def test_a_spec_may_name_its_learners_freely() -> None:
    spec = small_spec(LearnerSpec(learners.Constant(), "any name, (even) this"))
    results = run_experiment(spec, executor="serial")
    assert results.learners == ("any name, (even) this",)
