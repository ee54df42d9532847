"""Cells on a Dask cluster, with workers that come and go."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
import distributed
import psutil  # type: ignore[import-untyped]
import pytest

from dissensus.exceptions import ExecutorError
from dissensus.experiment import DaskExecutor, ExperimentSpec, estimate, run_experiment
from dissensus.experiment.executors import _dask_cells as remote
from tests.experiment import learners
from tests.experiment.cluster import Cluster, connected
from tests.experiment.studies import DATA, outcomes_of, read_store, small_spec

# Threads of distributed log and close things when they like.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@contextmanager
def in_process(n_workers: int) -> Iterator[Any]:
    """Make a cluster within this process and connect to it."""
    make: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    options = {"processes": False, "dashboard_address": ":0"}
    with (
        make(n_workers=n_workers, threads_per_worker=1, **options) as cluster,
        connect(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster within this process: two workers of one thread each."""
    with in_process(2) as made:
        yield made


def same(outcome: Any) -> tuple[Any, ...]:
    return outcome.failure, outcome.answers, dict(outcome.scores)


def test_results_are_those_of_any_other_executor(client: Any) -> None:
    spec = ExperimentSpec(
        DATA, ["c45", "forest(n_estimators=3)", "logistic"], repeats=1, folds=3
    )
    expected = {job: same(found) for job, found in outcomes_of(spec, "serial").items()}
    outcomes = outcomes_of(spec, DaskExecutor(client))
    assert {job: same(found) for job, found in outcomes.items()} == expected


def test_a_misbehaving_learner_is_a_row_and_the_rest_completes(client: Any) -> None:
    spec = small_spec(
        learners.Constant(),
        learners.Raises(),
        learners.AnswersNan(),
        learners.Crashes(),
        learners.Endless(),
        folds=2,
    )
    outcomes = outcomes_of(spec, DaskExecutor(client, time_limit=0.5)).values()
    found = {(o.job.learner.rpartition(".")[2], o.failure) for o in outcomes}
    assert found == {
        ("Constant()", ""),
        ("Raises()", "raised"),
        ("AnswersNan()", "answer"),
        ("Crashes()", "died"),
        ("Endless()", "time"),
    }
    assert len(outcomes) == 10


def test_a_cell_whose_process_died_once_is_run_again(
    client: Any, tmp_path: Path
) -> None:
    crash = learners.Crashes(str(tmp_path / "was-here"))
    outcomes = outcomes_of(small_spec(learners.Constant(), crash), DaskExecutor(client))
    assert {outcome.failure for outcome in outcomes.values()} == {""}


def test_a_study_resumes_on_another_executor(client: Any, tmp_path: Path) -> None:
    path, whole = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    spec = small_spec("c45", learners.Constant(), folds=10)

    def stop(progress: Any) -> None:
        if progress.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="7 of 20 cells are saved"):
        run_experiment(spec, path, executor=DaskExecutor(client), progress=stop)
    run_experiment(spec, path, executor="serial")
    run_experiment(spec, whole, executor="serial")
    assert read_store(path) == read_store(whole)


def test_nothing_of_a_study_stays_behind(client: Any) -> None:
    outcomes_of(small_spec(), DaskExecutor(client))
    assert remote._of_studies == {}


def test_a_cluster_of_ones_own_is_made_and_closed() -> None:
    executor = DaskExecutor(workers=2)
    assert len(outcomes_of(small_spec(), executor)) == 4
    assert executor.n_workers == 2


def test_a_cluster_of_ones_own_listens_to_this_machine_only() -> None:
    before = listening()
    found = []

    def look(_: Any) -> None:
        found.append(listening() - before)

    run_experiment(small_spec(), executor="dask", progress=look)
    assert {host for addresses in found for host, _ in addresses} == {"127.0.0.1"}


def listening() -> set[tuple[str, int]]:
    """Return the addresses at which this process can be called."""
    connections = psutil.Process().net_connections(kind="inet")
    return {
        (one.laddr.ip, one.laddr.port)
        for one in connections
        if one.status == psutil.CONN_LISTEN
    }


def test_security_is_for_an_address() -> None:
    make: Any = distributed.Security
    with pytest.raises(ExecutorError, match="security is for the address of a sched"):
        DaskExecutor(security=make())


def test_a_study_goes_on_when_the_scheduler_has_dropped_its_client(client: Any) -> None:
    spec = small_spec(learners.Constant(0.02), folds=10, repeats=3)
    scheduler = client.cluster.scheduler

    def drop(progress: Any) -> None:
        if progress.done in (4, 15):
            connection = scheduler.client_comms[client.id].comm
            client.cluster.loop.add_callback(connection.abort)

    results = run_experiment(spec, executor=DaskExecutor(client), progress=drop)
    assert (results.n_cells, results.n_failed, results.n_missing) == (30, 0, 0)


def test_an_estimate_counts_the_threads_of_the_cluster(client: Any) -> None:
    found = estimate(small_spec(learners.Constant(0.01)), executor=DaskExecutor(client))
    assert found.seconds == pytest.approx(sum(found.by_learner.values()) / 2)


def test_another_version_on_a_worker_stops_the_study(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small_spec().check()
    outcomes = DaskExecutor(client).run(plan.study, plan.jobs)
    original = remote.run_remote
    monkeypatch.setattr(
        "dissensus.experiment.executors._dask.run_remote",
        lambda name, _, job: original(name, "0.0.1", job),
    )
    with pytest.raises(ExecutorError, match="the study was started with 0.0.1"):
        list(outcomes)


def test_a_cell_that_kills_its_workers_again_and_again_is_blamed(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = remote.run_remote

    def deadly(name: str, version: str, job: Any) -> Any:
        if job.task.fold == 1:  # what the scheduler says after four dead workers
            last: Any = SimpleNamespace(address="tcp://nowhere")
            raise distributed.KilledWorker("key", last, 3)
        return original(name, version, job)

    monkeypatch.setattr("dissensus.experiment.executors._dask.run_remote", deadly)
    outcomes = outcomes_of(small_spec(), DaskExecutor(client))
    failures = {job.task.fold: found.failure for job, found in outcomes.items()}
    assert failures == {0: "", 1: "died", 2: "", 3: ""}


def test_no_scheduler_is_an_error_with_its_cure() -> None:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "500ms"}),
        pytest.raises(
            ExecutorError, match="There is no Dask scheduler at .*dask worker"
        ),
    ):
        outcomes_of(small_spec(), DaskExecutor("tcp://127.0.0.1:9"))


def test_the_study_stops_when_no_worker_is_left_for_long() -> None:
    with (
        in_process(0) as client,
        pytest.raises(ExecutorError, match="No Dask worker has been there for 0.5 s"),
    ):
        outcomes_of(small_spec(), DaskExecutor(client, no_worker_timeout=0.5))


def test_workers_that_come_late_are_told_about_the_study() -> None:
    with in_process(0) as client:
        plan = small_spec().check()
        outcomes = DaskExecutor(client).run(plan.study, plan.jobs)
        client.cluster.scale(1)
        assert len(list(outcomes)) == 4


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Processes of a cluster; tests kill one after the other."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.mark.slow
def test_one_of_two_worker_processes_killed_costs_nothing_but_time(
    cluster: Cluster, tmp_path: Path
) -> None:
    spec = ExperimentSpec(DATA, ["c45", learners.Constant(0.02)], repeats=2, folds=10)
    undisturbed, disturbed = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    run_experiment(spec, undisturbed, executor="serial")

    def kill_one(progress: Any) -> None:
        if progress.done == 10:
            cluster.workers[0].send_signal(signal.SIGKILL)
            cluster.workers[0].wait()

    with connected(cluster, 2) as client:
        executor = DaskExecutor(client)
        run_experiment(spec, disturbed, executor=executor, progress=kill_one)
        assert len(client.nthreads()) == 1
    assert read_store(disturbed) == read_store(undisturbed)


@pytest.mark.slow
def test_a_scheduler_that_dies_stops_the_study_with_what_is_done_saved(
    cluster: Cluster, tmp_path: Path
) -> None:
    spec = small_spec(learners.Constant(0.05), folds=10, repeats=10)
    path = tmp_path / "study.sqlite"

    def kill_scheduler(progress: Any) -> None:
        if progress.done == 5:
            cluster.scheduler.kill()
            cluster.scheduler.wait()

    with connected(cluster, 1) as client:
        executor = DaskExecutor(client, no_worker_timeout=2)
        with pytest.raises(
            ExecutorError, match="No Dask scheduler .* What was done is saved"
        ):
            run_experiment(spec, path, executor=executor, progress=kill_scheduler)
    results = run_experiment(spec, path, executor="serial")
    assert results.n_missing == 0
