"""Learners that count, fitted on tables that outgrow one machine.

Counts add up: each partition of a Dask frame is counted where it lies, and only counts
travel. The model is the one that all rows at once would have given.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.base import clone

from dissensus.exceptions import ExperimentError, LearnerError


def fit_partitions(
    estimator: Any, frame: Any, target: str, *, classes: Any = None
) -> Any:
    """Fit a counting learner on a Dask frame, partition by partition.

    Parameters
    ----------
    estimator : classifier
        With `partial_fit` and `merge`: `NaiveBayesClassifier`, `AODEClassifier`, or
        `MaclenClassifier` of naive Bayes. It is not changed.
    frame : dask.dataframe.DataFrame
        Inputs and labels. Inputs are nominal; categories that are not known yet are
        found in one more pass over the frame.
    target : str
        The column of labels.
    classes : array, default=None
        All labels; found in one more pass if None, unless the column declares them.

    Returns
    -------
    classifier
        A fitted copy, equal to one that is fitted on all rows in memory.

    Notes
    -----
    Needs Dask with its data frames. The work is done by whatever scheduler is in force:
    inside `with distributed.Client(...)` by the cluster. A model is about as large as
    its counts; they are merged two by two.

    Examples
    --------
    >>> import dask.dataframe as dd, pandas as pd
    >>> from dissensus import NaiveBayesClassifier
    >>> from dissensus.experiment import fit_partitions
    >>> rows = pd.DataFrame({"x": list("aabb"), "class": list("nnyy")})
    >>> frame = dd.from_pandas(rows.astype("category"), npartitions=2)
    >>> model = fit_partitions(NaiveBayesClassifier(), frame, "class")
    >>> model.predict(rows[["x"]])
    array(['n', 'n', 'y', 'y'], dtype=object)
    """
    dask = _import_dask()
    for method in ("partial_fit", "merge"):
        if not hasattr(estimator, method):
            raise LearnerError(
                f"{type(estimator).__name__} has no {method}: it cannot be fitted on "
                "partitions. Naive Bayes, AODE and MACLEN of naive Bayes can."
            )
    if not hasattr(frame, "to_delayed"):
        raise ExperimentError(
            f"frame is a {type(frame).__name__}, not a Dask frame. Make one with "
            "dask.dataframe.from_pandas; or, as it is in memory, use fit."
        )
    if target not in frame.columns:
        raise ExperimentError(
            f"the frame has no column {target!r}. It has: {list(frame.columns)}."
        )
    frame = _with_known_categories(frame, target)
    labels = _classes(frame[target]) if classes is None else np.asarray(classes)
    fit, merge = dask.delayed(_fit_part), dask.delayed(_merge)
    models = [fit(estimator, part, target, labels) for part in frame.to_delayed()]
    while len(models) > 1:
        pairs = zip(models[::2], models[1::2], strict=False)
        models = [merge(a, b) for a, b in pairs] + models[len(models) & ~1 :]
    (model,) = dask.compute(models[0])
    if model is None:
        raise ExperimentError("the frame has no rows.")
    return model


def _import_dask() -> Any:
    try:
        import dask
    except ImportError:
        raise ExperimentError(
            "Partitions need Dask, which is not installed: "
            'pip install "dask[dataframe]"'
        ) from None
    return dask


def _with_known_categories(frame: Any, target: str) -> Any:
    """Return the frame with the same declared values in all its partitions."""
    unknown = [
        name
        for name, dtype in frame.drop(columns=target).dtypes.items()
        if _is_text(dtype) or (_is_category(dtype) and not frame[name].cat.known)
    ]
    return frame.categorize(columns=unknown) if unknown else frame


def _is_category(dtype: Any) -> bool:
    return bool(dtype == "category")


def _is_text(dtype: Any) -> bool:
    return str(dtype) in ("object", "str", "string")


def _classes(labels: Any) -> Any:
    if _is_category(labels.dtype) and labels.cat.known:
        return np.asarray(labels.cat.categories)
    return np.asarray(labels.dropna().unique().compute())


def _fit_part(estimator: Any, part: Any, target: str, classes: Any) -> Any:
    """Return a copy fitted on one partition; None if that is empty."""
    if not len(part):
        return None
    X, y = part.drop(columns=target), np.asarray(part[target])
    if part[target].isna().any():
        raise ExperimentError(
            f"{int(part[target].isna().sum())} rows of a partition have no label in "
            f"{target!r}. Leave them out: frame.dropna(subset=[{target!r}])."
        )
    return clone(estimator).partial_fit(X, y, classes=classes)


def _merge(a: Any, b: Any) -> Any:
    """Return what both have learnt; neither is changed, as others may use them."""
    if a is None or b is None:
        return b if a is None else a
    return copy.deepcopy(a).merge(b)
