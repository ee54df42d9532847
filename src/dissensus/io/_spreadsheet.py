"""CSV files that a spreadsheet opens without running anything in them."""

from __future__ import annotations

from typing import Any

from dissensus.table import import_polars

FORMULA = r"^[=+\-@\t\r\n]"  # what a spreadsheet takes for the beginning of a formula


def harmless(series: Any) -> Any:
    """Return a polars series whose texts no spreadsheet runs; others stay as they are.

    A text that begins like a formula, and is no number, gets a single quote before it,
    which is how a spreadsheet itself marks text.
    """
    pl = import_polars()
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return series
    texts = series.cast(pl.String)
    begins = texts.str.contains(FORMULA)
    if not begins.any():
        return texts
    risky = begins & texts.cast(pl.Float64, strict=False).is_null()
    return texts.set(risky.fill_null(value=False), None).fill_null("'" + texts)


def harmless_frame(frame: Any) -> Any:
    """Return a polars frame with harmless texts and names of columns."""
    pl = import_polars()
    columns = [harmless(series) for series in frame.get_columns()]
    names = harmless(pl.Series(frame.columns, dtype=pl.String)).to_list()
    return pl.DataFrame(
        [column.alias(name) for column, name in zip(columns, names, strict=True)]
    )
