"""Predictions in few bytes, without losing a bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dissensus.experiment import StoreError
from dissensus.experiment._answers import Answers, pack, unpack


@given(
    st.integers(0, 40),
    st.sampled_from([1, 2, 3, 255, 256, 257, 1000]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_what_is_packed_is_unpacked_bit_for_bit(
    n_rows: int, n_classes: int, has_proba: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    answers = Answers(
        np.sort(rng.choice(100_000, n_rows, replace=False)),
        rng.integers(n_classes, size=n_rows),
        rng.integers(n_classes, size=n_rows),
        rng.random((n_rows, n_classes)) ** 50 if has_proba else None,
        n_classes,
    )
    again = unpack(pack(answers))
    assert again.n_classes == n_classes
    for name in ("rows", "truth", "predictions"):
        np.testing.assert_array_equal(getattr(again, name), getattr(answers, name))
    if answers.proba is None:
        assert again.proba is None
    else:
        assert again.proba is not None
        assert again.proba.tobytes() == answers.proba.tobytes()


def test_the_answers_of_a_tree_take_a_fraction_of_their_size() -> None:
    leaves = np.random.default_rng(0).dirichlet(np.ones(3), size=10)
    proba = leaves[np.random.default_rng(1).integers(10, size=500)]
    codes = proba.argmax(axis=1)
    packed = pack(Answers(np.arange(500), codes, codes, proba, 3))
    assert len(packed) < proba.nbytes / 8


def test_an_unknown_format_is_refused() -> None:
    one = np.zeros(1, np.intp)
    packed = pack(Answers(one, one, one, None, 2))
    with pytest.raises(StoreError, match="format 9; this version .* reads format 1"):
        unpack(b"\x09" + packed[1:])
