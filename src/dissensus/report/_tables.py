"""Tables of a page, as plain dicts: headings, and cells with a text and a sort key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

DASH = "-"
LONG = 14  # letters of a name that may be broken


def make_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    foot: Iterable[Sequence[Any]] = (),
) -> dict[str, Any]:
    """Return a table; a column is numeric if it has a number.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : iterable of sequence
        Values, or cells made by `cell`.
    foot : iterable of sequence
        Lines that stay at the bottom, whatever the table is sorted by.
    """
    lines = [[_as_cell(value) for value in row] for row in rows]
    return {
        "columns": [
            {
                "name": name,
                "numeric": any(isinstance(line[i]["sort"], float) for line in lines),
                "long": len(name) > LONG,
                "marked": any(line[i]["mark"] for line in lines),
            }
            for i, name in enumerate(columns)
        ],
        "rows": lines,
        "foot": [[_as_cell(value) for value in row] for row in foot],
    }


def cell(value: Any, text: str | None = None, mark: str = "") -> dict[str, Any]:
    """Return a cell; `mark` is "best", "better", "worse" or nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _cell(str(value) if text is None else text, str(value), mark)
    number = float(value)
    if math.isnan(number):
        return _cell(DASH, "")
    return _cell(number_text(number) if text is None else text, number, mark)


def code_cell(text: str) -> dict[str, Any]:
    """Return a cell with a text for machines."""
    return {**cell(text), "code": True}


def _cell(text: str, sort: str | float, mark: str = "") -> dict[str, Any]:
    long = len(text) > LONG
    return {"text": text, "sort": sort, "mark": mark, "code": False, "long": long}


def _as_cell(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if value is None:
        return _cell(DASH, "")
    return cell(value)


def number_text(number: float) -> str:
    """Return a number to four significant digits, counts in full."""
    if math.isnan(number):
        return DASH
    if number == int(number) and abs(number) < 1e7:
        return f"{int(number)}"
    return f"{number:.4g}" if abs(number) < 1e5 else f"{number:.0f}"


def percent(share: float) -> str:
    """Return a share in percent, with one digit."""
    return DASH if math.isnan(share) else f"{100 * share:.1f} %"


def pvalue_text(pvalue: float, name: str = "") -> str:
    """Return a p-value, with its name before it if there is one."""
    if math.isnan(pvalue):
        return f"{name} is not defined" if name else DASH
    small = pvalue < 0.001
    if not name:
        return "< 0.001" if small else f"{pvalue:.3f}"
    return f"{name} < 0.001" if small else f"{name} = {pvalue:.3f}"


def seconds_text(seconds: float) -> str:
    """Return a time that may be long or short."""
    if math.isnan(seconds):
        return DASH
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 1:
        return f"{1e3 * seconds:.3g} ms"
    return f"{seconds:.3g} s"


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words: a, b and c."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def plain_number(number: float) -> float | None:
    """Return a number that JSON has: None for NaN."""
    return None if math.isnan(number) else float(number)
