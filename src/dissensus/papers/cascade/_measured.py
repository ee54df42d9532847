"""What is measured for the cascade paper beside the cells of its studies."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.bayes import NaiveBayesClassifier
from dissensus.datasets import Loaded
from dissensus.ensemble import LocalCascadeClassifier, after
from dissensus.evaluation import bias_variance
from dissensus.learners import parse_learner
from dissensus.linear import DiscriminantClassifier
from dissensus.metrics import class_separation
from dissensus.tree import C45Classifier, export_text


def decomposition(
    data: Loaded, seed: int, *, learners: dict[str, str]
) -> dict[str, dict[str, float]]:
    """Decompose the error of learners by ten bootstrap replicates of a training set."""
    found = {}
    for name, text in learners.items():
        study = bias_variance(
            parse_learner(text).build(),
            data.table,
            data.y,
            protocol="bootstrap",
            rng=seed,
        )
        parts = study.decomposition
        found[name] = {
            "error": 100 * parts.error,
            "bias": 100 * parts.bias,
            "variance": 100 * parts.variance,
        }
    return found


def distances(
    data: Loaded, seed: int, *, tolerance: float
) -> dict[str, dict[str, float]]:
    """Measure the distances within and between classes, before and after extension."""
    del seed  # nothing is drawn
    bayes = NaiveBayesClassifier(numeric="equal-width", missing="value")
    plane = DiscriminantClassifier()
    tables = {"original": np.column_stack(data.table.arrays)}
    for name, levels in (
        ("Discrim", (plane,)),
        ("Bayes", (bayes,)),
        ("Dis/Bay", (plane, bayes)),
    ):
        # The learner on top decides nothing here: what it would see is what counts.
        cascade = after(plane, *levels).fit(data.table, data.y)
        tables[name] = np.column_stack(cascade.transform(data.table).arrays)
    found = {}
    for name, matrix in tables.items():
        separation = class_separation(_scaled(matrix), data.y, tolerance=tolerance)
        found[name] = {
            "within": separation.mean_within,
            "between": separation.mean_between,
        }
    return found


def _scaled(matrix: Any) -> Any:
    """Return columns of variance 1, with their means in place of missing values."""
    filled = np.where(np.isnan(matrix), np.nanmean(matrix, axis=0), matrix)
    deviations = filled.std(axis=0)
    return filled[:, deviations > 0] / deviations[deviations > 0]


def trees(data: Loaded, seed: int) -> dict[str, Any]:
    """Grow the trees of the walk-through on all rows."""
    del seed
    bayes = NaiveBayesClassifier(numeric="equal-width", missing="value")
    y = np.array([str(label) for label in data.classes])[data.y]
    cascade = after(C45Classifier(), bayes).fit(data.table, y)
    local = LocalCascadeClassifier().fit(data.table, y)
    decider = cascade.estimators_[-1]
    return {
        "C4/Bay": export_text(decider, decimals=4).splitlines(),
        "CGBLtree": export_text(local, decimals=4).splitlines(),
        "explanation": str(cascade.explain(data.table, 0)).splitlines(),
        "leaves": {
            "C4.5": C45Classifier().fit(data.table, y).n_leaves_,
            "C4/Bay": decider.n_leaves_,
            "CGBLtree": local.n_leaves_,
        },
        "root": {
            "attribute": cascade.schema_out_.names[int(decider.tree_.attribute[0])],
            "threshold": float(decider.tree_.threshold[0]),
        },
    }
