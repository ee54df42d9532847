"""A worker process and all that a learner starts in it: one group, which ends as one.

A process that was killed says nothing to its children. So a worker leads a process
group, which whoever stops it kills as a whole, and asks the kernel to be killed when
its parent ends: a thread that watches a pipe is not enough, as a learner may hold the
interpreter's lock for hours, and a stopped process runs no thread at all.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from dissensus.utils._parent import PR_SET_CHILD_SUBREAPER, prctl


def lead_group() -> None:
    """Lead a group of one's own, and be the parent of whoever loses theirs in it."""
    if sys.platform == "win32":
        return
    os.setpgrp()
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def has_children() -> bool:
    """Whether this process has children, running or not yet buried."""
    if sys.platform == "win32":
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_group() -> NoReturn:
    """End this process and all of its group."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def kill_group(leader: int | None) -> None:
    """Kill a group, also one whose leader is gone.

    The number of a leader is not given away again as long as one of its group lives.
    """
    if sys.platform != "win32" and leader is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
