"""Parquet files, read by polars in a process that may die.

A damaged file can abort the process that reads it, deep inside polars. So another one
reads it, and leaves the columns in an Arrow file. That takes a tenth of a second, and
room for the columns in the folder of temporary files.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, BinaryIO

from dissensus.exceptions import TableError
from dissensus.io import _parquet_child as child
from dissensus.io._files import cell_budget, check_cells, check_columns
from dissensus.table import Table, import_polars
from dissensus.utils._names import suggest

MAGIC = b"PAR1"
SECONDS, SECONDS_PER_MEGABYTE = 60.0, 1.0


def parse_parquet(file: BinaryIO, drop: Sequence[str] = ()) -> Table:
    """Return the table of an open Parquet file without the dropped columns."""
    with tempfile.TemporaryDirectory(
        prefix="dissensus-", ignore_cleanup_errors=True
    ) as folder:
        frame = _read_beside(file, Path(folder, "columns.arrow"))
    check_columns(frame.width)
    for name in drop:
        if name not in frame.columns:
            raise TableError(
                f"drop: there is no column {name!r}. {suggest(name, frame.columns)}"
            )
    return Table.from_any(frame.drop(list(dict.fromkeys(drop))))


def _read_beside(file: BinaryIO, target: Path) -> Any:
    with _from_start(file) as source:
        n_bytes = os.fstat(source.fileno()).st_size
        done = _run(source, target, n_bytes)
    if done.returncode == child.TOO_MANY:
        n_rows, n_columns = map(int, done.stdout.split())
        check_cells(n_rows, n_columns, n_bytes)
    if done.returncode:
        reason = " ".join(done.stdout.decode("utf-8", "replace").split()[:40])
        crash = f"it ends the program that reads it, code {done.returncode}"
        raise _unreadable(reason if done.returncode == child.UNREADABLE else crash)
    return import_polars().read_ipc(target)


def _from_start(file: BinaryIO) -> IO[bytes]:
    """Return a file that another process reads from its first byte."""
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return os.fdopen(os.dup(file.fileno()), "rb")
    copied = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(file, copied)
    copied.seek(0)
    return copied


def _run(
    source: IO[bytes], target: Path, n_bytes: int
) -> subprocess.CompletedProcess[bytes]:
    seconds = SECONDS + SECONDS_PER_MEGABYTE * n_bytes / 1e6
    # -P: the folder of this package is no place to import from.
    command = [sys.executable, "-P", child.__file__, str(target)]
    packages = Path(import_polars().__file__).parents[1]
    try:
        return subprocess.run(
            [*command, str(cell_budget(n_bytes)), str(packages)],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _unreadable(f"not read within {seconds:.0f} seconds") from None


def _unreadable(reason: str) -> TableError:
    return TableError(
        f"this is no readable Parquet file ({reason[:200]}). Write it again."
    )
