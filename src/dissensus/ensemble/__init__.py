"""Ensembles, one file per published method."""

from dissensus.ensemble._maclen import MaclenClassifier

__all__ = ["MaclenClassifier"]
