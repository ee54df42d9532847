"""Where the attributes of training rows come from: paper, crossfit and guarded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier

from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import CascadeClassifier, after
from dissensus.ensemble._crossfit import Rows, Training, make_folds, out_of_fold
from dissensus.linear import DiscriminantClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier

NB, LINE = NaiveBayesClassifier(), DiscriminantClassifier()
TREE = C45Classifier()
VAIN = KNeighborsClassifier(1)  # certain of every row that it has seen


class Recorder(C45Classifier):
    """A tree that keeps what it learnt from."""

    def _fit_table(
        self, table: Any, y_codes: Any, n_classes: Any, sample_weight: Any = None
    ) -> Any:
        self.table_, self.weight_ = table, sample_weight
        return super()._fit_table(table, y_codes, n_classes, sample_weight)


def noise(n: int = 120, n_classes: int = 2) -> tuple[Any, Any]:
    """Return numbers that tell nothing about the class."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 3)), rng.integers(0, n_classes, n)


def learnt_columns(cascade: CascadeClassifier, n_inputs: int) -> Any:
    """Return the made attributes that the deciding level learnt from."""
    return np.column_stack(cascade.estimators_[-1].table_.arrays[n_inputs:])


def training(X: Any, y: Any) -> Training:
    return Training(Table.from_any(X), y.astype(np.int32), 2, None, "array")


# Folds


def folds_of(y: Any, groups: Any = None, cv: Any = 5, n_repeats: int = 1) -> Any:
    rows = Rows(None if groups is None else np.asarray(groups))
    codes = np.asarray(y, dtype=np.int32)
    return make_folds(codes, rows, cv, n_repeats, np.random.RandomState(0))


def test_every_fold_has_its_share_of_each_class() -> None:
    y = np.repeat([0, 1, 2], [50, 25, 10])
    for train, test in folds_of(y):
        assert np.bincount(y[test]).tolist() == [10, 5, 2]
        assert sorted([*train, *test]) == list(range(85))


def test_repeats_divide_the_rows_anew() -> None:
    y = np.repeat([0, 1], 20)
    folds = folds_of(y, n_repeats=3)
    assert len(folds) == 15
    tests = [tuple(sorted(test)) for _, test in folds]
    assert len(set(tests)) == 15


@pytest.mark.parametrize("y", [[0, 0, 0, 0, 0, 1], [0, 1, 2, 3], [0, 1], [0, 0, 1, 1]])
def test_rare_classes_are_no_obstacle(y: list[int]) -> None:
    folds = folds_of(y)
    tested = np.concatenate([test for _, test in folds])
    assert sorted(tested) == list(range(len(y)))


def test_one_row_cannot_be_divided() -> None:
    assert folds_of([0]) == []


def test_groups_are_not_divided() -> None:
    y, groups = np.arange(60) % 2, np.arange(60) // 5
    for train, test in folds_of(y, groups):
        assert not set(groups[train]) & set(groups[test])
    assert len(folds_of(y, np.arange(60) % 3)) == 3
    with pytest.raises(ValueError, match="one group only"):
        folds_of(y, np.zeros(60))


def test_a_splitter_or_folds_may_be_given() -> None:
    y, groups = np.arange(12) % 2, np.arange(12) // 4
    assert len(folds_of(y, cv=KFold(4))) == 4
    assert len(folds_of(y, groups, cv=LeaveOneGroupOut())) == 3
    given = list(KFold(2).split(y))
    for (train, test), expected in zip(folds_of(y, cv=given), given, strict=True):
        assert_array_equal(train, expected[0])
        assert_array_equal(test, expected[1])


def test_given_folds_count_the_rows_before_those_without_weight_are_dropped() -> None:
    rows = Rows.of([0, 1, 0, 1], [1, 0, 2, 1], None)
    given = [([0, 1], [2, 3])]
    ((train, test),) = make_folds(
        np.array([0, 0, 1], np.int32), rows, given, 1, np.random.RandomState(0)
    )
    assert train.tolist() == [0]
    assert test.tolist() == [1, 2]


# Out of fold


def test_probabilities_come_from_models_that_have_not_seen_the_row() -> None:
    X, y = noise()
    folds = folds_of(y)
    proba = out_of_fold(VAIN, training(X, y), folds)
    for train, test in folds:
        expected = clone(VAIN).fit(X[train], y[train]).predict_proba(X[test])
        assert_array_equal(proba[test], expected)


def test_repeats_are_averaged() -> None:
    X, y = noise()
    whole = training(X, y)
    folds = folds_of(y, n_repeats=2)
    one = out_of_fold(VAIN, whole, folds[:5])
    two = out_of_fold(VAIN, whole, folds[5:])
    assert_allclose(out_of_fold(VAIN, whole, folds), (one + two) / 2)


def test_a_splitter_that_leaves_rows_out_is_refused() -> None:
    X, y = noise()
    cascade = after(TREE, NB, mode="crossfit", cv=ShuffleSplit(2, random_state=0))
    with pytest.raises(ValueError, match="out of every test fold"):
        cascade.fit(X, y)


def test_a_class_that_a_fold_lacks_has_probability_zero() -> None:
    X = np.arange(12.0)[:, np.newaxis]
    y = np.array([0, 1] * 5 + [2, 2])
    cascade = CascadeClassifier(
        [VAIN, Recorder()],
        mode="crossfit",
        cv=[(range(10), [10, 11]), (range(2, 12), range(10))],
    )
    columns = learnt_columns(cascade.fit(X, y), 1)
    assert_array_equal(columns[10:, 2], 0.0)


# Modes


def test_in_the_papers_mode_a_learner_judges_its_own_rows() -> None:
    X, y = noise()
    cascade = after(Recorder(), VAIN).fit(X, y)
    columns = learnt_columns(cascade, 3)
    assert_array_equal(columns[np.arange(len(y)), y], 1.0)
    assert cascade.diagnosis_ == []


def test_crossfit_shows_the_next_level_what_it_will_see_later() -> None:
    X, y = noise()
    cascade = after(Recorder(), VAIN, mode="crossfit", random_state=0).fit(X, y)
    columns = learnt_columns(cascade, 3)
    assert abs(columns[np.arange(len(y)), y].mean() - 0.5) < 0.15
    later = cascade.transform(X)[:, 3:]
    assert_array_equal(later[np.arange(len(y)), y], 1.0)  # by the model of all rows


def test_crossfit_uses_the_folds_that_it_is_given() -> None:
    X, y = noise()
    folds = list(KFold(3).split(X))
    cascade = after(Recorder(), VAIN, mode="crossfit", cv=folds).fit(X, y)
    expected = out_of_fold(VAIN, training(X, y), folds)
    assert_array_equal(learnt_columns(cascade, 3), expected)


def test_a_repeated_splitter_is_averaged() -> None:
    X, y = noise()
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    cascade = after(Recorder(), VAIN, mode="crossfit", cv=cv).fit(X, y)
    assert len(np.unique(learnt_columns(cascade, 3))) == 3  # 0, 1/2, 1


def test_the_guard_takes_an_overfitting_learner_out_of_fold_only() -> None:
    X, y = noise()
    y = np.where(X[:, 0] > 0, y, 1 - y)
    guarded = after(Recorder(), [NB, VAIN], mode="guarded", random_state=0)
    guarded.fit(X, y)
    modest, vain = guarded.diagnosis_
    assert (modest.learner, modest.level, modest.choice) == ("NB", 0, "paper")
    assert (vain.learner, vain.level, vain.choice) == ("KNN", 0, "crossfit")
    assert vain.in_sample == 1.0
    assert vain.gap == vain.in_sample - vain.out_of_fold > 0.1
    assert modest.gap <= 0.1
    columns = learnt_columns(guarded, 3)
    assert_array_equal(columns[:, :2], guarded.transform(X)[:, 3:5])
    assert (columns[:, 2:] != guarded.transform(X)[:, 5:]).any()
    assert "the gap of" in str(vain)
    assert "so its probabilities out of fold are used" in str(vain)
    assert "on its own rows are used" in str(modest)


def test_the_limit_of_the_guard_can_be_moved() -> None:
    X, y = noise()
    choices = {}
    for limit in (0.0, 1.0):
        cascade = after(TREE, VAIN, mode="guarded", max_gap=limit, random_state=0)
        (choices[limit],) = (d.choice for d in cascade.fit(X, y).diagnosis_)
    assert choices == {0.0: "crossfit", 1.0: "paper"}


def test_the_guard_judges_every_level() -> None:
    X, y = noise()
    cascade = after(TREE, LINE, VAIN, mode="guarded", random_state=0).fit(X, y)
    found = [(d.level, d.learner) for d in cascade.diagnosis_]
    assert found == [(0, "KNN"), (1, "Discrim")]


# Weights and groups


def test_weights_are_divided_with_their_rows() -> None:
    X, y = noise()
    weight = np.where(np.arange(120) < 60, 3.0, 0.25)
    folds = list(KFold(2).split(X))
    cascade = after(Recorder(), NB, mode="crossfit", cv=folds)
    columns = learnt_columns(cascade.fit(X, y, sample_weight=weight), 3)
    for train, test in folds:
        expected = clone(NB).fit(X[train], y[train], weight[train])
        assert_array_equal(columns[test], expected.predict_proba(X[test]))


def test_rows_of_a_group_are_never_judged_by_their_siblings() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 3)
    X = np.repeat(rng.normal(size=(40, 3)), 3, axis=0)
    y = np.repeat(rng.integers(0, 2, 40), 3)
    divided = after(Recorder(), VAIN, mode="crossfit", random_state=0)
    kept = clone(divided)
    weight = (np.arange(120) % 4 > 0).astype(float)
    right = {
        name: learnt_columns(model, 3)[np.arange(90), y[weight > 0]].mean()
        for name, model in (
            ("divided", divided.fit(X, y, weight)),
            ("kept", kept.fit(X, y, weight, groups=groups)),
        )
    }
    assert right["divided"] > 0.9  # two of three siblings give the answer away
    assert right["kept"] < 0.75


def test_groups_of_another_length_are_refused() -> None:
    X, y = noise()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        after(TREE, NB, mode="crossfit").fit(X, y, groups=[1, 2, 3])


def test_groups_are_routed_from_a_cross_validation() -> None:
    X, y = noise()
    y = np.where(X[:, 0] > 0, y, 1 - y)
    groups = np.arange(120) // 3
    with config_context(enable_metadata_routing=True):
        cascade = after(Recorder(), NB, mode="crossfit", random_state=0)
        cascade.set_fit_request(groups=True, sample_weight=True)
        cascade.set_score_request(sample_weight=False)
        result = cross_validate(
            cascade,
            X,
            y,
            params={"groups": groups, "sample_weight": np.full(120, 2.0)},
            cv=GroupKFold(3),
            return_estimator=True,
            error_score="raise",
        )
        routed = result["estimator"][0]
        train = next(GroupKFold(3).split(X, y, groups))[0]
        expected = clone(cascade).fit(
            X[train], y[train], np.full(len(train), 2.0), groups[train]
        )
    assert_array_equal(learnt_columns(routed, 3), learnt_columns(expected, 3))
    assert routed.estimators_[-1].weight_ is not None
