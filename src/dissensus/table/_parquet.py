"""Parquet files, through polars."""

from __future__ import annotations

import io
from collections.abc import Sequence

from dissensus.table._errors import TableError, suggest
from dissensus.table._table import Table
from dissensus.table._to_frame import import_polars


def parse_parquet(content: bytes, drop: Sequence[str] = ()) -> Table:
    """Return the table of a Parquet file without the dropped columns."""
    pl = import_polars()
    try:
        frame = pl.read_parquet(io.BytesIO(content))
    # A broken file makes polars raise all kinds of errors, even a BaseException
    # (PanicException) from its Rust side.
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - see above
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(
            f"this is no readable Parquet file ({reason[:200]}). Write it again."
        ) from None
    for name in drop:
        if name not in frame.columns:
            raise TableError(
                f"drop: there is no column {name!r}. {suggest(name, frame.columns)}"
            )
    return Table.from_any(frame.drop(list(dict.fromkeys(drop))))
