"""Count pairs of values by the kernel that suits their number."""

from __future__ import annotations

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from dissensus._core._bits import rows_by_class, set_pair_counts, write_sets
from dissensus._core._counts import pair_counts
from dissensus.bayes._codes import Codes
from dissensus.bayes._threads import in_threads

Floats = NDArray[np.float64]
# Attributes with at most so many values are counted by sets of rows.
FEW = 12


def add_pairs(
    codes: Codes,
    y: NDArray[np.int32],
    sample_weight: Floats | None,
    pairs: Floats,
    n_jobs: int | None = None,
) -> None:
    """Add the rows to the cells [class, value, value of another attribute].

    Parameters
    ----------
    codes : Codes
        The values.
    y : ndarray of int32
        The classes.
    sample_weight : ndarray or None
        The weights; None if all are 1.
    pairs : ndarray of shape (n_classes, n_places, n_places)
        Changed in place; see `Counts`.
    n_jobs : int, default=None
        Number of threads.
    """
    if codes.n_rows == 0:
        return
    step = effective_n_jobs(n_jobs)
    places = (np.cumsum(codes.n_values) - codes.n_values).astype(np.intp)
    columns, n_values, n_few = codes.codes, codes.n_values, 0
    if sample_weight is None:
        few = n_values <= FEW
        n_few = int(few.sum())
        if 0 < n_few < len(few):
            order = np.argsort(~few, kind="stable")
            columns = columns[order]
            n_values, places = n_values[order], places[order]
    if n_few > 1:
        narrow = columns[:n_few].astype(np.uint8, copy=False)
        _add_by_sets(narrow, y, n_values[:n_few], places, pairs, step)
    if n_few < len(n_values):

        def count(first: int) -> None:
            pair_counts(
                columns, y, sample_weight, n_values, places, n_few, pairs, first, step
            )

        in_threads(step, count)


def _add_by_sets(
    columns: NDArray[np.uint8],
    y: NDArray[np.int32],
    n_values: NDArray[np.int32],
    places: NDArray[np.intp],
    pairs: Floats,
    step: int,
) -> None:
    n_classes, most = len(pairs), int(n_values.max())
    rows, row_ends, word_ends = rows_by_class(y, n_classes)
    sets = np.empty((int(n_values.sum()), int(word_ends[-1])), dtype=np.uint64)
    values = np.empty((len(n_values), most + 3), dtype=np.int32)
    totals = np.empty((len(n_values), n_classes, most + 1), dtype=np.int64)

    def write(first: int) -> None:
        write_sets(columns, rows, row_ends, n_values, sets, values, totals, first, step)

    def count(first: int) -> None:
        set_pair_counts(
            sets, values, totals, word_ends, n_values, places, pairs, first, step
        )

    in_threads(step, write)
    in_threads(step, count)
