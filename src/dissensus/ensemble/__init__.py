"""Ensembles, one file per published method."""

from dissensus.ensemble._adaboost_m1 import AdaBoostM1Classifier
from dissensus.ensemble._bagging import BaggingClassifier
from dissensus.ensemble._cascade import CascadeClassifier, after
from dissensus.ensemble._decorate import DecorateClassifier
from dissensus.ensemble._decorate_studies import (
    CommitteeSizeStudy,
    DiversityStudy,
    committee_size_study,
    diversity_study,
)
from dissensus.ensemble._explanation import (
    CascadeExplanation,
    LearnerExplanation,
    Term,
    TreeTest,
)
from dissensus.ensemble._guard import LevelDiagnosis
from dissensus.ensemble._local_cascade import LocalCascadeClassifier
from dissensus.ensemble._maclen import MaclenClassifier
from dissensus.ensemble._mtforest import MTForestClassifier
from dissensus.ensemble._stacking import StackedGeneralizationClassifier

__all__ = [
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "CascadeClassifier",
    "CascadeExplanation",
    "CommitteeSizeStudy",
    "DecorateClassifier",
    "DiversityStudy",
    "LearnerExplanation",
    "LevelDiagnosis",
    "LocalCascadeClassifier",
    "MTForestClassifier",
    "MaclenClassifier",
    "StackedGeneralizationClassifier",
    "Term",
    "TreeTest",
    "after",
    "committee_size_study",
    "diversity_study",
]
