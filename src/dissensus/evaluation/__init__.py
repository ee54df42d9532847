"""Splits, learning curves, significance tests, bias and variance."""

from dissensus.evaluation._bias_variance import (
    SAMPLING_PROTOCOLS as SAMPLING_PROTOCOLS,
    BiasVarianceStudy,
    bias_variance,
)
from dissensus.evaluation._committee import CommitteeCurve, committee_curve
from dissensus.evaluation._correlation import Correlation, pearson, spearman
from dissensus.evaluation._fitting import seeded_copy as seeded_copy
from dissensus.evaluation._friedman import FriedmanTest, friedman
from dissensus.evaluation._holm import holm
from dissensus.evaluation._learning_curve import (
    LearningCurve,
    learning_curve,
    share_needed,
)
from dissensus.evaluation._nemenyi import NemenyiTest, critical_difference, nemenyi
from dissensus.evaluation._paired import (
    PairedTest,
    corrected_resampled_ttest,
    mcnemar,
    paired_ttest,
    sign_test,
    wilcoxon,
)
from dissensus.evaluation._ranks import (
    ErrorSummary,
    Ranks,
    average_ranks,
    summarize_errors,
)
from dissensus.evaluation._splits import (
    inject_class_noise,
    nested_fractions,
    stratified_folds,
)
from dissensus.evaluation._win_draw_loss import WinDrawLoss, win_draw_loss

__all__ = [
    "BiasVarianceStudy",
    "CommitteeCurve",
    "Correlation",
    "ErrorSummary",
    "FriedmanTest",
    "LearningCurve",
    "NemenyiTest",
    "PairedTest",
    "Ranks",
    "WinDrawLoss",
    "average_ranks",
    "bias_variance",
    "committee_curve",
    "corrected_resampled_ttest",
    "critical_difference",
    "friedman",
    "holm",
    "inject_class_noise",
    "learning_curve",
    "mcnemar",
    "nemenyi",
    "nested_fractions",
    "paired_ttest",
    "pearson",
    "share_needed",
    "sign_test",
    "spearman",
    "stratified_folds",
    "summarize_errors",
    "wilcoxon",
    "win_draw_loss",
]
