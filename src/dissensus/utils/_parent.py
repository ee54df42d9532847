"""Processes that the kernel ends with their parent (Linux)."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1  # of Linux's prctl
PR_SET_CHILD_SUBREAPER = 36


def end_with_parent() -> None:
    """Be killed when the thread that started this process ends (Linux)."""
    if sys.platform != "win32":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def prctl(option: int, value: int) -> None:
    """Call Linux's prctl, which has unsigned longs as arguments; elsewhere nothing."""
    if sys.platform == "linux":
        arguments = (ctypes.c_ulong(number) for number in (value, 0, 0, 0))
        ctypes.CDLL(None).prctl(option, *arguments)
