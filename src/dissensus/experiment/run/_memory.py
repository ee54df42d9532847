"""A limit for the memory that one cell may take beyond what its process has."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATUS = Path("/proc/self/status")
UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def can_limit_memory() -> bool:
    """Whether this system has limits that hold (Linux)."""
    return sys.platform == "linux" and STATUS.exists()


@contextmanager
def memory_limit(n_bytes: int | None) -> Iterator[None]:
    """Let allocations fail once the process has `n_bytes` more than now."""
    if n_bytes is None:
        yield
        return
    import resource  # not on Windows

    # RLIMIT_DATA counts what was allocated (VmData); RLIMIT_AS would also count
    # libraries and files that are only mapped.
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = _allocated() + n_bytes
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _allocated() -> int:
    match = re.search(r"^VmData:\s*(\d+) kB", STATUS.read_text(), re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


def read_size(size: int | float | str) -> int:
    """Return a number of bytes that is given as a number or as "2 GB".

    Raises
    ------
    ValueError
        If it is neither, or not above 0.
    """
    if isinstance(size, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", size.lower())
        if match is None:
            raise ValueError(f"{size!r} is no size. Write it as '500 MB' or '2 GB'.")
        size = float(match[1]) * UNITS[match[2]]
    if not size >= 1:
        raise ValueError(f"a size of {size} bytes makes no sense.")
    return int(size)
