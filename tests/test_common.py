"""Two batteries over every estimator: scikit-learn's and ours.

A new estimator gets a line, or one for each way of working, in ESTIMATORS.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks as sklearn_checks

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
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MissingValueReplacer,
    ValueGrouper,
)
from dissensus.tree import C45Classifier
from tests.estimator_checks import own_checks

ESTIMATORS: list[Any] = [
    AdaBoostM1Classifier(),
    AdaBoostM1Classifier(n_estimators=3),
    AODEClassifier(
        "m-estimate", min_parent_count=5, n_jobs=2, weighting="mutual-information"
    ),
    AODEClassifier(),
    BaggingClassifier(n_estimators=5, n_jobs=2, random_state=0),
    BaggingClassifier(random_state=0),
    C45Classifier(),
    C45Classifier(actual_thresholds=False, confidence=0.1, smoothing="path"),
    C45Classifier(binary_splits=True, smoothing="laplace", subtree_raising=False),
    C45Classifier(
        collapse=False, mdl_correction=False, min_samples_leaf=1, prune=False
    ),
    CascadeClassifier(),
    CascadeClassifier(
        [[C45Classifier(), DiscriminantClassifier()], NaiveBayesClassifier()],
        carry="previous",
        cv=2,
        mode="crossfit",
        n_repeats=1,
        random_state=0,
    ),
    CascadeClassifier(
        [DiscriminantClassifier(), NaiveBayesClassifier(), C45Classifier()],
        cv=2,
        mode="guarded",
        n_repeats=1,
        random_state=0,
    ),
    DecorateClassifier(
        artificial_ratio=0.5,
        generator="class-conditional",
        n_estimators=4,
        random_state=0,
        zero_value=1e-6,
    ),
    DecorateClassifier(generator="kernel", n_estimators=3, random_state=0),
    DecorateClassifier(random_state=0),
    DiscriminantClassifier(),
    DiscriminantClassifier(encode="onehot"),
    DiscriminantClassifier(encode="ordinal"),
    EqualFrequencyDiscretizer(4),
    EqualWidthDiscretizer("dougherty"),
    LeastSquaresClassifier(encode="onehot"),
    LocalCascadeClassifier(
        "bayes", binary_splits=True, counted_attributes="original", min_class_ratio=1
    ),
    LocalCascadeClassifier("discriminant", min_samples_leaf=1, prune=False),
    LocalCascadeClassifier(),
    LocalCascadeClassifier(
        [C45Classifier(), NaiveBayesClassifier()],
        confidence=0.25,
        max_constructor_depth=2,
        subtree_raising=False,
    ),
    MaclenClassifier(),
    MaclenClassifier(
        discretizers=[MDLDiscretizer(), EqualFrequencyDiscretizer(4)], max_values=3
    ),
    MaclenClassifier(labels="full", n_jobs=2, rule="marginal"),
    MaclenClassifier(NaiveBayesClassifier("m-estimate", missing="value"), n_jobs=2),
    MaclenClassifier(NaiveBayesClassifier()),
    MaclenClassifier(NaiveBayesClassifier(numeric="gaussian"), features="original"),
    MDLDiscretizer("kononenko", efficient_encoding=True),
    MDLDiscretizer(),
    MissingValueReplacer(),
    MTForestClassifier(),
    MTForestClassifier(C45Classifier(prune=False), n_jobs=2, task_weight=0.5),
    NaiveBayesClassifier("m-estimate", missing="value", numeric="equal-width"),
    NaiveBayesClassifier(),
    NaiveBayesClassifier(alpha=0),
    NaiveBayesClassifier(numeric="gaussian"),
    StackedGeneralizationClassifier(
        [NaiveBayesClassifier(), DiscriminantClassifier()],
        cv=2,
        final_estimator=LeastSquaresClassifier(),
        n_repeats=2,
        random_state=0,
    ),
    StackedGeneralizationClassifier(cv=2, random_state=0),
    StackedGeneralizationClassifier(random_state=0),
    ValueGrouper(2),
]

NUMERIC_CHUNKS = dict.fromkeys(
    (
        "check_estimators_partial_fit_n_features",
        "check_fit_score_takes_y",
        "check_n_features_in_after_fitting",
    ),
    "on purpose: partial_fit refuses the numeric inputs of this check",
)

DRAWN = "rows are drawn by their weights, so that both agree on average only"
INVENTED = "the number of rows, not their weight, says how many are invented"

# Why a check fails, by the name of the class; "*" is every class.
EXPECTED_FAILED_CHECKS: dict[str, dict[str, str]] = {
    "*": {
        "check_dataframe_column_names_consistency": (
            "on purpose: columns are matched by name in any order, further ones are "
            "ignored, and the error for a missing one names it in other words"
        ),
    },
    "MTForestClassifier": {
        "check_sample_weight_equivalence_on_dense_data": (
            "J48 counts rows, not weights, where it asks whether an attribute has too "
            "many values for its gain to enter the mean"
        ),
    },
    "BaggingClassifier": {
        "check_sample_weight_equivalence_on_dense_data": DRAWN,
        "check_integer_weights_equal_repetition": DRAWN,
    },
    "DecorateClassifier": {
        "check_sample_weight_equivalence_on_dense_data": INVENTED,
        "check_integer_weights_equal_repetition": INVENTED,
    },
}

# Checks that scikit-learn asks of its own estimators only.
MORE_CHECKS = [
    "check_dataframe_column_names_consistency",
    "check_param_validation",
]
MORE_TRANSFORMER_CHECKS = [
    "check_get_feature_names_out_error",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
]


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return names and reasons of the checks that an estimator fails."""
    own = EXPECTED_FAILED_CHECKS.get(type(estimator).__name__, {})
    chunks = NUMERIC_CHUNKS if hasattr(estimator, "partial_fit") else {}
    return {**EXPECTED_FAILED_CHECKS["*"], **chunks, **own}


def label(estimator: Any) -> str:
    """Return an estimator as a part of a test's name."""
    return "".join(repr(estimator).split())


def parameters(estimator: Any, check: Any, name: str) -> Any:
    """Return a test's parameters, marked if the check is known to fail."""
    failing = expected_failures(estimator)
    marks = [pytest.mark.xfail(reason=failing[name])] if name in failing else []
    return pytest.param(estimator, check, marks=marks, id=f"{label(estimator)}-{name}")


def more_checks() -> Iterator[Any]:
    """Give pairs of an estimator and a check of scikit-learn's own test suite."""
    for estimator in ESTIMATORS:
        names = list(MORE_CHECKS)
        if hasattr(estimator, "transform"):
            names += MORE_TRANSFORMER_CHECKS
        for name in names:
            yield parameters(estimator, name, name)


@sklearn_checks.parametrize_with_checks(
    ESTIMATORS, expected_failed_checks=expected_failures, xfail_strict=True
)
def test_check_of_scikit_learn(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@pytest.mark.parametrize(("estimator", "name"), list(more_checks()))
def test_check_of_scikit_learns_own_suite(estimator: Any, name: str) -> None:
    check = getattr(sklearn_checks, name)
    check(type(estimator).__name__, clone(estimator))


def our_checks() -> Iterator[Any]:
    """Give pairs of an estimator and a check of our own battery."""
    for estimator in ESTIMATORS:
        for check in own_checks(estimator):
            yield parameters(estimator, check, check.__name__)


@pytest.mark.parametrize(("estimator", "check"), list(our_checks()))
def test_our_own_check(estimator: Any, check: Callable[[Any], None]) -> None:
    check(clone(estimator))


def test_array_api_dispatch_changes_nothing(project_root: Path) -> None:
    # scikit-learn's check is skipped unless this was set before scipy was loaded.
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    command = [sys.executable, "-c", ARRAY_API_SCRIPT]
    subprocess.run(command, check=True, cwd=project_root, env=environment)


ARRAY_API_SCRIPT = """
from sklearn.utils.estimator_checks import check_array_api_input
from tests.test_common import ESTIMATORS

for estimator in ESTIMATORS:
    check_array_api_input(
        type(estimator).__name__,
        estimator,
        array_namespace="numpy",
        expect_only_array_outputs=False,
    )
"""
