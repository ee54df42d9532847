"""Files as data sets: CSV, ARFF and Parquet, and what was assumed about them."""

from dissensus.io._dataset import (
    Dataset,
    as_names as as_names,
    make_dataset as make_dataset,
)
from dissensus.io._files import is_readable as is_readable
from dissensus.io._read import FORMATS as FORMATS, read_table
from dissensus.io._same_columns import open_tables as open_tables, read_like
from dissensus.io._spreadsheet import (
    harmless as harmless,
    harmless_frame as harmless_frame,
)

__all__ = [
    "Dataset",
    "read_like",
    "read_table",
]
