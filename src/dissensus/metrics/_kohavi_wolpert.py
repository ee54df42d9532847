"""Bias and variance of a learner under 0/1 loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dissensus.metrics._arrays import read_labels, read_predictions

Form = Literal["plug-in", "weka"]
FORMS: tuple[Form, ...] = ("plug-in", "weka")


@dataclass(frozen=True, slots=True)
class BiasVariance:
    """An error taken apart.

    Attributes
    ----------
    error : float
        Mean 0/1 error of the models.
    bias : float
        Mean squared bias.
    variance : float
        Mean variance.
    noise : float
        Always 0: with one label per example, the noise is in the bias.
    n_models : int
        Number of models, each from its own training set.
    n_examples : int
        Number of test examples.
    form : {"plug-in", "weka"}
        How it was estimated.
    """

    error: float
    bias: float
    variance: float
    noise: float
    n_models: int
    n_examples: int
    form: Form


def kohavi_wolpert(
    y_true: ArrayLike, predictions: ArrayLike, *, form: Form = "plug-in"
) -> BiasVariance:
    r"""Take the error of models from several training sets apart.

    Let :math:`p_y(x)` be the share of the models that give example x the label y, and
    :math:`t_y(x)` be 1 for its true label and 0 for others. Then [1]_

    .. math::
        bias(x) = \tfrac12 \sum_y [t_y(x) - p_y(x)]^2, \qquad
        variance(x) = \tfrac12 \bigl(1 - \sum_y p_y(x)^2\bigr),

    and the mean over the examples of bias + variance is the error, exactly.

    Parameters
    ----------
    y_true : array of shape (n_examples,)
        The true labels of the test examples.
    predictions : array of shape (n_models, n_examples)
        The labels that each model gives.
    form : {"plug-in", "weka"}, default="plug-in"
        "plug-in" is the formula above. "weka" corrects the bias for the number of
        models N, as [1]_ and Weka's `BVDecompose` do, by taking
        :math:`\tfrac12 \sum_y p_y (1 - p_y) / (N - 1)` from it; bias + variance is then
        error - variance / (N - 1).

    Returns
    -------
    BiasVariance
        Error, bias and variance as means over the examples.

    References
    ----------
    .. [1] R. Kohavi and D. H. Wolpert, "Bias Plus Variance Decomposition for Zero-One
       Loss Functions", ICML 1996, 275-283.

    Examples
    --------
    Two models agree on the wrong label of the first example and differ on the second.

    >>> from dissensus.metrics import kohavi_wolpert
    >>> result = kohavi_wolpert(["a", "b"], [["b", "b"], ["b", "a"]])
    >>> result.error, result.bias, result.variance
    (0.75, 0.625, 0.125)
    """
    if form not in FORMS:
        raise ValueError(f"form is {form!r}. It must be 'plug-in' or 'weka'.")
    y = read_labels(y_true)
    labels = read_predictions(predictions, len(y))
    n_models = len(labels)
    if form == "weka" and n_models < 2:
        raise ValueError(
            "form='weka' divides by the number of models less one. Give at least two, "
            "or use form='plug-in'."
        )

    hit = (labels == y).mean(axis=0)
    classes = np.unique(labels)
    squares = sum((labels == label).mean(axis=0) ** 2 for label in classes)
    # sum_y (t - p)^2 = 1 - 2 p_true + sum_y p^2, also where no model gives the truth.
    bias = float(np.mean(1.0 - 2.0 * hit + squares) / 2.0)
    variance = float(np.mean(1.0 - squares) / 2.0)
    if form == "weka":
        bias -= variance / (n_models - 1)
    error = float(np.mean(1.0 - hit))
    return BiasVariance(error, bias, variance, 0.0, n_models, len(y), form)
