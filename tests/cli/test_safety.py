"""What commands do not do unasked: reach the network, hang, hand on formulas."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from dissensus.datasets import _load
from tests.cli.conftest import Runner

STUDY = 'datasets = ["far-away"]\nlearners = ["c45"]\nrepeats = 1\nfolds = 2\n'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names that OpenML was asked for; it has all of them."""
    names: list[str] = []

    def fetch(name: str) -> Any:
        names.append(name)
        frame = pd.DataFrame(
            {"a": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(["u", "v", "u", "v"])}
        )
        return SimpleNamespace(frame=frame, target=frame["k"])

    monkeypatch.setattr(_load, "_fetch", fetch)
    return names


@pytest.mark.parametrize("name", ["fit", "compare", "curve", "bias-variance"])
def test_mistyped_name_does_not_reach_the_network(
    name: str, command: Runner, asked: list[str]
) -> None:
    error = command(name, "monks2").error
    assert "Did you mean 'monks-2'" in error
    assert "--download" in error
    assert asked == []


@pytest.mark.parametrize("name", ["fit", "compare", "curve", "bias-variance"])
def test_with_leave_openml_is_asked(
    name: str, command: Runner, asked: list[str]
) -> None:
    more = [] if name == "fit" else ["--learner", "c45", "--dry-run"]
    assert command(name, "far-away", "--download", *more).code == 0
    assert asked[0] == "far-away"


def test_study_reaches_the_network_only_with_leave(
    command: Runner, asked: list[str]
) -> None:
    study = Path("study.toml")
    study.write_text(STUDY)
    assert "download = true" in command("run", "study.toml", "--dry-run").error
    assert asked == []
    assert command("run", "study.toml", "--dry-run", "--download").code == 0
    study.write_text(STUDY + "download = true\n")
    assert command("run", "study.toml", "--dry-run").code == 0
    assert set(asked) == {"far-away"}
    study.write_text(STUDY + 'download = "yes"\n')
    assert "It must be true or false" in command("run", "study.toml").error


def test_answers_hold_nothing_that_a_spreadsheet_runs(command: Runner) -> None:
    Path("t.csv").write_text("a,class\n1,=cmd()\n1,=cmd()\n9,-2\n9,-2\n")
    fit = ("fit", "t.csv", "--learner", "nb", "-o", "m.skops")
    assert command(*fit, "--nominal", "class").code == 0
    assert command("predict", "m.skops", "t.csv", "-o", "out.csv", "--proba").code == 0
    header, first, *_, last = Path("out.csv").read_text().splitlines()
    assert first.startswith("'=cmd(),")
    assert last.startswith("-2,")
    assert header == "prediction,p(-2),p(=cmd())"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_process_substitution_of_the_shell_is_read(command: Runner) -> None:
    line = f"{sys.executable} -m dissensus fit <(cat weather.csv) --target play -o m"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path("m").is_file()


def test_names_of_a_study_give_a_terminal_no_orders(command: Runner) -> None:
    Path("study.toml").write_text(
        'learners = ["c45", {name = "\\u001b[31mred", learner = "nb"}]\n'
        'datasets = ["iris", {name = "\\u001b[2Jgone", path = "weather.csv"}]\n'
        "repeats = 1\nfolds = 2\n"
    )
    done = command("run", "study.toml", "--no-report")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert "\\u001b[31mred and" in done.out or "and \\u001b[31mred" in done.out
    assert any(
        "\\u001b[2Jgone" in line
        for line in done.out.splitlines()
        if line.startswith("learner")
    )
