"""A loop whose turns run in threads; the kernels that they call let go of the GIL."""

from __future__ import annotations

from collections.abc import Callable

from joblib import Parallel, delayed, effective_n_jobs


def n_threads_of(n_jobs: int | None) -> int:
    """Return the number of threads that `n_jobs` asks for."""
    return int(effective_n_jobs(n_jobs))


def in_threads(n_threads: int, work: Callable[[int], None]) -> None:
    """Call `work` with 0, 1, ..., each number in a thread of its own."""
    if n_threads == 1:
        work(0)
        return
    Parallel(n_threads, require="sharedmem")(
        delayed(work)(number) for number in range(n_threads)
    )
