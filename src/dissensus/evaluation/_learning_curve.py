"""How the score grows with the training set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray

from dissensus.evaluation._fitting import (
    TrialData,
    ask_about_rows,
    draw_seed,
    fit_on_rows,
    read_splits,
    read_trial_data,
)
from dissensus.evaluation._splits import FRACTIONS, RngLike, Rows, nested_fractions
from dissensus.metrics import Measure, find_measure
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True, eq=False)
class LearningCurve:
    """Scores by size of the training set.

    Attributes
    ----------
    fractions : ndarray of shape (n_fractions,)
        Shares of the training rows, ascending.
    train_sizes : ndarray of shape (n_splits, n_fractions)
        Numbers of training rows.
    scores : ndarray of shape (n_splits, n_fractions)
        Scores on the test rows of each split.
    measure : str
        What the scores are.
    """

    fractions: Floats
    train_sizes: NDArray[np.intp]
    scores: Floats
    measure: str

    @property
    def mean(self) -> Floats:
        """Mean score at each fraction."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def std(self) -> Floats:
        """Standard deviation over the splits (divisor n - 1); NaN for one split."""
        if len(self.scores) < 2:
            return np.full(len(self.fractions), np.nan)
        return np.asarray(self.scores.std(axis=0, ddof=1))


def learning_curve(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    fractions: Sequence[float] = FRACTIONS,
    cv: Any = 10,
    measure: str = "accuracy",
    rng: RngLike = None,
    n_jobs: int | None = None,
) -> LearningCurve:
    """Score a classifier that learns from growing parts of each training fold.

    Parameters
    ----------
    estimator : classifier
        Of this package or of any other; it is copied, not changed.
    X : array, frame or Table of shape (n_rows, n_attributes)
        The inputs.
    y : array of shape (n_rows,)
        The labels.
    fractions : sequence of float, default=(0.01, 0.02, 0.05, 0.1, ..., 0.75, 1)
        Shares of each training fold; see `nested_fractions`.
    cv : int, splitter or iterable of (train, test), default=10
        Number of stratified folds, or the splits themselves.
    measure : str, default="accuracy"
        A name of `dissensus.metrics.find_measure`.
    rng : int, Generator or None, default=None
        Where randomness comes from. The same number gives all estimators the same
        folds and the same parts. Each `random_state` of the estimator that is None
        gets a seed from here.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.

    Returns
    -------
    LearningCurve
        A score for each split and fraction.

    See Also
    --------
    share_needed : The share of the data at which a score is reached.

    Notes
    -----
    The smallest parts may hold a single class. Learners of this package then predict
    it; one that refuses raises its own error.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.evaluation import learning_curve
    >>> from dissensus.tree import C45Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = learning_curve(C45Classifier(), X, y, fractions=[0.1, 1.0], rng=0)
    >>> bool(curve.mean[0] < curve.mean[1])
    True
    """
    chosen = find_measure(measure)
    study = read_trial_data(X, y)
    ordered = sorted(set(fractions))
    if not ordered:
        raise ValueError("fractions is empty. It needs at least one share, such as 1.")
    generator = np.random.default_rng(rng)
    splits = read_splits(cv, study, generator)
    # Everything random is drawn before the loop, so that n_jobs does not matter.
    jobs = []
    for train, test in splits:
        parts = nested_fractions(study.codes[train], ordered, rng=generator)
        jobs += [(train[rows], test, draw_seed(generator)) for rows in parts.values()]
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_score)(estimator, study, chosen, job) for job in jobs
    )
    shape = (len(splits), len(ordered))
    sizes = np.array([len(rows) for rows, _, _ in jobs], dtype=np.intp)
    return LearningCurve(
        np.array(ordered), sizes.reshape(shape), np.reshape(scores, shape), measure
    )


def share_needed(
    curve: LearningCurve, target: float, *, interpolate: bool = False
) -> float:
    """Return the share of the data at which a learner first reaches a score.

    With the mean of a rival's curve at 1.0 as target, it says how much of the data the
    learner needs to be as good as the rival with all of it.

    Parameters
    ----------
    curve : LearningCurve
        The learner's scores.
    target : float
        The score to reach.
    interpolate : bool, default=False
        If False, the answer is a fraction that was measured. If True, it lies on the
        straight line from the last point below the target to the first that reaches it.

    Returns
    -------
    float
        The share; NaN if no measured point reaches the target.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.evaluation import LearningCurve, share_needed
    >>> shares, sizes = np.array([0.1, 0.5, 1.0]), np.array([[10, 50, 100]])
    >>> curve = LearningCurve(shares, sizes, np.array([[0.6, 0.8, 0.9]]), "accuracy")
    >>> share_needed(curve, 0.7)
    0.5
    >>> round(share_needed(curve, 0.7, interpolate=True), 12)
    0.3
    """
    sign = 1.0 if find_measure(curve.measure).greater_is_better else -1.0
    lead = sign * (curve.mean - target)
    # A mean of equal scores may differ from the target in the last digit.
    reached = np.flatnonzero(lead >= -1e-12)
    if not len(reached):
        return float("nan")
    first = int(reached[0])
    if not interpolate or first == 0 or lead[first] <= 0.0:
        return float(curve.fractions[first])
    below, above = -lead[first - 1], lead[first]
    weight = below / (below + above)
    return float(np.interp(weight, [0, 1], curve.fractions[first - 1 : first + 1]))


def _score(
    estimator: Any, study: TrialData, measure: Measure, job: tuple[Rows, Rows, int]
) -> float:
    train, test, seed = job
    fitted = fit_on_rows(estimator, study, train, seed=seed)
    answers = ask_about_rows(fitted, study, test, proba=measure.uses_proba)
    return answers.score(study.codes[test], measure)
