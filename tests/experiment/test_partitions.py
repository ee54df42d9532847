"""Tables that outgrow one machine: counts of partitions, members on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask.dataframe as dd
import distributed
import joblib
import numpy as np
import pandas as pd
import pytest

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.datasets import load_dataset
from dissensus.ensemble import BaggingClassifier, MaclenClassifier
from dissensus.exceptions import ExperimentError, LearnerError
from dissensus.experiment import fit_partitions
from dissensus.tree import C45Classifier

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
COUNTING = [
    NaiveBayesClassifier(),
    NaiveBayesClassifier(smoothing="m-estimate", missing="value"),
    AODEClassifier(),
    pytest.param(
        MaclenClassifier(NaiveBayesClassifier()),
        marks=pytest.mark.skipif(
            not hasattr(MaclenClassifier, "merge"), reason="MACLEN has no merge yet"
        ),
    ),
]


def partitioned(frame: pd.DataFrame, n_partitions: int) -> Any:
    """Return a pandas frame as a Dask frame."""
    from_pandas: Any = dd.from_pandas
    return from_pandas(frame, npartitions=n_partitions)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Nominal rows with gaps, in an order that leaves classes out of partitions."""
    data = load_dataset("tic-tac-toe")
    rng = np.random.default_rng(0)
    rows = data.X.to_pandas()
    rows = rows.mask(rng.random(rows.shape) < 0.02)
    return rows.assign(outcome=data.y).sort_values("outcome", ignore_index=True)


@pytest.mark.parametrize("estimator", COUNTING)
@pytest.mark.parametrize("n_partitions", [1, 2, 5])
def test_partitions_give_the_model_of_all_rows_at_once(
    frame: pd.DataFrame, estimator: Any, n_partitions: int
) -> None:
    X, y = frame.drop(columns="outcome"), frame["outcome"].to_numpy()
    whole = type(estimator)(**estimator.get_params(deep=False)).fit(X, y)
    parts = partitioned(frame, n_partitions)
    model = fit_partitions(estimator, parts, "outcome")
    assert model.classes_.tolist() == whole.classes_.tolist()
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
    assert not hasattr(estimator, "classes_")


def test_values_that_are_not_declared_are_found(frame: pd.DataFrame) -> None:
    texts = frame.astype({name: "str" for name in frame.columns if name != "outcome"})
    parts = partitioned(texts, 3)
    model = fit_partitions(NaiveBayesClassifier(), parts, "outcome")
    X, y = texts.drop(columns="outcome"), texts["outcome"].to_numpy()
    whole = NaiveBayesClassifier().fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12
    )


def test_empty_partitions_are_no_hindrance(frame: pd.DataFrame) -> None:
    parts = partitioned(frame, 4)
    some = parts[parts["outcome"] == "positive"]
    classes = ["negative", "positive"]
    model = fit_partitions(AODEClassifier(), some, "outcome", classes=classes)
    X = frame.drop(columns="outcome")
    chosen = (frame["outcome"] == "positive").to_numpy()
    y = frame["outcome"].to_numpy()[chosen]
    whole = AODEClassifier().partial_fit(X[chosen], y, classes=classes)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
    with pytest.raises(ExperimentError, match="the frame has no rows"):
        fit_partitions(AODEClassifier(), parts[parts["outcome"] == "x"], "outcome")


def test_what_cannot_be_fitted_on_partitions_is_said(frame: pd.DataFrame) -> None:
    parts = partitioned(frame, 2)
    with pytest.raises(LearnerError, match="C45Classifier has no partial_fit"):
        fit_partitions(C45Classifier(), parts, "outcome")
    with pytest.raises(ExperimentError, match="no column 'result'"):
        fit_partitions(AODEClassifier(), parts, "result")
    with pytest.raises(ExperimentError, match="a DataFrame, not a Dask frame"):
        fit_partitions(AODEClassifier(), frame, "outcome")
    some = partitioned(
        frame.assign(outcome=frame["outcome"].where(frame.index != 3)), 2
    )
    with pytest.raises(ExperimentError, match="1 rows of a partition have no label"):
        fit_partitions(AODEClassifier(), some, "outcome")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster within this process, in force for Dask and joblib."""
    make: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    options = {"processes": False, "dashboard_address": ":0"}
    with (
        make(n_workers=2, threads_per_worker=1, **options) as cluster,
        connect(cluster) as client,
    ):
        yield client


def test_a_cluster_counts_the_partitions(client: Any, frame: pd.DataFrame) -> None:
    parts = partitioned(frame, 3)
    model = fit_partitions(AODEClassifier(), parts, "outcome")
    X, y = frame.drop(columns="outcome"), frame["outcome"].to_numpy()
    whole = AODEClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


@pytest.mark.parametrize(
    "estimator",
    [
        BaggingClassifier(n_estimators=4, n_jobs=2, random_state=0),
        MaclenClassifier(C45Classifier(), n_jobs=2),
    ],
    ids=["bagging", "maclen"],
)
def test_members_are_fitted_by_a_cluster(
    client: Any, frame: pd.DataFrame, estimator: Any
) -> None:
    X, y = frame.drop(columns="outcome").dropna(), frame["outcome"]
    y = y[X.index].to_numpy()
    here = estimator.fit(X, y).predict_proba(X)
    before = n_done(client)
    with joblib.parallel_config("dask"):
        there = estimator.fit(X, y)
    assert n_done(client) > before  # the members were fitted there
    np.testing.assert_array_equal(there.predict_proba(X), here)


def n_done(client: Any) -> int:
    """Return the number of tasks that the workers of a cluster have finished."""
    return sum(
        state == "memory"
        for worker in client.run(finished).values()
        for state in worker
    )


def finished(dask_worker: Any) -> list[str]:
    return [event[1] for event in dask_worker.state.log if "memory" in event]
