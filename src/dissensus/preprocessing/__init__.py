"""Transformers of tables: discretisation and missing values."""

from dissensus.preprocessing._mdl import MDLDiscretizer
from dissensus.preprocessing._missing import MissingValueReplacer

__all__ = ["MDLDiscretizer", "MissingValueReplacer"]
