"""Scores: worked by hand, against the plain version and scikit-learn."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from numpy.typing import NDArray

from dissensus.metrics import (
    accuracy,
    auc,
    balanced_accuracy,
    brier_score,
    calibration_error,
    compute_measures,
    confusion_matrix,
    find_measure,
    log_loss,
)
from dissensus.metrics._scores import MEASURES
from tests.reference import measures as reference

Y = np.array([0, 0, 1, 2])
PROBA = np.array([[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.6, 0.1], [0.2, 0.2, 0.6]])


def random_answers(
    rng: np.random.Generator, n_classes: int, n_examples: int = 60
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Draw codes, every class among them, and coarse probabilities full of ties."""
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_examples)])
    counts = rng.integers(0, 4, size=(len(y), n_classes)) + np.eye(n_classes)[y]
    return y, counts / counts.sum(axis=1, keepdims=True)


def test_accuracy_worked_by_hand() -> None:
    assert accuracy(Y, PROBA.argmax(axis=1)) == 0.75


def test_balanced_accuracy_worked_by_hand() -> None:
    assert balanced_accuracy(Y, [0, 1, 1, 2]) == pytest.approx((0.5 + 1 + 1) / 3)


def test_balanced_accuracy_counts_only_classes_that_occur() -> None:
    assert balanced_accuracy([0, 0, 2], [0, 1, 2]) == pytest.approx((0.5 + 1) / 2)


def test_confusion_matrix_has_a_row_for_absent_classes() -> None:
    found = confusion_matrix([0, 0, 2], [0, 1, 2], 4)
    assert found.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_log_loss_worked_by_hand() -> None:
    expected = -(math.log(0.7) + math.log(0.4) + 2 * math.log(0.6)) / 4
    assert log_loss(Y, PROBA) == pytest.approx(expected)


def test_log_loss_of_a_wrong_certainty_is_finite() -> None:
    assert log_loss([0], [[0.0, 1.0]]) == pytest.approx(52 * math.log(2))


def test_brier_score_worked_by_hand() -> None:
    rows = [
        0.09 + 0.04 + 0.01,
        0.36 + 0.25 + 0.01,
        0.09 + 0.16 + 0.01,
        0.04 + 0.04 + 0.16,
    ]
    assert brier_score(Y, PROBA) == pytest.approx(sum(rows) / 8)


def test_calibration_error_worked_by_hand() -> None:
    # Bins: 0.5 (wrong); 0.6 and 0.6 (right, right); 0.7 (right).
    assert calibration_error(Y, PROBA) == pytest.approx((0.5 + 0.8 + 0.3) / 4)
    # One bin: three of four right, mean confidence 0.6.
    assert calibration_error(Y, PROBA, n_bins=1) == pytest.approx(0.15)


def test_a_confidence_of_one_is_in_the_last_bin() -> None:
    # Wrong at 1.0 and right at 0.95 in one bin: |-1 + 0.05| / 2.
    found = calibration_error([1, 0], [[1.0, 0.0], [0.95, 0.05]])
    assert found == pytest.approx(0.475)


def test_area_worked_by_hand() -> None:
    # Class 0: 0.7 and 0.4 over 0.3 and 0.2; class 1: 0.6 over 0.2, 0.5, 0.2; class 2.
    assert auc(Y, PROBA) == 1.0
    # Class 1 against 0: 0.4 > 0.1, 0.4 = 0.4, 0.9 > both: 3.5 of 4.
    two = np.array([0.1, 0.4, 0.4, 0.9])
    assert auc([0, 0, 1, 1], np.column_stack([1 - two, two])) == 3.5 / 4


def test_area_is_undefined_where_one_class_occurs() -> None:
    assert math.isnan(auc([1, 1], [[0.1, 0.9], [0.5, 0.5]]))
    assert math.isnan(auc([1, 1], [[0.1, 0.8, 0.1], [0.5, 0.5, 0.0]]))


def test_area_is_the_mean_over_the_classes_that_occur() -> None:
    proba = [[0.2, 0.8, 0.0], [0.5, 0.5, 0.0], [0.1, 0.2, 0.7]]
    y = [0, 0, 2]
    expected = (reference.area(y, proba, 0) + reference.area(y, proba, 2)) / 2
    assert auc(y, proba) == pytest.approx(expected)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_scores_equal_those_of_scikit_learn(
    n_classes: int, rng: np.random.Generator
) -> None:
    y, proba = random_answers(rng, n_classes)
    predicted, labels = proba.argmax(axis=1), np.arange(n_classes)
    column = proba[:, 1] if n_classes == 2 else proba
    expected = {
        "accuracy": sklearn.metrics.accuracy_score(y, predicted),
        "balanced_accuracy": sklearn.metrics.balanced_accuracy_score(y, predicted),
        "auc": sklearn.metrics.roc_auc_score(y, column, multi_class="ovr"),
        "log_loss": sklearn.metrics.log_loss(y, proba, labels=labels),
        "brier": sklearn.metrics.brier_score_loss(
            y, column, labels=labels, scale_by_half=True
        ),
    }
    found = compute_measures(y, proba=proba, names=expected)
    assert found == pytest.approx(expected, abs=1e-12)
    matrix = sklearn.metrics.confusion_matrix(y, predicted, labels=labels)
    assert np.array_equal(confusion_matrix(y, predicted, n_classes), matrix)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_area_and_calibration_equal_the_plain_version(
    n_classes: int, rng: np.random.Generator
) -> None:
    y, proba = random_answers(rng, n_classes)
    classes = [1] if n_classes == 2 else range(n_classes)
    areas = [reference.area(y.tolist(), proba.tolist(), c) for c in classes]
    assert auc(y, proba) == pytest.approx(np.mean(areas), abs=1e-12)
    for n_bins in (1, 7, 10):
        expected = reference.calibration_error(y.tolist(), proba.tolist(), n_bins)
        found = calibration_error(y, proba, n_bins=n_bins)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("absent", [0, 1, 2])
def test_every_measure_bears_a_class_without_examples(
    absent: int, rng: np.random.Generator
) -> None:
    y, proba = random_answers(rng, 3)
    rows = y != absent
    found = compute_measures(y[rows], proba=proba[rows])
    assert list(found) == list(MEASURES)
    assert np.isfinite(list(found.values())).all()


def test_every_measure_bears_a_single_example_of_a_single_class() -> None:
    found = compute_measures([0], proba=[[1.0]])
    assert math.isnan(found.pop("auc"))
    assert found == {
        "accuracy": 1.0,
        "balanced_accuracy": 1.0,
        "log_loss": 0.0,
        "brier": 0.0,
        "calibration_error": 0.0,
    }


def test_own_predictions_of_a_classifier_go_before_its_probabilities() -> None:
    found = compute_measures(
        [1], predictions=[1], proba=[[0.5, 0.5]], names=["accuracy"]
    )
    assert found == {"accuracy": 1.0}


def test_probabilities_alone_predict_the_first_of_equals() -> None:
    assert (
        compute_measures([0], proba=[[0.5, 0.5]], names=["accuracy"])["accuracy"] == 1
    )


def test_measures_of_probabilities_are_missing_without_them() -> None:
    found = compute_measures([0, 1], predictions=[0, 1])
    missing = {name for name, value in found.items() if math.isnan(value)}
    assert missing == {name for name in MEASURES if MEASURES[name].uses_proba}


def test_measures_say_which_direction_is_better() -> None:
    good, bad = [[0.9, 0.1], [0.2, 0.8]], [[0.4, 0.6], [0.7, 0.3]]
    for name, measure in MEASURES.items():
        gain = (
            compute_measures([0, 1], proba=good)[name]
            - compute_measures([0, 1], proba=bad)[name]
        )
        assert (gain > 0) == measure.greater_is_better, name


def test_unknown_measure_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no measure 'f1'.*accuracy, auc"):
        find_measure("f1")


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(ValueError, match="Give predictions, proba, or both"):
        compute_measures([0, 1])


@pytest.mark.parametrize("score", [auc, log_loss, brier_score, calibration_error])
@pytest.mark.parametrize(
    ("y", "proba", "words"),
    [
        ([0, 1], [[0.5, np.nan], [0.5, 0.5]], "none of them missing"),
        ([0, 1], [[-0.5, 1.5], [0.5, 0.5]], "numbers from 0 to 1"),
        ([0, 2], [[0.5, 0.5], [0.5, 0.5]], "class code 2, but there are 2"),
        ([0, -1], [[0.5, 0.5], [0.5, 0.5]], "whole numbers from 0"),
        ([0, 0.5], [[0.5, 0.5], [0.5, 0.5]], "whole numbers from 0"),
        (["a", "b"], [[0.5, 0.5], [0.5, 0.5]], "np.unique"),
        ([0, 1], [[0.5, 0.5]], "a row for each of the 2"),
        ([], [[0.5, 0.5]], "at least one"),
    ],
)
def test_wrong_input_is_refused_with_the_rule(
    score: Callable[[Any, Any], float], y: Any, proba: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        score(y, proba)


def test_predictions_for_other_examples_are_refused() -> None:
    with pytest.raises(ValueError, match="3 predictions for 2 examples"):
        accuracy([0, 1], [0, 1, 1])


def test_no_bins_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one bin"):
        calibration_error([0], [[1.0]], n_bins=0)
