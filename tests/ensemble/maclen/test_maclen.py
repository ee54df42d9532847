from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import MaclenClassifier
from dissensus.preprocessing import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MissingValueReplacer,
    ValueGrouper,
)
from dissensus.table import _table
from dissensus.table._encoded import encode
from dissensus.tree import C45Classifier
from tests.estimator_data import LABELS, as_pandas, as_polars, make_problem

WEATHER = pd.DataFrame(
    {
        "outlook": pd.Categorical(["sun", "sun", "rain", "rain", "fog", "fog"]),
        "wind": pd.Categorical(["no", "yes", "no", "yes", "no", "no"]),
    }
)
PLAY = np.array(["yes", "no", "yes", "no", "yes", "no"])


class Witness(ClassifierMixin, BaseEstimator):
    """A classifier of another package that remembers what it was given."""

    seen: ClassVar[list[Any]] = []

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        Witness.seen.append(X)
        return self

    def predict_proba(self, X: Any) -> Any:
        Witness.seen.append(X)
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def predict(self, X: Any) -> Any:
        return self.classes_[np.zeros(len(X), dtype=int)]


class Oracle(Witness):
    """Answers every row with the worked check: P'(c1,a1), P'(c1,a2), P'(c2,a1)."""

    def predict_proba(self, X: Any) -> Any:
        assert list(self.classes_) == [0, 1, 2]
        return np.tile([0.2, 0.6, 0.2], (len(X), 1))


# The rules


def test_votes_are_as_worked_out_by_hand() -> None:
    X = pd.DataFrame(
        {"A": pd.Categorical(["a1", "a2", "a1"]), "B": pd.Categorical(["b", "b", "b"])}
    )
    y = ["c1", "c1", "c2"]
    model = MaclenClassifier(Oracle()).fit(X[["A"]].assign(B=X["A"]), y)
    rows = pd.DataFrame({"A": ["a1", "a2", None, "a3"]}).assign(B="a1")
    votes = model.member_votes(rows)[:, 0]
    assert_allclose(votes, [[0.5, 0.5], [1.0, 0.0], [0.8, 0.2], [0.8, 0.2]], rtol=1e-15)
    marginal = MaclenClassifier(Oracle(), rule="marginal")
    votes = marginal.fit(X[["A"]].assign(B=X["A"]), y).member_votes(rows)[:, 0]
    assert_allclose(votes, [[0.8, 0.2]] * 4, rtol=1e-15)


def test_the_answer_is_the_mean_of_the_votes() -> None:
    cells, y = make_problem(missing=0.2)
    X = as_pandas(cells)
    model = MaclenClassifier().fit(X, y)
    votes = model.member_votes(X)
    assert votes.shape == (len(y), 4, 3)
    assert_allclose(votes.sum(axis=2), 1.0, rtol=1e-5)
    assert_allclose(model.predict_proba(X), votes.mean(axis=1), rtol=1e-13)


def test_ties_go_to_the_first_class() -> None:
    X = [["a", "p"], ["a", "p"], ["b", "q"], ["b", "q"]]
    model = MaclenClassifier().fit(X, ["no", "yes", "yes", "no"])
    assert_array_equal(model.predict_proba(X), [[0.5, 0.5]] * 4)
    assert set(model.predict(X)) == {"no"}


def test_trees_do_not_care_whether_all_pairs_are_labels() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    observed, full = (
        MaclenClassifier(labels=labels).fit(X, y) for labels in ("observed", "full")
    )
    assert observed.product_labels_[0].n_labels <= full.product_labels_[0].n_labels
    assert full.product_labels_[0].n_labels == 9
    assert_allclose(full.predict_proba(X), observed.predict_proba(X), rtol=1e-12)


def test_naive_bayes_cares_whether_all_pairs_are_labels() -> None:
    observed, full = (
        MaclenClassifier(NaiveBayesClassifier(), labels=labels).fit(WEATHER, PLAY)
        for labels in ("observed", "full")
    )
    assert not np.allclose(full.predict_proba(WEATHER), observed.predict_proba(WEATHER))


# What members see


def seen_by_witness(X: Any, **parameters: Any) -> list[Any]:
    Witness.seen.clear()
    y = np.arange(len(X)) % 3
    MaclenClassifier(Witness(), **parameters).fit(X, y).predict_proba(X)
    return list(Witness.seen)


def test_members_of_other_packages_get_ordinal_numbers_if_x_is_an_array() -> None:
    cells, _ = make_problem()
    for X in seen_by_witness(cells):
        assert isinstance(X, np.ndarray)
        assert X.dtype == np.float64
        assert X.shape[1] == 3
        known = X[~np.isnan(X)]
        assert_array_equal(known, known.astype(int))


def test_members_of_other_packages_get_categories_if_x_is_a_frame() -> None:
    cells, _ = make_problem()
    for X in seen_by_witness(as_pandas(cells)):
        assert isinstance(X, pd.DataFrame)
        assert all(isinstance(kind, pd.CategoricalDtype) for kind in X.dtypes)
    for X in seen_by_witness(as_polars(cells)):
        assert isinstance(X, pl.DataFrame)
        assert all(isinstance(kind, pl.Enum) for kind in X.dtypes)


def test_original_features_reach_members_as_they_are() -> None:
    cells, _ = make_problem(missing=0.0)
    first = seen_by_witness(cells, features="original")[0]
    assert_array_equal(first, cells[:, 1:])
    frame = seen_by_witness(as_pandas(cells), features="original")[0]
    pd.testing.assert_frame_equal(frame, as_pandas(cells)[["size", "length", "count"]])


def test_original_features_let_trees_cut_numbers() -> None:
    cells, y = make_problem()
    model = MaclenClassifier(features="original").fit(as_pandas(cells), y)
    kinds = {int(kind) for tree in model.estimators_ for kind in tree.tree_.kind}
    assert 1 in kinds  # a numeric test
    kinds_without = {
        int(kind)
        for tree in MaclenClassifier().fit(as_pandas(cells), y).estimators_
        for kind in tree.tree_.kind
    }
    assert 1 not in kinds_without


def test_grouped_values_reach_an_array_as_numbers() -> None:
    cells, y = make_problem(missing=0.0)
    objects = as_pandas(cells)[["colour", "size"]].to_numpy(dtype=object)
    Witness.seen.clear()
    MaclenClassifier(Witness(), max_values=2).fit(objects, y)
    for X in Witness.seen:
        assert set(X.ravel()) <= {0.0, 1.0}


@pytest.mark.parametrize("member", [LogisticRegression(), KNeighborsClassifier()])
def test_members_of_scikit_learn_learn_from_arrays(member: Any) -> None:
    cells, y = make_problem(200, missing=0.0)
    model = MaclenClassifier(member).fit(cells, y)
    assert model.score(cells, y) > 0.6
    assert_allclose(model.predict_proba(cells).sum(axis=1), 1.0)


# Attributes and views


def test_each_discretiser_makes_another_member_of_a_numeric_attribute() -> None:
    cells, y = make_problem()
    discretizers = [
        MDLDiscretizer(),
        EqualWidthDiscretizer(5),
        EqualFrequencyDiscretizer(10),
    ]
    model = MaclenClassifier(discretizers=discretizers).fit(as_pandas(cells), y)
    assert [(task.name, task.view) for task in model.tasks_] == [
        *(("colour", 0), ("size", 0)),
        *(("length", 0), ("length", 1), ("length", 2)),
        *(("count", 0), ("count", 1), ("count", 2)),
    ]
    assert [len(task.values) for task in model.tasks_[3:5]] == [5, 10]
    assert model.tasks_[0].values == LABELS["colour"]
    assert not hasattr(discretizers[0], "cut_points_")


def test_each_bound_makes_another_member_of_an_attribute_that_it_groups() -> None:
    cells, y = make_problem()
    model = MaclenClassifier(max_values=[2, ValueGrouper(3)]).fit(as_pandas(cells), y)
    sizes = [(task.name, len(task.values)) for task in model.tasks_]
    assert sizes[:4] == [("colour", 2), ("colour", 3), ("size", 2), ("size", 3)]


def test_one_bound_groups_the_values_of_all_attributes() -> None:
    cells, y = make_problem()
    model = MaclenClassifier(discretizers=[EqualWidthDiscretizer(8)], max_values=2).fit(
        as_pandas(cells), y
    )
    assert [len(task.values) for task in model.tasks_] == [2, 2, 2, 2]


def test_an_attribute_with_one_value_makes_a_plain_member() -> None:
    X = WEATHER.assign(season=pd.Categorical(["spring"] * 6))
    model = MaclenClassifier(C45Classifier(min_samples_leaf=1)).fit(X, PLAY)
    plain = C45Classifier(min_samples_leaf=1).fit(WEATHER, PLAY)
    assert model.tasks_[2].values == ("spring",)
    votes = model.member_votes(X)[:, 2]
    assert_array_equal(votes, plain.predict_proba(WEATHER))


@pytest.mark.parametrize("labels", ["observed", "full"])
@pytest.mark.parametrize("member", [None, NaiveBayesClassifier()])
def test_an_attribute_without_values_makes_a_plain_member(
    member: Any, labels: str
) -> None:
    nothing = pd.Categorical([None] * 6, categories=["x", "y"])
    X = WEATHER.assign(never=nothing)
    model = MaclenClassifier(member, labels=labels).fit(X, PLAY)
    plain = (member or C45Classifier()).fit(WEATHER, PLAY)
    later = X.assign(never=pd.Categorical(["x", "y"] * 3, categories=["x", "y"]))
    for rows in (X, later):
        votes = model.member_votes(rows)[:, 2]
        assert_allclose(votes, plain.predict_proba(WEATHER), rtol=1e-12)


@pytest.mark.parametrize(
    "member", [None, NaiveBayesClassifier(alpha=0), LogisticRegression()]
)
@pytest.mark.parametrize("as_array", [True, False])
def test_a_single_attribute_leaves_the_frequencies_of_pairs(
    member: Any, as_array: bool
) -> None:
    codes = np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    y = np.array([0, 0, 1, 1, 1])
    column = pd.Categorical.from_codes(codes.astype(int), ["u", "v"])
    X: Any = pd.DataFrame({"only": column})
    if as_array:
        X = X.to_numpy(dtype=object)
    model = MaclenClassifier(member).fit(X, y)
    expected = [[2 / 3, 1 / 3]] * 3 + [[0.0, 1.0]] * 2
    assert_allclose(model.predict_proba(X), expected, atol=1e-12)
    unknown = [[None]] if as_array else pd.DataFrame({"only": [None]})
    assert_allclose(model.predict_proba(unknown), [[0.4, 0.6]], atol=1e-12)


def test_one_class_is_always_predicted() -> None:
    cells, _ = make_problem()
    for member in (None, NaiveBayesClassifier(), LogisticRegression()):
        X = as_pandas(cells) if member is None else np.nan_to_num(cells)
        model = MaclenClassifier(member).fit(X, ["a"] * len(cells))
        assert_allclose(model.predict_proba(X), 1.0, rtol=1e-12)


def test_rows_without_a_value_are_left_out_of_its_member_only() -> None:
    cells, y = make_problem(missing=0.3)
    X = as_pandas(cells)[["colour", "size"]]
    model = MaclenClassifier(C45Classifier(prune=False)).fit(X, y)
    for task, tree in zip(model.tasks_, model.estimators_, strict=True):
        assert tree.tree_.value[0].sum() == X[task.name].notna().sum()


# Weights


def test_weights_count_as_repeated_rows() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)[["colour", "size"]]
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    for member in (None, NaiveBayesClassifier("m-estimate")):
        weighted = MaclenClassifier(member).fit(X, y, sample_weight=weight)
        repeated = MaclenClassifier(member).fit(X.iloc[rows], y[rows])
        assert_allclose(
            weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-12
        )


def test_a_member_without_weights_is_refused_by_name() -> None:
    cells, y = make_problem(missing=0.0)
    with pytest.raises(ValueError, match="KNeighborsClassifier cannot learn from"):
        MaclenClassifier(KNeighborsClassifier()).fit(
            cells, y, sample_weight=np.arange(1, len(y) + 1)
        )


# Threads and blocks


@pytest.mark.parametrize("member", [None, NaiveBayesClassifier(), LogisticRegression()])
def test_results_do_not_depend_on_the_number_of_threads(member: Any) -> None:
    cells, y = make_problem(20_000, missing=0.0 if member else 0.1)
    one, two = (
        MaclenClassifier(member, n_jobs=n_jobs).fit(cells, y) for n_jobs in (1, 2)
    )
    assert_array_equal(one.predict_proba(cells), two.predict_proba(cells))


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("features", ["discretized", "original"])
def test_a_table_is_encoded_once_for_all_members(
    features: str, missing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def counting(*arguments: Any) -> Any:
        calls.append(arguments)
        return encode(*arguments)

    monkeypatch.setattr(_table, "encode_columns", counting)
    cells, y = make_problem(missing=missing)
    MaclenClassifier(features=features).fit(as_pandas(cells), y)
    assert len(calls) == 1


# Errors


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"discretizers": []}, "discretizers is an empty list"),
        ({"max_values": []}, "max_values is an empty list"),
        ({"max_values": 0}, "max_values"),
        ({"rule": "best"}, "rule"),
        ({"labels": "some"}, "labels"),
        ({"features": "none"}, "features"),
        ({"estimator": C45Classifier(confidence=2)}, "confidence"),
        ({"discretizers": [EqualWidthDiscretizer(0)]}, "n_bins"),
        ({"max_values": [ValueGrouper(0)]}, "max_values"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], words: str) -> None:
    cells, y = make_problem()
    with pytest.raises(ValueError, match=words):
        MaclenClassifier(**parameters).fit(cells, y)


@pytest.mark.parametrize("wrong", [MinMaxScaler(), MissingValueReplacer(), "mdl"])
def test_only_discretisers_can_make_views(wrong: Any) -> None:
    cells, y = make_problem()
    with pytest.raises(TypeError, match="discretizers has the item"):
        MaclenClassifier(discretizers=[wrong]).fit(cells, y)
