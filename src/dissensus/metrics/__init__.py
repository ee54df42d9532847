"""Diversity of an ensemble and scores of predictions."""

from dissensus.metrics._diversity import (
    base_error_reduction,
    disagreement,
    diversity,
    ensemble_error_reduction,
    squared_diversity,
)

__all__ = [
    "base_error_reduction",
    "disagreement",
    "diversity",
    "ensemble_error_reduction",
    "squared_diversity",
]
