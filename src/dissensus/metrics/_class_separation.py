"""How far apart the classes lie, in units of their own spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.metrics._arrays import read_labels
from dissensus.utils._typing import Floats

TOLERANCE = 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class ClassSeparation:
    """Mahalanobis distances within and between classes.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels.
    within : ndarray of shape (n_classes,)
        Mean squared distance of a class's examples to its mean.
    between : ndarray of shape (n_classes, n_classes)
        Squared distance of the means of two classes; 0 on the diagonal.
    """

    classes: NDArray[Any]
    within: Floats
    between: Floats

    @property
    def mean_within(self) -> float:
        """Mean over the classes for which there is a distance; NaN without any."""
        return _mean(self.within)

    @property
    def mean_between(self) -> float:
        """Mean over the pairs of classes for which there is one; NaN without any."""
        return _mean(self.between[np.triu_indices(len(self.classes), k=1)])


def class_separation(
    X: ArrayLike, y: ArrayLike, *, tolerance: float = TOLERANCE
) -> ClassSeparation:
    r"""Measure the distances within and between classes, as in section 8.3 of [1]_.

    With :math:`\bar x_i` and :math:`S_i` the mean and the covariance (divisor
    :math:`n_i - 1`) of class i,

    .. math::
        within_i &= \tfrac{1}{n_i} \sum_{x \in i}
                    (x - \bar x_i)^T S_i^{-1} (x - \bar x_i) \\
        between_{ij} &= (\bar x_i - \bar x_j)^T S_{ij}^{-1} (\bar x_i - \bar x_j),
        \quad S_{ij} = \frac{(n_i - 1) S_i + (n_j - 1) S_j}{n_i + n_j - 2}.

    Parameters
    ----------
    X : array of shape (n_examples, n_attributes)
        Numbers, none of them missing.
    y : array of shape (n_examples,)
        The labels.
    tolerance : float, default=1e-15
        Singular values of a covariance below this part of its largest one are dropped.

    Returns
    -------
    ClassSeparation
        Squared distances. A class of one example has no covariance: its `within` is
        NaN, and so is `between` for two such classes.

    Notes
    -----
    A covariance that cannot be inverted has its pseudo-inverse taken, so directions in
    which nothing varies do not count. Measured on the examples that gave the mean and
    the covariance, `within` is :math:`rank(S_i) (n_i - 1) / n_i` whatever the data: it
    counts attributes. The distance between classes is the one that tells something.
    It is large where an attribute hardly varies inside the classes, as probabilities
    often do: a larger `tolerance`, with attributes of like scale, leaves these out.

    References
    ----------
    .. [1] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41, 2000,
       315-343.

    Examples
    --------
    >>> from dissensus.metrics import class_separation
    >>> found = class_separation([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"])
    >>> found.within
    array([0.5, 0.5])
    >>> found.between
    array([[0., 8.],
           [8., 0.]])
    """
    matrix = np.asarray(X, dtype=np.float64)
    labels = read_labels(y, "y")
    if matrix.ndim != 2 or len(matrix) != len(labels) or not np.isfinite(matrix).all():
        raise ValueError(
            f"X has the shape {matrix.shape}. It must have a row for each of the "
            f"{len(labels)} labels and hold finite numbers, none of them missing."
        )
    classes = np.unique(labels)
    groups = [matrix[labels == label] for label in classes]
    within = np.array([_within(group, tolerance) for group in groups])
    between = np.zeros((len(classes), len(classes)))
    for i, first in enumerate(groups):
        for j in range(i):
            between[i, j] = between[j, i] = _between(first, groups[j], tolerance)
    return ClassSeparation(classes, within, between)


def _within(group: Floats, tolerance: float) -> float:
    if len(group) < 2:
        return float("nan")
    centred = group - group.mean(axis=0)
    inverse = _inverse(centred.T @ centred / (len(group) - 1), tolerance)
    return float(np.mean(np.sum((centred @ inverse) * centred, axis=1)))


def _between(first: Floats, second: Floats, tolerance: float) -> float:
    degrees = len(first) + len(second) - 2
    if degrees == 0:
        return float("nan")
    gap = first.mean(axis=0) - second.mean(axis=0)
    scatter = sum(
        centred.T @ centred
        for centred in (first - first.mean(axis=0), second - second.mean(axis=0))
    )
    return float(gap @ _inverse(scatter / degrees, tolerance) @ gap)


def _inverse(covariance: Floats, tolerance: float) -> Floats:
    inverse = np.linalg.pinv(covariance, rcond=tolerance, hermitian=True)
    return np.asarray(inverse, dtype=np.float64)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
