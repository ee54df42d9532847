"""One store, one writer, whatever its names; and a store that goes away is missed."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dissensus.exceptions import StoreError
from dissensus.experiment import run_experiment
from dissensus.experiment.run import _runner as runner
from dissensus.results import Results
from dissensus.store._lock import FileLock
from dissensus.store._store import Store
from tests.experiment.learners import Constant
from tests.experiment.studies import count_cells, read_store, small_spec

pytestmark = [
    pytest.mark.skipif(
        sys.platform == "win32", reason="files that are open cannot be moved there"
    ),
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.sqlite"


def run(path: Path, **options: Any) -> Results:
    return run_experiment(small_spec(), path, executor="serial", **options)


@pytest.mark.parametrize("exists", [False, True])
def test_a_symbolic_link_leads_to_the_same_lock(path: Path, exists: bool) -> None:
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    if exists:
        run(path)
    with Store(path), pytest.raises(StoreError, match="another study"):
        Store(link)
    with Store(link), pytest.raises(StoreError, match="another study"):
        Store(path)
    run(link)
    assert link.is_symlink()
    assert count_cells(path) == 4
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "link.sqlite",
        "study.sqlite",
    ]


def test_a_store_with_two_names_is_refused_for_writing_and_can_be_read(
    path: Path,
) -> None:
    run(path)
    link = path.with_name("link.sqlite")
    link.hardlink_to(path)
    for name in (path, link):
        with pytest.raises(StoreError, match="has 2 names .*Copy it"):
            run(name)
        assert Results.open(name).n_cells == 4
    link.unlink()
    run(path)


def test_a_second_name_given_during_a_run_is_no_way_in(path: Path) -> None:
    link = path.with_name("link.sqlite")
    with Store(path):
        link.hardlink_to(path)
        for mode in ({}, {"read_only": True}):
            with pytest.raises(StoreError, match="has 2 names"):
                Store(link, **mode)
    assert not path.with_name("link.sqlite-wal").exists()


def test_what_is_no_regular_file_is_refused(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(StoreError, match="no regular file"):
        run(path)


def test_a_lock_is_free_when_its_owner_gave_it_back(path: Path) -> None:
    lock = FileLock(path)
    with pytest.raises(StoreError, match=f"process {os.getpid()}"):
        FileLock(path)
    lock.release()
    lock.release()
    assert not path.exists()
    FileLock(path).release()


def test_a_lock_that_was_left_behind_is_taken_over(path: Path) -> None:
    path.write_text("process 1 on nowhere")
    FileLock(path).release()
    assert not path.exists()


def test_a_lock_file_removed_by_a_stranger_is_not_removed_for_its_heir(
    path: Path,
) -> None:
    lock = FileLock(path)
    path.unlink()
    heir = FileLock(path)
    lock.release()
    assert path.exists()
    heir.release()
    assert not path.exists()


def test_a_forked_copy_neither_holds_a_lock_nor_gives_it_back(path: Path) -> None:
    store = Store(path)
    ready, wake = os.pipe()
    copy = os.fork()
    if not copy:
        store.close()
        os.read(ready, 1)
        os._exit(0)
    try:
        with pytest.raises(StoreError, match="another study"):
            Store(path)
        store.close()
        Store(path).close()  # though the copy is still there
    finally:
        os.write(wake, b".")
        os.waitpid(copy, 0)
        os.close(ready)
        os.close(wake)


def vanish_after(path: Path, n_cells: int, how: Any) -> Any:
    def look(progress: Any) -> None:
        if progress.done == n_cells:
            how(path)

    return look


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"of someone else")
    other.replace(path)


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("how", [Path.unlink, replace])
def test_a_store_that_is_gone_is_missed_at_the_next_cell_and_rescued(
    path: Path, how: Any
) -> None:
    rescued = path.with_name("study.sqlite.rescued")
    words = "removed, or another file .*What it held is in .*rescued"
    with pytest.raises(StoreError, match=words):
        run(path, progress=vanish_after(path, 2, how))
    if path.exists():
        assert path.read_bytes() == b"of someone else"
        path.unlink()
    assert Results.open(rescued).n_cells == 3
    assert run(rescued).n_missing == 0
    run(whole := path.with_name("whole.sqlite"))
    assert read_store(rescued) == read_store(whole)


def test_a_rescued_store_may_take_the_name_of_the_one_that_is_gone(path: Path) -> None:
    with pytest.raises(StoreError, match="run the same with that as its store"):
        run(path, progress=vanish_after(path, 2, Path.unlink))
    # SQLite would play the log of the old file into the new one.
    assert not path.with_name("study.sqlite-wal").exists()
    path.with_name("study.sqlite.rescued").rename(path)
    assert run(path).n_missing == 0


def test_a_store_that_is_gone_with_its_folder_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "study.sqlite"
    path.parent.mkdir()
    with pytest.raises(StoreError, match="What it held is lost"):
        run(path, progress=vanish_after(path, 2, move_folder))
    moved = tmp_path / "elsewhere" / "study.sqlite"
    assert Results.open(moved).n_cells >= 2


def test_a_long_cell_is_interrupted_when_the_store_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "WATCH_SECONDS", 0.05)
    spec = small_spec(Constant(600.0))
    look = vanish_after(path, 0, Path.unlink)
    with pytest.raises(StoreError, match="removed, or another file"):
        run_experiment(spec, path, executor="serial", progress=look)


def test_beside_the_main_thread_a_lost_store_is_missed_with_the_next_cell(
    path: Path,
) -> None:
    said: list[Any] = []

    def work() -> None:
        try:
            run(path, progress=vanish_after(path, 1, Path.unlink))
        except StoreError as error:
            said.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "removed, or another file" in said[0]


def test_a_plain_copy_lacks_at_most_the_cells_of_the_last_second(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no wait between two moves, each cell is in the file at once."""
    monkeypatch.setattr("dissensus.store._store.CHECKPOINT_SECONDS", 0.0)
    counts = []

    def copy(progress: Any) -> None:
        plain = path.with_name("copy.sqlite")
        plain.write_bytes(path_bytes(path))
        counts.append((progress.done, count_cells(plain)))

    run(path, progress=copy)
    assert counts == [(n, n) for n in range(5)]


def path_bytes(path: Path) -> bytes:
    """Read a file in a process of its own: closing it here would end SQLite's locks."""
    ready, wake = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(wake, "wb") as out:
            out.write(path.read_bytes())
        os._exit(0)
    os.close(wake)
    with os.fdopen(ready, "rb") as source:
        content = source.read()
    os.waitpid(child, 0)
    return content


def test_ctrl_c_still_says_what_is_saved(path: Path) -> None:
    def stop(progress: Any) -> None:
        if progress.done == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="2 of 4 cells are saved"):
        run(path, progress=stop)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
