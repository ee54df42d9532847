"""Data sets by name, and as records that a study can load again."""

from dissensus.datasets._load import (
    DATA_VARIABLE as DATA_VARIABLE,
    EMBEDDED as EMBEDDED,
    find_file as find_file,
    load_dataset,
)
from dissensus.datasets._source import (
    PROTOCOLS as PROTOCOLS,
    DataSource as DataSource,
    Loaded as Loaded,
    find_again as find_again,
    from_dataset as from_dataset,
    from_memory as from_memory,
    paper as paper,
)

__all__ = [
    "load_dataset",
]
