"""The command `dissensus reproduce`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Runner

OTHERS = (
    *("anneal", "audiology", "autos", "breast-w", "colic", "credit-a", "glass"),
    *("heart-c", "hepatitis", "labor", "lymph", "segment", "soybean", "splice"),
)
WITHOUT = [word for name in OTHERS for word in ("--without", name)]


def test_data_sets_that_are_not_found_are_named_with_the_cure(command: Runner) -> None:
    error = command("reproduce", "decorate", "--full").error
    assert all(name in error for name in OTHERS)
    assert "--data-dir" in error


def test_a_paper_or_part_that_is_not_there_is_refused(command: Runner) -> None:
    assert "maclen" in command("reproduce", "maclan").error
    assert "curves" in command("reproduce", "decorate", "--part", "curve").error


def test_the_parts_of_a_paper_are_listed(command: Runner) -> None:
    done = command("reproduce", "maclen", "--list")
    assert done.code == 0
    assert "bias-variance" in done.out


def test_a_part_is_run_shown_and_written(command: Runner) -> None:
    arguments = ["reproduce", "decorate", "--part", "unlabelled", "--jobs", "1"]
    done = command(*arguments, *WITHOUT)
    assert done.code == 0, done.err
    assert "Unlabelled rows do as well as invented ones" in done.out
    assert "decorate-quick.md" in done.err
    page = Path("decorate-quick.md").read_text()
    assert "$ dissensus reproduce decorate --quick --data-dir DIR --part unl" in page
    assert Path("decorate.sqlite").exists()
    again = command(*arguments, *WITHOUT, "--json", "--quiet", "--report", "b.md")
    assert json.loads(again.out)["claims"][0]["text"].startswith("Unlabelled")
    assert again.err == ""
    assert Path("b.md").exists()
