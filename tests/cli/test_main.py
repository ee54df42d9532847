"""The command line as a whole: help, start, errors."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import dissensus
from dissensus.cli import _main
from dissensus.cli._main import COMMANDS, cli
from tests.cli.conftest import Runner

HEAVY = {"numpy", "scipy", "sklearn", "polars", "pandas", "altair", "skops", "joblib"}


def get(name: str) -> click.Command:
    """Return a command."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_help_lists_every_command(command: Runner) -> None:
    for flag in ("--help", "-h"):
        done = command(flag)
        assert done.code == 0
        assert all(f"  {name} " in done.out for name in COMMANDS)
        assert "..." not in done.out.partition("Commands:")[2]


def test_version_is_the_packages(command: Runner) -> None:
    assert dissensus.__version__ in command("--version").out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_an_example(name: str, command: Runner) -> None:
    done = command(name, "--help")
    assert done.code == 0
    assert f"dissensus {name}" in done.out.partition("Examples:")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_have_options_that_exist(name: str) -> None:
    found = get(name)
    known = {option for param in found.params for option in param.opts}
    for example in found.examples:  # type: ignore[attr-defined]
        words = shlex.split(example.partition("|")[2] or example)
        assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["nonsense"]])
def test_start_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from dissensus.cli._main import run; run(sys.argv[1:]);"
        f"print('LOADED', *({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1].split() == ["LOADED"]


def test_mistyped_command_gets_the_nearest(command: Runner) -> None:
    assert "Did you mean predict" in command("predcit", "a", "b").error
    assert "There are: " in command("xyzzy").error


def test_unknown_option_and_missing_argument_are_one_line(command: Runner) -> None:
    assert "--lerner" in command("fit", "weather.csv", "--lerner", "c45").error
    error = command("fit").error
    assert "Missing argument" in error
    assert "dissensus fit --help" in error


def test_unexpected_error_is_one_line_with_another_code(
    command: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("the roof\nis on fire")

    monkeypatch.setattr(_main.cli, "main", fail)
    done = command("datasets")
    assert done.code == 1
    assert (
        done.err == "Error: RuntimeError: the roof is on fire (--debug shows where)\n"
    )
    with pytest.raises(RuntimeError, match="the roof"):
        command("datasets", "--debug")


def test_ctrl_c_is_one_line(command: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt("stopped: 3 of 9 cells are saved")

    monkeypatch.setattr(_main.cli, "main", stop)
    done = command("datasets")
    assert (done.code, done.err) == (130, "Error: stopped: 3 of 9 cells are saved\n")


def test_traceback_only_with_debug(in_process: Runner, tmp_path: Path) -> None:
    done = in_process("show", "absent.skops", cwd=tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1
    done = in_process("show", "absent.skops", "--debug", cwd=tmp_path)
    assert "Traceback" in done.err


def test_completion_knows_commands_learners_and_data_sets(in_process: Runner) -> None:
    def complete(*words: str) -> list[str]:
        done = in_process(
            _DISSENSUS_COMPLETE="bash_complete",
            COMP_WORDS=" ".join(["dissensus", *words]),
            COMP_CWORD=str(len(words)),
        )
        return [line.partition(",")[2] for line in done.out.splitlines()]

    assert complete("pre") == ["predict"]
    assert complete("fit", "x.csv", "--learner", "mac") == ["maclen"]
    assert complete("fit", "x.csv", "--learner", "decorate(c4") == ["decorate(c45"]
    assert {"monks-1", "monks-2", "monks-3"} <= set(complete("fit", "monks"))


def test_commands_of_the_pages_can_be_typed(project_root: Path) -> None:
    typed = []
    for page in ("README.md", "docs/commands.md"):
        text = (project_root / page).read_text()
        for block in re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            typed += re.findall(r"(?:^|\| )dissensus (.*?)(?: > .*)?$", block, re.M)
    assert len(typed) > 15
    for line in typed:
        name, *words = shlex.split(line)
        get(name).make_context(name, words)  # an unknown option is an error


def test_every_command_is_on_the_page_of_commands(project_root: Path) -> None:
    page = (project_root / "docs" / "commands.md").read_text()
    assert set(COMMANDS) <= set(re.findall(r"^\| `([a-z-]+)", page, re.MULTILINE))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_can_be_had(shell: str, in_process: Runner) -> None:
    done = in_process(_DISSENSUS_COMPLETE=f"{shell}_source")
    assert "_dissensus_completion" in done.out


def test_interrupted_study_says_how_to_go_on(
    command: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt("stopped: 3 of 9 cells are saved in s. Run it again.")

    monkeypatch.setattr("dissensus.experiment.run_experiment", stop)
    done = command("compare", "iris", "--store", "s.sqlite", "--no-report", "--quiet")
    assert done.code == 130
    assert done.err.splitlines()[-1] == (
        "Error: stopped: 3 of 9 cells are saved in s. Run it again. "
        "'dissensus report s.sqlite' shows what there is."
    )


def test_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    code = "from dissensus.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "datasets", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    process.stdout.close()  # as head does
    assert process.wait(60) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
