"""What the measures ask of the arrays they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.utils._typing import Floats


def read_labels(y: ArrayLike, name: str = "y_true") -> NDArray[Any]:
    """Return labels as an array with at least one entry."""
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(
            f"{name} has the shape {labels.shape}. It must hold one label per example, "
            "and at least one."
        )
    return labels


def read_predictions(
    predictions: ArrayLike, n_examples: int | None = None
) -> NDArray[Any]:
    """Return predicted labels as a matrix with a row for each classifier."""
    labels = np.asarray(predictions)
    if labels.ndim != 2 or 0 in labels.shape:
        raise ValueError(
            f"predictions has the shape {labels.shape}. It must have one row of labels "
            "for each classifier."
        )
    if n_examples is not None and labels.shape[1] != n_examples:
        raise ValueError(
            f"predictions has {labels.shape[1]} labels for each classifier, y_true has "
            f"{n_examples}. Both must be about the same examples."
        )
    return labels


def find_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the different labels, and for each entry the position of its own."""
    try:
        different, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        raise ValueError(
            "There are labels of several types, or missing ones. Turn them all into "
            "strings, or all into numbers."
        ) from None
    return different, codes.reshape(labels.shape)


def read_codes(y: ArrayLike, n_classes: int | None = None) -> NDArray[np.intp]:
    """Return class codes as an array of integers from 0 to `n_classes` - 1."""
    codes = read_labels(y, "y")
    whole = codes.astype(np.intp) if codes.dtype.kind in "iufb" else None
    if whole is None or not np.array_equal(whole, codes) or whole.min() < 0:
        raise ValueError(
            "y must hold class codes: whole numbers from 0. Encode labels with "
            "np.unique(y, return_inverse=True)."
        )
    if n_classes is not None and whole.max() >= n_classes:
        raise ValueError(
            f"y has the class code {whole.max()}, but there are {n_classes} classes. "
            f"Codes run from 0 to {n_classes - 1}."
        )
    return whole


def read_proba(proba: ArrayLike, n_examples: int) -> Floats:
    """Return probabilities as a matrix with a row for each example."""
    matrix = np.asarray(proba, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != n_examples or not matrix.shape[1]:
        raise ValueError(
            f"proba has the shape {matrix.shape}. It must have a row for each of the "
            f"{n_examples} examples and a column for each class."
        )
    # NaN fails both comparisons.
    if not ((matrix >= 0.0) & (matrix <= 1.0 + 1e-9)).all():
        raise ValueError("proba must hold numbers from 0 to 1, none of them missing.")
    return matrix
