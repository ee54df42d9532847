"""Damaged bytes in a store: our error, or the same results; never other ones.

`DISSENSUS_DAMAGES` is the number of damaged stores; 2,000 take minutes.
"""

from __future__ import annotations

import math
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus.exceptions import StoreError
from dissensus.experiment import run_experiment
from dissensus.results import Results
from dissensus.store import Outcome, salvage_store
from dissensus.store._layout import COLUMNS, IN_SCHEMA, TABLES
from dissensus.store._store import Store
from tests.experiment.learners import Constant, Raises
from tests.experiment.studies import read_store, small_spec

N_DAMAGES = int(os.environ.get("DISSENSUS_DAMAGES", "60"))
SPEC = small_spec(
    Constant(), "c45", Raises(), folds=5, repeats=2, measures=["accuracy", "auc"]
)
TABLES_SHOWN = ("cells", "scores", "answers", "runs", "datasets")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound store of 30 cells."""
    path = tmp_path_factory.mktemp("whole") / "study.sqlite"
    run_experiment(SPEC, path, executor="serial")
    return path


def content(path: Path) -> dict[str, list[Any]]:
    """Return all that a store holds."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in TABLES_SHOWN
        }


def flip(bytes_: bytearray, rng: np.random.Generator) -> None:
    place = int(rng.integers(len(bytes_)))
    bytes_[place] ^= 1 << int(rng.integers(8))


def scribble(bytes_: bytearray, rng: np.random.Generator) -> None:
    place, length = int(rng.integers(len(bytes_))), int(rng.integers(1, 200))
    bytes_[place : place + length] = rng.bytes(len(bytes_[place : place + length]))


def blank_sector(bytes_: bytearray, rng: np.random.Generator) -> None:
    place = 512 * int(rng.integers(len(bytes_) // 512))
    bytes_[place : place + 512] = bytes(512)


def cut(bytes_: bytearray, rng: np.random.Generator) -> None:
    del bytes_[int(rng.integers(1, len(bytes_))) :]


def swap_pages(bytes_: bytearray, rng: np.random.Generator) -> None:
    one, two = (4096 * int(n) for n in rng.integers(len(bytes_) // 4096, size=2))
    first, second = bytes_[one : one + 4096], bytes_[two : two + 4096]
    bytes_[one : one + 4096], bytes_[two : two + 4096] = second, first


DAMAGES: list[Callable[[bytearray, np.random.Generator], None]] = [
    *(flip, flip, flip, scribble, blank_sector, cut, swap_pages)
]


def resume(path: Path, before: dict[str, list[Any]]) -> str:
    """Read and resume a store; return whether its damage was found."""
    try:
        results = Results.open(path)
    except StoreError:
        with pytest.raises(StoreError):
            run_experiment(SPEC, path, executor="serial")
        return "refused"
    assert results.n_cells == 30
    run_experiment(SPEC, path, executor="serial")
    assert content(path) == before
    return "unharmed"


@pytest.mark.slow
def test_a_damaged_store_is_refused_or_unharmed(
    whole: Path, tmp_path: Path, rng: np.random.Generator
) -> None:
    sound, before = whole.read_bytes(), content(whole)
    ends: Counter[tuple[str, str]] = Counter()
    for number in range(N_DAMAGES):
        damage = DAMAGES[number % len(DAMAGES)]
        bytes_ = bytearray(sound)
        damage(bytes_, rng)
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(bytes_)
        ends[damage.__name__, resume(path, before)] += 1
        path.unlink()
    print(f"\n{sum(ends.values())} damaged stores: {dict(sorted(ends.items()))}")
    assert sum(ends[damage.__name__, "refused"] for damage in set(DAMAGES)) > 0


def set_value(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE cells SET n_correct = n_correct + 1 WHERE id = 1", "1 of 30 cells"),
        ("UPDATE cells SET fold = fold + 1 WHERE id = 3", "1 of 30 cells"),
        ("UPDATE cells SET error = x'00ff' WHERE id = 4", "1 of 30 cells"),
        ("UPDATE scores SET value = value / 2 WHERE cell = 2", "1 of 30 cells"),
        ("DELETE FROM scores WHERE cell = 2 AND measure = 'auc'", "1 of 30 cells"),
        ("UPDATE answers SET packed = x'01' WHERE cell = 1", "1 of 30 cells"),
        ("DELETE FROM answers WHERE cell = 1", "1 of 30 cells"),
        ("DELETE FROM cells WHERE id = 1", "belong to no cell"),
        ("UPDATE runs SET spec = replace(spec, '5', '6')", "1 of 1 runs"),
        ("UPDATE datasets SET n_rows = 7", "1 of 1 datasets"),
        ("DROP TABLE measurements", "its tables are not those of a store"),
    ],
)
def test_a_value_that_was_changed_is_noticed(
    whole: Path, tmp_path: Path, change: str, words: str
) -> None:
    path = tmp_path / "study.sqlite"
    path.write_bytes(whole.read_bytes())
    set_value(path, change)
    before = path.read_bytes()
    for opened in (Results.open, lambda path: run_experiment(SPEC, path)):
        with pytest.raises(StoreError, match=f"store is damaged .*{words}.*salvage"):
            opened(path)
    assert path.read_bytes() == before


def test_what_is_sound_is_salvaged_and_the_rest_run_again(
    whole: Path, tmp_path: Path
) -> None:
    path, new = tmp_path / "study.sqlite", tmp_path / "new.sqlite"
    path.write_bytes(whole.read_bytes())
    set_value(path, "UPDATE cells SET n_correct = 1 WHERE id % 3 = 0")
    assert salvage_store(path, new) == 20
    assert Results.open(new).n_missing == 10
    run_experiment(SPEC, new, executor="serial")
    assert read_store(new) == read_store(whole)


@pytest.mark.slow
def test_what_is_salvaged_from_any_damage_is_sound(
    whole: Path, tmp_path: Path, rng: np.random.Generator
) -> None:
    sound, right = whole.read_bytes(), set(read_store(whole))
    counts = []
    for number in range(N_DAMAGES // 3):
        bytes_ = bytearray(sound)
        DAMAGES[number % len(DAMAGES)](bytes_, rng)
        path, new = tmp_path / f"{number}.sqlite", tmp_path / f"{number}.new"
        path.write_bytes(bytes_)
        counts.append(salvage_store(path, new))
        assert set(read_store(new)) <= right
        with Store(new) as store:
            assert len(store.states()) == counts[-1]
    assert max(counts) == 30


def test_salvage_overwrites_nothing(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="this file exists"):
        salvage_store(whole, whole)
    with pytest.raises(StoreError, match="there is no such store"):
        salvage_store(tmp_path / "absent", tmp_path / "new")


def test_every_column_is_in_the_digest() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        for table, columns in COLUMNS.items():
            info = db.execute(f"PRAGMA table_info({table})").fetchall()
            assert {"digest", *columns} == {column[1] for column in info} - {"id"}
        named = {name for _, _, name, _ in db.execute(IN_SCHEMA)}
    assert named == {*COLUMNS, "scores", "answers"}


def test_numbers_that_sqlite_knows_otherwise_keep_their_digest(tmp_path: Path) -> None:
    plan, path = SPEC.check(), tmp_path / "study.sqlite"
    scores = {
        "accuracy": -0.0,
        "auc": math.nan,
        "brier": 1e-320,
        "log": math.inf,
    }
    with Store(path) as store:
        store.begin_run(plan.study, plan.data, plan.spec)
        store.add(plan.study, Outcome(plan.jobs[0], fit_seconds=0.0, scores=scores))
    with Store(path) as store:
        found = dict(store.read("SELECT measure, value FROM scores"))
    assert found == {**scores, "auc": None}
