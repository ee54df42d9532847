"""Linear base learners."""

from dissensus.linear._discriminant import DiscriminantClassifier
from dissensus.linear._hyperplanes import HyperplaneClassifier as HyperplaneClassifier
from dissensus.linear._least_squares import LeastSquaresClassifier

__all__ = [
    "DiscriminantClassifier",
    "LeastSquaresClassifier",
]
