"""The public door of every estimator: scikit-learn's checks, then a Table.

A numeric array is checked by scikit-learn and kept as it is; frames, and arrays with
strings, are read by `Table.from_any`. Columns are matched by name where there are
names, in any order, which scikit-learn itself would refuse.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, validate_data

from dissensus.exceptions import TableError
from dissensus.table import FROM_DTYPE, Table, check_weights, is_missing
from dissensus.utils._sklearn import check_sample_weight, check_y

Weights = NDArray[np.float64] | None


def read_inputs(estimator: Any, X: Any, *, reset: bool) -> Table:
    """Return X as a table; at predict time with the attributes seen in fit.

    Parameters
    ----------
    estimator : estimator
        Gets `schema_`, `n_features_in_` and perhaps `feature_names_in_` when reset.
    X : array, frame or Table
        The inputs.
    reset : bool
        True in fit.
    """
    schema = None if reset else estimator.schema_
    declared = estimator.categorical_features
    if _is_numeric_array(X) and (
        schema.all_numeric if schema is not None else _is_from_dtype(declared)
    ):
        with np.errstate(invalid="ignore"):  # 1e308 and -1e308 in one sum
            X = validate_data(
                estimator,
                X,
                reset=reset,
                dtype=np.float64,
                order="C",
                ensure_all_finite="allow-nan",
            )
        table = Table.from_matrix(X, schema)
    else:
        table = Table.from_any(X, declared, schema)
        if schema is None:
            remember_names(estimator, table)
    if reset:
        estimator.schema_ = table.schema
    return table


def read_training(
    estimator: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool = True
) -> tuple[Table, NDArray[Any], Weights]:
    """Return inputs, labels and weights, without the rows of weight 0.

    The weights are None if every row weighs 1. Further rows for a fitted estimator are
    read without `reset`.
    """
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but "
            "the target y is None."
        )
    table = read_inputs(estimator, X, reset=reset)
    if not _is_plain_codes(y):
        y = check_y(y)
        check_labels(y)
        check_classification_targets(y)
    if len(y) != table.n_rows:  # scikit-learn takes 20 us to find that they are equal
        check_consistent_length(table, y)
    if sample_weight is None:
        return table, y, None
    weights = read_weights(sample_weight, table)
    if not weights.all():  # nor all zero: that was an error
        kept = np.flatnonzero(weights)
        table, y, weights = table.take(kept), y[kept], weights[kept]
    return table, y, None if (weights == 1.0).all() else weights


def read_weights(sample_weight: Any, table: Table) -> NDArray[np.float64]:
    """Return the weights that a caller gave, checked; at least one is above 0.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,) or number
        What the caller gave.
    table : Table
        The rows.
    """
    weights: NDArray[np.float64] = check_sample_weight(
        sample_weight, table, dtype=np.float64, ensure_non_negative=True
    )
    check_weights(weights)
    return weights if weights.flags.aligned else weights.copy()


def label_codes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the classes, ascending, and the code of each label.

    Labels that are whole numbers near each other are marked, not sorted.
    """
    if _is_plain_codes(y) and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < len(y) and high < 2**62:
            offsets = y.astype(np.intp) - low
            present = np.zeros(high - low + 1, dtype=bool)
            present[offsets] = True
            codes = (np.cumsum(present, dtype=np.int32) - np.int32(1)).take(offsets)
            classes = (np.flatnonzero(present) + low).astype(y.dtype)
            if len(classes) > len(y) // 2:  # scikit-learn has a warning for that
                check_classification_targets(y)
            return classes, codes
    classes, inverse = np.unique(y, return_inverse=True)
    return classes, inverse.astype(np.int32)


def _is_plain_codes(y: Any) -> bool:
    """Whether labels need no check: a plain array of whole numbers."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iu"


def check_labels(y: NDArray[Any]) -> None:
    """Raise an error if a label is missing or cannot be compared with another."""
    if y.dtype != object:
        return
    try:
        found = sorted(set(y))
        comparable = True
    except TypeError:
        found, comparable = list(y), False
    if any(is_missing(label) for label in found):
        row = next(row for row, label in enumerate(y) if is_missing(label))
        raise TableError(
            f"y has no label in row {row}. Leave out the rows without a label."
        )
    if not comparable:
        kinds = sorted({type(label).__name__ for label in found})
        raise TableError(
            f"y has labels of several types: {', '.join(kinds)}. Turn them all into "
            "strings, or all into numbers."
        )


def _is_numeric_array(X: Any) -> bool:
    # scikit-learn would take the values behind a mask for known.
    masked = isinstance(X, np.ma.MaskedArray)
    return isinstance(X, np.ndarray) and X.dtype.kind in "iuf" and not masked


def _is_from_dtype(declared: Any) -> bool:
    return declared is None or (isinstance(declared, str) and declared == FROM_DTYPE)


def remember_names(estimator: Any, table: Table) -> None:
    """Give the estimator the number of its inputs, and their names if they have any."""
    estimator.n_features_in_ = table.n_attributes
    if table.schema.named:
        estimator.feature_names_in_ = np.array(table.schema.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
