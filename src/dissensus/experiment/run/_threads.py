"""One thread for BLAS and OpenMP while a cell runs.

Sums that are split over threads are rounded in another order, so the same cell would
give other numbers on another machine; and many workers with many threads each are slow.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_users = 0
_limit: Any = None
_controller: Any = None
_n_modules = 0


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread; cells in several threads may overlap."""
    global _users, _limit  # noqa: PLW0603 -- the limit holds for the whole process
    with _lock:
        if _users == 0:
            _limit = _find_libraries().limit(limits=1)
            _limit.__enter__()
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _limit.__exit__(None, None, None)
                _limit = None


def _find_libraries() -> Any:
    """Return the controller of the loaded libraries.

    To look for them takes 5 ms, so it is done again only after an import.
    """
    global _controller, _n_modules  # noqa: PLW0603 -- a cache
    if _controller is None or len(sys.modules) != _n_modules:
        _controller = ThreadpoolController()
        _n_modules = len(sys.modules)
    return _controller
