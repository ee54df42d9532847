"""A study of one data set in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from dissensus.experiment._executor import Executor
from dissensus.experiment._progress import ProgressListener
from dissensus.experiment._results import Results
from dissensus.experiment._runner import run_experiment
from dissensus.experiment._spec import ExperimentSpec
from dissensus.experiment._spec_data import DatasetSpec
from dissensus.table import Dataset
from dissensus.table._from_any import FROM_DTYPE

DEFAULT_LEARNERS = (
    "c45",
    "nb",
    "aode",
    "maclen",
    "decorate",
    "cascade(nb, c45)",
    "bagging",
    "adaboost",
    "forest",
    "hgb",
    "logistic",
)


def compare(
    X: Any,
    y: Any = None,
    learners: Sequence[Any] | Mapping[str, Any] | None = None,
    *,
    name: str = "data",
    groups: Any = None,
    categorical_features: Any = FROM_DTYPE,
    repeats: int = 5,
    folds: int = 10,
    measures: Sequence[str] = ("accuracy", "auc", "log_loss"),
    seed: int = 0,
    store: str | os.PathLike[str] | None = None,
    executor: str | Executor | None = None,
    progress: bool | ProgressListener = False,
) -> Results:
    """Compare learners on one table by repeated cross-validation.

    Parameters
    ----------
    X : array, frame or Dataset
        The inputs; or a data set from `read_table` or `load_dataset`, which has the
        labels too.
    y : array, default=None
        The labels; not with a data set.
    learners : sequence or mapping, default=None
        Texts or classifiers, as for `ExperimentSpec`; if None, trees, naive Bayes, the
        ensembles of this package and their rivals.
    name : str, default="data"
        What tables call an array or a frame.
    groups : array, default=None
        The group of each row; rows of one group stay in one fold.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so.
    repeats : int, default=5
        Number of cross-validations.
    folds : int, default=10
        Number of folds; fewer if there are fewer rows.
    measures : sequence of str, default=("accuracy", "auc", "log_loss")
        Scores to compute.
    seed : int, default=0
        Seed of the study.
    store : str or path, default=None
        A file that keeps the results; in memory if None.
    executor : {"processes", "serial", "dask"} or executor, default=None
        Where cells are run; "processes" if None.
    progress : bool or callable, default=False
        Whether to show how far it is, or whom to tell.

    Returns
    -------
    Results
        With tables of means, ranks and tests.

    See Also
    --------
    run_experiment : Studies of several data sets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.experiment import compare
    >>> X, y = load_iris(return_X_y=True)
    >>> results = compare(X, y, ["c45", "majority"], repeats=1, executor="serial")
    >>> print(results.means())
    accuracy, mean over 10 cells
    dataset     c45  majority
    data     0.9267    0.3333
    """
    if isinstance(X, Dataset):
        data: Any = X
        n_rows: int | None = len(X.y)
    else:
        data = DatasetSpec(
            name, X=X, y=y, groups=groups, categorical_features=categorical_features
        )
        n_rows = len(y) if hasattr(y, "__len__") else None
    spec = ExperimentSpec(
        [data],
        DEFAULT_LEARNERS if learners is None else learners,
        repeats=repeats,
        folds=_fewer_folds(folds, n_rows),
        measures=measures,
        seed=seed,
    )
    return run_experiment(spec, store, executor=executor, progress=progress)


def _fewer_folds(folds: int, n_rows: int | None) -> int:
    """Return the number of folds that so many rows allow; nonsense stays as it is."""
    if n_rows is None or not isinstance(folds, Integral):
        return folds
    return min(folds, max(2, n_rows))
