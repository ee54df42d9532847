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
            self._task = self._bar.add_task("", total=None, left="", failed="")

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
        from dissensus.experiment._progress import format_seconds

        left = progress.seconds_left
        words = "" if left is None else f"{format_seconds(left)} left"
        self._bar.update(
            self._task,
            completed=progress.done,
            total=progress.total,
            left=words if progress.done < progress.total else "",
            failed=f"{progress.failed} failed" if progress.failed else "",
        )


def _make_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.completed}/{task.total} cells"),
        TextColumn("{task.fields[failed]}", style="red"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
        transient=True,
        expand=True,
    )
