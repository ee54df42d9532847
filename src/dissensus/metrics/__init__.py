"""Diversity of an ensemble and scores of predictions."""

from dissensus.metrics._class_separation import ClassSeparation, class_separation
from dissensus.metrics._diversity import (
    base_error_reduction,
    disagreement,
    diversity,
    ensemble_error_reduction,
    squared_diversity,
)
from dissensus.metrics._error_ratio import (
    FLOOR as FLOOR,
    geometric_mean_error,
    geometric_mean_error_ratio,
)
from dissensus.metrics._kohavi_wolpert import BiasVariance, Form as Form, kohavi_wolpert
from dissensus.metrics._pairwise import (
    double_fault,
    error_correlation,
    kappa,
    mean_over_pairs,
    pairwise_disagreement,
    q_statistic,
)
from dissensus.metrics._scores import (
    MEASURES as MEASURES,
    Measure,
    accuracy,
    auc,
    balanced_accuracy,
    brier_score,
    calibration_error,
    compute_measures,
    confusion_matrix,
    find_measure,
    log_loss,
)

__all__ = [
    "BiasVariance",
    "ClassSeparation",
    "Measure",
    "accuracy",
    "auc",
    "balanced_accuracy",
    "base_error_reduction",
    "brier_score",
    "calibration_error",
    "class_separation",
    "compute_measures",
    "confusion_matrix",
    "disagreement",
    "diversity",
    "double_fault",
    "ensemble_error_reduction",
    "error_correlation",
    "find_measure",
    "geometric_mean_error",
    "geometric_mean_error_ratio",
    "kappa",
    "kohavi_wolpert",
    "log_loss",
    "mean_over_pairs",
    "pairwise_disagreement",
    "q_statistic",
    "squared_diversity",
]
