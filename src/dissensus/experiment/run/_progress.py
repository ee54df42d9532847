"""How far a study is, and when it will be done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from dissensus.store import Job, Outcome

PAUSE = 0.2  # seconds between two lines on the terminal


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a study after a cell has been saved.

    Attributes
    ----------
    done : int
        Number of cells that are saved, those of earlier runs included.
    total : int
        Number of cells of the study.
    failed : int
        Number of saved cells that failed.
    seconds : float
        Time since this run began.
    seconds_left : float or None
        Estimate of the time that is left; None before the first cell.
    job : Job or None
        The cell that was saved last; None at the beginning.
    """

    done: int
    total: int
    failed: int
    seconds: float
    seconds_left: float | None
    job: Job | None = None

    def __str__(self) -> str:
        """Return it in one line."""
        words = f"{self.done} of {self.total} cells"
        if self.failed:
            words += f", {self.failed} failed"
        if self.done < self.total and self.seconds_left is not None:
            words += f", {format_seconds(self.seconds_left)} left"
        elif self.done == self.total:
            words += f", {format_seconds(self.seconds)}"
        return words


ProgressListener = Callable[[Progress], None]


class ProgressCounter:
    """Count the cells of a study and tell a listener.

    Parameters
    ----------
    total : int
        Number of cells of the study.
    done, failed : int
        Cells that were saved before, and how many of them had failed.
    listener : callable or None
        Told after each cell.
    """

    def __init__(
        self, total: int, done: int, failed: int, listener: ProgressListener | None
    ) -> None:
        self._total, self._before, self._failed = total, done, failed
        self._new = 0
        self._listener = listener
        self._start = time.monotonic()

    def begin(self) -> None:
        """Tell the listener where the study stands."""
        self._start = time.monotonic()
        self._tell(None)

    def add(self, outcome: Outcome) -> None:
        """Count a cell that was saved."""
        self._new += 1
        self._failed += bool(outcome.failure)
        self._tell(outcome.job)

    @property
    def done(self) -> int:
        """Number of cells that are saved."""
        return self._before + self._new

    def _tell(self, job: Job | None) -> None:
        if self._listener is None:
            return
        seconds = time.monotonic() - self._start
        left = seconds / self._new * (self._total - self.done) if self._new else None
        self._listener(
            Progress(self.done, self._total, self._failed, seconds, left, job)
        )


class TerminalProgress:
    """Show progress in one line of the terminal."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, progress: Progress) -> None:
        """Write the line, if it is time again."""
        now, at_end = time.monotonic(), progress.done == progress.total
        if now - self._last < PAUSE and not at_end:
            return
        self._last = now
        end = "\n" if at_end else ""
        sys.stderr.write(f"\r\x1b[K{progress}{end}")
        sys.stderr.flush()


def format_seconds(seconds: float) -> str:
    """Return a time in words: "45 s", "3 min 20 s", "5 h 10 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
