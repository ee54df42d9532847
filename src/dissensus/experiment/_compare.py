"""A study of one data set in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from dissensus.exceptions import SpecError
from dissensus.experiment.executors._base import Executor
from dissensus.experiment.run._progress import ProgressListener
from dissensus.experiment.run._runner import run_experiment
from dissensus.experiment.spec._datasets import DatasetSpec
from dissensus.experiment.spec._spec import ExperimentSpec
from dissensus.io import Dataset
from dissensus.results import Results
from dissensus.store import FOLDS, TEST
from dissensus.table import FROM_DTYPE

MEASURES = ("accuracy", "auc", "log_loss")
DEFAULT_LEARNERS = (
    "c45",
    "nb",
    "aode",
    "maclen",
    "decorate",
    "cascade(nb, c45)",
    "local",
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
    test: Any = None,
    name: str = "data",
    group: str | None = None,
    groups: Any = None,
    categorical_features: Any = FROM_DTYPE,
    repeats: int = 5,
    folds: int = 10,
    fractions: Sequence[float] = (1.0,),
    resampling: str = FOLDS,
    measures: Sequence[str] = MEASURES,
    seed: int = 0,
    store: str | os.PathLike[str] | None = None,
    executor: str | Executor | None = None,
    progress: bool | ProgressListener = False,
) -> Results:
    """Compare learners on one table, by repeated cross-validation or on a test set.

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
    test : Dataset or (X, y), default=None
        A test set. Learners are then fitted once, on all other rows, and scored on it;
        `repeats` and `folds` do not count.
    name : str, default="data"
        What tables call an array or a frame.
    group : str, default=None
        With a data set: the column that names groups of rows. It is no input.
    groups : array, default=None
        The group of each row; rows of one group stay in one fold.
    categorical_features : "from_dtype" or list, default="from_dtype"
        Nominal columns beside those whose type says so.
    repeats : int, default=5
        Number of cross-validations.
    folds : int, default=10
        Number of folds; fewer if there are fewer rows.
    fractions : sequence of float, default=(1.0,)
        Shares of the training rows to learn from, for learning curves.
    resampling : {"folds", "maclen", "bootstrap"}, default="folds"
        How training sets are drawn, as for `ExperimentSpec`; "maclen" and "bootstrap"
        are for `Results.bias_variance`.
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

    Notes
    -----
    Over folds, tables and verdicts rest on the corrected resampled t-test. With a test
    set there is one result for each learner, and that test cannot be; they then rest on
    McNemar's exact test of the answers on its rows. It says whether these fitted models
    differ, not what other training rows would have given.

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
    spec = comparison(
        X,
        y,
        learners,
        test=test,
        name=name,
        group=group,
        groups=groups,
        categorical_features=categorical_features,
        repeats=repeats,
        folds=folds,
        fractions=fractions,
        resampling=resampling,
        measures=measures,
        seed=seed,
    )
    return run_experiment(spec, store, executor=executor, progress=progress)


def comparison(
    X: Any,
    y: Any = None,
    learners: Sequence[Any] | Mapping[str, Any] | None = None,
    *,
    test: Any = None,
    folds: int = 10,
    resampling: str = FOLDS,
    **rest: Any,
) -> ExperimentSpec:
    """Return the study of one table that `compare` runs.

    Parameters
    ----------
    X : array, frame, Dataset or DatasetSpec
        The inputs, as for `compare`, or a data set of a specification.
    y : array, default=None
        The labels.
    learners : sequence or mapping, default=None
        As for `compare`.
    test : pair of arrays or Dataset, default=None
        As for `compare`.
    folds : int, default=10
        Number of folds; fewer if there are fewer rows.
    resampling : str, default="folds"
        As for `ExperimentSpec`.
    **rest : object
        Of `compare`: what is about the data, and what is about the study.

    Returns
    -------
    ExperimentSpec
        The study.
    """
    rest = {"repeats": 5, "measures": MEASURES, **rest}
    about_data = {
        key: rest.pop(key)
        for key in ("name", "group", "groups", "categorical_features")
        if key in rest
    }
    data = _data(X, y, test, **about_data)
    n_rows = len(data.y) if hasattr(data.y, "__len__") else None
    tested = data.X_test is not None or data.test is not None
    return ExperimentSpec(
        [data],
        DEFAULT_LEARNERS if learners is None else learners,
        folds=_fewer_folds(folds, n_rows),
        resampling=TEST if tested else resampling,
        **rest,
    )


def _data(
    X: Any,
    y: Any,
    test: Any,
    *,
    name: str = "data",
    group: str | None = None,
    **rest: Any,
) -> DatasetSpec:
    if isinstance(X, DatasetSpec):
        return X
    if isinstance(X, Dataset):
        return DatasetSpec(X.name, X=X, y=X.y, group=group, X_test=test)
    if group is not None:
        raise SpecError(
            ["group is for data sets from files. Give groups with X and y."]
        )
    X_test, y_test = (None, None) if test is None else test
    return DatasetSpec(name, X=X, y=y, X_test=X_test, y_test=y_test, **rest)


def _fewer_folds(folds: int, n_rows: int | None) -> int:
    """Return the number of folds that so many rows allow; nonsense stays as it is."""
    if n_rows is None or not isinstance(folds, Integral):
        return folds
    return min(folds, max(2, n_rows))
