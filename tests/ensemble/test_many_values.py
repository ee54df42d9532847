"""Attributes with as many values as rows: bounded memory, or an error in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dissensus import C45Classifier, MaclenClassifier, MTForestClassifier
from dissensus.ensemble.maclen._product_labels import product_labels
from dissensus.exceptions import MemoryLimitError
from dissensus.utils import _memory_limit

N_VALUES = 50_000


def number_and_id(n_rows: int, n_values: int = N_VALUES) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    codes = np.arange(n_rows) % n_values
    labels = pd.Categorical.from_codes(codes, categories=range(n_values))
    return pd.DataFrame({"x": rng.normal(size=n_rows), "id": labels})


@pytest.fixture
def _four_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: 4 * 2**30)


def test_fifty_thousand_rows_with_names_of_their_own_are_fitted() -> None:
    X = number_and_id(N_VALUES)
    y = (X["x"] > 0).to_numpy()
    model = MaclenClassifier().fit(X, y)
    assert model.estimators_[1].tree_.class_weights.n_classes == N_VALUES
    assert np.isfinite(model.predict_proba(X[:20])).all()


def test_more_cells_than_32_bits_can_number_are_no_harm() -> None:
    X = number_and_id(400)
    y = (X["x"] > 0).to_numpy()
    model = MaclenClassifier(features="original", labels="full").fit(X, y)
    tree = model.estimators_[1].tree_
    assert (N_VALUES + 1) * tree.class_weights.n_classes > 2**32
    assert np.isfinite(model.predict_proba(X[:20])).all()


@pytest.mark.usefixtures("_four_gigabytes")
@pytest.mark.parametrize("binary", [False, True])
def test_tree_of_too_many_values_and_labels_is_refused(binary: bool) -> None:
    X = number_and_id(N_VALUES)[["id"]]
    with pytest.raises(
        MemoryLimitError,
        match=r"A tree that splits attribute 'id' with its 50,000 values to tell "
        r"25,000 labels apart would need [\d.]+ GiB of memory, and 50% of the 4 GiB "
        r"that this process can still have is the limit. Group the values "
        r"\(max_values, ValueGrouper\), or drop the attribute.",
    ):
        C45Classifier(binary_splits=binary).fit(X, np.arange(N_VALUES) % 25_000)


@pytest.mark.usefixtures("_four_gigabytes")
@pytest.mark.parametrize("estimator", [MaclenClassifier(), MTForestClassifier()])
def test_two_attributes_of_so_many_values_are_refused(estimator: Any) -> None:
    X = number_and_id(N_VALUES)
    X = X.assign(other=X["id"])[["id", "other"]]
    with pytest.raises(MemoryLimitError, match="50,000 values"):
        estimator.fit(X, np.arange(N_VALUES) % 2)


@pytest.mark.usefixtures("_four_gigabytes")
def test_too_many_product_labels_are_refused() -> None:
    y = np.zeros(2, dtype=np.int32)
    with pytest.raises(
        MemoryLimitError,
        match=r"Product labels of 50,000 classes and 50,000 values would need 48.9 GiB",
    ):
        product_labels(y, y, N_VALUES, N_VALUES, full=False)


def test_probabilities_of_too_many_classes_and_rows_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = np.zeros((20_000, 1)), np.arange(20_000) % 5_000
    model = C45Classifier().fit(X, y)
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: 2**30)
    with pytest.raises(
        MemoryLimitError,
        match=r"probabilities of 5,000 classes for 20,000 rows would need 763 MiB",
    ):
        model.predict_proba(X)
    assert model.predict_proba(X[:10]).shape == (10, 5_000)
