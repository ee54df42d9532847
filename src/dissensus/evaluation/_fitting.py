"""Fitting any classifier on some rows and asking it about others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from dissensus.base import check_labels
from dissensus.evaluation._splits import Rows, stratified_folds
from dissensus.metrics import Measure
from dissensus.table import count_rows, take_rows
from dissensus.utils._typing import Floats

MAX_SEED = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True, eq=False)
class FoldPredictions:
    """What a classifier says about some rows, in codes of all classes.

    Attributes
    ----------
    predictions : ndarray of shape (n_rows,)
        Class codes.
    proba : ndarray of shape (n_rows, n_classes) or None
        Probabilities; 0 for classes that the classifier has not seen. None if it has
        none to give.
    """

    predictions: NDArray[np.intp]
    proba: Floats | None

    def score(self, y_codes: Rows, measure: Measure) -> float:
        """Return the score by a measure; an error if it needs probabilities."""
        if not measure.uses_proba:
            return measure.function(y_codes, self.predictions)
        if self.proba is None:
            raise ValueError(
                f"The measure {measure.name!r} needs probabilities, but the estimator "
                "has no predict_proba. Wrap it in CalibratedClassifierCV, or choose "
                "'accuracy'."
            )
        return measure.function(y_codes, self.proba)


@dataclass(frozen=True, slots=True, eq=False)
class TrialData:
    """Inputs and labels that estimators are tried on, whatever the inputs are.

    Attributes
    ----------
    X : array, frame or Table
        The inputs.
    y : ndarray of shape (n_rows,)
        The labels.
    classes : ndarray
        All labels, sorted; their positions are the class codes.
    codes : ndarray of shape (n_rows,)
        The class codes of the rows.
    """

    X: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    codes: Rows


def read_trial_data(X: Any, y: ArrayLike) -> TrialData:
    """Check that there is one label for each row, and encode them."""
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != count_rows(X):
        raise ValueError(
            f"y has the shape {labels.shape}, X has {count_rows(X)} rows. y must hold "
            "one label for each row."
        )
    check_labels(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return TrialData(X, labels, classes, codes.astype(np.intp))


def fit_on_rows(
    estimator: Any, study: TrialData, rows: Rows, *, seed: int | None = None
) -> Any:
    """Fit a copy of the estimator on some rows.

    Parameters
    ----------
    estimator : classifier
        Of this package or of any other; it stays as it is.
    study : TrialData
        Inputs and labels.
    rows : ndarray
        The rows to learn from.
    seed : int, default=None
        Takes the place of every `random_state` that is None; one that is given holds.
    """
    copy = seeded_copy(estimator, seed)
    return copy.fit(take_rows(study.X, rows), study.y[rows])


def ask_about_rows(
    fitted: Any, study: TrialData, rows: Rows, *, proba: bool = True
) -> FoldPredictions:
    """Ask a fitted classifier about some rows.

    Parameters
    ----------
    fitted : classifier
        Fitted on labels of the study.
    study : TrialData
        Inputs and labels.
    rows : ndarray
        The rows to predict.
    proba : bool, default=True
        Whether probabilities are wanted.
    """
    inputs, classes = take_rows(study.X, rows), study.classes
    predictions = np.searchsorted(classes, np.asarray(fitted.predict(inputs)))
    if not proba or not hasattr(fitted, "predict_proba"):
        return FoldPredictions(predictions, None)
    matrix = np.zeros((len(rows), len(classes)))
    columns = np.searchsorted(classes, np.asarray(fitted.classes_))
    matrix[:, columns] = fitted.predict_proba(inputs)
    return FoldPredictions(predictions, matrix)


def seeded_copy(estimator: Any, seed: int | None) -> Any:
    """Return an unfitted copy whose randomness, unless it has a seed, has this one."""
    copy = clone(estimator)
    if seed is None or not hasattr(copy, "get_params"):
        return copy
    rng = np.random.default_rng(seed)
    unseeded = [
        name
        for name, value in sorted(copy.get_params().items())
        if value is None and name.rpartition("__")[2] == "random_state"
    ]
    return copy.set_params(**{name: draw_seed(rng) for name in unseeded})


def draw_seed(rng: Generator) -> int:
    """Return a seed that scikit-learn and numpy accept."""
    return int(rng.integers(MAX_SEED))


def read_splits(cv: Any, study: TrialData, rng: Generator) -> list[tuple[Rows, Rows]]:
    """Return (train, test) pairs of a number of folds, a splitter or an iterable."""
    if isinstance(cv, int | np.integer):
        return stratified_folds(study.y, int(cv), rng=rng)
    if isinstance(cv, str) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise ValueError(
            f"cv is {cv!r}. It must be a number of folds, a splitter, or pairs of "
            "training and test rows."
        )
    # A splitter needs labels and the number of rows, not the inputs.
    pairs: Iterable[Any] = (
        cv.split(np.zeros(len(study.y)), study.y) if hasattr(cv, "split") else cv
    )
    splits = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    if not splits:
        raise ValueError("cv has no splits. It must have at least one.")
    return splits
