"""Files and pipes as they are opened, and how far a file may unfold in memory."""

from __future__ import annotations

import io
import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dissensus.exceptions import TableError

WAIT_FOR_WRITER = 10.0  # seconds in which a named pipe must find one
MAX_CELLS = 100_000_000  # 0.8 GB of numbers
CELLS_PER_BYTE = 16
MAX_COLUMNS = 1_000_000  # each takes a kilobyte, however short


def cell_budget(n_bytes: int) -> int:
    """Return the number of cells that a file of so many bytes may unfold to."""
    return max(MAX_CELLS, CELLS_PER_BYTE * n_bytes)


def check_cells(n_rows: int, n_columns: int, n_bytes: int) -> None:
    """Refuse a file that unfolds to far more cells than it has bytes.

    A cell of a dense text file takes a byte at least, its delimiter. A sparse or a
    packed file may hold a thousand cells in each.
    """
    budget = cell_budget(n_bytes)
    if n_rows * n_columns > budget:
        raise TableError(
            f"{n_rows:,} rows of {n_columns:,} columns are more than {budget:,} cells, "
            f"the most that a file of {n_bytes:,} bytes may unfold to. Leave out "
            "columns that are nearly constant, or part the rows into several files."
        )


def check_columns(n_columns: int) -> None:
    """Refuse a table that is too wide."""
    if n_columns > MAX_COLUMNS:
        raise TableError(
            f"there are {n_columns:,} columns, the most are {MAX_COLUMNS:,}. Check the "
            "delimiter, or leave out columns."
        )


@contextmanager
def reading_errors() -> Iterator[None]:
    """Turn what the system and foreign code raise while a file is read into ours."""
    try:
        yield
    except TableError:
        raise
    except MemoryError:
        raise TableError(
            "there is not enough memory to read the file. Leave out columns, or give a "
            "part of its rows."
        ) from None
    except (OSError, UnicodeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"the file cannot be read ({reason}).") from None
    # What polars' Rust side raises when it panics is no Exception.
    except BaseException as error:
        if type(error).__module__.partition(".")[0] not in ("polars", "pyo3_runtime"):
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"polars cannot read the file ({reason[:200]}).") from None


def open_file(path: Path) -> io.BufferedReader:
    """Open a file or a pipe for reading; anything else is refused.

    A pipe is read as `<(zcat large.csv.gz)` gives it. A named one is waited for, but
    not for ever: if nobody has opened it for writing within ten seconds, that is said.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode):
            return _open_pipe(path)
        if stat.S_ISDIR(mode):
            raise TableError("this is a folder. Give the path of one file in it.")
        if not stat.S_ISREG(mode):
            raise TableError("this is a device or a socket. Give a file or a pipe.")
        return path.open("rb")
    except FileNotFoundError:
        raise TableError(
            "there is no such file. Check the spelling and the folder."
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"the file cannot be read ({reason}).") from None


def _open_pipe(path: Path) -> io.BufferedReader:
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        if not waiting.poll(1000 * WAIT_FOR_WRITER):
            raise TableError(
                f"this is a pipe into which nothing was written for "
                f"{WAIT_FOR_WRITER:g} seconds. Start what writes to it first."
            )
        os.set_blocking(pipe, True)
    except BaseException:
        os.close(pipe)
        raise
    return os.fdopen(pipe, "rb")


def is_readable(path: Path) -> bool:
    """Whether there is a file or a pipe of this name."""
    try:
        return path.is_file() or path.is_fifo()
    except (OSError, ValueError):
        return False
