"""Whatever an error says: the cell has a row, and the study goes on."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from dissensus.experiment import run_experiment
from dissensus.utils._texts import error_place, safe_text
from tests.experiment.learners import (
    ComesBackTwice,
    Constant,
    RaisesInterrupt,
    RaisesUnspeakably,
    UnspeakableError,
)
from tests.experiment.studies import read_store, small_spec

WORDS = {
    "raise": "UnspeakableError: (its text cannot be shown: ValueError)",
    "exit": "UnspeakableError: (its text cannot be shown: SystemExit)",
    "no text": "UnspeakableError: (its text cannot be shown: TypeError)",
    "surrogate": "UnspeakableError: half of \\ud83d a pair",
    "giant": "UnspeakableError: " + (500 - len("UnspeakableError: ")) * "x",
    "escape": "UnspeakableError: red \\u001b[31m, NUL \\u0000, back \\u000d over it",
}


@pytest.mark.parametrize("what", WORDS)
def test_an_error_that_cannot_be_told_is_a_row_with_safe_words(
    what: str, tmp_path: Path
) -> None:
    spec = small_spec(RaisesUnspeakably(what), Constant())
    path = tmp_path / "study.sqlite"
    results = run_experiment(spec, path, executor="serial")
    assert (results.n_failed, results.n_missing) == (4, 0)
    failures = results.failures().frame
    assert set(failures["error"]) == {WORDS[what]}
    assert failures["details"].str.len_chars().max() <= 4000
    assert failures["error"].str.len_chars().max() <= 500
    read_store(path)


def test_the_same_from_a_worker_process(tmp_path: Path) -> None:
    unspeakable = [RaisesUnspeakably(what) for what in ("raise", "surrogate")]
    path = tmp_path / "study.sqlite"
    results = run_experiment(small_spec(*unspeakable, folds=2), path)
    assert (results.n_failed, results.n_missing) == (4, 0)
    assert set(results.failures().frame["error"]) == {
        WORDS["raise"],
        WORDS["surrogate"],
    }


def test_a_learner_that_raises_what_ctrl_c_does_is_a_row(tmp_path: Path) -> None:
    spec = small_spec(RaisesInterrupt(), Constant())
    results = run_experiment(spec, tmp_path / "study.sqlite")
    assert (results.n_failed, results.n_missing) == (4, 0)
    assert set(results.failures().frame["error"]) == {"KeyboardInterrupt: really"}


def test_warnings_are_made_safe_too(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    run_experiment(small_spec(RaisesUnspeakably("surrogate")), path, executor="serial")
    with closing(sqlite3.connect(path)) as db:
        notes = {note for (note,) in db.execute("SELECT notes FROM cells")}
    assert notes == {"UnspeakableWarning: half of \\ud83d a pair"}


def test_the_place_of_an_error_is_told_without_its_words() -> None:
    assert "Unspeakable" in error_place(UnspeakableError("raise"))


def test_a_text_keeps_its_lines_and_one_end() -> None:
    assert safe_text("a\tb\nc", 100) == "a\tb\nc"
    assert safe_text("abcdef", 3) == "abc"
    assert safe_text("abcdef", 3, keep_end=True) == "def"
    assert safe_text("ab\ud800", 3) == "ab\\"
    assert safe_text(12, 5) == "12"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_copy_of_a_learner_that_comes_back_too_is_ended(tmp_path: Path) -> None:
    path, other = tmp_path / "study.sqlite", tmp_path / "other.sqlite"
    results = run_experiment(small_spec(ComesBackTwice()), path, executor="serial")
    assert (results.n_cells, results.n_failed, results.n_missing) == (4, 0, 0)
    results = run_experiment(small_spec(ComesBackTwice()), other)
    assert (results.n_cells, results.n_failed, results.n_missing) == (4, 0, 0)
    assert read_store(path) == read_store(other)
