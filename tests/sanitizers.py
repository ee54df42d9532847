"""A plugin for pytest under the sanitizers: `pytest -p tests.sanitizers`.

At the end each process lets the leak sanitizer report what nobody points to any more.
The interpreter and numpy leak a little on purpose; `tools/read_reports.py` counts only
what a kernel of ours has asked for. To prove that leaks are seen at all, each process
leaks some blocks of a known size first.
"""

from __future__ import annotations

import ctypes

import pytest

CANARY = 4242


def check_leaks() -> None:
    """Let the leak sanitizer, if it is there, write its report."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "__lsan_do_recoverable_leak_check"):
        return
    library.malloc.argtypes = [ctypes.c_size_t]
    for _ in range(20):  # a stale copy of a pointer may lie on the stack
        library.malloc(CANARY)
    library.__lsan_do_recoverable_leak_check()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for leaks when all tests of this process are done."""
    check_leaks()
