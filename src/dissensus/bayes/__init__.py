"""Classifiers that count: naive Bayes and its relatives."""

from dissensus.bayes._aode import AODEClassifier
from dissensus.bayes._counts import Counts
from dissensus.bayes._naive_bayes import NaiveBayesClassifier

__all__ = ["AODEClassifier", "Counts", "NaiveBayesClassifier"]
