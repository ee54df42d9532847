"""Class labels become codes."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dissensus.base._inputs import label_codes

LABELS: list[Any] = [
    np.array([3, 1, 3, 2]),
    np.array([-5, -7, -5], dtype=np.int8),
    np.array([2**63, 2**63 + 1], dtype=np.uint64),
    np.array([0, 10**12, 0]),
    np.array([7]),
    np.array(["b", "a", "b"]),
    np.array([True, False, True]),
    np.array([1.5, 0.5, 1.5]),
]


@pytest.mark.parametrize("y", LABELS, ids=str)
def test_labels_are_coded_as_numpy_would(y: Any) -> None:
    classes, codes = label_codes(y)
    expected, inverse = np.unique(y, return_inverse=True)
    assert_array_equal(classes, expected)
    assert classes.dtype == y.dtype
    assert_array_equal(codes, inverse)
    assert codes.dtype == np.int32


def test_labels_that_look_like_a_regression_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="number of unique classes"):
        label_codes(np.arange(30))
