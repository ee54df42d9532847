"""The results of studies in one SQLite file, one committed row for each cell.

A row is keyed by the digest of all that determines its result, so to resume a study is
to skip the keys that are there. One process writes; any number may read meanwhile. The
file has a number that names its layout (`user_version`): a newer one is refused, and a
file that is no store is left alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import dissensus
from dissensus.experiment._cell import Outcome
from dissensus.experiment._data import Loaded
from dissensus.experiment._errors import StoreError
from dissensus.experiment._jobs import Job, Study
from dissensus.experiment._lock import FileLock

APPLICATION = 0x64697373  # "diss"
LAYOUT = 1
IN_MEMORY = ":memory:"
NO_STORE = "this is no store of dissensus. Name another file."

TABLES = """
CREATE TABLE cells (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    dataset TEXT NOT NULL,
    learner TEXT NOT NULL,
    text TEXT NOT NULL,
    versions TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    fold INTEGER NOT NULL,
    fraction REAL NOT NULL,
    noise REAL NOT NULL,
    protocol TEXT NOT NULL,
    folds INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    version TEXT NOT NULL,
    failure TEXT NOT NULL,
    error TEXT NOT NULL,
    details TEXT NOT NULL,
    notes TEXT NOT NULL,
    n_train INTEGER,
    n_test INTEGER,
    n_correct INTEGER,
    fit_seconds REAL,
    predict_seconds REAL,
    leaves INTEGER,
    members INTEGER,
    finished TEXT NOT NULL
);
CREATE TABLE scores (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    measure TEXT NOT NULL,
    value REAL,
    PRIMARY KEY (cell, measure)
) WITHOUT ROWID;
CREATE TABLE answers (
    cell INTEGER PRIMARY KEY REFERENCES cells ON DELETE CASCADE,
    packed BLOB NOT NULL
);
CREATE TABLE datasets (
    fingerprint TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    n_rows INTEGER NOT NULL,
    n_numeric INTEGER NOT NULL,
    n_nominal INTEGER NOT NULL,
    classes TEXT NOT NULL
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    version TEXT NOT NULL,
    spec TEXT NOT NULL
);
"""


class Store:
    """An SQLite file of results.

    Parameters
    ----------
    path : str, path or None
        The file; None for a store in memory, which is gone with this object.
    read_only : bool, default=False
        Open it for reading only: then several may, also while it is written.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, *, read_only: bool = False
    ) -> None:
        self.name = IN_MEMORY if path is None else os.fspath(path)
        self._lock: FileLock | None = None
        try:
            with self._explained():
                if path is None:
                    self._db = sqlite3.connect(IN_MEMORY, isolation_level=None)
                    self._create()
                elif read_only:
                    self._db = _open_for_reading(Path(path))
                    self._check()
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
        if path.exists() and path.stat().st_size:
            # Looked at before anything is touched: the file may be of someone else.
            self._db = _open_for_reading(path)
            if not self._is_empty():
                self._check()
            self._db.close()
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        # A commit survives the end of the process, not a power cut, after which the
        # last few cells are run again. Syncing each would cost 1 to 10 ms a cell.
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_empty():
            self._create()
        self._check()

    def _is_empty(self) -> bool:
        """Whether nothing was ever written, as after a kill at the very beginning."""
        named = self._value("PRAGMA application_id")
        return not named and not self._value("SELECT count(*) FROM sqlite_master")

    def _create(self) -> None:
        self._db.executescript(
            f"BEGIN;{TABLES}PRAGMA application_id = {APPLICATION};"
            f"PRAGMA user_version = {LAYOUT};COMMIT;"
        )

    def _check(self) -> None:
        """Raise an error unless the file is a store that this version understands."""
        if self._value("PRAGMA application_id") != APPLICATION:
            raise StoreError(f"{self.name}: {NO_STORE}")
        layout = self._value("PRAGMA user_version")
        if layout > LAYOUT:
            raise StoreError(
                f"{self.name}: the store was written by a newer version of dissensus "
                f"(layout {layout}; this one knows {LAYOUT}). Upgrade dissensus, or "
                "use another store."
            )

    def close(self) -> None:
        """Close the file; what was committed stays."""
        if hasattr(self, "_db"):
            if self._lock is not None:
                with suppress(sqlite3.Error):  # somebody reads, or it is full
                    # One plain file is left, which can be read where nothing can be
                    # written. Nobody is waited for.
                    self._db.execute("PRAGMA busy_timeout = 100")
                    self._db.execute("PRAGMA journal_mode = DELETE")
            self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing

    def begin_run(self, study: Study, data: Iterable[Loaded], spec: str) -> None:
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
                self._db.execute(
                    "INSERT INTO runs (started, version, spec) VALUES (?, ?, ?)",
                    (now(), *run),
                )
            self._db.executemany(
                "INSERT OR REPLACE INTO datasets VALUES (?, ?, ?, ?, ?, ?)", described
            )

    def add(self, study: Study, outcome: Outcome) -> None:
        """Save the outcome of one cell; it is safe when this returns."""
        row = _row(study, outcome)
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        with self._explained(), self._transaction():
            # A failed cell that was run again takes the place of the old one.
            self._db.execute("DELETE FROM cells WHERE key = ?", (row["key"],))
            cursor = self._db.execute(
                f"INSERT INTO cells ({names}) VALUES ({marks})", tuple(row.values())
            )
            cell = cursor.lastrowid
            self._db.executemany(
                "INSERT INTO scores VALUES (?, ?, ?)",
                [(cell, name, value) for name, value in outcome.scores.items()],
            )
            if outcome.answers:
                self._db.execute(
                    "INSERT INTO answers VALUES (?, ?)", (cell, outcome.answers)
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # a full disk has ended it already
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

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
        except sqlite3.Error as error:
            raise StoreError(f"{self.name}: {_explain(error)}") from error
        except PermissionError as error:
            raise StoreError(f"{self.name}: {_explain(error)}") from error
        except OSError as error:
            raise StoreError(f"{self.name}: {error.strerror or error}.") from error


def _open_for_reading(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise StoreError(
            f"{path}: there is no such store. Check the spelling and the folder."
        )
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


def _explain(error: Exception) -> str:
    words = str(error)
    if "readonly" in words or isinstance(error, PermissionError):
        return "the store cannot be written here. Copy it, or change its permissions."
    if "full" in words or "disk I/O error" in words:
        return (
            f"the store cannot grow ({words}). Free some space and run the same "
            "command again: what was saved stays saved."
        )
    if "not a database" in words:
        return NO_STORE
    if "locked" in words:
        return "another program is writing to the store. Try again later."
    return f"the store cannot be used ({words})."


def _row(study: Study, outcome: Outcome) -> dict[str, Any]:
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
        "fraction": task.fraction,
        "noise": task.noise,
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
