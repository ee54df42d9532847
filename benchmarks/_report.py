"""What a benchmark measured, beside its target, as text or Markdown."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path

PACKAGES = ("dissensus", "scikit-learn", "numpy", "pandas")


@dataclass(frozen=True, slots=True)
class Target:
    """A bound for the figure of a case: at least (`>=`) or at most (`<=`) a value."""

    sense: str
    value: float
    stretch: float | None = None

    def is_met(self, figure: float) -> bool:
        """Tell whether `figure` keeps the bound."""
        return figure >= self.value if self.sense == ">=" else figure <= self.value

    def __str__(self) -> str:
        text = f"{self.sense} {self.value:.3g}"
        return text if self.stretch is None else f"{text} (stretch {self.stretch:.3g})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one case measured: both sides in `unit`, and the figure with its spread."""

    ours: float
    other: float
    unit: str
    figure: float
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report; without an outcome it was skipped or only listed."""

    group: str
    problem: str
    target: Target | None
    outcome: Outcome | None = None
    note: str = ""


HEADINGS = ("data", "ours", "other", "figure", "spread", "target", "met", "note")


def cells(line: Line) -> tuple[str, ...]:
    """Return the text of each cell of a line, in the order of `HEADINGS`."""
    target = str(line.target) if line.target else "-"
    outcome = line.outcome
    if outcome is None:
        return (line.problem, "-", "-", "-", "-", target, "-", line.note)
    spread = "-"
    if outcome.low is not None and outcome.high is not None:
        spread = f"{outcome.low:.2f} to {outcome.high:.2f}"
    met = "-"
    if line.target is not None:
        met = "yes" if line.target.is_met(outcome.figure) else "no"
    return (
        line.problem,
        f"{outcome.ours:.3g} {outcome.unit}",
        f"{outcome.other:.3g} {outcome.unit}",
        f"{outcome.figure:.2f}",
        spread,
        target,
        met,
        outcome.note,
    )


def as_text(line: Line) -> str:
    """Return a line for the terminal."""
    widths = (14, 10, 10, 8, 16, 24, 4, 0)
    padded = (
        cell.ljust(width) for cell, width in zip(cells(line), widths, strict=True)
    )
    return f"{line.group:<17}{' '.join(padded)}".rstrip()


def as_markdown(lines: Iterable[Line], titles: dict[str, str], command: str) -> str:
    """Return the section of the documentation: the command, the machine, the tables."""
    parts = [f"Made by `{command}` on {machine()}.", ""]
    ordered = sorted(lines, key=lambda line: list(titles).index(line.group))
    for group, members in groupby(ordered, key=lambda line: line.group):
        numbers = slice(1, 5)
        table = markdown_table(HEADINGS, map(cells, members), numbers)
        parts += [f"### {titles[group]}", "", table, ""]
    return "\n".join(parts).rstrip()


def markdown_table(
    headings: Sequence[str], lines: Iterable[Iterable[str]], numbers: slice
) -> str:
    """Return a table whose columns in `numbers` are aligned to the right."""
    rules = ["---"] * len(headings)
    rules[numbers] = [f"{rule}:" for rule in rules[numbers]]
    return "\n".join(_row(texts) for texts in (headings, rules, *lines))


def machine() -> str:
    """Name the processor, the system and the versions of the packages that matter."""
    system = f"{platform.system()}, Python {platform.python_version()}"
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return f"{_processor()} ({os.cpu_count()} threads), {system}, {packages}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def _row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
