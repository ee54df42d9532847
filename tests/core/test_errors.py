"""The pessimistic error estimate against the plain version."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus._core.tree import _pessimistic_errors as kernel
from dissensus.tree._pessimistic import confidence_limits
from dissensus.utils._typing import Floats
from tests.reference import errors as reference

WEIGHTS = st.floats(1e-5, 1e6)


def extra_errors(n: Floats, errors: Floats, confidence: float) -> Floats:
    return kernel.extra_errors(n, errors, *confidence_limits(confidence))


@given(WEIGHTS, st.floats(0.0, 1.0), st.floats(0.001, 0.999))
def test_any_leaf_gets_the_errors_of_the_plain_version(
    total: float, share: float, confidence: float
) -> None:
    wrong = share * total
    found = extra_errors(np.array([total]), np.array([wrong]), confidence)
    expected = reference.extra_errors(total, wrong, confidence)
    assert found[0] == pytest.approx(expected, rel=1e-9, abs=1e-9 * max(total, 1.0))


def test_the_example_of_the_c45_book() -> None:
    # Quinlan 1993, chapter 4: U(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750.
    n = np.array([6.0, 9.0, 1.0])
    found = extra_errors(n, np.zeros(3), 0.25) / n
    assert found == pytest.approx([0.206, 0.143, 0.750], abs=5e-4)


def test_the_pieces_of_the_estimate_join() -> None:
    below, above = 1.0 - 1e-9, 1.0 + 1e-9
    found = extra_errors(np.full(2, 20.0), np.array([below, above]), 0.25)
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_a_confidence_above_one_half_adds_nothing() -> None:
    assert extra_errors(np.full(3, 9.0), np.array([0.0, 0.5, 4.0]), 0.6).sum() == 0


def test_a_leaf_that_is_all_wrong_gets_no_more_errors_than_rows() -> None:
    found = extra_errors(np.array([5.0, 5.0]), np.array([5.0, 4.75]), 0.25)
    assert found == pytest.approx([0.0, 0.25])


def test_the_confidence_is_kept_in_single_precision() -> None:
    level, z = confidence_limits(0.1)
    assert level == 0.10000000149011612
    # The quantile of 0.8999999761581421; that of 0.9 would be 1.2815515655.
    assert z == pytest.approx(1.2815514296, abs=2e-10)
