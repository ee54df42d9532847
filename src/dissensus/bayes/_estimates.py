"""Probabilities from counts, smoothed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dissensus._core.counts._factors import fill_factors, fill_joint
from dissensus.bayes._counts import Counts
from dissensus.utils._typing import Floats

# What is added to each of n cells, for a strength `alpha`: one row of each kind, or one
# row shared among all kinds (Weka's option -M, where alpha is called m).
SMOOTHINGS: dict[str, Callable[[float, Any], Any]] = {
    "laplace": lambda alpha, n: alpha + 0.0 * n,
    "m-estimate": lambda alpha, n: alpha / np.maximum(n, 1),
}


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A rule for estimates that are not 0 where a count is.

    The estimate for one of n cells is (count + e) / (total + n * e), where e is
    `pseudo(n)`: alpha ("laplace") or alpha / n ("m-estimate").
    """

    kind: str
    alpha: float

    def pseudo(self, n_cells: Any) -> Floats:
        """Return what is added to each cell."""
        return np.asarray(SMOOTHINGS[self.kind](self.alpha, n_cells), np.float64)

    def estimate(self, counts: Floats, totals: Any, n_cells: Any) -> Floats:
        """Return the estimates of cells, given the sums of all cells; 0/0 is even."""
        pseudo = self.pseudo(n_cells)
        whole = totals + n_cells * pseudo
        if np.all(whole > 0):
            return np.asarray((counts + pseudo) / whole)
        even = np.broadcast_to(1.0 / np.maximum(n_cells, 1), counts.shape)
        return np.divide(counts + pseudo, whole, out=even.copy(), where=whole > 0)


@dataclass(frozen=True, slots=True)
class ValueFactors:
    """What naive Bayes knows: P(class), and P(value | class).

    Attributes
    ----------
    prior : ndarray of shape (n_classes,)
        P(class).
    factors : ndarray of shape (n_places + n_attributes, n_classes)
        P(value | class); behind the values of each attribute a line of ones, for rows
        without a value.
    stride : int
        So many fours of factors can be multiplied before a product may leave the range
        of floating point.
    """

    prior: Floats
    factors: Floats
    stride: int


@dataclass(frozen=True, slots=True)
class PairFactors:
    """What one-dependence estimators know: P(class, value), P(value | class, value).

    Attributes
    ----------
    joint : ndarray of shape (n_places, n_classes)
        P(class, value of the parent), perhaps times a weight; zeros for a value that
        may not be a parent.
    factors : ndarray of shape (n_places, n_places + n_attributes, n_classes)
        P(value | class, value of the parent), the parent first; lines of ones as in
        `ValueFactors`.
    stride : int
        See `ValueFactors`.
    """

    joint: Floats
    factors: Floats
    stride: int


def value_factors(counts: Counts, smoothing: Smoothing) -> ValueFactors:
    """Estimate what naive Bayes multiplies."""
    n_classes = counts.n_classes
    prior = smoothing.estimate(counts.classes, counts.classes.sum(), n_classes)
    factors, stride = _conditionals(counts, counts.values[:, np.newaxis], smoothing)
    return ValueFactors(prior, factors[0], stride)


def pair_factors(counts: Counts, smoothing: Smoothing) -> PairFactors:
    """Estimate what one-dependence estimators multiply; every value may be a parent."""
    assert counts.pairs is not None
    joint = np.empty(counts.values.shape[::-1])
    pseudo = smoothing.pseudo(counts.n_classes * counts.n_values)
    fill_joint(counts.values, counts.n_values, pseudo, joint)
    factors, stride = _conditionals(counts, counts.pairs, smoothing)
    return PairFactors(joint, factors, stride)


def _conditionals(
    counts: Counts, cells: Floats, smoothing: Smoothing
) -> tuple[Floats, int]:
    """Return P(value | class, given value), and the stride; see `fill_factors`."""
    n_values = counts.n_values
    n_lines = int(n_values.sum()) + len(n_values)
    out = np.empty((cells.shape[1], n_lines, counts.n_classes))
    return out, fill_factors(cells, n_values, smoothing.pseudo(n_values), out)


def mutual_information(counts: Counts) -> Floats:
    """Return what each attribute tells about the class, in nats, from known values."""
    information = np.zeros(len(counts.n_values))
    for attribute in range(len(counts.n_values)):
        cells = counts.values[:, counts.place(attribute)]
        total = cells.sum()
        if total == 0:
            continue
        even = np.outer(cells.sum(axis=1), cells.sum(axis=0)) / total
        there = cells > 0
        terms = cells[there] * np.log(cells[there] / even[there])
        information[attribute] = max(float(terms.sum() / total), 0.0)
    return information
