"""Pairwise measures: worked by hand, and against the plain version."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from dissensus.metrics import (
    disagreement,
    double_fault,
    error_correlation,
    kappa,
    mean_over_pairs,
    pairwise_disagreement,
    q_statistic,
)
from tests.reference import measures as reference

# Right or wrong on ten examples: N11 = 4, N10 = 3, N01 = 1, N00 = 2.
TRUTH = [0] * 10
FIRST = [0, 0, 0, 0, 0, 0, 0, 1, 1, 2]
SECOND = [0, 0, 0, 0, 1, 1, 2, 0, 1, 1]

Matrix = NDArray[np.float64]


def kappa_of(y: Any, predictions: Any) -> Matrix:
    return kappa(predictions)


PAIRS: list[tuple[Callable[[Any, Any], Matrix], Callable[..., float]]] = [
    (pairwise_disagreement, reference.disagreement),
    (double_fault, reference.double_fault),
    (q_statistic, reference.q_statistic),
    (kappa_of, reference.kappa),
    (error_correlation, reference.error_correlation),
]
IDS = ["disagreement", "double fault", "Q", "kappa", "error correlation"]


def test_disagreement_is_the_share_of_examples_that_one_of_two_gets_right() -> None:
    assert pairwise_disagreement(TRUTH, [FIRST, SECOND])[0, 1] == 0.4


def test_double_fault_is_the_share_of_examples_that_both_get_wrong() -> None:
    expected = [[0.3, 0.2], [0.2, 0.5]]
    assert double_fault(TRUTH, [FIRST, SECOND]) == pytest.approx(np.array(expected))


def test_q_statistic_worked_by_hand() -> None:
    # (4 * 2 - 3 * 1) / (4 * 2 + 3 * 1)
    assert q_statistic(TRUTH, [FIRST, SECOND])[0, 1] == pytest.approx(5 / 11)


def test_q_statistic_of_complementary_errors_is_minus_one() -> None:
    assert q_statistic([0, 0], [[0, 1], [1, 0]])[0, 1] == -1.0


def test_kappa_worked_by_hand() -> None:
    # Same label on 5 of 10; by chance 0.7 * 0.5 + 0.2 * 0.4 + 0.1 * 0.1 = 0.44.
    assert kappa([FIRST, SECOND])[0, 1] == pytest.approx((0.5 - 0.44) / 0.56)


def test_error_correlation_worked_by_hand() -> None:
    # One of them errs on six examples; the same wrong label on one of these.
    found = error_correlation(TRUTH, [FIRST, SECOND])
    assert found == pytest.approx(np.array([[1.0, 1 / 6], [1 / 6, 1.0]]))


def test_error_correlation_is_undefined_for_two_that_never_err() -> None:
    found = error_correlation([0, 1], [[0, 1], [0, 1]])
    assert np.array_equal(found, [[1.0, np.nan], [np.nan, 1.0]], equal_nan=True)


def test_q_statistic_is_undefined_for_one_that_never_errs() -> None:
    assert np.isnan(q_statistic([0, 0, 1], [[0, 0, 1], [0, 1, 1]])[0, 1])


def test_kappa_is_undefined_for_two_that_always_give_one_label() -> None:
    found = kappa([["a", "a"], ["a", "a"], ["a", "b"]])
    assert np.isnan(found[0, 1])
    assert found[0, 2] == 0.0


@pytest.mark.parametrize(("measure", "plain"), PAIRS, ids=IDS)
@pytest.mark.parametrize("n_labels", [1, 2, 4])
def test_measures_equal_the_plain_version(
    measure: Callable[[Any, Any], Matrix],
    plain: Callable[..., float],
    n_labels: int,
    rng: np.random.Generator,
) -> None:
    for n_examples in (1, 2, 7, 40):
        y = rng.integers(n_labels, size=n_examples)
        predictions = rng.integers(n_labels, size=(4, n_examples))
        found = measure(y, predictions)
        assert np.array_equal(found, found.T, equal_nan=True)
        for i in range(4):
            for j in range(i):
                expected = plain(y.tolist(), *predictions[[i, j]].tolist())
                assert found[i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_kappa_equals_that_of_scikit_learn(rng: np.random.Generator) -> None:
    first, second = rng.choice(["x", "y", "z"], size=(2, 60))
    expected = cohen_kappa_score(first, second)
    assert kappa([first, second])[0, 1] == pytest.approx(expected, abs=1e-12)


def test_labels_may_be_strings() -> None:
    assert pairwise_disagreement(["a", "b"], [["a", "a"], ["b", "b"]])[0, 1] == 1.0


@pytest.mark.parametrize("measure", [kappa, disagreement])
def test_labels_of_several_types_are_refused(measure: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="labels of several types"):
        measure(np.array([["a", 1], ["b", None]], dtype=object))


def test_mean_over_pairs_leaves_undefined_pairs_out() -> None:
    matrix = [[1, 0.5, np.nan], [0.5, 1, 0.1], [np.nan, 0.1, 1]]
    assert mean_over_pairs(matrix) == pytest.approx(0.3)


def test_mean_over_pairs_of_one_classifier_is_undefined() -> None:
    assert np.isnan(mean_over_pairs([[1.0]]))


def test_mean_over_pairs_refuses_what_is_not_square() -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 2\).*each classifier"):
        mean_over_pairs([[1.0, 2.0]])


def test_predictions_of_one_classifier_must_still_be_a_row() -> None:
    with pytest.raises(ValueError, match=r"shape \(2,\).*one row of labels"):
        kappa([0, 1])


def test_predictions_of_other_examples_are_refused() -> None:
    with pytest.raises(ValueError, match=r"has 3 labels.*y_true has 2"):
        q_statistic([0, 1], [[0, 1, 1]])


def test_an_empty_truth_is_refused() -> None:
    with pytest.raises(ValueError, match=r"y_true has the shape \(0,\)"):
        double_fault([], [[]])
