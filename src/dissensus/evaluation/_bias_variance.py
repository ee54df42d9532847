"""Bias and variance of a learner on a data set, by the protocols of two papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dissensus.evaluation._fitting import (
    TrialData,
    ask_about_rows,
    draw_seed,
    fit_on_rows,
    read_trial_data,
)
from dissensus.evaluation._splits import RngLike, Rows, stratified_folds
from dissensus.metrics import BiasVariance, Form, kohavi_wolpert

Protocol = Literal["maclen", "bootstrap"]


@dataclass(frozen=True, slots=True, eq=False)
class BiasVarianceStudy:
    """A decomposition with the predictions it was made from.

    Attributes
    ----------
    protocol : {"maclen", "bootstrap"}
        How the training sets were drawn.
    decomposition : BiasVariance
        Error, bias and variance in the form that belongs to the protocol.
    y_true : ndarray of shape (n_test,)
        The true labels of the test rows.
    predictions : ndarray of shape (n_models, n_test)
        The labels that each model gives.
    n_train : int
        Number of rows in each training set.
    """

    protocol: Protocol
    decomposition: BiasVariance
    y_true: NDArray[Any]
    predictions: NDArray[Any]
    n_train: int


@dataclass(frozen=True, slots=True)
class SamplingProtocol:
    """How a protocol draws: pool and test rows, then samples of the pool."""

    n_models: int
    form: Form
    split: Callable[[Rows, Generator], tuple[Rows, Rows]]
    sample: Callable[[Rows, Generator], Rows]


def bias_variance(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    protocol: Protocol = "maclen",
    n_models: int | None = None,
    rng: RngLike = None,
    n_jobs: int | None = None,
) -> BiasVarianceStudy:
    """Measure a learner's bias and variance on a data set.

    Parameters
    ----------
    estimator : classifier
        Of this package or of any other; it is copied, not changed.
    X : array, frame or Table of shape (n_rows, n_attributes)
        The inputs.
    y : array of shape (n_rows,)
        The labels.
    protocol : {"maclen", "bootstrap"}, default="maclen"
        "maclen" [1]_, which is Weka's `BVDecompose` with half the rows as pool: the
        rows are shuffled, the first half is the pool and the rest the test set; each
        training set is half of the pool, drawn without replacement; 50 models; Weka's
        form of the decomposition. "bootstrap" [2]_: a stratified split, each training
        set a bootstrap replicate of the pool; 10 models; the plug-in form.
    n_models : int, default=None
        Number of training sets, if not that of the protocol.
    rng : int, Generator or None, default=None
        Where randomness comes from. The same number gives all estimators the same
        training sets. Each `random_state` of the estimator that is None gets a seed
        from here.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.

    Returns
    -------
    BiasVarianceStudy
        The decomposition, and the predictions, from which
        `dissensus.metrics.kohavi_wolpert` computes the other form.

    Notes
    -----
    [2]_ does not give the sizes of the split; here two thirds are the pool.

    References
    ----------
    .. [1] Q. Wang and L. Zhang, "Ensemble Learning Based on Multi-Task Class Labels",
       PAKDD 2010, 464-475.
    .. [2] J. Gama and P. Brazdil, "Cascade Generalization", Machine Learning 41, 2000,
       315-343.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.evaluation import bias_variance
    >>> from dissensus.tree import C45Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> study = bias_variance(C45Classifier(), X, y, protocol="bootstrap", rng=0)
    >>> found = study.decomposition
    >>> abs(found.bias + found.variance - found.error) < 1e-12
    True
    """
    if protocol not in SAMPLING_PROTOCOLS:
        raise ValueError(
            f"protocol is {protocol!r}. It must be one of "
            f"{', '.join(sorted(SAMPLING_PROTOCOLS))}."
        )
    plan = SAMPLING_PROTOCOLS[protocol]
    n_models = plan.n_models if n_models is None else n_models
    study = read_trial_data(X, y)
    if len(study.y) < 4:
        raise ValueError(
            f"There are {len(study.y)} rows. A pool, samples of it and a test set need "
            "at least 4."
        )
    if n_models < 2:
        raise ValueError(f"n_models is {n_models}. Variance needs at least 2.")
    generator = np.random.default_rng(rng)
    pool, test = plan.split(study.codes, generator)
    # Everything random is drawn before the loop, so that n_jobs does not matter.
    jobs = [
        (plan.sample(pool, generator), draw_seed(generator)) for _ in range(n_models)
    ]
    predictions = Parallel(n_jobs=n_jobs)(
        delayed(_predict)(estimator, study, test, job) for job in jobs
    )
    labels, truth = study.classes[np.array(predictions)], study.y[test]
    found = kohavi_wolpert(truth, labels, form=plan.form)
    return BiasVarianceStudy(protocol, found, truth, labels, len(jobs[0][0]))


def _halves(codes: Rows, rng: Generator) -> tuple[Rows, Rows]:
    rows = rng.permutation(len(codes))
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


def _half_of(pool: Rows, rng: Generator) -> Rows:
    return rng.permutation(pool)[: len(pool) // 2]


def _stratified_thirds(codes: Rows, rng: Generator) -> tuple[Rows, Rows]:
    return stratified_folds(codes, 3, rng=rng)[0]


def _bootstrap(pool: Rows, rng: Generator) -> Rows:
    return rng.choice(pool, len(pool))


SAMPLING_PROTOCOLS: dict[str, SamplingProtocol] = {
    "maclen": SamplingProtocol(50, "weka", _halves, _half_of),
    "bootstrap": SamplingProtocol(10, "plug-in", _stratified_thirds, _bootstrap),
}


def _predict(
    estimator: Any, study: TrialData, test: Rows, job: tuple[Rows, int]
) -> Rows:
    train, seed = job
    fitted = fit_on_rows(estimator, study, train, seed=seed)
    return ask_about_rows(fitted, study, test, proba=False).predictions
