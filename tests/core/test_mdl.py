"""The search for cut points, asked by itself: no number leads it out of its arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dissensus._core.discretize._mdl import mdl_cut_points, xlogx_table

WEIGHTS = [0.0, 5e-324, 1e-200, 1.0, 1e16, 1e200, 1e308, np.inf, np.nan, -1.0]


def cuts(
    values: Any, y: Any, weights: Any, factorials: Any = None, n_classes: int = 2
) -> Any:
    """Call the kernel with arrays of its types."""
    return mdl_cut_points(
        np.asarray(values, dtype=np.float64),
        np.asarray(y, dtype=np.int32),
        None if weights is None else np.asarray(weights, dtype=np.float64),
        xlogx_table(len(values) + 1) if weights is None else None,
        factorials,
        n_classes,
        False,
    )


@pytest.mark.parametrize("factorials", [None, np.zeros(1)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_same_weight_of_all_rows_gives_cuts_between_values(
    weight: float, factorials: Any
) -> None:
    found = cuts(range(5), [0, 1, 0, 1, 0], np.full(5, weight), factorials)
    assert set(found) <= {0.5, 1.5, 2.5, 3.5}


@pytest.mark.parametrize("factorials", [None, np.zeros(1)])
def test_any_weights_give_cuts_between_values(
    factorials: Any, rng: np.random.Generator
) -> None:
    for _ in range(300):
        n = int(rng.integers(2, 40))
        values = np.sort(rng.integers(0, 10, n)).astype(float)
        found = cuts(
            values, rng.integers(0, 2, n), rng.choice(np.array(WEIGHTS), n), factorials
        )
        assert (np.diff(found) > 0).all()
        assert ((found > values[0]) & (found < values[-1])).all()


def test_missing_values_are_not_cut() -> None:
    assert len(cuts([np.nan] * 4, [0, 1, 0, 1], None)) == 0


@pytest.mark.parametrize(
    ("y", "weights", "words"),
    [
        ([0, 1], None, "3 values, but 2 classes"),
        ([0, 1, 2], None, "class 2 of row 2 is not below 2"),
        ([0, -1, 1], None, "class -1 of row 1 is not below 2"),
        ([0, 1, 1], [1.0], "3 values, but 1 weights"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(y: Any, weights: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cuts([1.0, 2.0, 3.0], y, weights)


def test_table_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match=r"x ln x is needed up to 2."):
        mdl_cut_points(
            np.array([1.0, 2.0]),
            np.array([0, 1], dtype=np.int32),
            None,
            xlogx_table(2),
            None,
            2,
            False,
        )
