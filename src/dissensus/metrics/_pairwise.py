"""How alike two classifiers are, for every pair of an ensemble.

All measures are functions of a few counts, each a product of matrices of zeros and
ones: how many examples two classifiers both get right, both get wrong, or give the same
label.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.metrics._arrays import find_labels, read_labels, read_predictions
from dissensus.utils._typing import Floats


def pairwise_disagreement(y_true: ArrayLike, predictions: ArrayLike) -> Floats:
    r"""Measure for each pair how often one is right and the other wrong.

    With :math:`N^{ab}` the number of examples on which the first is right (a = 1) or
    wrong (a = 0) and the second right or wrong (b), of :math:`N` in all [1]_,

    .. math:: D_{ij} = (N^{10} + N^{01}) / N.

    Parameters
    ----------
    y_true : array of shape (n_examples,)
        The true labels.
    predictions : array of shape (n_classifiers, n_examples)
        The labels that each classifier gives.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        From 0 to 1; 0 on the diagonal.

    See Also
    --------
    mean_over_pairs : One number for the ensemble.

    References
    ----------
    .. [1] L. I. Kuncheva and C. J. Whitaker, "Measures of Diversity in Classifier
       Ensembles and Their Relationship with the Ensemble Accuracy", Machine Learning
       51, 2003, 181-207.

    Examples
    --------
    >>> from dissensus.metrics import pairwise_disagreement
    >>> pairwise_disagreement([0, 0, 1, 1], [[0, 0, 1, 0], [0, 1, 1, 1]])
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    right = _right(y_true, predictions)
    one_right = right @ (1.0 - right).T
    return (one_right + one_right.T) / right.shape[1]


def double_fault(y_true: ArrayLike, predictions: ArrayLike) -> Floats:
    r"""Measure for each pair how often both are wrong.

    In the notation of `pairwise_disagreement` [1]_,

    .. math:: DF_{ij} = N^{00} / N.

    Parameters
    ----------
    y_true : array of shape (n_examples,)
        The true labels.
    predictions : array of shape (n_classifiers, n_examples)
        The labels that each classifier gives.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        From 0 to 1; the classifiers' errors on the diagonal.

    References
    ----------
    .. [1] G. Giacinto and F. Roli, "Design of Effective Neural Network Ensembles for
       Image Classification Purposes", Image and Vision Computing 19, 2001, 699-707.

    Examples
    --------
    >>> from dissensus.metrics import double_fault
    >>> double_fault([0, 0, 1, 1], [[1, 0, 1, 0], [1, 1, 1, 1]])
    array([[0.5 , 0.25],
           [0.25, 0.5 ]])
    """
    wrong = 1.0 - _right(y_true, predictions)
    return (wrong @ wrong.T) / wrong.shape[1]


def q_statistic(y_true: ArrayLike, predictions: ArrayLike) -> Floats:
    r"""Measure Yule's association between the successes of each pair.

    In the notation of `pairwise_disagreement` [1]_,

    .. math:: Q_{ij} = \frac{N^{11} N^{00} - N^{01} N^{10}}
                            {N^{11} N^{00} + N^{01} N^{10}}.

    Parameters
    ----------
    y_true : array of shape (n_examples,)
        The true labels.
    predictions : array of shape (n_classifiers, n_examples)
        The labels that each classifier gives.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        From -1 (they err on different examples) over 0 (independent) to 1; NaN where
        the formula is 0 / 0, as for a pair of which one is never wrong.

    References
    ----------
    .. [1] G. U. Yule, "On the Association of Attributes in Statistics", Philosophical
       Transactions of the Royal Society A 194, 1900, 257-319.

    Examples
    --------
    >>> from dissensus.metrics import q_statistic
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> q_statistic(y, [[0, 0, 0, 1, 0, 0], [0, 1, 0, 1, 1, 0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    right = _right(y_true, predictions)
    wrong = 1.0 - right
    alike = (right @ right.T) * (wrong @ wrong.T)
    first_right = right @ wrong.T
    unlike = first_right * first_right.T
    return _ratio(alike - unlike, alike + unlike)


def kappa(predictions: ArrayLike) -> Floats:
    r"""Measure for each pair the agreement of their labels beyond chance.

    With :math:`p_o` the share of examples to which both give the same label, and
    :math:`p_e = \sum_c p_{ic} p_{jc}` the share expected of two that give label c as
    often as they do, but by chance [1]_,

    .. math:: \kappa_{ij} = (p_o - p_e) / (1 - p_e).

    Parameters
    ----------
    predictions : array of shape (n_classifiers, n_examples)
        The labels that each classifier gives.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        1 where two agree wholly, 0 where they agree by chance; NaN where both always
        give one and the same label.

    References
    ----------
    .. [1] D. D. Margineantu and T. G. Dietterich, "Pruning Adaptive Boosting", ICML
       1997, 211-218.

    Examples
    --------
    >>> from dissensus.metrics import kappa
    >>> kappa([[0, 0, 1, 1], [0, 1, 1, 1]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    labels = read_predictions(predictions)
    n_examples = labels.shape[1]
    different, _ = find_labels(labels)
    counts = np.array([(labels == label).sum(axis=1) for label in different])
    # Whole numbers until the division, so that 1 - p_e is 0 exactly when it should be.
    by_chance = (counts.T @ counts).astype(np.float64)
    return _ratio(n_examples * _same(labels) - by_chance, n_examples**2 - by_chance)


def error_correlation(y_true: ArrayLike, predictions: ArrayLike) -> Floats:
    r"""Measure for each pair how often they make the same error, where one errs.

    .. math:: \phi_{ij} = P(f_i(x) = f_j(x) \mid f_i(x) \ne f(x)
                            \lor f_j(x) \ne f(x)),

    as in section 8.1 of [1]_. Unlike the plain probability of a common error, it is 1
    for a classifier and itself.

    Parameters
    ----------
    y_true : array of shape (n_examples,)
        The true labels.
    predictions : array of shape (n_classifiers, n_examples)
        The labels that each classifier gives.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        From 0 to 1; 1 on the diagonal, NaN for two of which neither ever errs.

    References
    ----------
    .. [1] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41, 2000,
       315-343.

    Examples
    --------
    >>> from dissensus.metrics import error_correlation
    >>> error_correlation([0, 0, 1, 2], [[1, 0, 1, 0], [1, 0, 0, 1]])
    array([[1.        , 0.33333333],
           [0.33333333, 1.        ]])
    """
    right = _right(y_true, predictions)
    both_right = right @ right.T
    same_error = _same(np.asarray(predictions)) - both_right
    correlation = _ratio(same_error, right.shape[1] - both_right)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def mean_over_pairs(matrix: ArrayLike) -> float:
    """Return the mean of a pairwise measure over all pairs of different classifiers.

    Parameters
    ----------
    matrix : array of shape (n_classifiers, n_classifiers)
        The measure of each pair.

    Returns
    -------
    float
        The mean over the pairs for which the measure is defined; NaN if there is none.

    Examples
    --------
    >>> from dissensus.metrics import mean_over_pairs
    >>> mean_over_pairs([[1.0, 0.0, 0.5], [0.0, 1.0, 1.0], [0.5, 1.0, 1.0]])
    0.5
    """
    square = np.asarray(matrix, dtype=np.float64)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise ValueError(
            f"matrix has the shape {square.shape}. It must have a row and a column for "
            "each classifier."
        )
    pairs = square[np.triu_indices(len(square), k=1)]
    defined = pairs[~np.isnan(pairs)]
    return float(defined.mean()) if len(defined) else float("nan")


def _right(y_true: ArrayLike, predictions: ArrayLike) -> Floats:
    """Return 1 where a classifier (row) is right on an example (column), else 0."""
    y = read_labels(y_true)
    return (read_predictions(predictions, len(y)) == y).astype(np.float64)


def _same(labels: NDArray[np.generic]) -> Floats:
    """Count for each pair the examples to which both give the same label."""
    total = np.zeros((len(labels), len(labels)))
    for label in find_labels(labels)[0]:
        given = (labels == label).astype(np.float64)
        total += given @ given.T
    return total


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; NaN where the denominator is 0."""
    undefined = denominator == 0.0
    ratio: Floats = numerator / np.where(undefined, 1.0, denominator)
    ratio[undefined] = np.nan
    return ratio
