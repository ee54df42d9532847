"""Ensembles, one file per published method."""

from dissensus.ensemble._adaboost_m1 import AdaBoostM1Classifier
from dissensus.ensemble._bagging import BaggingClassifier
from dissensus.ensemble._cascade import CascadeClassifier, after
from dissensus.ensemble._guard import LevelDiagnosis
from dissensus.ensemble._maclen import MaclenClassifier

__all__ = [
    "AdaBoostM1Classifier",
    "BaggingClassifier",
    "CascadeClassifier",
    "LevelDiagnosis",
    "MaclenClassifier",
    "after",
]
