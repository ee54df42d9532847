"""Queries beside another library's, and the labels they save."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from dissensus.datasets import load_dataset
from dissensus.ensemble import DecorateClassifier
from dissensus.ensemble.decorate._query import jensen_shannon
from examples import active_learning

X, Y = load_iris(return_X_y=True)
LABELLED = np.arange(0, 150, 10)
POOL = np.setdiff1d(np.arange(150), LABELLED)
MISSING = "scikit-activeml is not installed (pip install scikit-activeml)"


def partly_labelled() -> NDArray[np.float64]:
    y = np.full(150, np.nan)
    y[LABELLED] = Y[LABELLED]
    return y


def test_scikit_activeml_samples_margins_with_our_committee() -> None:
    classifier = pytest.importorskip("skactiveml.classifier", reason=MISSING)
    sampling = pytest.importorskip("skactiveml.pool", reason=MISSING)
    wrapped = classifier.SklearnClassifier(
        DecorateClassifier(random_state=0), classes=[0, 1, 2], random_state=0
    )
    strategy = sampling.UncertaintySampling(method="margin_sampling", random_state=0)
    theirs = strategy.query(X=X, y=partly_labelled(), clf=wrapped, batch_size=20)

    committee = DecorateClassifier(random_state=0).fit(X[LABELLED], Y[LABELLED])
    ours = POOL[committee.query(X[POOL], n=20)]
    ordered = np.sort(committee.predict_proba(X), axis=1)
    margins = ordered[:, -1] - ordered[:, -2]
    assert set(theirs) <= set(POOL)
    assert_allclose(margins[theirs], margins[ours])  # ties may be chosen otherwise


def test_our_divergence_is_that_of_scikit_activeml() -> None:
    sampling = pytest.importorskip("skactiveml.pool", reason=MISSING)
    committee = DecorateClassifier(random_state=0).fit(X[LABELLED], Y[LABELLED])
    proba = np.stack([m.predict_proba(X) for m in committee.estimators_])
    theirs = sampling.average_kl_divergence(proba)  # in nats, zeros made 1e-7
    assert_allclose(jensen_shannon(proba) * np.log(2), theirs, atol=1e-5)


def test_asking_for_labels_saves_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(active_learning, "MOST", 60)
    monkeypatch.setattr(active_learning, "STEP", 10)
    data = load_dataset(active_learning.DATA)
    inputs, y = data.X, np.asarray(data.y)
    means = []
    for ask in (True, False):
        curves = [
            active_learning.learning_curve(inputs, y, ask, seed) for seed in range(3)
        ]
        means.append(np.mean(curves, axis=0))
    asked, random = means
    assert asked[0] == random[0]
    assert asked[-3:].mean() > random[-3:].mean() + 0.01
    # What random labels reach in the end, labels that were asked for reach before.
    assert (asked[:-1] >= random[-1]).any()
