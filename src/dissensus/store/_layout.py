"""How a store is laid out, and the check that a file still holds what was saved.

Each row of a result has a digest of its content: SQLite notices a page that makes no
sense, not a number that is another one. All are checked whenever a store is opened.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

APPLICATION = 0x64697373  # "diss"
LAYOUT = 2

TABLES = """
CREATE TABLE cells (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
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
    digest BLOB NOT NULL,
    fingerprint TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    n_rows INTEGER NOT NULL,
    n_numeric INTEGER NOT NULL,
    n_nominal INTEGER NOT NULL,
    classes TEXT NOT NULL
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    started TEXT NOT NULL,
    version TEXT NOT NULL,
    spec TEXT NOT NULL
);
CREATE TABLE measurements (
    digest BLOB NOT NULL,
    key TEXT PRIMARY KEY,
    function TEXT NOT NULL,
    dataset TEXT NOT NULL,
    arguments TEXT NOT NULL,
    version TEXT NOT NULL,
    content TEXT NOT NULL,
    error TEXT NOT NULL,
    seconds REAL NOT NULL,
    finished TEXT NOT NULL
) WITHOUT ROWID;
"""
IN_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master"

# What the digest of a row is made of. That of a cell is of its scores and answers too.
COLUMNS = {
    "cells": (
        *("key", "dataset", "learner", "text", "versions", "repeat", "fold"),
        *("fraction", "noise", "protocol", "folds", "seed", "fingerprint", "version"),
        *("failure", "error", "details", "notes", "n_train", "n_test", "n_correct"),
        *("fit_seconds", "predict_seconds", "leaves", "members", "finished"),
    ),
    "datasets": (
        *("fingerprint", "name", "n_rows", "n_numeric", "n_nominal", "classes"),
    ),
    "runs": ("started", "version", "spec"),
    "measurements": (
        *("key", "function", "dataset", "arguments", "version", "content", "error"),
        *("seconds", "finished"),
    ),
}
Values = Sequence[str | int | float | None]
Scores = Sequence[tuple[str, float | None]]

_encode = json.JSONEncoder(separators=(",", ":")).encode


def digest_of(values: Values) -> bytes:
    """Return the digest of the values of a row."""
    return _hash(_encode(values).encode())


def digest_of_cell(values: Values, scores: Scores, packed: bytes | None) -> bytes:
    """Return the digest of a cell, its scores by name, and its packed answers."""
    text = _encode((values, sorted(scores), packed is None))
    return _hash(b"%b\n%b" % (text.encode(), packed or b""))


def _hash(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def find_damage(db: sqlite3.Connection) -> str:
    """Return what is damaged in a store, "" if nothing is.

    Parameters
    ----------
    db : Connection
        The store; it may be in use, since one state of it is looked at.

    Returns
    -------
    str
        The first fault in words.
    """
    try:
        db.execute("BEGIN")
        try:
            return next(_faults(db), "")
        finally:
            db.execute("ROLLBACK")
    except (sqlite3.DatabaseError, UnicodeError, OverflowError) as error:
        if _is_damage(error):
            return f"SQLite cannot read it: {error}"
        raise


def _is_damage(error: Exception) -> bool:
    """Whether the file is to blame, not that it is locked, or the machine full."""
    name = getattr(error, "sqlite_errorname", "")
    return (
        not name.startswith(
            (
                "SQLITE_BUSY",
                "SQLITE_LOCKED",
                "SQLITE_IOERR",
                "SQLITE_NOMEM",
                "SQLITE_FULL",
            )
        )
        or name == "SQLITE_IOERR_SHORT_READ"
    )


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    if not set(_expected_schema()) <= set(db.execute(IN_SCHEMA)):
        yield "its tables are not those of a store"
    for (words,) in db.execute("PRAGMA integrity_check(1)"):
        if words != "ok":
            yield "SQLite finds " + " ".join(str(words).split())
    for table in COLUMNS:
        sound, damaged = sort_rows(db, table)
        if damaged:
            yield f"{len(damaged)} of {len(sound) + len(damaged)} {table}"
    for table in ("scores", "answers"):
        query = f"SELECT count(*) FROM {table} WHERE cell NOT IN (SELECT id FROM cells)"
        if db.execute(query).fetchone()[0]:
            yield f"{table} belong to no cell"


def _expected_schema() -> list[tuple[Any, ...]]:
    with sqlite3.connect(":memory:") as db:
        db.executescript(TABLES)
        found = db.execute(IN_SCHEMA).fetchall()
    db.close()
    return found


def sort_rows(db: sqlite3.Connection, table: str) -> tuple[list[Any], list[Any]]:
    """Return which rows of a table are sound and which are damaged.

    Parameters
    ----------
    db : Connection
        The store.
    table : str
        A name of `COLUMNS`.

    Returns
    -------
    sound, damaged : list
        The first column of the rows: of a cell its number, else what it is found by.
    """
    rows = _cells(db) if table == "cells" else _plain_rows(db, table)
    found: tuple[list[Any], list[Any]] = ([], [])
    for place, saved, digest in rows:
        found[saved != digest].append(place)
    return found


def _plain_rows(
    db: sqlite3.Connection, table: str
) -> Iterator[tuple[Any, bytes, bytes | None]]:
    query = f"SELECT digest, {', '.join(COLUMNS[table])} FROM {table}"
    for saved, *values in db.execute(query):
        yield values[0], saved, _digest_or_none(values)


def _cells(db: sqlite3.Connection) -> Iterator[tuple[int, bytes, bytes | None]]:
    scores = defaultdict(list)
    for score in db.execute("SELECT cell, measure, value FROM scores"):
        scores[score[0]].append(score[1:])
    query = (
        f"SELECT id, packed, digest, {', '.join(COLUMNS['cells'])} FROM cells "
        "LEFT JOIN answers ON answers.cell = cells.id ORDER BY id"
    )
    for row in db.execute(query):
        cell, packed, saved = row[:3]
        yield cell, saved, _digest_or_none(row[3:], scores.get(cell, ()), packed)


def _digest_or_none(values: Any, *rest: Any) -> bytes | None:
    """Return the digest of a row; None if its values are not even of the right kind."""
    try:
        return digest_of_cell(values, *rest) if rest else digest_of(values)
    except (TypeError, ValueError):
        return None


def insert(db: sqlite3.Connection, table: str, digest: bytes, values: Any) -> int:
    """Insert a row; one that was found by the same key goes."""
    names = ("digest", *COLUMNS[table])
    query = "INSERT OR REPLACE INTO {} ({}) VALUES ({})".format(
        table, ", ".join(names), ", ".join("?" * len(names))
    )
    return db.execute(query, (digest, *values)).lastrowid or 0


def normal(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return numbers as SQLite gives them back: it knows neither NaN nor -0.0."""
    return tuple(
        (None if math.isnan(value) else value + 0.0) if type(value) is float else value
        for value in values
    )
