"""Count values, and pairs of values, by the kernel that suits their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dissensus._core.counts._bits import rows_by_class, set_pair_counts, write_sets
from dissensus._core.counts._counts import class_value_counts, pair_counts
from dissensus.bayes._codes import Codes
from dissensus.bayes._threads import in_threads, n_threads_of
from dissensus.utils._typing import Floats

# Attributes with at most so many values are counted by sets of rows.
FEW = 12


def add_values(
    codes: Codes, y: NDArray[np.int32], sample_weight: Floats | None, values: Floats
) -> None:
    """Add the rows to the cells [class, value]; see `add_pairs`."""
    places = codes.places
    class_value_counts(codes.codes, y, sample_weight, codes.n_values, places, values)


def add_pairs(
    codes: Codes,
    y: NDArray[np.int32],
    sample_weight: Floats | None,
    values: Floats,
    pairs: Floats,
    *,
    n_jobs: int | None = None,
) -> None:
    """Add the rows to the cells [class, value] and [class, value, other value].

    Parameters
    ----------
    codes : Codes
        The values.
    y : ndarray of int32
        The classes.
    sample_weight : ndarray or None
        The weights; None if all are 1.
    values : ndarray of shape (n_classes, n_places)
        Changed in place; see `Counts`.
    pairs : ndarray of shape (n_classes, n_places, n_places)
        The upper half is changed in place, but for pairs of values of one attribute.
    n_jobs : int, default=None
        Number of threads.
    """
    if codes.n_rows == 0:
        return
    step = n_threads_of(n_jobs)
    n_few = 0
    columns, n_values, places = codes.codes, codes.n_values, codes.places
    if sample_weight is None:
        few = n_values <= FEW
        n_few = int(few.sum())
        if 0 < n_few < len(few):  # those with few values first
            order = np.argsort(~few, kind="stable")
            columns, n_values, places = columns[order], n_values[order], places[order]
        narrow = Codes(columns[:n_few].astype(np.uint8, copy=False), n_values[:n_few])
        _add_by_sets(narrow, y, places, values, pairs, step=step)
    if n_few == len(n_values):
        return
    class_value_counts(
        columns[n_few:], y, sample_weight, n_values[n_few:], places[n_few:], values
    )

    def count(first: int) -> None:
        pair_counts(
            columns, y, sample_weight, n_values, places, n_few, pairs, first, step
        )

    in_threads(step, count)


def _add_by_sets(
    codes: Codes,
    y: NDArray[np.int32],
    places: NDArray[np.intp],
    values: Floats,
    pairs: Floats,
    *,
    step: int,
) -> None:
    n_values, n_classes = codes.n_values, len(pairs)
    most = int(n_values.max(initial=0))
    rows, row_ends, word_ends = rows_by_class(y, n_classes)
    sets = np.empty((int(n_values.sum()), int(word_ends[-1])), dtype=np.uint64)
    lines = np.empty((len(n_values), most + 3), dtype=np.int32)
    totals = np.empty((len(n_values), n_classes, most + 1), dtype=np.int64)

    def write(first: int) -> None:
        write_sets(
            codes.codes,
            rows,
            row_ends,
            n_values,
            places,
            sets,
            lines,
            totals,
            values,
            first,
            step,
        )

    def count(first: int) -> None:
        set_pair_counts(
            sets, lines, totals, word_ends, n_values, places, pairs, first, step
        )

    in_threads(step, write)
    in_threads(step, count)
