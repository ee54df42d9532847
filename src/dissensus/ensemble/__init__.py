"""Ensembles, one file per published method."""

from dissensus.ensemble._adaboost_m1 import AdaBoostM1Classifier
from dissensus.ensemble._bagging import BaggingClassifier
from dissensus.ensemble._decorate import DecorateClassifier
from dissensus.ensemble._decorate_studies import (
    CommitteeSizeStudy,
    DiversityStudy,
    committee_size_study,
    diversity_study,
)

__all__ = [
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "CommitteeSizeStudy",
    "DecorateClassifier",
    "DiversityStudy",
    "committee_size_study",
    "diversity_study",
]
