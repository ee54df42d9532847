"""Transformers of tables: discretisation, grouping and missing values."""

from dissensus.preprocessing._discretizer import (
    BaseDiscretizer as BaseDiscretizer,
    interval_codes as interval_codes,
    interval_labels as interval_labels,
)
from dissensus.preprocessing._equal_frequency import EqualFrequencyDiscretizer
from dissensus.preprocessing._equal_width import EqualWidthDiscretizer
from dissensus.preprocessing._mdl import MDLDiscretizer
from dissensus.preprocessing._missing import MissingValueReplacer
from dissensus.preprocessing._value_grouper import ValueGrouper

__all__ = [
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "MissingValueReplacer",
    "ValueGrouper",
]
