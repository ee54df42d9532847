"""Tables of a page, as plain dicts: headings, and cells with a text and a sort key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

DASH = "-"


def make_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str
) -> dict[str, Any]:
    """Return a table; a column is numeric if its first value is a number.

    Parameters
    ----------
    columns : sequence of str
        The headings.
    rows : iterable of sequence
        Values, or cells made by `cell`.
    caption : str
        What the table is, for those who hear it.
    """
    lines = [[_as_cell(value) for value in row] for row in rows]
    numeric = [
        any(isinstance(line[i]["sort"], float) for line in lines)
        for i in range(len(columns))
    ]
    return {
        "caption": caption,
        "columns": [
            {"name": name, "numeric": is_numeric}
            for name, is_numeric in zip(columns, numeric, strict=True)
        ],
        "rows": lines,
    }


def cell(value: Any, text: str | None = None, mark: str = "") -> dict[str, Any]:
    """Return a cell; `mark` is "best", "worse" or nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return {
            "text": str(value) if text is None else text,
            "sort": str(value),
            "mark": mark,
        }
    number = float(value)
    if math.isnan(number):
        return {"text": DASH, "sort": "", "mark": ""}
    return {
        "text": number_text(number) if text is None else text,
        "sort": number,
        "mark": mark,
    }


def _as_cell(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if value is None:
        return {"text": DASH, "sort": "", "mark": ""}
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
