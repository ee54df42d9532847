"""The store: one committed row for each cell, one writer, nothing spoilt."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dissensus.exceptions import StoreError
from dissensus.experiment import run_experiment
from dissensus.results import Results
from dissensus.store._layout import APPLICATION, LAYOUT
from dissensus.store._store import Store
from tests.experiment.learners import Constant, Raises
from tests.experiment.studies import count_cells, read_store, small_spec


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.sqlite"


def run(path: Path | None, *learners: Any, **options: Any) -> Results:
    return run_experiment(small_spec(*learners, **options), path, executor="serial")


def test_a_study_run_again_does_nothing(path: Path) -> None:
    run(path)
    before = read_store(path)
    seen: list[Any] = []
    run_experiment(small_spec(), path, executor="serial", progress=seen.append)
    assert read_store(path) == before
    assert [progress.done for progress in seen] == [4]


def test_a_larger_study_runs_only_what_is_new(path: Path) -> None:
    run(path)
    seen: list[Any] = []
    spec = small_spec(Constant(), "c45")
    results = run_experiment(spec, path, executor="serial", progress=seen.append)
    assert {progress.job.learner for progress in seen[1:]} == {"c45"}
    assert results.n_cells == 8


def test_a_store_holds_several_studies_and_shows_the_last(path: Path) -> None:
    run(path, seed=0)
    assert run(path, seed=1, folds=3).n_cells == 3
    assert count_cells(path) == 7
    assert Results.open(path).n_cells == 3


def test_a_failed_cell_is_not_run_again_unless_asked(path: Path) -> None:
    run(path, Raises())
    seen: list[Any] = []
    spec = small_spec(Raises())
    options: dict[str, Any] = {"executor": "serial", "progress": seen.append}
    run_experiment(spec, path, **options)
    assert len(seen) == 1
    run_experiment(spec, path, retry_failed=True, **options)
    assert len(seen) == 6
    assert count_cells(path) == 4


def test_after_a_study_one_plain_file_is_left(path: Path) -> None:
    run(path)
    assert [p.name for p in path.parent.iterdir()] == ["study.sqlite"]


def test_a_store_can_be_read_while_it_is_written(path: Path) -> None:
    counts = []

    def look(progress: Any) -> None:
        counts.append((progress.done, Results.open(path).n_cells))

    run_experiment(small_spec(), path, executor="serial", progress=look)
    assert counts == [(n, n) for n in range(5)]


def test_the_second_runner_is_told(path: Path) -> None:
    words = f"another study .*process {os.getpid()}"
    with Store(path), pytest.raises(StoreError, match=words):
        run(path)
    run(path)


def test_a_killed_runner_leaves_no_lock(path: Path) -> None:
    code = (
        "import os, sys; from dissensus.store._store import Store;"
        "Store(sys.argv[1]); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -9
    assert run(path).n_cells == 4


@pytest.mark.parametrize("open_it", [Results.open, run])
@pytest.mark.parametrize(("layout", "age"), [(LAYOUT + 1, "newer"), (1, "older")])
def test_a_store_of_another_version_is_refused_and_left_alone(
    path: Path, open_it: Any, layout: int, age: str
) -> None:
    run(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {layout}")
    before = path.read_bytes()
    words = f"{age} version .*layout {layout}; this one knows {LAYOUT}"
    with pytest.raises(StoreError, match=words):
        open_it(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all" * 100, None])
@pytest.mark.parametrize("open_it", [Results.open, run])
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    path: Path, content: bytes | None, open_it: Any
) -> None:
    if content is None:
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE mine (x)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="no store of dissensus"):
        open_it(path)
    assert path.read_bytes() == before


def test_a_store_that_was_only_begun_is_no_hindrance(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA user_version = 0")
    assert run(path).n_cells == 4


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such store"):
        Results.open(tmp_path / "absent.sqlite")
    with pytest.raises(StoreError, match="there is no folder"):
        run(tmp_path / "absent" / "study.sqlite")
    with pytest.raises(StoreError, match="this is a folder"):
        run(tmp_path)
    Store(tmp_path / "empty.sqlite").close()
    with pytest.raises(StoreError, match="no study was ever run"):
        Results.open(tmp_path / "empty.sqlite")


READ_ONLY = """
import os, sys
from dissensus.exceptions import StoreError
from dissensus.results import Results
from tests.store.test_store import run
path = sys.argv[1]
run(None)  # everything is imported before the right to read it is given up
if os.getuid() == 0:
    os.setuid(65534)  # the permissions of root know no bounds
print(Results.open(path).n_cells)
try:
    run(path, seed=5)
except StoreError as error:
    print(error)
"""


def test_a_read_only_store_can_be_read_and_says_that_it_cannot_be_written(
    project_root: Path,
) -> None:
    with tempfile.TemporaryDirectory() as folder:  # others cannot enter tmp_path
        path = Path(folder, "study.sqlite")
        run(path)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        before = path.read_bytes()
        said = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)],
            capture_output=True,
            text=True,
            cwd=project_root,
            check=False,
        )
        path.parent.chmod(0o755)
        assert said.stdout.splitlines()[:1] == ["4"], said.stderr
        assert "the store cannot be written here" in said.stdout
        assert path.read_bytes() == before


def fill_up(path: Path, limit_pages: int) -> None:
    """Let the store have so many pages more, as a disk that is nearly full."""
    original = Store._open_for_writing

    def limited(self: Store, where: Path) -> None:
        original(self, where)
        self._db.execute(f"PRAGMA max_page_count = {limit_pages}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "_open_for_writing", limited)
        run(path, Constant(), "c45", repeats=10, folds=10)


def test_a_full_disk_stops_the_study_and_spoils_nothing(path: Path) -> None:
    run(path, seed=9)
    with closing(sqlite3.connect(path)) as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    with pytest.raises(StoreError, match="cannot grow .*full.* run the same command"):
        fill_up(path, pages + 3)
    saved = count_cells(path)
    assert 4 < saved < 204
    read_store(path)  # which checks its integrity
    results = run(path, Constant(), "c45", repeats=10, folds=10)
    assert (results.n_cells, results.n_missing) == (200, 0)


FILE_LIMIT = """
import resource, sys
from dissensus.exceptions import StoreError
from tests.store.test_store import run
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
try:
    run(sys.argv[1], "c45", repeats=10, folds=10)
except StoreError as error:
    print(error)
"""


def test_a_file_that_may_not_grow_stops_the_study(
    path: Path, project_root: Path
) -> None:
    said = subprocess.run(
        [sys.executable, "-c", FILE_LIMIT, str(path)],
        capture_output=True,
        text=True,
        cwd=project_root,
        check=False,
    )
    assert "the store cannot grow" in said.stdout, said.stderr
    assert 0 < count_cells(path) < 100
    assert run(path, "c45", repeats=10, folds=10).n_missing == 0


def test_a_store_names_itself() -> None:
    assert APPLICATION.to_bytes(4, "big") == b"diss"
