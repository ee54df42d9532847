"""A bar that shows how far a study is, on a terminal and nowhere else."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self


class ProgressBar:
    """Show cells done and the time left, on the standard error if it is a terminal.

    Parameters
    ----------
    quiet : bool, default=False
        Show nothing.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._bar: Any = None
        if not quiet and sys.stderr.isatty():
            self._bar = _make_bar()
            self._task = self._bar.add_task("", total=None, **_words("starting"))

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Any) -> None:
        """Show a state of the study, a `Progress`."""
        if self._bar is None:
            return
        from dissensus.experiment import format_seconds

        left = progress.seconds_left
        known = left is not None and progress.done < progress.total
        words = _words(
            f"{progress.done}/{progress.total} cells",
            f"{progress.failed} failed" if progress.failed else "",
            f"{format_seconds(left)} left" if known else "",
        )
        total, done = progress.total, progress.done
        self._bar.update(self._task, completed=done, total=total, **words)


def _words(count: str, failed: str = "", left: str = "") -> dict[str, str]:
    return {"count": count, "failed": failed, "left": left}


def _make_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[failed]}", style="red"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
        expand=True,
    )
