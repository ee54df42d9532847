"""Measure two pieces of work side by side: processor time, memory and threads.

Everything that is compared is measured in one process and in turn (first, second,
first, second, ...), so that a busy or throttled machine slows both sides alike.
"""

import gc
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Work = Callable[[], object]
Sampler = Callable[[], float]
"""A function that does its work once and returns the seconds one run took."""

SHORTEST_SAMPLE = 0.02
"""Work shorter than this many seconds is repeated within one sample."""

_STATUS = Path("/proc/self/status")
_CLEAR_REFS = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians of two samplers in seconds, and how many times longer the second takes.

    `low` and `high` are the smallest and the largest ratio of a single round.
    """

    first: float
    second: float
    ratio: float
    low: float
    high: float


@contextmanager
def collection_off() -> Iterator[None]:
    """Collect garbage now, and not again before the block is left."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def sampler(
    work: Work,
    *,
    clock: Callable[[], float] = time.process_time,
    shortest: float = SHORTEST_SAMPLE,
) -> Sampler:
    """Make a sampler of `work`, warmed up, that repeats short work within a sample."""

    def seconds(runs: int) -> float:
        with collection_off():
            start = clock()
            for _ in range(runs):
                work()
            return (clock() - start) / runs

    runs = 1
    if seconds(1) < shortest:  # the first run may be slow, the second tells
        runs = max(1, round(shortest / max(seconds(1), 1e-6)))
    return lambda: seconds(runs)


def compare(first: Sampler, second: Sampler, *, repeat: int = 5) -> Comparison:
    """Sample `first` and `second` in turn, `repeat` times each."""
    rounds = [(first(), second()) for _ in range(repeat)]
    medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
    ratios = [theirs / ours for ours, theirs in rounds]
    return Comparison(
        first=medians[0],
        second=medians[1],
        ratio=medians[1] / medians[0],
        low=min(ratios),
        high=max(ratios),
    )


def thread_throughput(work: Work, *, threads: int = 2, repeat: int = 5) -> Comparison:
    """Compare the wall time of `work` in each of `threads` threads with one at a time.

    The first side is `work` done once by every thread at the same time, the second
    is the same amount of work done by one thread; the ratio is the gain in throughput.
    """
    with ThreadPoolExecutor(threads) as pool:

        def at_once() -> None:
            for future in [pool.submit(work) for _ in range(threads)]:
                future.result()

        def one_by_one() -> None:
            for _ in range(threads):
                pool.submit(work).result()

        return compare(
            sampler(at_once, clock=time.perf_counter, shortest=0.2),
            sampler(one_by_one, clock=time.perf_counter, shortest=0.2),
            repeat=repeat,
        )


def can_measure_memory() -> bool:
    """Tell whether this system reports a peak of memory that can be reset (Linux)."""
    return _STATUS.exists() and _CLEAR_REFS.exists()


def peak_extra_memory(prepare: Callable[[], Any], work: Callable[[Any], object]) -> int:
    """Return the bytes by which `work(prepare())` raises the memory of a new process.

    Both functions must be picklable. What `prepare` leaves behind is not counted, so
    it should also do a small piece of `work` to load every module. `ru_maxrss` would
    not do: on Linux a new process inherits the peak of the one that started it.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_peak_here, prepare, work).result()


def _peak_here(prepare: Callable[[], Any], work: Callable[[Any], object]) -> int:
    state = prepare()
    with collection_off():
        _CLEAR_REFS.write_text("5")  # resets the peak to what is in use now
        before = _status_bytes("VmRSS")
        result = work(state)
        extra = _status_bytes("VmHWM") - before
        del result
        return extra


def _status_bytes(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(f"/proc/self/status has no field {field!r}.")
