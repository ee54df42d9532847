"""Every estimator in every way of working, and compositions of them."""

from __future__ import annotations

from typing import Any

from numpy.random import Generator
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.ensemble import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    CascadeClassifier,
    DecorateClassifier,
    LocalCascadeClassifier,
    MaclenClassifier,
    MTForestClassifier,
    StackedGeneralizationClassifier,
)
from dissensus.linear import DiscriminantClassifier, LeastSquaresClassifier
from dissensus.preprocessing import (
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MissingValueReplacer,
    ValueGrouper,
)
from dissensus.tree import C45Classifier
from tests.test_common import ESTIMATORS

COMPOSED: list[Any] = [
    AdaBoostM1Classifier(MaclenClassifier(NaiveBayesClassifier()), n_estimators=3),
    AdaBoostM1Classifier(LocalCascadeClassifier(), n_estimators=3),
    BaggingClassifier(MaclenClassifier(), n_estimators=3, n_jobs=2, random_state=0),
    BaggingClassifier(LeastSquaresClassifier(), n_estimators=3, random_state=0),
    CascadeClassifier(
        [
            BaggingClassifier(n_estimators=3, random_state=0),
            AODEClassifier(),
            MaclenClassifier(),
        ]
    ),
    DecorateClassifier(NaiveBayesClassifier(), n_estimators=3, random_state=0),
    DecorateClassifier(MTForestClassifier(), n_estimators=3, random_state=0),
    LocalCascadeClassifier([DiscriminantClassifier(), AODEClassifier()]),
    MaclenClassifier(AdaBoostM1Classifier(n_estimators=3)),
    MaclenClassifier(CascadeClassifier([NaiveBayesClassifier(), C45Classifier()])),
    MTForestClassifier(C45Classifier(binary_splits=True)),
    StackedGeneralizationClassifier(
        [MaclenClassifier(), LocalCascadeClassifier()], cv=2, random_state=0
    ),
    make_pipeline(MissingValueReplacer(), EqualWidthDiscretizer(), C45Classifier()),
    make_pipeline(MDLDiscretizer(), ValueGrouper(), AODEClassifier()),
    make_pipeline(ValueGrouper(3), MissingValueReplacer(), MaclenClassifier()),
]


def _by_class() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for estimator in [*ESTIMATORS, *COMPOSED]:
        found.setdefault(type(estimator).__name__, []).append(estimator)
    return found


BY_CLASS = _by_class()
NAMES = sorted(BY_CLASS)


def draw_estimator(number: int, rng: Generator) -> Any:
    """Return an estimator: the class goes by the number in turn, the way is drawn."""
    ways = BY_CLASS[NAMES[number % len(NAMES)]]
    return clone(ways[rng.integers(0, len(ways))])
