"""How much the members of a committee disagree, and what it gains by that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.metrics._arrays import find_labels


def disagreement(predictions: ArrayLike) -> float:
    r"""Return how often two members give a row different labels.

    With the labels :math:`C_i(x)` of m members for n rows,

    .. math:: \frac{2}{n\, m (m - 1)} \sum_x \sum_{i < j} [C_i(x) \ne C_j(x)].

    Parameters
    ----------
    predictions : array of shape (n_members, n_samples)
        The labels that each member predicts.

    Returns
    -------
    disagreement : float
        Mean over rows and pairs of members; 0 for a single member.

    See Also
    --------
    diversity : Disagreement of the members with their committee.

    Examples
    --------
    >>> from dissensus.metrics import disagreement
    >>> disagreement([["a", "b"], ["a", "a"], ["a", "a"]])
    0.3333333333333333
    """
    labels = _as_rows(predictions)
    n_members, n_samples = labels.shape
    if n_members == 1:
        return 0.0
    different, codes = find_labels(labels)
    n_labels = len(different)
    cells = (codes + n_labels * np.arange(n_samples)).ravel()
    # Of n members with the same label, n * (n - 1) ordered pairs agree.
    alike = np.bincount(cells, minlength=n_samples * n_labels)
    n_pairs = n_samples * n_members * (n_members - 1)
    return (n_pairs - int((alike * (alike - 1)).sum())) / n_pairs


def diversity(predictions: ArrayLike, committee: ArrayLike) -> float:
    r"""Return how often a member gives a row another label than its committee does.

    This is DECORATE's measure [1]_: the mean, over members and rows, of

    .. math:: d_i(x) = 0 \text{ if } C_i(x) = C^*(x), \text{ else } 1,

    with the labels :math:`C_i(x)` of member i and :math:`C^*(x)` of the committee.

    Parameters
    ----------
    predictions : array of shape (n_members, n_samples)
        The labels that each member predicts.
    committee : array of shape (n_samples,)
        The labels that the committee predicts.

    Returns
    -------
    diversity : float
        Between 0 and 1.

    See Also
    --------
    squared_diversity : The same for numbers.

    References
    ----------
    .. [1] P. Melville and R. J. Mooney, "Constructing Diverse Classifier Ensembles
       Using Artificial Training Examples", IJCAI 2003, equation 1.

    Examples
    --------
    >>> from dissensus.metrics import diversity
    >>> diversity([["a", "b"], ["a", "a"]], ["a", "a"])
    0.25
    """
    labels = _as_rows(predictions)
    return float((labels != _as_row(committee, labels.shape[1])).mean())


def squared_diversity(predictions: ArrayLike, committee: ArrayLike) -> float:
    r"""Return the mean squared difference between members and committee.

    The mean, over members and rows, of :math:`d_i(x) = (C_i(x) - C^*(x))^2`.

    Parameters
    ----------
    predictions : array of shape (n_members, n_samples)
        The numbers that each member predicts.
    committee : array of shape (n_samples,)
        The numbers that the committee predicts.

    Returns
    -------
    diversity : float
        At least 0.

    Notes
    -----
    For a committee that is the mean of its members, its mean squared error is the mean
    error of the members less this diversity [1]_.

    References
    ----------
    .. [1] A. Krogh and J. Vedelsby, "Neural Network Ensembles, Cross Validation, and
       Active Learning", NIPS 1995.

    Examples
    --------
    >>> from dissensus.metrics import squared_diversity
    >>> squared_diversity([[1.0, 2.0], [3.0, 2.0]], [2.0, 2.0])
    0.5
    """
    numbers = _as_rows(predictions).astype(np.float64)
    centre = _as_row(committee, numbers.shape[1]).astype(np.float64)
    return float(((numbers - centre) ** 2).mean())


def ensemble_error_reduction(
    y_true: ArrayLike, predictions: ArrayLike, committee: ArrayLike
) -> float:
    r"""Return the mean error of the members less the error of their committee.

    .. math:: \frac{1}{m} \sum_i E(C_i) - E(C^*), \quad
              E(C) = \frac{1}{n} \sum_x [C(x) \ne y(x)]

    Parameters
    ----------
    y_true : array of shape (n_samples,)
        The true labels.
    predictions : array of shape (n_members, n_samples)
        The labels that each member predicts.
    committee : array of shape (n_samples,)
        The labels that the committee predicts.

    Returns
    -------
    reduction : float
        Above 0 if the committee is better than its members are on average.

    See Also
    --------
    base_error_reduction : The gain over one learner fitted on the plain data.

    Examples
    --------
    >>> from dissensus.metrics import ensemble_error_reduction
    >>> members = [["a", "b"], ["a", "a"], ["b", "a"]]
    >>> ensemble_error_reduction(["a", "a"], members, ["a", "a"])
    0.3333333333333333
    """
    labels = _as_rows(predictions)
    truth = _as_row(y_true, labels.shape[1])
    committee_error = (_as_row(committee, len(truth)) != truth).mean()
    return float((labels != truth).mean() - committee_error)


def base_error_reduction(
    y_true: ArrayLike, base: ArrayLike, committee: ArrayLike
) -> float:
    r"""Return the error of the base learner less the error of the committee.

    .. math:: E(C_{base}) - E(C^*), \quad
              E(C) = \frac{1}{n} \sum_x [C(x) \ne y(x)]

    Parameters
    ----------
    y_true : array of shape (n_samples,)
        The true labels.
    base : array of shape (n_samples,)
        What the learner predicts that the committee is made of, fitted alone.
    committee : array of shape (n_samples,)
        The labels that the committee predicts.

    Returns
    -------
    reduction : float
        Above 0 if the committee is better.

    Examples
    --------
    >>> from dissensus.metrics import base_error_reduction
    >>> base_error_reduction([0, 1], [0, 0], [0, 1])
    0.5
    """
    truth = _as_row(y_true)
    errors = [
        (_as_row(labels, len(truth)) != truth).mean() for labels in (base, committee)
    ]
    return float(errors[0] - errors[1])


def _as_rows(predictions: ArrayLike) -> NDArray[Any]:
    rows = np.asarray(predictions)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(
            f"Predictions of shape {rows.shape} were given. Give one line of labels "
            "for each member: (n_members, n_samples)."
        )
    return rows


def _as_row(labels: ArrayLike, n_samples: int | None = None) -> NDArray[Any]:
    row = np.asarray(labels)
    if row.ndim != 1 or not row.size or len(row) != (n_samples or len(row)):
        raise ValueError(
            f"Labels of shape {row.shape} were given. Give one for each of the "
            f"{n_samples or 'one or more'} rows."
        )
    return row
