"""The results of studies in one SQLite file, one committed row for each cell.

A row is keyed by the digest of all that determines its result, so to resume a study is
to skip the keys that are there. One process writes; any number may read meanwhile. The
file has a number that names its layout (`user_version`): another one is refused, and a
file that is no store is left alone. So is one that is damaged.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import dissensus
from dissensus.datasets import Loaded
from dissensus.exceptions import StoreError
from dissensus.store._layout import (
    APPLICATION,
    COLUMNS,
    LAYOUT,
    TABLES,
    digest_of,
    digest_of_cell,
    find_damage,
    insert,
    normal,
)
from dissensus.store._lock import FileLock
from dissensus.store._records import Job, Outcome, StudyIdentity

IN_MEMORY = ":memory:"
NO_STORE = "this is no store of dissensus. Name another file."
CHECKPOINT_SECONDS = 1.0  # until saved cells go from the journal to the file itself


class Store:
    """An SQLite file of results.

    Parameters
    ----------
    path : str, path or None
        The file; None for a store in memory, which is gone with this object.
    read_only : bool, default=False
        Open it for reading only: then several may, also while it is written.
    check : bool, default=True
        Look for damage. This reads the whole file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        *,
        read_only: bool = False,
        check: bool = True,
    ) -> None:
        self.name = IN_MEMORY if path is None else os.fspath(path)
        self._lock: FileLock | None = None
        self._place: _Place | None = None
        self._process = os.getpid()
        try:
            with self._explained():
                if path is None:
                    self._db = sqlite3.connect(IN_MEMORY, isolation_level=None)
                    self._create()
                elif read_only:
                    self._db = _open_for_reading(Path(path))
                    self._check_layout()
                    if check:
                        self._check_content()
                else:
                    self._open_for_writing(Path(path))
        except BaseException:
            self.close()
            raise

    def _open_for_writing(self, path: Path) -> None:
        if not path.parent.is_dir():
            raise StoreError(
                f"{path}: there is no folder {str(path.parent)!r}. Make it."
            )
        if path.is_dir():
            raise StoreError(f"{path}: this is a folder. Name a file in it.")
        # The lock and SQLite's own files are named after the store, so it must have
        # one name only.
        path = Path(os.path.realpath(path))
        if path.exists():
            _check_file(path)
        is_new = not path.exists() or not path.stat().st_size
        if not is_new:
            # Looked at before anything is touched: the file may be of someone else.
            self._db = _open_for_reading(path)
            is_new = self._is_empty()
            if not is_new:
                self._check_layout()
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        if not is_new:
            self._check_content()
        if hasattr(self, "_db"):
            self._db.close()
        self._connect(path)

    def _connect(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        # A commit survives the end of the process, not a power cut, after which the
        # last few cells are run again. Syncing each would cost 1 to 10 ms a cell.
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_empty():
            self._create()
        self._check_layout()
        self._checkpoint()
        self._place = _Place.of(path)

    def _is_empty(self) -> bool:
        """Whether nothing was ever written, as after a kill at the very beginning."""
        named = self._value("PRAGMA application_id")
        return not named and not self._value("SELECT count(*) FROM sqlite_master")

    def _create(self) -> None:
        self._db.executescript(
            f"BEGIN;{TABLES}PRAGMA application_id = {APPLICATION};"
            f"PRAGMA user_version = {LAYOUT};COMMIT;"
        )

    def _check_layout(self) -> None:
        """Raise an error unless the file is a store that this version understands."""
        if self._value("PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{self.name}: {NO_STORE}")
        layout = self._value("PRAGMA user_version")
        if layout != LAYOUT:
            age = "a newer" if layout > LAYOUT else "an older"
            raise StoreError(
                f"{self.name}: the store was written by {age} version of dissensus "
                f"(layout {layout}; this one knows {LAYOUT}). Use that version, or "
                "another store."
            )

    def _check_content(self) -> None:
        damage = find_damage(self._db)
        if damage:
            raise StoreError(f"{self.name}: {_damaged(damage)}")

    def close(self) -> None:
        """Close the file; what was committed stays."""
        if os.getpid() != self._process:
            return  # a forked copy: the file is another's
        if hasattr(self, "_db"):
            # What the file system refuses now, it may allow to the next who opens it.
            with suppress(sqlite3.Error, MemoryError):
                if self._lock is not None and (
                    self._place is None or self._place.is_there()
                ):
                    # One plain file is left, which can be read where nothing can be
                    # written. Nobody who reads is waited for.
                    self._db.execute("PRAGMA busy_timeout = 100")
                    self._db.execute("PRAGMA journal_mode = DELETE")
            with suppress(sqlite3.Error, MemoryError):
                self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing

    def begin_run(
        self, study: StudyIdentity, data: Iterable[Loaded], spec: str
    ) -> None:
        """Note that a study begins, and what its data sets are."""
        sources = zip(study.data.values(), data, strict=True)
        described = [
            (source.fingerprint, source.name, *_shape(loaded))
            for source, loaded in sources
        ]
        last = "SELECT version, spec FROM runs ORDER BY id DESC LIMIT 1"
        run = (dissensus.__version__, spec)
        with self._explained(), self._transaction():
            if self._db.execute(last).fetchone() != run:  # else it is resumed
                begun = (now(), *run)
                insert(self._db, "runs", digest_of(begun), begun)
            for values in described:
                insert(self._db, "datasets", digest_of(values), values)
        self._committed()

    def add(self, study: StudyIdentity, outcome: Outcome) -> None:
        """Save the outcome of one cell; it is safe when this returns."""
        with self._explained(), self._transaction():
            self._insert(study, outcome)
        self._committed()

    def _insert(self, study: StudyIdentity, outcome: Outcome) -> None:
        row = _row(study, outcome)
        values = normal(row[name] for name in COLUMNS["cells"])
        scores = [(name, *normal([score])) for name, score in outcome.scores.items()]
        packed = outcome.answers or None
        digest = digest_of_cell(values, scores, packed)
        # A failed cell that was run again takes the place of the old one.
        self._db.execute("DELETE FROM cells WHERE key = ?", (row["key"],))
        cell = insert(self._db, "cells", digest, values)
        self._db.executemany(
            "INSERT INTO scores VALUES (?, ?, ?)", [(cell, *score) for score in scores]
        )
        if packed is not None:
            self._db.execute("INSERT INTO answers VALUES (?, ?)", (cell, packed))

    def _committed(self) -> None:
        """See that what was committed can be found again."""
        self.check_place()
        if self._place is not None and time.monotonic() > self._next_checkpoint:
            with self._explained():
                self._checkpoint()

    def _checkpoint(self) -> None:
        """Move what is committed to the file itself, for those who copy only that.

        Readers are not waited for: what they hold back goes with the next one.
        """
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._next_checkpoint = time.monotonic() + CHECKPOINT_SECONDS

    def is_there(self) -> bool:
        """Whether the file that is written still is the one of this name."""
        return self._place is None or self._place.is_there()

    def check_place(self) -> None:
        """Raise an error if the file was removed, or another took its place."""
        if self.is_there():
            return
        assert self._place is not None
        rescued = self._place.path.with_name(f"{self._place.path.name}.rescued")
        words = "What it held is lost; begin again with another store."
        with suppress(sqlite3.Error, MemoryError):
            self._db.execute("VACUUM INTO ?", (str(rescued),))
            words = (
                f"What it held is in {rescued}: run the same with that as its store."
            )
            _remove_log(self._place.path)
        raise StoreError(
            f"{self.name}: the store was removed, or another file took its place, "
            f"while it was written. {words}"
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        try:
            self._db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if self._db.in_transaction:  # a full disk has ended it already
            with suppress(sqlite3.Error, MemoryError):  # closing the file does it too
                self._db.execute("ROLLBACK")

    # Reading

    def states(self) -> dict[str, str]:
        """Return for the key of each saved cell how it failed; "" if it did not."""
        with self._explained():
            return dict(self._db.execute("SELECT key, failure FROM cells"))

    def read(
        self, query: str, parameters: tuple[Any, ...] | dict[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._explained():
            return self._db.execute(query, parameters).fetchall()

    def _value(self, query: str) -> Any:
        return self._db.execute(query).fetchone()[0]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn SQLite's errors into sentences with a cure."""
        try:
            yield
        except (sqlite3.Error, PermissionError, MemoryError) as error:
            raise StoreError(f"{self.name}: {_explain(error)}") from error
        except OSError as error:
            raise StoreError(f"{self.name}: {error.strerror or error}.") from error
        except UnicodeError as error:  # SQLite cites from a file that is damaged
            raise StoreError(f"{self.name}: {_damaged('no UTF-8')}") from error


@dataclass(frozen=True, slots=True)
class _Place:
    """A file by name and by what it is."""

    path: Path
    identity: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> _Place:
        found = path.stat()
        return cls(path, (found.st_dev, found.st_ino))

    def is_there(self) -> bool:
        try:
            return _Place.of(self.path) == self
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:  # the network is away for a moment, say
            return True


def _check_file(path: Path) -> None:
    """Raise an error unless a file can be written under this name alone."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path}: this is no regular file. Name another file.")
    if found.st_nlink > 1:
        raise StoreError(
            f"{path}: the file has {found.st_nlink} names (hard links); written under "
            "two of them it would be destroyed. Copy it to a file of its own."
        )


def _open_for_reading(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise StoreError(
            f"{path}: there is no such store. Check the spelling and the folder."
        )
    if path.stat().st_nlink > 1 and _is_in_use(path):
        _check_file(path)
    uri = f"file:{quote(str(path.resolve()))}?mode=ro"
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        # SQLite wants to write a file beside even when it reads, unless nobody can.
        db.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        db = sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
        db.execute("SELECT count(*) FROM sqlite_master")
    return db


def _is_in_use(path: Path) -> bool:
    """Whether a file is a store that is being written, or was when that was killed.

    Not to be asked of a store that this process writes: SQLite's locks would go.
    """
    with path.open("rb") as file:
        return file.read(20)[18:] == b"\x02\x02"  # there is a journal beside it


def _explain(error: Exception) -> str:
    words = str(error)
    if "readonly" in words or isinstance(error, PermissionError):
        return "the store cannot be written here. Copy it, or change its permissions."
    if "full" in words or "disk I/O error" in words:
        return (
            f"the store cannot grow ({words}). Free some space and run the same "
            "command again: what was saved stays saved."
        )
    if isinstance(error, MemoryError):
        return (
            "there is not enough memory to use the store. Free some and run the same "
            "command again: what was saved stays saved."
        )
    if "not a database" in words:
        return NO_STORE
    if "malformed" in words:
        return _damaged(words)
    if "locked" in words:
        return "another program is writing to the store. Try again later."
    return f"the store cannot be used ({words})."


def _damaged(words: str) -> str:
    return (
        f"the store is damaged ({words}). Take a copy from before, or save what is "
        "sound with dissensus.experiment.salvage_store."
    )


def _row(study: StudyIdentity, outcome: Outcome) -> dict[str, Any]:
    job: Job = outcome.job
    task, source = job.task, study.data[job.task.dataset]
    learner = study.learners[job.learner]
    return {
        "key": study.key(job),
        "dataset": task.dataset,
        "learner": learner.label,
        "text": learner.text,
        "versions": " ".join(learner.versions),
        "repeat": task.repeat,
        "fold": task.fold,
        "fraction": float(task.fraction),
        "noise": float(task.noise),
        "protocol": study.regime,
        "folds": study.n_folds,
        "seed": study.seed,
        "fingerprint": source.fingerprint,
        "version": dissensus.__version__,
        "failure": outcome.failure,
        "error": outcome.error,
        "details": outcome.details,
        "notes": outcome.notes,
        "n_train": outcome.n_train,
        "n_test": outcome.n_test,
        "n_correct": outcome.n_correct,
        "fit_seconds": outcome.fit_seconds,
        "predict_seconds": outcome.predict_seconds,
        "leaves": outcome.leaves,
        "members": outcome.members,
        "finished": now(),
    }


def _shape(data: Loaded) -> tuple[int, int, int, str]:
    nominal = sum(attribute.is_nominal for attribute in data.table.schema)
    labels = json.dumps([str(label) for label in data.classes])
    return data.table.n_rows, data.table.n_attributes - nominal, nominal, labels


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _remove_log(path: Path) -> None:
    """Remove the log of a store that is gone.

    SQLite would play it into whatever file gets the name of the store next. If one has
    it already, the log may be that file's, and stays.
    """
    if not path.exists():
        for end in ("-wal", "-shm"):
            with suppress(OSError):
                path.with_name(path.name + end).unlink()
