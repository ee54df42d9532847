"""Learners by name: their grammar, their registry, and adapters for scikit-learn's."""

from dissensus.learners._describe import (
    describe as describe,
    estimators_in as estimators_in,
    pickled as pickled,
    versions_of as versions_of,
)
from dissensus.learners._encoded import EncodedClassifier as EncodedClassifier
from dissensus.learners._learner import Learner, parse_learner
from dissensus.learners._prepared import DiscretizedClassifier as DiscretizedClassifier
from dissensus.learners._registry import LEARNERS as LEARNERS

__all__ = [
    "Learner",
    "parse_learner",
]
