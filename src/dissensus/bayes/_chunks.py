"""What must hold before counts of different rows are added up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from dissensus.exceptions import TableError


def check_nominal(estimator: Any) -> None:
    """Raise an error if an attribute is numeric."""
    for attribute in estimator.schema_:
        if not attribute.is_nominal:
            raise TableError(
                f"Attribute {attribute.name!r} is numeric. Its intervals cannot be "
                "learnt chunk by chunk: discretise it first, for example by an "
                "MDLDiscretizer fitted on some rows, or name it in "
                "categorical_features if its numbers are labels."
            )


def declared_classes(estimator: Any, classes: Any) -> NDArray[Any]:
    """Return the classes of the first call; later ones must agree with it."""
    known = getattr(estimator, "classes_", None) if _is_counting(estimator) else None
    if classes is None:
        if known is None:
            raise ValueError(
                "classes must be passed on the first call to partial_fit: all class "
                "labels, also those that come in later chunks."
            )
        return np.asarray(known)
    labels = np.unique(np.asarray(classes))
    if known is not None and not np.array_equal(labels, known):
        raise ValueError(
            f"`classes={labels.tolist()}` is not the same as on the last call to "
            f"partial_fit, was: {known.tolist()}. Leave it out after the first call."
        )
    return labels


def class_codes(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the positions of the labels among the declared classes."""
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(
            f"y has the label {unknown.tolist()[0]!r}, which is not declared. "
            f"Declared: {classes.tolist()}. Declare all classes in the first call."
        )
    return np.searchsorted(classes, y).astype(np.int32)


def check_can_merge(estimator: Any, other: Any) -> None:
    """Raise an error unless the counts of both mean the same."""
    check_is_fitted(estimator)
    if type(other) is not type(estimator):
        raise TypeError(
            f"Cannot merge {type(other).__name__} into {type(estimator).__name__}: "
            "both must be of the same class."
        )
    check_is_fitted(other)
    if estimator.schema_ != other.schema_:
        raise ValueError(
            "Cannot merge: the attributes or their declared values differ. Declare the "
            "same values in both, for example by pandas categories."
        )
    if not np.array_equal(estimator.classes_, other.classes_):
        raise ValueError(
            f"Cannot merge: the classes are {estimator.classes_.tolist()} and "
            f"{other.classes_.tolist()}. Use partial_fit with the same `classes`."
        )
    _check_same_counting(estimator, other)


def _check_same_counting(estimator: Any, other: Any) -> None:
    pairs = zip(estimator.cut_points_, other.cut_points_, strict=True)
    for attribute, (mine, theirs) in zip(estimator.schema_, pairs, strict=True):
        if attribute.is_nominal:
            continue
        if mine is None or theirs is None or not np.array_equal(mine, theirs):
            raise ValueError(
                f"Cannot merge: the numeric attribute {attribute.name!r} was not cut "
                "at the same points. Discretise both training sets by the same "
                "MDLDiscretizer first."
            )
    if not np.array_equal(estimator.counts_.n_values, other.counts_.n_values):
        raise ValueError(
            "Cannot merge: one of the two counts missing as a value. Fit both with the "
            "same parameter `missing`."
        )


def _is_counting(estimator: Any) -> bool:
    return hasattr(estimator, "counts_")
