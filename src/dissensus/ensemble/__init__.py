"""Ensembles, one file per published method."""

from dissensus.ensemble._cascade import CascadeClassifier, after
from dissensus.ensemble._guard import LevelDiagnosis

__all__ = ["CascadeClassifier", "LevelDiagnosis", "after"]
