"""What would take too much memory is refused in words, before anything is allocated."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.ensemble import (
    BaggingClassifier,
    CascadeClassifier,
    LocalCascadeClassifier,
    MaclenClassifier,
    MTForestClassifier,
    StackedGeneralizationClassifier,
)
from dissensus.ensemble.local_cascade._growth import taken
from dissensus.exceptions import MemoryLimitError, TableError
from dissensus.learners._encoded import EncodedClassifier
from dissensus.linear import DiscriminantClassifier, LeastSquaresClassifier
from dissensus.preprocessing import ValueGrouper
from dissensus.table import Attribute, Column, Schema, Table
from dissensus.utils import _memory_limit

GIB = 2**30


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has 8 GiB left, so that 4 are the limit."""
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: 8 * GIB)


def names(n: int, columns: tuple[str, ...] = ("id",), n_names: int = 0) -> Any:
    """Return columns of names, all different or `n_names`, and a column of numbers."""
    values = [f"row {row}" for row in range(n_names or n)]
    codes = np.resize(np.arange(len(values)), n)
    frame = {name: pd.Categorical.from_codes(codes, values) for name in columns}
    return pd.DataFrame({"x": np.arange(n) % 7.0, **frame}), np.arange(n) % 3 % 2


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (AODEClassifier(), "Counting pairs of 50,001 values with 2 classes"),
        (MaclenClassifier(NaiveBayesClassifier()), "Counting pairs of 50,001 values"),
        (DiscriminantClassifier(encode="onehot"), "50,000 rows of 50,001 columns"),
        (LeastSquaresClassifier(encode="onehot"), "50,000 rows of 50,001 columns"),
        (
            CascadeClassifier(
                [DiscriminantClassifier(encode="onehot"), NaiveBayesClassifier()]
            ),
            "50,000 rows of 50,001 columns",
        ),
        (
            LocalCascadeClassifier([LeastSquaresClassifier(encode="onehot")]),
            "50,000 rows of 50,001 columns",
        ),
        (
            BaggingClassifier(AODEClassifier(), n_estimators=2, random_state=0),
            "Counting pairs of 50,001 values",
        ),
        (
            EncodedClassifier(LogisticRegression(), "onehot"),
            "50,000 rows of 50,001 columns, one for each label,",
        ),
    ],
    ids=str,
)
@pytest.mark.usefixtures("machine")
def test_attribute_with_a_value_for_each_row_is_named(
    estimator: Any, words: str
) -> None:
    X, y = names(50_000)
    rule = r" would need [\d.,]+ [GT]iB of memory, and 50% of the 8 GiB .* is the limit"
    cure = r"\. Attribute 'id' has 50,000 values: group them .*, or drop it\."
    with pytest.raises(MemoryLimitError, match=f"^{re.escape(words)}.*{rule}{cure}$"):
        estimator.fit(X, y)


@pytest.mark.parametrize("labels", ["observed", "full"])
@pytest.mark.parametrize("features", ["discretized", "original"])
@pytest.mark.usefixtures("machine")
def test_trees_for_two_attributes_of_names_are_refused(
    labels: str, features: str
) -> None:
    X, y = names(30_000, ("id", "name"))
    words = (
        r"MaclenClassifier with 3 members would need .* Attribute 'id' has 30,000 "
        r"values: group them with max_values, or drop it\."
    )
    with pytest.raises(MemoryLimitError, match=words):
        MaclenClassifier(labels=labels, features=features).fit(X, y)
    with pytest.raises(MemoryLimitError, match="MTForestClassifier with 3 members"):
        MTForestClassifier(features=features).fit(X, y)


@pytest.mark.usefixtures("machine")
def test_member_with_more_labels_than_it_could_ever_learn_is_refused() -> None:
    X, y = names(140_000)
    words = (
        r"140,000 pairs of a class and a value of attribute 'id' are more than the "
        r"131,072 that a member may tell apart.* group them with max_values, or drop it"
    )
    with pytest.raises(TableError, match=words):
        MaclenClassifier().fit(X, y)


@pytest.mark.usefixtures("machine")
def test_as_many_members_as_inputs_are_refused_where_both_are_many() -> None:
    X = np.zeros((4, 20_000))
    for estimator in (MaclenClassifier(), MTForestClassifier()):
        with pytest.raises(
            MemoryLimitError, match=r"with 20,000 members.* Take fewer attributes\."
        ):
            estimator.fit(X, [0, 1, 0, 1])


def test_max_values_is_a_cure_for_names() -> None:
    X, y = names(50_000)
    for estimator in (
        MaclenClassifier(max_values=5),
        MaclenClassifier(NaiveBayesClassifier(), max_values=5),
        MTForestClassifier(max_values=5),
    ):
        assert estimator.fit(X, y).score(X, y) > 0.99


@pytest.mark.usefixtures("machine")
def test_grouping_values_that_all_differ_is_refused() -> None:
    n = 25_000  # each value has another share of the first class
    X, y = (
        np.repeat(np.arange(n), 2).astype(str)[:, np.newaxis],
        np.resize([0, 1], 2 * n),
    )
    weights = np.random.default_rng(0).uniform(1, 2, 2 * n)
    with pytest.raises(
        MemoryLimitError, match=r"Grouping the 25,000 values of attribute 'x0' .* Drop"
    ):
        ValueGrouper().fit(X, y, sample_weight=weights)


@pytest.mark.usefixtures("machine")
def test_planes_through_very_many_columns_are_refused() -> None:
    X, y = np.zeros((5, 20_000)), [0, 1, 0, 1, 0]
    for estimator in (DiscriminantClassifier(), LeastSquaresClassifier()):
        with pytest.raises(
            MemoryLimitError, match=r"5 rows of 20,000 columns .* Take fewer attributes"
        ):
            estimator.fit(X, y)


@pytest.mark.parametrize(
    "estimator",
    [
        CascadeClassifier([NaiveBayesClassifier(), NaiveBayesClassifier()]),
        StackedGeneralizationClassifier([NaiveBayesClassifier()]),
        LocalCascadeClassifier("bayes", min_class_ratio=0),
    ],
    ids=str,
)
def test_attributes_that_learners_would_build_are_refused(
    estimator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: GIB // 8)
    y = np.repeat(np.arange(2_000), 2)
    with pytest.raises(
        MemoryLimitError, match=r"2,000 new attributes of 4,000 rows.* Take fewer"
    ):
        estimator.fit(y[:, np.newaxis] % 11.0, y)


def test_rows_below_a_node_with_too_many_built_attributes_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_memory_limit, "available_memory", lambda: GIB // 8)
    numbers = np.arange(1_000.0)
    attributes = tuple(Attribute(f"P({i})", "numeric") for i in range(3_000))
    columns = [Column(attribute, numbers) for attribute in attributes]
    table = Table(Schema(attributes), columns, 1_000)
    with pytest.raises(
        MemoryLimitError, match=r"3,000 attributes of 900 rows.* Take fewer"
    ):
        taken(table, np.arange(900))


def test_answers_of_members_with_many_labels_come_in_small_blocks() -> None:
    X, y = names(600, n_names=300)
    model = MaclenClassifier().fit(X, y)
    expected = model.predict_proba(X), model.member_votes(X)
    sizes = []
    vote = model._vote

    def watched(number: int, table: Any, values: Any) -> Any:
        sizes.append(table.n_rows)
        return vote(number, table, values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "_vote", watched)
        patch.setattr("dissensus.ensemble._task_ensemble.BLOCK_CELLS", 30_000)
        np.testing.assert_array_equal(model.predict_proba(X), expected[0])
        np.testing.assert_array_equal(model.member_votes(X), expected[1])
    assert max(sizes) == 30_000 // 300
