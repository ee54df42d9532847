"""Predictions in few bytes, without losing a bit."""

from __future__ import annotations

import tracemalloc
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dissensus.exceptions import StoreError
from dissensus.store._predictions import HEADER, CellPredictions, pack, unpack


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
    answers = CellPredictions(
        np.sort(rng.choice(100_000, n_rows, replace=False)),
        rng.integers(n_classes, size=n_rows),
        rng.integers(n_classes, size=n_rows),
        rng.random((n_rows, n_classes)) ** 50 if has_proba else None,
        n_classes,
    )
    again = unpack(pack(answers), n_rows, n_classes)
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
    content = pack(CellPredictions(np.arange(500), codes, codes, proba, 3))
    assert len(content) < proba.nbytes / 8


def test_an_unknown_format_is_refused() -> None:
    one = np.zeros(1, np.intp)
    content = pack(CellPredictions(one, one, one, None, 2))
    with pytest.raises(StoreError, match="format 9; this version .* reads format 1"):
        unpack(b"\x09" + content[1:], 1, 2)


def packed(**others: Any) -> bytes:
    """Return four rows of four classes, each predicted rightly."""
    codes = np.arange(4)
    return pack(replace(CellPredictions(codes, codes, codes, np.eye(4), 4), **others))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "0 bytes are no predictions"),
        (packed()[:-3], "do not unpack to 152 bytes"),
        (packed() + b"more", "do not unpack to 152 bytes"),
        (packed()[: HEADER.size] + b"no stream", "incorrect header check"),
        (HEADER.pack(1, 1, 5, 4) + packed()[HEADER.size :], "5 rows and 4 classes"),
        (HEADER.pack(1, 7, 4, 4) + packed()[HEADER.size :], "4 rows and 4 classes"),
        (packed(rows=np.zeros(4, np.intp)), "a row occurs twice"),
        (packed(truth=np.arange(4) + 5), "there is no class 8"),
        (packed(predictions=np.arange(4) + 6), "there is no class 9"),
        (packed(proba=np.full((4, 4), np.nan)), "a probability is not finite"),
    ],
)
def test_what_are_no_answers_of_the_cell_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(StoreError, match=f"predictions of a cell are damaged.*{words}"):
        unpack(content, 4, 4)


def test_a_small_stream_is_not_unpacked_to_a_giant() -> None:
    bomb = packed()[: HEADER.size] + zlib.compress(bytes(100_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(StoreError, match="do not unpack to 152 bytes"):
            unpack(bomb, 4, 4)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
