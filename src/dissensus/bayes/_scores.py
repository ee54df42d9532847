"""Class probabilities of rows, from what was learnt and the codes of their values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from dissensus._core.counts._factors import (
    multiply_rows,
    multiply_values,
    normalize_scores,
    parent_scores,
)
from dissensus.bayes._codes import Codes
from dissensus.bayes._estimates import PairFactors, ValueFactors
from dissensus.bayes._threads import in_threads, n_threads_of
from dissensus.utils._typing import Floats

# Fewer rows are not worth a thread.
ROWS_PER_THREAD = 1024


def naive_proba(
    model: ValueFactors, codes: Codes, densities: Iterable[Floats] = ()
) -> Floats:
    """Return P(class) times P(value | class) over all values, normalised.

    Parameters
    ----------
    model : ValueFactors
        What was learnt.
    codes : Codes
        The rows.
    densities : iterable of ndarray of shape (n_rows, n_classes)
        Further factors of the rows.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        P(class) where every product is 0.
    """
    scores = np.tile(model.prior, (codes.n_rows, 1))
    steps = np.zeros(codes.n_rows, dtype=np.int32)
    multiply_values(
        codes.codes, codes.n_values, model.factors, model.stride, scores, steps
    )
    for factors in densities:
        multiply_rows(factors, scores, steps)
    normalize_scores(scores, model.prior)
    return scores


def one_dependence_scores(
    model: PairFactors,
    codes: Codes,
    parents: NDArray[np.int32] | None = None,
    *,
    normalize: bool = False,
    n_jobs: int | None = None,
) -> tuple[Floats, NDArray[np.int32]]:
    """Add up P(class, parent's value) * P(values | class, parent's value) over parents.

    Parameters
    ----------
    model : PairFactors
        What was learnt.
    codes : Codes
        The rows.
    parents : ndarray of int32, default=None
        The attributes that are parents; None: all.
    normalize : bool, default=False
        Whether the products of each parent are divided by their sum over the classes
        first. (The sum over parents is then MACLEN's with naive Bayes.)
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    scores : ndarray of shape (n_rows, n_classes)
        Zeros for a row without a parent: where all its values are missing or may not be
        parents.
    steps : ndarray of shape (n_rows,), int32
        The true sum is `scores * 2.0 ** (300 * steps)`, which may be too small for a
        floating point number. All are 0 if `normalize`.
    """
    if parents is None:
        parents = np.arange(len(codes.n_values), dtype=np.int32)
    scores = np.zeros((codes.n_rows, model.joint.shape[1]))
    steps = np.zeros(codes.n_rows, dtype=np.int32)
    n_threads = min(n_threads_of(n_jobs), codes.n_rows // ROWS_PER_THREAD + 1)
    ends = np.linspace(0, codes.n_rows, n_threads + 1).astype(np.intp)

    def add(part: int) -> None:
        rows = slice(ends[part], ends[part + 1])
        parent_scores(
            np.ascontiguousarray(codes.codes[:, rows]),
            codes.n_values,
            parents,
            model.joint,
            model.factors,
            model.stride,
            normalize,
            scores[rows],
            steps[rows],
        )

    in_threads(n_threads, add)
    return scores, steps
