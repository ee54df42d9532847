"""Files, frames and arrays as one table of numbers and codes."""

from dissensus.table._column import (
    MISSING as MISSING,
    UNSEEN as UNSEEN,
    Column,
    take_in_order as take_in_order,
)
from dissensus.table._encoded import (
    Encoded as Encoded,
    sort_by_blocks as sort_by_blocks,
)
from dissensus.table._from_any import FROM_DTYPE as FROM_DTYPE
from dissensus.table._from_values import (
    Index as Index,
    RawColumn as RawColumn,
    as_nominal as as_nominal,
    has_infinity as has_infinity,
    is_missing as is_missing,
    sort_values as sort_values,
)
from dissensus.table._rows import count_rows as count_rows, take_rows as take_rows
from dissensus.table._schema import Attribute, Schema
from dissensus.table._table import Table
from dissensus.table._to_frame import import_polars as import_polars
from dissensus.table._weights import (
    SMALLEST_SHARE as SMALLEST_SHARE,
    check_weights as check_weights,
)

__all__ = [
    "Attribute",
    "Column",
    "Schema",
    "Table",
]
