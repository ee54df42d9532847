"""Weka's J48 schemes, fitted with the estimators of this package."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import make_pipeline

from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.tree import C45Classifier
from tests.oracles import J48_SCHEMES, Oracle


def fit_scheme(oracle: Oracle, part: str, key: str) -> Any:
    """Fit what Weka's scheme of this name stands for; the tree is the last step."""
    tree = C45Classifier(**J48_SCHEMES[key])
    model = make_pipeline(tree)
    if key == "j48-pre":
        model = make_pipeline(MissingValueReplacer(), MDLDiscretizer(), tree)
    X, y = oracle.train(part)
    weight = oracle.weight(part, key)
    return model.fit(X, y, c45classifier__sample_weight=weight)
