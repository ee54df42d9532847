"""What each value of a row adds to the log-probabilities of naive Bayes."""

from __future__ import annotations

import numpy as np

from dissensus.bayes._naive_bayes import NaiveBayesClassifier
from dissensus.preprocessing import interval_labels
from dissensus.table import Table
from dissensus.utils._typing import Floats

# A probability of 0, which takes `alpha=0`, counts as this when its logarithm is taken.
SMALLEST = 1e-300


def log_factors(model: NaiveBayesClassifier, table: Table) -> tuple[Floats, Floats]:
    """Return ln P(class) and ln P(value | class).

    Parameters
    ----------
    model : NaiveBayesClassifier
        Fitted.
    table : Table
        The rows.

    Returns
    -------
    prior : ndarray of shape (n_classes,)
        ln P(class).
    factors : ndarray of shape (n_attributes, n_rows, n_classes)
        ln P(value | class), 0 where there is no value. The sum over the attributes and
        the prior is the logarithm of the probability, but for a constant of the row.
    """
    prior = model._model.prior
    factors = np.ones((table.n_attributes, table.n_rows, len(prior)))
    codes = model._codes(table)
    counted = (
        position
        for position, cuts in enumerate(model.cut_points_)
        if model.schema_[position].is_nominal or cuts is not None
    )
    first = 0
    for position, column, n in zip(counted, codes.codes, codes.n_values, strict=True):
        factors[position] = model._model.factors[first + column.astype(np.intp)]
        first += int(n) + 1  # the values, and the line for rows without one
    for position, normal in model.normals_.items():
        factors[position] = normal.factors(table.columns[position].data)
    return np.log(np.maximum(prior, SMALLEST)), np.log(np.maximum(factors, SMALLEST))


def interval_of(model: NaiveBayesClassifier, position: int, value: float) -> str | None:
    """Return the name of the interval that a number falls in, if it was cut."""
    cuts = model.cut_points_[position]
    if cuts is None or np.isnan(value):
        return None
    return interval_labels(cuts)[int(np.searchsorted(cuts, value, side="left"))]
