"""Supervised discretisation by minimum description length.

Fayyad & Irani's criterion, or Kononenko's. With the efficient encoding the cost of a
cut counts the places where one could be made, otherwise all rows but one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln


def cut_points(
    values: NDArray[np.float64],
    y: NDArray[np.intp],
    n_classes: int,
    criterion: str = "fayyad-irani",
    efficient_encoding: bool = False,
) -> list[float]:
    """Return the ascending cut points of a numeric column; missing are left out."""
    known = ~np.isnan(values)
    order = np.argsort(values[known], kind="stable")
    v, labels = values[known][order], y[known][order]
    return _cuts(v, labels, n_classes, criterion, efficient_encoding)


def _cuts(
    v: NDArray[np.float64],
    y: NDArray[np.intp],
    n_classes: int,
    criterion: str,
    efficient: bool,
) -> list[float]:
    whole = np.bincount(y, minlength=n_classes)
    left = np.zeros(n_classes, dtype=int)
    best, lowest, places = 0, math.inf, 0
    for i in range(1, len(v)):
        left[y[i - 1]] += 1
        if v[i - 1] < v[i]:
            places += 1
            right = whole - left
            mixed = (i * entropy(left) + (len(v) - i) * entropy(right)) / len(v)
            if mixed < lowest:
                best, lowest = i, mixed
    if places == 0:
        return []
    left = np.bincount(y[:best], minlength=n_classes)
    n_cuts = places if efficient else len(v) - 1
    if not ACCEPTS[criterion](left, whole - left, n_cuts):
        return []
    middle = float((v[best - 1] + v[best]) / 2)
    below = _cuts(v[:best], y[:best], n_classes, criterion, efficient)
    above = _cuts(v[best:], y[best:], n_classes, criterion, efficient)
    return [*below, middle, *above]


def entropy(counts: NDArray[np.intp]) -> float:
    """Return the entropy of class counts in bits."""
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def accepts_fayyad_irani(
    left: NDArray[np.intp], right: NDArray[np.intp], n_cuts: int
) -> bool:
    """Whether the gain pays for describing the cut and the classes beside it."""
    whole = left + right
    n, k = whole.sum(), (whole > 0).sum()
    rest = [(part.sum() / n) * entropy(part) for part in (left, right)]
    gain = entropy(whole) - sum(rest)
    sides = sum((part > 0).sum() * entropy(part) for part in (left, right))
    delta = math.log2(3.0**k - 2) - (k * entropy(whole) - sides)
    return bool(gain > (math.log2(n_cuts) + delta) / n)


def accepts_kononenko(
    left: NDArray[np.intp], right: NDArray[np.intp], n_cuts: int
) -> bool:
    """Whether both sides together are described in fewer bits than the whole.

    Exact ties occur (9 + 2 rows of two classes against 1 + 1 of two others, 12 cuts);
    rounding decides them as in Weka if the terms are computed and added as here, with
    the log-gamma function of Cephes.
    """
    whole = left + right
    k = int((whole > 0).sum())
    after = math.log2(n_cuts)
    after += frequency_bits(left, k) + frequency_bits(right, k)
    after += order_bits(left) + order_bits(right)
    return frequency_bits(whole, k) + order_bits(whole) > after


def frequency_bits(counts: NDArray[np.intp], k: int) -> float:
    """Return the bits that tell how many rows each of k classes has."""
    n = int(counts.sum())
    logs = gammaln(n + k) - gammaln(k) - gammaln(n + 1)
    return float(logs / math.log(2))


def order_bits(counts: NDArray[np.intp]) -> float:
    """Return the bits that tell the order of rows with these class counts."""
    logs = gammaln(counts.sum() + 1)
    for count in counts:
        logs -= gammaln(count + 1)
    return float(logs / math.log(2))


ACCEPTS = {"fayyad-irani": accepts_fayyad_irani, "kononenko": accepts_kononenko}
