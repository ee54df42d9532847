"""Curves over the number of members."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from dissensus import ensemble
from dissensus.ensemble._members import EnsembleClassifier, new_member
from dissensus.evaluation import committee_curve, inject_class_noise
from dissensus.evaluation._committee import staged_proba
from dissensus.metrics import accuracy
from dissensus.table import Table
from dissensus.tree import C45Classifier

X, Y = load_iris(return_X_y=True)
LABELS = np.array(["setosa", "versicolor", "virginica"])[Y]
NOISY = inject_class_noise(LABELS, 0.2, rng=0)  # so that boosting goes on
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
ENSEMBLES = [
    RandomForestClassifier(6, random_state=0),
    BaggingClassifier(TREE, n_estimators=6, max_features=0.5, random_state=0),
    BaggingClassifier(C45Classifier(), n_estimators=6, random_state=0),
    VotingClassifier([("a", TREE), ("b", GaussianNB())], voting="soft"),
    AdaBoostClassifier(TREE, n_estimators=6, random_state=0),
    GradientBoostingClassifier(n_estimators=6, random_state=0),
]


class Halves(EnsembleClassifier):
    """An ensemble of this package: each member learns from another half."""

    def __init__(
        self, estimator: Any = None, categorical_features: Any = "from_dtype"
    ) -> None:
        self.estimator = estimator
        self.categorical_features = categorical_features

    def _fit_table(
        self, table: Table, y_codes: Any, n_classes: int, sample_weight: Any = None
    ) -> Any:
        parts = [np.arange(start, table.n_rows, 2) for start in (0, 1)]
        self.estimators_ = [
            self._fit_member(
                new_member(self._prototype()),
                table.take(rows),
                y_codes[rows],
                n_classes,
            )
            for rows in parts
        ]
        return self

    def _proba_table(self, table: Table) -> Any:
        n_classes = len(self.classes_)
        members = [self._member_proba(m, table, n_classes) for m in self.estimators_]
        return np.mean(members, axis=0)


@pytest.mark.parametrize("committee", ENSEMBLES, ids=lambda e: type(e).__name__)
def test_the_last_stage_is_the_ensemble_itself(committee: Any) -> None:
    fitted = committee.fit(X[::3], LABELS[::3])
    *_, last = staged_proba(fitted, X)
    assert last == pytest.approx(fitted.predict_proba(X), abs=1e-12)
    found = committee_curve(fitted, X, LABELS)
    assert found.sizes.tolist() == list(range(1, len(fitted.estimators_) + 1))
    assert found.scores[-1] == fitted.score(X, LABELS)


def test_the_first_stage_of_a_forest_is_its_first_tree() -> None:
    forest = RandomForestClassifier(6, random_state=0).fit(X[::3], LABELS[::3])
    codes = forest.estimators_[0].predict(X).astype(int)
    expected = accuracy(LABELS, forest.classes_[codes])
    assert committee_curve(forest, X, LABELS, sizes=[1]).scores.tolist() == [expected]


@pytest.mark.parametrize("member", [C45Classifier(), GaussianNB()])
@pytest.mark.parametrize("kind", ["array", "polars", "table"])
def test_ensembles_of_this_package_are_asked_through_their_own_door(
    member: Any, kind: str
) -> None:
    table = Table.from_any(X)
    inputs = {"array": X, "polars": table.to_frame("polars"), "table": table}[kind]
    halves = Halves(member).fit(inputs, LABELS)
    first, last = staged_proba(halves, inputs)
    assert last == pytest.approx(halves.predict_proba(inputs))
    assert not np.array_equal(first, last)
    assert committee_curve(halves, inputs, LABELS, measure="auc").scores[-1] > 0.9


def test_a_frame_may_be_given_to_an_ensemble_of_frames() -> None:
    frame = Table.from_any(X).to_frame("pandas")
    forest = RandomForestClassifier(3, random_state=0).fit(frame, LABELS)
    *_, last = staged_proba(forest, frame)
    assert last == pytest.approx(forest.predict_proba(frame))


def test_sizes_are_those_asked_for_that_the_ensemble_has() -> None:
    forest = RandomForestClassifier(6, random_state=0).fit(X, LABELS)
    found = committee_curve(forest, X, LABELS, sizes=[25, 5, 1, 5])
    assert found.sizes.tolist() == [1, 5]


def test_members_that_lack_a_class_keep_their_columns() -> None:
    rare = np.where(np.arange(len(LABELS)) == 100, "rare", LABELS)
    bagging = BaggingClassifier(C45Classifier(), n_estimators=8, random_state=0)
    bagging.fit(X, rare)
    assert {len(member.classes_) for member in bagging.estimators_} == {3, 4}
    *_, last = staged_proba(bagging, X)
    assert last == pytest.approx(bagging.predict_proba(X))


def test_test_labels_that_the_ensemble_never_saw_count_as_errors() -> None:
    # "setosa" comes before the labels that were seen, so their columns move.
    forest = RandomForestClassifier(3, random_state=0).fit(X[50:], LABELS[50:])
    found = committee_curve(forest, X[25:100], LABELS[25:100])
    assert found.scores[-1] == forest.score(X[25:100], LABELS[25:100]) == 50 / 75


def test_integer_labels_that_are_no_codes_are_placed_rightly() -> None:
    forest = RandomForestClassifier(3, random_state=0).fit(X, Y + 1)
    assert committee_curve(forest, X, Y + 1).scores[-1] > 0.9


def test_members_with_classes_of_their_own_are_refused() -> None:
    halves = Halves().fit(X, LABELS)
    halves.estimators_[0].classes_ = np.arange(9)
    with pytest.raises(ValueError, match="members of Halves have classes"):
        committee_curve(halves, X, LABELS)


def test_a_classifier_without_members_is_refused() -> None:
    with pytest.raises(ValueError, match="GaussianNB has no members"):
        committee_curve(GaussianNB().fit(X, Y), X, Y)


OURS = [
    ensemble.BaggingClassifier(n_estimators=4, random_state=0),
    ensemble.AdaBoostM1Classifier(n_estimators=4),
    ensemble.DecorateClassifier(n_estimators=4, random_state=0),
    ensemble.MaclenClassifier(),
    ensemble.MTForestClassifier(),
]


@pytest.mark.parametrize("committee", OURS, ids=lambda e: type(e).__name__)
def test_the_last_stage_of_each_of_our_committees_is_itself(committee: Any) -> None:
    fitted = committee.fit(X[::3], NOISY[::3])
    stages = list(staged_proba(fitted, X))
    assert len(stages) == len(fitted.estimators_) > 1
    assert stages[-1] == pytest.approx(fitted.predict_proba(X), abs=1e-12)


def test_a_stage_of_boosting_is_the_boosting_that_stops_there() -> None:
    long = ensemble.AdaBoostM1Classifier(n_estimators=5).fit(X[::3], NOISY[::3])
    stages = list(long.staged_predict_proba(X))
    assert len(stages) == 5
    for size, stage in enumerate(stages, start=1):
        short = ensemble.AdaBoostM1Classifier(n_estimators=size)
        expected = short.fit(X[::3], NOISY[::3]).predict_proba(X)
        assert np.array_equal(stage, expected)


@pytest.mark.parametrize(
    "leveled",
    [
        ensemble.CascadeClassifier([C45Classifier(), C45Classifier()]),
        ensemble.StackedGeneralizationClassifier([C45Classifier(), C45Classifier()]),
        StackingClassifier([("a", TREE), ("b", GaussianNB())]),
    ],
    ids=lambda e: type(e).__name__,
)
def test_learners_that_build_on_each_other_are_no_committee(leveled: Any) -> None:
    fitted = leveled.fit(X[::2], LABELS[::2])
    with pytest.raises(ValueError, match="smaller committees of it"):
        committee_curve(fitted, X, LABELS)


def test_labels_of_other_rows_or_another_type_are_refused() -> None:
    forest = RandomForestClassifier(2, random_state=0).fit(X, LABELS)
    with pytest.raises(ValueError, match=r"y has the shape \(2,\), X has 150 rows"):
        committee_curve(forest, X, LABELS[:2])
    with pytest.raises(ValueError, match="must be of the same type"):
        committee_curve(forest, X, Y)


@pytest.mark.parametrize("sizes", [[], [0, 1]])
def test_sizes_that_are_none_are_refused(sizes: list[int]) -> None:
    forest = RandomForestClassifier(2).fit(X, Y)
    with pytest.raises(ValueError, match="each at least 1"):
        committee_curve(forest, X, Y, sizes=sizes)
