"""The search for cut points against the plain one in `tests/reference`."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from dissensus.preprocessing import MDLDiscretizer
from tests.reference.mdl import cut_points

OPTIONS = list(product(["fayyad-irani", "kononenko"], [False, True]))
SEEDS = st.integers(0, 2**32 - 1)


def draw_column(seed: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Draw a column with ties and gaps, and classes that depend on it more or less."""
    rng = np.random.default_rng(seed)
    n, n_classes = rng.integers(1, 80), rng.integers(1, 6)
    values = rng.normal(size=n)
    if rng.random() < 0.7:
        values = rng.integers(0, rng.integers(2, 40), n) / rng.choice([1, 7, 10])
    noise = rng.normal(0, rng.choice([0.1, 1, 5]), n)
    y = np.floor(3 * values + noise).astype(np.intp) % n_classes
    values[rng.random(n) < rng.choice([0, 0, 0.2, 1])] = np.nan
    return values, y


def fitted_cuts(
    values: NDArray[np.float64],
    y: NDArray[np.intp],
    options: tuple[str, bool],
    sample_weight: NDArray[np.float64] | None = None,
) -> list[float]:
    """Return the cut points that the discretiser finds."""
    discretizer = MDLDiscretizer(options[0], efficient_encoding=options[1])
    discretizer.fit(values[:, np.newaxis], y, sample_weight)
    (cuts,) = discretizer.cut_points_
    assert cuts is not None
    return [float(cut) for cut in cuts]


@pytest.mark.parametrize("options", OPTIONS)
@given(seed=SEEDS)
def test_cut_points_equal_those_of_the_reference(
    options: tuple[str, bool], seed: int
) -> None:
    values, y = draw_column(seed)
    expected = cut_points(values, y, int(y.max()) + 1, *options)
    assert fitted_cuts(values, y, options) == expected


@pytest.mark.parametrize("options", OPTIONS)
@given(seed=SEEDS)
def test_whole_weights_count_as_repeated_rows(
    options: tuple[str, bool], seed: int
) -> None:
    values, y = draw_column(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    times[0] += 1  # not all weights can be 0
    repeated = fitted_cuts(np.repeat(values, times), np.repeat(y, times), options)
    assert fitted_cuts(values, y, options, times.astype(float)) == repeated


@pytest.mark.parametrize("options", OPTIONS)
@given(seed=SEEDS)
def test_order_of_rows_and_names_of_classes_do_not_matter(
    options: tuple[str, bool], seed: int
) -> None:
    values, y = draw_column(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    assert fitted_cuts(values[order], y[order], options) == fitted_cuts(
        values, y, options
    )


def test_many_classes_in_many_rows_give_the_cuts_between_them() -> None:
    values = np.arange(20_000.0)
    y = (values // 25).astype(np.intp)
    cuts = fitted_cuts(values, y, ("fayyad-irani", False))
    assert cuts == [25.0 * c - 0.5 for c in range(1, 800)]


@pytest.mark.parametrize("scale", [0.25, 0.3, 1e-12])
def test_light_rows_still_give_cuts_or_none(scale: float) -> None:
    values, y = np.arange(40.0), np.repeat([0, 1], 20)
    cuts = fitted_cuts(values, y, ("kononenko", False), np.full(40, scale))
    assert cuts == ([19.5] if scale > 0.1 else [])
