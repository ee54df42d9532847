"""Tables of a page, as plain dicts: headings, and cells with a text and a sort key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from dissensus.utils._format import DASH, number_text

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
