"""Let the server of workers hear signals again: imported by it, after all else.

It is started with Ctrl-C blocked, so that it shows no traceback if that comes while it
imports. Without this the processes that it forks would ignore Ctrl-C too.
"""

from __future__ import annotations

import signal
import sys
import threading


def listen() -> None:
    """Drop a Ctrl-C that came meanwhile, and hear the next one."""
    if sys.platform == "win32" or threading.current_thread() != threading.main_thread():
        return
    if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which drops it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, handler)


listen()
