"""Ensembles, one file per published method."""

from dissensus.ensemble._adaboost_m1 import AdaBoostM1Classifier
from dissensus.ensemble._bagging import BaggingClassifier
from dissensus.ensemble._cascade import CascadeClassifier, after
from dissensus.ensemble._explanation import (
    CascadeExplanation,
    LearnerExplanation,
    Term,
    TreeTest,
)
from dissensus.ensemble._guard import LevelDiagnosis
from dissensus.ensemble._local_cascade import LocalCascadeClassifier
from dissensus.ensemble._stacking import StackedGeneralizationClassifier

__all__ = [
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "CascadeClassifier",
    "CascadeExplanation",
    "LearnerExplanation",
    "LevelDiagnosis",
    "LocalCascadeClassifier",
    "StackedGeneralizationClassifier",
    "Term",
    "TreeTest",
    "after",
]
