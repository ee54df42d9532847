"""Ensembles, one file per published method."""

from dissensus.ensemble._adaboost_m1 import AdaBoostM1Classifier
from dissensus.ensemble._bagging import BaggingClassifier
from dissensus.ensemble._members import (
    EnsembleClassifier as EnsembleClassifier,
    InputKind as InputKind,
    input_kind as input_kind,
    to_input as to_input,
)
from dissensus.ensemble._mtforest import MTForestClassifier
from dissensus.ensemble._stacking import StackedGeneralizationClassifier
from dissensus.ensemble._task_ensemble import (
    TaskEnsembleClassifier as TaskEnsembleClassifier,
)
from dissensus.ensemble._views import AttributeTask as AttributeTask
from dissensus.ensemble.cascade._base import LeveledClassifier as LeveledClassifier
from dissensus.ensemble.cascade._classifier import CascadeClassifier, after
from dissensus.ensemble.cascade._diagnosis import LevelDiagnosis
from dissensus.ensemble.cascade._explain import (
    EXPLAINERS as EXPLAINERS,
    ExplainedLearner as ExplainedLearner,
)
from dissensus.ensemble.cascade._explanation import (
    CascadeExplanation,
    LearnerExplanation,
    Term,
    TreeTest,
    value_text as value_text,
)
from dissensus.ensemble.decorate._classifier import DecorateClassifier
from dissensus.ensemble.decorate._studies import (
    CommitteeSizeStudy,
    DiversityStudy,
    committee_size_study,
    diversity_study,
)
from dissensus.ensemble.local_cascade._classifier import LocalCascadeClassifier
from dissensus.ensemble.local_cascade._constructor import Construction as Construction
from dissensus.ensemble.maclen._classifier import MaclenClassifier
from dissensus.ensemble.maclen._pair_bayes import PairBayes as PairBayes
from dissensus.ensemble.maclen._prior import PriorClassifier as PriorClassifier
from dissensus.ensemble.maclen._product_labels import ProductLabels as ProductLabels

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
