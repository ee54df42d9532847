"""What is sound in a damaged store, saved in a new one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from dissensus.exceptions import StoreError
from dissensus.store._layout import COLUMNS, digest_of, digest_of_cell, insert
from dissensus.store._store import Store

Damage = (sqlite3.Error, UnicodeError, TypeError, ValueError, OverflowError)


def salvage_store(
    damaged: str | os.PathLike[str], sound: str | os.PathLike[str]
) -> int:
    """Save what is sound in a damaged store in a new one.

    Parameters
    ----------
    damaged : str or path
        The damaged store, which is only read.
    sound : str or path
        A new file.

    Returns
    -------
    int
        Number of cells that were saved. The others are run again when the study is
        run with the new store.

    Raises
    ------
    StoreError
        If there is no such file, or the new one exists.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dissensus.experiment import ExperimentSpec, run_experiment
    >>> from dissensus.store import salvage_store
    >>> spec = ExperimentSpec(["iris"], ["majority"], repeats=1, folds=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     old, new = Path(folder, "old.sqlite"), Path(folder, "new.sqlite")
    ...     _ = run_experiment(spec, old, executor="serial")
    ...     salvage_store(old, new)
    2
    """
    source = Path(damaged)
    if not source.is_file():
        raise StoreError(f"{source}: there is no such store. Check the spelling.")
    if Path(sound).exists():
        raise StoreError(f"{os.fspath(sound)}: this file exists. Name a new one.")
    with (
        Store(sound) as store,
        store._explained(),
        closing(_open(source)) as db,
        store._transaction(),
    ):
        for table in ("runs", "datasets", "measurements"):
            for digest, values in _plain(db, table):
                insert(store._db, table, digest, values)
        return sum(_copy_cell(db, store._db, cell) for cell in _numbers(db))


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    db.execute("PRAGMA cell_size_check = ON")
    return db


def _plain(db: sqlite3.Connection, table: str) -> Iterator[tuple[bytes, Any]]:
    """Yield the sound rows of a table, as far as they can be read."""
    with suppress(*Damage):
        query = f"SELECT digest, {', '.join(COLUMNS[table])} FROM {table}"
        for digest, *values in db.execute(query):
            with suppress(*Damage):
                if digest_of(values) == digest:
                    yield digest, values


def _numbers(db: sqlite3.Connection) -> Iterator[int]:
    """Yield the numbers of cells that may be there, found in four places."""
    numbers: set[int] = set()
    for query in (
        "SELECT id FROM cells NOT INDEXED",
        "SELECT id FROM cells ORDER BY key",  # which reads the index
        "SELECT cell FROM answers",
        "SELECT cell FROM scores",
    ):
        with suppress(*Damage):
            for (number,) in db.execute(query):
                if isinstance(number, int):
                    numbers.add(number)
    yield from sorted(numbers)


def _copy_cell(db: sqlite3.Connection, new: sqlite3.Connection, cell: int) -> bool:
    """Copy a cell if it is sound; return whether it was."""
    names = ", ".join(COLUMNS["cells"])
    try:
        row = db.execute(
            f"SELECT digest, {names} FROM cells WHERE id = ?", (cell,)
        ).fetchone()
        scores = db.execute(
            "SELECT measure, value FROM scores WHERE cell = ?", (cell,)
        ).fetchall()
        answers = db.execute(
            "SELECT packed FROM answers WHERE cell = ?", (cell,)
        ).fetchone()
        packed = answers[0] if answers else None
        if row is None or digest_of_cell(row[1:], scores, packed) != row[0]:
            return False
    except Damage:
        return False
    known = new.execute("SELECT 1 FROM cells WHERE key = ?", (row[1],)).fetchone()
    if known:
        return False
    number = insert(new, "cells", row[0], row[1:])
    new.executemany(
        "INSERT INTO scores VALUES (?, ?, ?)", [(number, *score) for score in scores]
    )
    if packed is not None:
        new.execute("INSERT INTO answers VALUES (?, ?)", (number, packed))
    return True
