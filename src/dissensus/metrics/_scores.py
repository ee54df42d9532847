"""Scores of predictions, from class codes, and the table of them by name.

The functions take codes 0 to k - 1 and a column of probabilities for each of the k
classes of the data set. A test fold may lack classes: each function says what it makes
of that. They agree with those of scikit-learn where it answers without an error or a
warning, and cost less than a tenth of their time: in a study of many small cells
scoring would otherwise take longer than learning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from dissensus.metrics._arrays import read_codes, read_labels, read_proba
from dissensus.utils._typing import Floats

Codes = NDArray[np.intp]


def accuracy(y: ArrayLike, predictions: ArrayLike) -> float:
    """Return the share of examples that are predicted rightly.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true classes.
    predictions : array of shape (n_examples,)
        The predicted classes.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> from dissensus.metrics import accuracy
    >>> accuracy([0, 0, 1, 2], [0, 0, 1, 1])
    0.75
    """
    truth, given = _read_pair(y, predictions)
    return float(np.mean(truth == given))


def balanced_accuracy(y: ArrayLike, predictions: ArrayLike) -> float:
    """Return the mean, over the classes that occur in `y`, of their recall.

    The recall of a class is the share of its examples that are predicted rightly.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true classes.
    predictions : array of shape (n_examples,)
        The predicted classes.

    Returns
    -------
    float
        From 0 to 1. A class without an example does not count.

    Examples
    --------
    >>> from dissensus.metrics import balanced_accuracy
    >>> balanced_accuracy([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    truth, given = _read_pair(y, predictions)
    _, codes, counts = np.unique(truth, return_inverse=True, return_counts=True)
    hits = np.bincount(codes[truth == given], minlength=len(counts))
    return float(np.mean(hits / counts))


def confusion_matrix(
    y: ArrayLike, predictions: ArrayLike, n_classes: int
) -> NDArray[np.int64]:
    """Count the examples of each class (row) that got each prediction (column).

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    predictions : array of shape (n_examples,)
        The predicted class codes.
    n_classes : int
        The number of classes, whether they occur or not.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        The counts.

    Examples
    --------
    >>> from dissensus.metrics import confusion_matrix
    >>> confusion_matrix([0, 0, 1], [0, 1, 1], n_classes=3)
    array([[1, 1, 0],
           [0, 1, 0],
           [0, 0, 0]])
    """
    truth, given = read_codes(y, n_classes), read_codes(predictions, n_classes)
    _read_pair(truth, given)
    cells = np.bincount(truth * n_classes + given, minlength=n_classes**2)
    return cells.reshape(n_classes, n_classes).astype(np.int64)


def auc(y: ArrayLike, proba: ArrayLike) -> float:
    r"""Return the area under the ROC curve: how well the probabilities rank.

    The area of class c is the chance that a random example of c is given a higher
    probability of c than a random other one, where equals count half. With
    :math:`R_c` the sum of the ranks of c's :math:`n_c` examples of n,

    .. math:: A_c = \frac{R_c - n_c (n_c + 1) / 2}{n_c (n - n_c)}.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    proba : array of shape (n_examples, n_classes)
        The probability of each class.

    Returns
    -------
    float
        For two classes the area of class 1; for more the mean of :math:`A_c` over the
        classes that occur in `y` (one against the rest). NaN if only one occurs.

    Examples
    --------
    >>> from dissensus.metrics import auc
    >>> auc([0, 0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    0.75
    """
    codes, matrix = _read_proba_pair(y, proba)
    present = np.unique(codes)
    if len(present) < 2:
        return float("nan")
    chosen = [1] if matrix.shape[1] == 2 else present
    return float(np.mean([_area(codes == c, matrix[:, c]) for c in chosen]))


def log_loss(y: ArrayLike, proba: ArrayLike) -> float:
    r"""Return the mean of :math:`-\ln p(true\ class)`.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    proba : array of shape (n_examples, n_classes)
        The probability of each class.

    Returns
    -------
    float
        In nats, from 0. A probability of 0 counts as 2.2e-16, as in scikit-learn, so
        that one wrong certainty costs 36 and not infinity.

    Examples
    --------
    >>> from dissensus.metrics import log_loss
    >>> round(log_loss([0, 1], [[0.5, 0.5], [0.75, 0.25]]), 6)
    1.039721
    """
    codes, matrix = _read_proba_pair(y, proba)
    given = matrix[np.arange(len(codes)), codes]
    return float(-np.mean(np.log(np.clip(given, np.finfo(np.float64).eps, 1.0))))


def brier_score(y: ArrayLike, proba: ArrayLike) -> float:
    r"""Return half the mean squared distance of probabilities and truth.

    .. math:: \frac{1}{2n} \sum_{x} \sum_{c} [p_c(x) - t_c(x)]^2,

    where :math:`t_c(x)` is 1 for the true class and 0 for others.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    proba : array of shape (n_examples, n_classes)
        The probability of each class.

    Returns
    -------
    float
        From 0 to 1, for any number of classes; for two it is the usual Brier score.

    Examples
    --------
    >>> from dissensus.metrics import brier_score
    >>> brier_score([0, 1], [[1.0, 0.0], [0.5, 0.5]])
    0.125
    """
    codes, matrix = _read_proba_pair(y, proba)
    given = matrix[np.arange(len(codes)), codes]
    # sum_c (p - t)^2 = sum_c p^2 - 2 p_true + 1
    return float(np.mean(np.sum(matrix**2, axis=1) - 2.0 * given + 1.0) / 2.0)


def calibration_error(y: ArrayLike, proba: ArrayLike, *, n_bins: int = 10) -> float:
    r"""Return how far confidence and accuracy are apart, on average.

    The confidence of a prediction is its probability. Predictions are put into bins of
    equal width by confidence; with :math:`n_b` of n in bin b [1]_,

    .. math:: \sum_b \frac{n_b}{n} |accuracy_b - confidence_b|.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    proba : array of shape (n_examples, n_classes)
        The probability of each class.
    n_bins : int, default=10
        Number of bins between 0 and 1; a bin has its lower end, the last both.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    .. [1] M. P. Naeini, G. F. Cooper and M. Hauskrecht, "Obtaining Well Calibrated
       Probabilities Using Bayesian Binning", AAAI 2015, 2901-2907.

    Examples
    --------
    >>> from dissensus.metrics import calibration_error
    >>> calibration_error([0, 1], [[1.0, 0.0], [0.75, 0.25]])
    0.375
    """
    if n_bins < 1:
        raise ValueError(f"n_bins is {n_bins}. There must be at least one bin.")
    codes, matrix = _read_proba_pair(y, proba)
    confidence = matrix.max(axis=1)
    gap = (matrix.argmax(axis=1) == codes) - confidence
    bins = np.minimum((confidence * n_bins).astype(np.intp), n_bins - 1)
    return float(np.abs(np.bincount(bins, weights=gap)).sum() / len(codes))


@dataclass(frozen=True, slots=True)
class Measure:
    """One way of scoring predictions, by name.

    Attributes
    ----------
    name : str
        Its key in `MEASURES`.
    title : str
        What a table or an axis calls it.
    function : callable
        Takes the true codes, then probabilities or predicted codes.
    uses_proba : bool
        Whether the second argument is probabilities.
    greater_is_better : bool
        Whether a larger value is a better one.
    """

    name: str
    title: str
    function: Callable[[ArrayLike, ArrayLike], float]
    uses_proba: bool
    greater_is_better: bool


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("accuracy", "Accuracy", accuracy, False, True),
        Measure(
            "balanced_accuracy", "Balanced accuracy", balanced_accuracy, False, True
        ),
        Measure("auc", "Area under the ROC curve", auc, True, True),
        Measure("log_loss", "Log-loss", log_loss, True, False),
        Measure("brier", "Brier score", brier_score, True, False),
        Measure(
            "calibration_error", "Calibration error", calibration_error, True, False
        ),
    )
}


def find_measure(name: str) -> Measure:
    """Return the measure of this name.

    Parameters
    ----------
    name : str
        A key of `MEASURES`.

    Returns
    -------
    Measure
        The function, with what is known about it.

    Examples
    --------
    >>> from dissensus.metrics import find_measure
    >>> find_measure("log_loss").greater_is_better
    False
    """
    if name not in MEASURES:
        raise ValueError(
            f"There is no measure {name!r}. There are: {', '.join(sorted(MEASURES))}."
        )
    return MEASURES[name]


def compute_measures(
    y: ArrayLike,
    *,
    predictions: ArrayLike | None = None,
    proba: ArrayLike | None = None,
    names: Iterable[str] = tuple(MEASURES),
) -> dict[str, float]:
    """Score predictions by several measures.

    Parameters
    ----------
    y : array of shape (n_examples,)
        The true class codes.
    predictions : array of shape (n_examples,), default=None
        The predicted class codes; the first of the most probable classes if None.
    proba : array of shape (n_examples, n_classes), default=None
        The probability of each class; None for a classifier that has none.
    names : iterable of str, default=all
        Keys of `MEASURES`.

    Returns
    -------
    dict of {str: float}
        The scores by name; NaN where a measure needs probabilities and there are none.

    Examples
    --------
    >>> from dissensus.metrics import compute_measures
    >>> compute_measures([0, 1], predictions=[0, 0], names=["accuracy", "auc"])
    {'accuracy': 0.5, 'auc': nan}
    """
    if predictions is None:
        if proba is None:
            raise ValueError("Give predictions, proba, or both.")
        predictions = np.asarray(proba).argmax(axis=1)
    scores = {}
    for measure in map(find_measure, names):
        answer = proba if measure.uses_proba else predictions
        scores[measure.name] = (
            float("nan") if answer is None else measure.function(y, answer)
        )
    return scores


def _read_pair(y: ArrayLike, predictions: ArrayLike) -> tuple[NDArray[np.generic], ...]:
    truth, given = read_labels(y, "y"), read_labels(predictions, "predictions")
    if len(truth) != len(given):
        raise ValueError(
            f"There are {len(given)} predictions for {len(truth)} examples."
        )
    return truth, given


def _read_proba_pair(y: ArrayLike, proba: ArrayLike) -> tuple[Codes, Floats]:
    matrix = read_proba(proba, len(read_labels(y, "y")))
    return read_codes(y, matrix.shape[1]), matrix


def _area(positive: NDArray[np.bool_], score: Floats) -> float:
    """Return the chance that a positive example has a higher score than another."""
    n_positive = int(positive.sum())
    excess = rankdata(score)[positive].sum() - n_positive * (n_positive + 1) / 2
    return float(excess / (n_positive * (len(score) - n_positive)))
