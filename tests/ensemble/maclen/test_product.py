"""How pairs of class and value become classes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from dissensus.ensemble.maclen._product_labels import ProductLabels, product_labels

# Two classes c1, c2 and two values a1, a2; P'(c1,a1), P'(c1,a2), P'(c2,a1), P'(c2,a2).
ANSWER = [0.2, 0.6, 0.2, 0.0]
MISSING, UNSEEN = -1, -2


def codes(*numbers: int) -> NDArray[np.int32]:
    return np.array(numbers, dtype=np.int32)


def all_pairs(n_classes: int, n_values: int) -> ProductLabels:
    none = codes()
    return product_labels(none, none, n_classes, n_values, full=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, [0.5, 0.5]),
        (1, [1.0, 0.0]),
        (MISSING, [0.8, 0.2]),
        (UNSEEN, [0.8, 0.2]),
    ],
)
def test_a_member_votes_as_worked_out_by_hand(
    value: int, expected: list[float]
) -> None:
    labels = all_pairs(2, 2)
    votes = labels.class_votes(np.array([ANSWER]), codes(value), conditional=True)
    assert_allclose(votes, [expected], rtol=1e-15)


def test_the_marginal_rule_takes_no_notice_of_the_value() -> None:
    proba = np.array([ANSWER] * 3)
    votes = all_pairs(2, 2).class_votes(proba, codes(0, 1, -1), conditional=False)
    assert_allclose(votes, [[0.8, 0.2]] * 3, rtol=1e-15)


def test_no_probability_for_the_value_means_the_marginal_rule() -> None:
    proba = np.array([[0.0, 0.7, 0.0, 0.3]])
    votes = all_pairs(2, 2).class_votes(proba, codes(0), conditional=True)
    assert_array_equal(votes, [[0.7, 0.3]])


def test_the_smallest_probability_is_enough_for_the_conditional_rule() -> None:
    proba = np.array([[0.0, 0.4, 5e-324, 0.6]])
    votes = all_pairs(2, 2).class_votes(proba, codes(0), conditional=True)
    assert_array_equal(votes, [[0.0, 1.0]])


def test_observed_pairs_leave_out_what_no_row_has() -> None:
    y, values = codes(0, 2, 2, 0), codes(1, 0, 1, 1)
    labels = product_labels(y, values, n_classes=3, n_values=3, full=False)
    assert_array_equal(labels.class_of, [0, 2, 2])
    assert_array_equal(labels.label_of, [[-1, -1, 1], [0, -1, 2], [-1, -1, -1]])
    assert_array_equal(labels.codes(y, values), [0, 1, 2, 0])


def test_pairs_that_are_no_labels_have_probability_zero() -> None:
    labels = product_labels(codes(0, 2, 2), codes(1, 0, 1), 3, 3, full=False)
    proba = np.array([[0.5, 0.3, 0.2]] * 4)
    votes = labels.class_votes(proba, codes(0, 1, 2, -1), conditional=True)
    expected = np.array(
        [[0, 0, 1], [0.5 / 0.7, 0, 0.2 / 0.7], [0.5, 0, 0.5], [0.5, 0, 0.5]]
    )
    assert_allclose(votes, expected, rtol=1e-15)


def test_an_attribute_with_one_value_leaves_the_member_as_it_is() -> None:
    proba = np.array([[0.25, 0.75], [0.5, 0.5]])
    for conditional in (True, False):
        votes = all_pairs(2, 1).class_votes(
            proba, codes(0, UNSEEN), conditional=conditional
        )
        assert_array_equal(votes, proba)


def test_labels_can_be_pickled() -> None:
    labels = product_labels(codes(0, 1), codes(1, 0), 2, 2, full=False)
    again = pickle.loads(pickle.dumps(labels))
    assert_array_equal(again.label_of, labels.label_of)
    assert again.n_labels == 2
    assert again.n_classes == 2
