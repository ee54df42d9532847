"""Folds, growing training sets and wrong labels, all drawn from one generator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dissensus.base import check_labels

Rows = NDArray[np.intp]
RngLike = int | Generator | None

# More points where a curve is steep.
FRACTIONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)


def stratified_folds(
    y: ArrayLike, n_folds: int = 10, *, rng: RngLike = None
) -> list[tuple[Rows, Rows]]:
    """Split rows into folds that have the classes in the shares of the whole.

    The rows are shuffled, sorted by class, and dealt out in turn: folds differ by at
    most one row in size, and by at most one row of each class. A class with fewer rows
    than there are folds is no hindrance; some folds have none of it.

    Parameters
    ----------
    y : array of shape (n_rows,)
        The labels.
    n_folds : int, default=10
        Number of folds, from 2 to the number of rows.
    rng : int, Generator or None, default=None
        Where randomness comes from.

    Returns
    -------
    list of (train, test)
        Row numbers, ascending, of each fold as test set and of the others.

    Examples
    --------
    >>> from dissensus.evaluation import stratified_folds
    >>> y = ["a", "a", "a", "a", "b", "b"]
    >>> [len(test) for train, test in stratified_folds(y, 2, rng=0)]
    [3, 3]
    """
    codes = _codes(y)
    if not 2 <= n_folds <= len(codes):
        raise ValueError(
            f"n_folds is {n_folds}, but there are {len(codes)} rows. It must be from 2 "
            "to the number of rows."
        )
    shuffled = np.random.default_rng(rng).permutation(len(codes))
    dealt = shuffled[np.argsort(codes[shuffled], kind="stable")]
    fold = np.empty(len(codes), dtype=np.intp)
    fold[dealt] = np.arange(len(codes)) % n_folds
    return [
        (np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(n_folds)
    ]


def nested_fractions(
    y: ArrayLike, fractions: Sequence[float] = FRACTIONS, *, rng: RngLike = None
) -> dict[float, Rows]:
    """Choose growing parts of a training set, each a part of the next.

    Parameters
    ----------
    y : array of shape (n_rows,)
        The labels of the training set.
    fractions : sequence of float, default=(0.01, 0.02, 0.05, 0.1, ..., 0.75, 1)
        Shares of the rows, above 0 and at most 1. A share of f has f n rows, rounded
        half up, and at least one.
    rng : int, Generator or None, default=None
        Where randomness comes from.

    Returns
    -------
    dict of {float: ndarray}
        The row numbers for each fraction: prefixes of one order of the rows, in which
        the rows of a class lie evenly spread, so each part has the classes about as
        the whole has them. In parts with fewer rows than classes some are absent.

    Examples
    --------
    >>> from dissensus.evaluation import nested_fractions
    >>> y = ["a"] * 10 + ["b"] * 10
    >>> parts = nested_fractions(y, [0.1, 0.5], rng=0)
    >>> sorted(rows < 10 for rows in parts[0.1].tolist())
    [False, True]
    >>> len(parts[0.5])
    10
    """
    for fraction in fractions:
        if not 0.0 < fraction <= 1.0:
            raise ValueError(
                f"fractions has {fraction}. Each must be above 0 and at most 1: 0.5 "
                "stands for half of the rows."
            )
    order = _spread_order(_codes(y), np.random.default_rng(rng))
    return {
        fraction: order[: max(1, _round_half_up(fraction * len(order)))]
        for fraction in fractions
    }


def inject_class_noise(
    y: ArrayLike,
    share: float = 0.05,
    *,
    classes: ArrayLike | None = None,
    rng: RngLike = None,
) -> NDArray[Any]:
    """Give some rows a wrong label.

    Parameters
    ----------
    y : array of shape (n_rows,)
        The labels.
    share : float, default=0.05
        Share of the rows that change, from 0 to 1; the number is rounded half up. They
        are drawn without replacement, all rows alike.
    classes : array, default=None
        The labels to choose from; those in `y` if None.
    rng : int, Generator or None, default=None
        Where randomness comes from.

    Returns
    -------
    ndarray of shape (n_rows,)
        A copy in which each chosen row has one of the other labels, all alike.

    Examples
    --------
    >>> from dissensus.evaluation import inject_class_noise
    >>> y = [0, 1] * 20
    >>> int((inject_class_noise(y, rng=0) != y).sum())
    2
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share}. It must be from 0 to 1.")
    noisy = np.array(y)
    check_labels(noisy)
    labels = np.unique(noisy if classes is None else np.asarray(classes))
    unknown = np.setdiff1d(noisy, labels)
    if len(unknown):
        raise ValueError(f"y has the label '{unknown[0]}', which is not in classes.")
    n_wrong = _round_half_up(share * len(noisy))
    if n_wrong and len(labels) < 2:
        raise ValueError(
            f"There is no label but '{labels[0]}', so none can be wrong. Name the "
            "others in classes."
        )
    generator = np.random.default_rng(rng)
    rows = generator.choice(len(noisy), n_wrong, replace=False)
    steps = generator.integers(1, max(2, len(labels)), n_wrong)
    # From 1 to k - 1 steps round the circle of labels: any but the same, all alike.
    wrong = (np.searchsorted(labels, noisy[rows]) + steps) % max(1, len(labels))
    noisy[rows] = labels[wrong]
    return noisy


def _codes(y: ArrayLike) -> Rows:
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(
            f"y has the shape {labels.shape}. It must hold one label per row, and at "
            "least one."
        )
    check_labels(labels)
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.intp)


def _spread_order(codes: Rows, rng: Generator) -> Rows:
    """Return an order whose every prefix has the classes in about their shares."""
    shuffled = rng.permutation(len(codes))
    position = np.empty(len(codes))
    for code in np.unique(codes):
        rows = shuffled[codes[shuffled] == code]
        position[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    # Classes of equal size have equal positions: their turn is drawn each time.
    return np.lexsort((rng.random(len(codes)), position))


def _round_half_up(number: float) -> int:
    # 0.07 * 50 is 3.5000000000000004, 0.29 * 50 is 14.499999999999998.
    return math.floor(round(number, 9) + 0.5)
