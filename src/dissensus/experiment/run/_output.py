"""Keep what learners print away from the standard output, which is for results.

`print` writes to `sys.stdout`, compiled code to the file behind it: both are turned
to the standard error.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

STDOUT, STDERR = 1, 2

_lock = threading.Lock()
_users = 0
_before: tuple[Any, Any, int | None] = (None, None, None)


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Turn the output to the standard error; cells in several threads may overlap."""
    global _users, _before  # noqa: PLW0603 -- the output belongs to the whole process
    with _lock:
        if _users == 0:
            _before = (sys.stdout, sys.stderr, _turn_file())
            sys.stdout = sys.stderr
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _turn_back(*_before)


def print_to_stderr() -> None:
    """Turn the output of this process to the standard error, for good."""
    kept = _turn_file()
    if kept is not None:
        os.close(kept)


def flush_output() -> None:
    """Write what is printed but not yet written, by Python or by compiled code."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # none, broken or closed
            stream.flush()
    if sys.platform != "win32":
        ctypes.CDLL(None).fflush(None)


def _turn_file() -> int | None:
    """Turn the file behind the output; return the one before, None if it was closed."""
    flush_output()
    try:
        kept = os.dup(STDOUT)
    except OSError:
        return None
    try:
        os.dup2(STDERR, STDOUT)
    except OSError:  # the standard error is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, STDOUT)
        os.close(nowhere)
    return kept


def _turn_back(output: Any, errors: Any, kept: int | None) -> None:
    if sys.stdout is errors:  # else somebody has turned it meanwhile
        sys.stdout = output
    flush_output()
    if kept is not None:
        os.dup2(kept, STDOUT)
        os.close(kept)
