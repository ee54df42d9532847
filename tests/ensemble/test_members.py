"""The adapter between an ensemble and members of either kind."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from dissensus.ensemble import AdaBoostM1Classifier, BaggingClassifier
from dissensus.ensemble._members import (
    EnsembleClassifier,
    accepts_weights,
    fit_member,
    input_kind,
    member_codes,
    member_proba,
    new_member,
    takes_tables,
    to_input,
)
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_objects, as_pandas, as_polars, make_problem

FORMS = {"array": as_objects, "pandas": as_pandas, "polars": as_polars}


class Lone(EnsembleClassifier):
    """The smallest ensemble: one member."""

    def __init__(
        self, estimator: Any = None, categorical_features: Any = "from_dtype"
    ) -> None:
        self.estimator = estimator
        self.categorical_features = categorical_features

    def _fit_table(
        self, table: Table, y_codes: Any, n_classes: int, sample_weight: Any = None
    ) -> Self:
        self.schema_, self.n_classes_ = table.schema, n_classes
        member = new_member(self._prototype())
        self.estimators_ = [
            self._fit_member(member, table, y_codes, n_classes, sample_weight)
        ]
        return self

    def _proba_table(self, table: Table) -> NDArray[np.float64]:
        return self._member_proba(self.estimators_[0], table, self.n_classes_)


class Spy(ClassifierMixin, BaseEstimator):
    """Remembers the kind of object it was given, and always answers class 1."""

    seen: ClassVar[list[Any]] = []

    def fit(self, X: Any, y: Any) -> Self:
        self.seen.append(X)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        self.seen.append(X)
        return np.ones(len(X), dtype=np.int32)


def encoder() -> Any:
    """Return a pipeline that asks for columns by name, as only a frame has them."""
    columns = [("labels", OneHotEncoder(handle_unknown="ignore"), ["colour", "size"])]
    return make_pipeline(ColumnTransformer(columns), LogisticRegression())


def numeric_table(n: int = 60) -> tuple[Table, NDArray[np.int32]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    return Table.from_matrix(X), (X[:, 0] > 0).astype(np.int32)


@pytest.mark.parametrize(
    ("X", "kind"),
    [
        (np.zeros((2, 2)), "array"),
        ([[1, 2]], "array"),
        (Table.from_any([[1, 2]]), "array"),
        (pd.DataFrame({"a": [1]}), "pandas"),
        (pl.DataFrame({"a": [1]}), "polars"),
    ],
)
def test_the_kind_of_an_input_is_told(X: Any, kind: str) -> None:
    assert input_kind(X) == kind


@pytest.mark.parametrize("kind", FORMS)
def test_a_table_is_shown_as_what_it_was_made_of(kind: Any) -> None:
    X = FORMS[kind](make_problem()[0])
    shown = to_input(Table.from_any(X), kind)
    assert type(shown) is type(X)
    again = Table.from_any(shown)
    assert [a.is_nominal for a in again.schema] == [True, True, False, False]
    for column, data in zip(Table.from_any(X).arrays, again.arrays, strict=True):
        assert_array_equal(column, data)


def test_a_matrix_is_shown_without_a_copy() -> None:
    X = np.zeros((3, 2))
    assert to_input(Table.from_any(X), "array") is X


@pytest.mark.parametrize("kind", FORMS)
def test_a_foreign_member_is_given_the_callers_own_kind(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells, y = make_problem()
    X = FORMS[kind](cells)
    monkeypatch.setattr(Spy, "seen", [])
    Lone(Spy()).fit(X, y).predict(X)
    assert [type(seen) for seen in Spy.seen] == [type(X)] * 2


@pytest.mark.parametrize("make", [as_pandas, as_polars])
def test_a_pipeline_finds_the_columns_of_a_frame_by_name(make: Any) -> None:
    cells, y = make_problem(missing=0.0)
    X = make(cells)
    expected = encoder().fit(X, y).predict_proba(X)
    assert_allclose(Lone(encoder()).fit(X, y).predict_proba(X), expected)


def test_members_of_either_kind_answer_for_classes_they_have_not_seen() -> None:
    table, y = numeric_table()
    codes = (1 + 2 * y).astype(np.int32)  # 1 and 3 of 0..4
    for member in (C45Classifier(), DecisionTreeClassifier(), RidgeClassifier()):
        fitted = fit_member(member, table, codes, 5, kind="array")
        proba = member_proba(fitted, table, 5, kind="array")
        assert proba.shape == (60, 5)
        assert (proba[:, [0, 2, 4]] == 0).all()
        assert_allclose(proba.sum(axis=1), 1.0)
        predicted = member_codes(fitted, table, kind="array")
        assert_array_equal(predicted, proba.argmax(axis=1))
        assert (predicted == codes).mean() > 0.9


def test_a_member_without_probabilities_votes() -> None:
    table, y = numeric_table()
    ridge = fit_member(RidgeClassifier(), table, y, 2, kind="array")
    proba = member_proba(ridge, table, 2, kind="array")
    assert_array_equal(proba, np.eye(2)[ridge.predict(table.matrix)])


def test_a_foreign_member_that_sees_one_class_becomes_a_constant() -> None:
    table, _ = numeric_table()
    for n_rows in (1, 60):
        some = table.take(np.arange(n_rows))
        member = LogisticRegression()  # refuses one class
        fitted = fit_member(member, some, np.full(n_rows, 2), 4, kind="array")
        proba = member_proba(fitted, table, 4, kind="array")
        assert_array_equal(proba, np.tile([0.0, 0.0, 1.0, 0.0], (60, 1)))
        assert_array_equal(member_codes(fitted, table, kind="array"), np.full(60, 2))


def test_weights_reach_members_of_either_kind() -> None:
    table, y = numeric_table()
    noisy = np.where(np.arange(60) % 3 == 0, 1 - y, y).astype(np.int32)
    weights = np.where(noisy == y, 1.0, 1e-9)
    for member in (C45Classifier(), GaussianNB()):
        fitted = fit_member(member, table, noisy, 2, weights, kind="array")
        assert (member_codes(fitted, table, kind="array") == y).mean() > 0.9


def test_who_accepts_weights_is_known() -> None:
    assert accepts_weights(C45Classifier())
    assert accepts_weights(GaussianNB())
    assert accepts_weights(Lone())
    assert not accepts_weights(Spy())
    pipeline = make_pipeline(GaussianNB())
    assert not accepts_weights(pipeline)
    assert not accepts_weights(Lone(Lone(pipeline)))
    assert accepts_weights(BaggingClassifier(pipeline))
    assert accepts_weights(Lone(AdaBoostM1Classifier(pipeline)))


def test_a_member_that_cannot_use_weights_says_so() -> None:
    table, y = numeric_table()
    with pytest.raises(ValueError, match="Pipeline cannot learn from weighted rows"):
        fit_member(
            make_pipeline(GaussianNB()), table, y, 2, np.full(60, 2.0), kind="array"
        )


def test_every_seed_inside_a_member_is_set() -> None:
    nested = make_pipeline(Lone(DecisionTreeClassifier(random_state=1)))
    made = [new_member(nested, np.random.RandomState(7)) for _ in range(2)]
    seeds = [m.get_params()["lone__estimator__random_state"] for m in made]
    assert seeds[0] == seeds[1] != 1
    assert new_member(nested).get_params()["lone__estimator__random_state"] == 1
    assert nested.get_params()["lone__estimator__random_state"] == 1


@pytest.mark.parametrize("kind", FORMS)
def test_an_ensemble_of_an_ensemble_is_the_ensemble(kind: str) -> None:
    cells, y = make_problem(missing=0.0)
    X = FORMS[kind](cells)
    members = [C45Classifier()] if kind == "array" else [C45Classifier(), encoder()]
    for member in members:
        once, twice = Lone(member).fit(X, y), Lone(Lone(member)).fit(X, y)
        assert_array_equal(twice.predict_proba(X), once.predict_proba(X))
        assert takes_tables(twice.estimators_[0])
        assert twice.estimators_[0].input_kind_ == kind


def test_a_member_of_ours_can_be_used_alone_and_answers_codes() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = Lone().fit(X, np.array(["a", "b", "c"])[y])
    member = model.estimators_[0]
    assert_array_equal(member.feature_names_in_, X.columns)
    assert_array_equal(model.classes_[member.predict(X)], model.predict(X))


def test_wrong_parameters_of_a_member_are_refused() -> None:
    cells, y = make_problem()
    for model in (Lone(C45Classifier(7.0)), Lone(Lone(C45Classifier(7.0)))):
        with pytest.raises(ValueError, match="'confidence' parameter"):
            model.fit(cells, y)


def test_the_members_decide_whether_missing_values_are_welcome() -> None:
    assert get_tags(Lone()).input_tags.allow_nan
    assert not get_tags(Lone(LogisticRegression())).input_tags.allow_nan
    assert get_tags(Lone(Lone(DecisionTreeClassifier()))).input_tags.allow_nan
