"""compare, curve, bias-variance, run, report and demo."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import dask
import distributed
import pytest

from dissensus.cli import _demo
from dissensus.cli._limited import fit_limited
from dissensus.results import Results
from tests.cli.conftest import WEATHER, Runner
from tests.experiment.studies import count_cells

PLAY = ("weather.csv", "--target", "play")
QUICK = ("--repeats", "1", "--folds", "3", "--jobs", "1")
TWO = ("--learner", "c45", "--learner", "nb")


def test_compare_prints_a_table_and_a_verdict_and_writes_a_page(
    command: Runner,
) -> None:
    done = command("compare", *PLAY, *QUICK, *TWO)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "weather: 1 x 3-fold cross-validation"
    assert lines[2].split() == [
        *("learner", "accuracy", "+/-", "verdict", "log-loss", "AUC", "fit")
    ]
    assert {line.split()[0] for line in lines[4:6]} == {"c45", "nb"}
    assert "corrected resampled t-test" in done.out
    assert "The page: weather.html" in done.err
    page = Path("weather.html").read_text()
    assert "dissensus compare weather.csv" not in page  # these were not its arguments
    assert Results.open("weather.sqlite").n_cells == 6


def test_compare_again_runs_nothing_and_one_more_learner_only_that(
    command: Runner,
) -> None:
    command("compare", *PLAY, *QUICK, *TWO, "--no-report")
    before = command("compare", *PLAY, *QUICK, *TWO, "--dry-run")
    assert "6 cells, all done" in before.out
    more = command("compare", *PLAY, *QUICK, *TWO, "--learner", "majority", "--dry-run")
    assert "9 cells, 6 of them done" in more.out
    assert not Path("weather.html").exists()


def test_compare_writes_json_and_nothing_else_to_the_output(command: Runner) -> None:
    done = command("compare", *PLAY, *QUICK, *TWO, "--json", "--quiet", "--no-report")
    assert done.err == ""
    content = json.loads(done.out)
    assert {row["learner"] for row in content["standings"]} == {"c45", "nb"}
    assert set(content["verdict"]) == {"headline", "points", "warnings"}
    assert (content["cells"], content["failed"], content["seed"]) == (6, 0, 0)
    assert content["store"] == "weather.sqlite"


def test_compare_scores_on_a_test_file(command: Runner) -> None:
    header, *rows = WEATHER.splitlines()
    Path("new.csv").write_text("\n".join([header, *rows[::2]]))
    done = command("compare", *PLAY, "--test", "new.csv", *TWO, "--jobs", "1")
    assert done.code == 0, done.err
    assert "new: 7 rows to be tested on" in done.err
    assert "fitted once, scored on the test set" in done.out
    assert "McNemar's exact test" in done.out
    assert "McNemar" in Path("weather.html").read_text()
    assert "Training" not in command("report", "weather.sqlite").err


def test_compare_keeps_groups_together_and_leaves_columns_out(command: Runner) -> None:
    options = ("--group", "outlook", "--drop", "windy", "--drop", "windy", "--quiet")
    done = command("compare", *PLAY, *QUICK, "--learner", "c45", *options)
    assert done.code == 0, done.err
    loaded = Results.open("weather.sqlite").load_data("weather")
    assert loaded.table.schema.names == ("temperature", "humidity")


def test_class_of_one_row_and_column_without_values_are_no_obstacle(
    command: Runner,
) -> None:
    rows = [f"{line}," for line in WEATHER.splitlines()]
    rows[0] += "nothing"
    Path("odd.csv").write_text("\n".join([*rows, "rainy,60,60,no,maybe,"]))
    learners = ("forest(n_estimators=3)", "hgb", "logistic", "decorate", "maclen")
    chosen = [word for learner in learners for word in ("--learner", learner)]
    done = command(
        *("compare", "odd.csv", "--target", "play", "--no-report"),
        *("--repeats", "1", "--folds", "10", "--jobs", "1"),
        *chosen,
    )
    assert done.code == 0, done.err
    assert "one row only of class 'maybe'" in done.err
    assert "failed" not in done.out


def test_more_folds_than_rows_are_as_many_as_rows(command: Runner) -> None:
    done = command(
        *("compare", *PLAY, "--folds", "50", "--repeats", "1", "--jobs", "1"),
        *("--learner", "nb", "--no-report"),
    )
    assert "weather: 14 folds, one for each row" in done.err
    assert "1 x 14-fold" in done.out


def test_file_in_another_encoding(command: Runner) -> None:
    text = WEATHER.replace("sunny", "schön").encode("latin-1")
    Path("weather.csv").write_bytes(text)
    assert "--encoding latin-1" in command("compare", *PLAY).error
    done = command(
        "compare", *PLAY, *QUICK, *TWO, "--encoding", "latin-1", "--no-report"
    )
    assert done.code == 0, done.err
    command("fit", *PLAY, "--encoding", "latin-1")
    done = command("predict", "weather.skops", "weather.csv", "--encoding", "latin-1")
    assert len(done.out.splitlines()) == 15
    assert "--encoding latin-1" in command("explain", "weather.skops", PLAY[0]).error


def test_learner_that_always_fails_is_failed_work(command: Runner) -> None:
    done = command(
        *("compare", *PLAY, *QUICK, "--no-report"),
        *("--learner", "forest(n_estimators=2000)", "--time-limit", "0.01"),
    )
    assert done.code == 1
    assert "every cell failed: it ran longer than the limit of 0.01 s" in done.err
    assert "Failed: forest(n_estimators=2000) on weather, 3 cells" in done.out


def _end_the_process(*_: object, **__: object) -> None:
    os.abort()


def test_learner_whose_process_ends_is_failed_work() -> None:
    learner = SimpleNamespace(fit=_end_the_process)
    with pytest.raises(click.ClickException, match="ended by SIGABRT"):
        fit_limited(learner, n_bytes=2**27)


def test_learner_that_takes_too_much_memory_is_failed_work(command: Runner) -> None:
    learner = "mlp(hidden_layer_sizes=[5000, 5000])"  # 200 MB of weights
    options = ("--learner", learner, "--memory-limit", "100MB")
    done = command("compare", *PLAY, *QUICK, "--no-report", *options)
    assert done.code == 1
    assert "every cell failed: out of memory" in done.err
    done = command("fit", *PLAY, *options)
    assert done.code == 1
    assert "more than the --memory-limit of 104,857,600 bytes" in done.err
    error = command("fit", *PLAY, "--memory-limit", "5MB").error
    assert "the --memory-limit is 5,242,880 bytes. Give 64MB or more" in error
    error = command("compare", *PLAY, "--memory-limit", "much").error
    assert "'much' is no size. Write it as '500 MB'" in error


def test_what_learners_print_is_not_in_the_json(
    in_process: Runner, tmp_path: Path
) -> None:
    (tmp_path / "weather.csv").write_text(WEATHER)
    arguments = ("compare", *PLAY, *QUICK, "--no-report", "--json")
    for more in ((), ("--dry-run",)):
        learner = ("--learner", "mlp(verbose=True)", "--store", f"{len(more)}.sqlite")
        done = in_process(*arguments, *learner, *more, cwd=tmp_path)
        assert json.loads(done.out)["cells"] == 3
        assert "loss" in done.err  # that is what it prints


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[tuple[str, list[str]]]:
    """A Dask cluster with TLS: its address, and the options with files for it."""
    untyped: Any = distributed  # it has no types
    security = untyped.Security.temporary()
    files = {
        "ca": security.tls_ca_file,
        "cert": security.tls_client_cert,
        "key": security.tls_client_key,
    }
    options = []
    for part, text in files.items():
        (tmp_path / f"{part}.pem").write_text(text)
        options += [f"--tls-{part}", f"{part}.pem"]
    with untyped.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls",
        host="127.0.0.1",
        security=security,
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address, options


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # threads of distributed
def test_scheduler_with_certificates(
    secured: tuple[str, list[str]], command: Runner
) -> None:
    address, files = secured
    study = ("compare", *PLAY, "--folds", "3", "--repeats", "1", *TWO, "--no-report")
    done = command(*study, "--scheduler", address, *files)
    assert done.code == 0, done.err
    assert "corrected resampled t-test" in done.out
    with dask.config.set({"distributed.comm.timeouts.connect": "500ms"}):
        refused = command(*study, "--scheduler", address, "--seed", "1")
    assert (refused.code, refused.out) == (2, ""), refused.err
    assert f"There is no Dask scheduler at '{address}'" in refused.err
    for given in (files[:4], files):
        assert "go together, with --scheduler" in command(*study, *given).error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_ends_a_study_that_the_same_command_resumes(
    command: Runner,
) -> None:
    arguments = ["compare", *PLAY, "--learner", "nb", "--learner", "mlp", "--no-report"]
    arguments += ["--repeats", "100", "--folds", "5", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "dissensus", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not Path("weather.sqlite").exists() or n_saved() < 5:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        # The end of this is the end of all that was started, as it inherits the pipe.
        words = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "of 1000 cells are saved in weather.sqlite. Run the same again" in words
    assert "Traceback" not in words
    told = command(*arguments, "--dry-run").out
    assert f"1000 cells, {n_saved()} of them done" in told


def n_saved() -> int:
    return count_cells(Path("weather.sqlite"))


def test_curve_has_a_column_for_each_share(command: Runner) -> None:
    done = command("curve", *PLAY, *QUICK, *TWO, "--fractions", "0.5,1", "--no-report")
    assert done.code == 0, done.err
    assert done.out.splitlines()[2].split() == ["learner", "50", "%", "100", "%"]
    assert "With all training rows: " in done.out
    done = command(
        "curve", *PLAY, *QUICK, *TWO, "--fractions", "0.5,1", "--no-report", "--json"
    )
    assert [row["fraction"] for row in json.loads(done.out)["curves"]] == [0.5, 1.0]


def test_bias_variance_takes_errors_apart(command: Runner) -> None:
    arguments = ("bias-variance", "monks-2", *TWO, "--models", "3", "--jobs", "1")
    done = command(*arguments, "--protocol", "bootstrap", "--no-report")
    assert done.code == 0, done.err
    assert "3 training sets, one test set (bootstrap)" in done.out
    assert "The least variance: " in done.out
    done = command(*arguments, "--protocol", "bootstrap", "--json", "--quiet")
    for row in json.loads(done.out)["bias_variance"]:
        assert row["bias"] + row["variance"] == pytest.approx(row["error"])
    assert Path("monks-2-bias-variance.html").exists()


def test_run_and_report_of_a_study_in_a_file(command: Runner) -> None:
    Path("study.toml").write_text(
        'title = "Two sets"\nrepeats = 1\nfolds = 2\n'
        'datasets = ["iris", "monks-1", {path = "weather.csv", target = "play"}]\n'
        'learners = ["c45", {name = "Bayes", learner = "nb"}]\n'
    )
    done = command("run", "study.toml", "--jobs", "1", "--no-report")
    assert done.code == 0, done.err
    assert "data set" in done.out
    assert "* the best on that data set" in done.out
    done = command("report", "study.sqlite", "--title", "A <title>")
    assert (done.code, done.err) == (0, "The page: study.html\n")
    assert "A &lt;title&gt;" in Path("study.html").read_text()
    content = json.loads(command("report", "study.sqlite", "--json", "--quiet").out)
    assert len(content["standings"]) == 6


def test_demo_needs_no_file_and_no_network(
    command: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_demo, "DATASETS", ("monks-2", "iris"))
    learners = {"C4.5": "c45", "random forest": "forest(n_estimators=3)"}
    monkeypatch.setattr(_demo, "LEARNERS", learners)
    done = command("demo", "--jobs", "1")
    assert done.code == 0, done.err
    assert done.out.startswith("Accuracy in %: 2 x 10-fold cross-validation")
    assert "The page: dissensus-demo.html" in done.err


def test_demo_shows_what_the_package_is_about() -> None:
    assert _demo.DATASETS[0] == "monks-2"
    assert len(_demo.DATASETS) == 3
    assert list(_demo.LEARNERS) == [
        *("C4.5", "naive Bayes", "C4.5 after naive Bayes", "MACLEN", "DECORATE"),
        *("local cascade", "Bagging", "random forest"),
    ]


def test_page_of_someone_else_is_not_overwritten(command: Runner) -> None:
    Path("weather.html").write_text("<p>mine</p>")
    error = command("compare", *PLAY).error
    assert "is no page of dissensus" in error
    assert "--report" in error
    assert Path("weather.html").read_text() == "<p>mine</p>"
    done = command("compare", *PLAY, *QUICK, *TWO, "--report", "weather.html")
    assert done.code == 0, done.err
    assert command("compare", *PLAY, *QUICK, *TWO).code == 0
