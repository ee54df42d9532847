"""Classifiers that count: naive Bayes and its relatives."""

from dissensus.bayes._aode import AODEClassifier
from dissensus.bayes._base import CountingClassifier as CountingClassifier
from dissensus.bayes._chunks import (
    check_can_merge as check_can_merge,
    check_nominal as check_nominal,
    class_codes as class_codes,
    declared_classes as declared_classes,
)
from dissensus.bayes._codes import Codes as Codes
from dissensus.bayes._counts import Counts
from dissensus.bayes._estimates import (
    PairFactors as PairFactors,
    Smoothing as Smoothing,
    ValueFactors as ValueFactors,
    pair_factors as pair_factors,
    value_factors as value_factors,
)
from dissensus.bayes._log_factors import (
    interval_of as interval_of,
    log_factors as log_factors,
)
from dissensus.bayes._naive_bayes import NaiveBayesClassifier
from dissensus.bayes._normal import Normal as Normal
from dissensus.bayes._scores import (
    naive_proba as naive_proba,
    one_dependence_scores as one_dependence_scores,
)

__all__ = [
    "AODEClassifier",
    "Counts",
    "NaiveBayesClassifier",
]
