"""Files, frames and arrays as one table of numbers and codes."""

from dissensus.table._column import Column
from dissensus.table._dataset import Dataset
from dissensus.table._errors import TableError
from dissensus.table._known import read_like
from dissensus.table._load import load_dataset
from dissensus.table._read import read_table
from dissensus.table._schema import Attribute, Schema
from dissensus.table._table import Table

__all__ = [
    "Attribute",
    "Column",
    "Dataset",
    "Schema",
    "Table",
    "TableError",
    "load_dataset",
    "read_like",
    "read_table",
]
