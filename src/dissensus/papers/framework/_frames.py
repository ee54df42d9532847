"""Small tables of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dissensus.results import ResultTable
from dissensus.table import import_polars


def table(
    title: str,
    columns: Mapping[str, Sequence[Any]],
    n_failed: int = 0,
    n_missing: int = 0,
    notes: Sequence[str] = (),
) -> ResultTable:
    """Return columns as a table of results."""
    frame = import_polars().DataFrame(dict(columns), strict=False)
    return ResultTable(title, frame, n_failed, n_missing, tuple(notes))


def percent(share: float) -> str:
    """Return a share as a number of per cent, without the sign."""
    return f"{100 * share:g}"
