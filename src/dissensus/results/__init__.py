"""What a store says: tables, standings and the verdict."""

from dissensus.results._comparison import (
    LEVEL as LEVEL,
    TESTS as TESTS,
    compare_with_best as compare_with_best,
    enough as enough,
    fair_cube as fair_cube,
    half_widths as half_widths,
)
from dissensus.results._results import Results
from dissensus.results._standings import standings
from dissensus.results._tables import ResultTable
from dissensus.results._verdict import judge

__all__ = [
    "ResultTable",
    "Results",
    "judge",
    "standings",
]
