"""Weka's naive Bayes and AODE schemes, fitted with the estimators of this package."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import make_pipeline

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from tests.oracles import Oracle

BAYES_SCHEMES: dict[str, Any] = {
    "nb": NaiveBayesClassifier(numeric="gaussian"),
    "nb-D": NaiveBayesClassifier(),
    "nb-w": NaiveBayesClassifier(numeric="gaussian"),
    "nb-mdl": make_pipeline(MDLDiscretizer(), NaiveBayesClassifier()),
    "nb-pre": make_pipeline(
        MissingValueReplacer(), MDLDiscretizer(), NaiveBayesClassifier()
    ),
    "aode": AODEClassifier(),
    "aode-M": AODEClassifier("m-estimate"),
    "aode-pre": make_pipeline(
        MissingValueReplacer(), MDLDiscretizer(), AODEClassifier()
    ),
}


def fit_scheme(oracle: Oracle, part: str, key: str) -> Any:
    """Fit what Weka's scheme of this name stands for."""
    X, y = oracle.train(part)
    weight = oracle.weight(part, key)
    if weight is None:
        return BAYES_SCHEMES[key].fit(X, y)
    return BAYES_SCHEMES[key].fit(X, y, sample_weight=weight)
