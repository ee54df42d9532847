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
from dissensus.ensemble.cascade._cross_fit import (
    Rows,
    Training,
    cross_fit,
    make_folds,
    out_of_fold,
)
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


def probabilities(learner: Any, X: Any, y: Any, folds: Any) -> Any:
    """Return out-of-fold probabilities."""
    rows = Training(Table.from_any(X), y.astype(np.int32), 2, None, "array")
    return out_of_fold(cross_fit(learner, rows, folds), len(y))


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
    proba = probabilities(VAIN, X, y, folds)
    for train, test in folds:
        expected = clone(VAIN).fit(X[train], y[train]).predict_proba(X[test])
        assert_array_equal(proba[test], expected)


def test_repeats_are_averaged() -> None:
    X, y = noise()
    folds = folds_of(y, n_repeats=2)
    one = probabilities(VAIN, X, y, folds[:5])
    two = probabilities(VAIN, X, y, folds[5:])
    assert_allclose(probabilities(VAIN, X, y, folds), (one + two) / 2)


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
    expected = probabilities(VAIN, X, y, folds)
    assert_array_equal(learnt_columns(cascade, 3), expected)


def test_a_repeated_splitter_is_averaged() -> None:
    X, y = noise()
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    cascade = after(Recorder(), VAIN, mode="crossfit", cv=cv).fit(X, y)
    assert len(np.unique(learnt_columns(cascade, 3))) == 3  # 0, 1/2, 1


def puzzle() -> tuple[Any, Any]:
    """Return rows whose first number gives the class, with noise beside it."""
    X, y = noise(200)
    return X, np.where(np.arange(200) % 10 < 8, X[:, 0] > 0, y == 1).astype(int)


def test_the_guard_takes_an_overfitting_learner_out_of_fold() -> None:
    X, y = puzzle()
    guarded = after(Recorder(), [LINE, VAIN], mode="guarded", random_state=0)
    modest, vain = guarded.fit(X, y).diagnosis_
    assert (modest.learner, modest.level, modest.choice) == ("Discrim", 0, "paper")
    assert modest.gap <= modest.limit
    assert modest.paper_error is None
    assert (vain.learner, vain.level, vain.choice) == ("KNN", 0, "crossfit")
    assert vain.in_sample == 1.0
    assert vain.gap == vain.in_sample - vain.out_of_fold > vain.limit
    assert vain.paper_error is not None
    assert vain.crossfit_error is not None
    assert vain.crossfit_error < vain.paper_error
    columns = learnt_columns(guarded, 3)
    assert_array_equal(columns[:, :2], guarded.transform(X)[:, 3:5])
    assert (columns[:, 2:] != guarded.transform(X)[:, 5:]).any()


def test_the_guard_gives_its_reasons_in_words() -> None:
    X, y = puzzle()
    guarded = after(TREE, [LINE, VAIN], mode="guarded", random_state=0).fit(X, y)
    modest, vain = map(str, guarded.diagnosis_)
    assert modest.startswith("level 0, Discrim: P(true class) is 0.")
    assert modest.endswith("its probabilities on its own rows are used.")
    assert "the next level errs on" in vain
    assert vain.endswith("its probabilities out of fold are used.")


def test_the_guards_trial_measures_the_next_level_on_held_out_rows() -> None:
    X, y = puzzle()
    folds = list(KFold(4).split(X))
    guarded = after(TREE, VAIN, mode="guarded", cv=folds).fit(X, y)
    unseen = probabilities(VAIN, X, y, folds)
    wrong = {"paper": 0, "crossfit": 0}
    for train, test in folds:
        copy = clone(VAIN).fit(X[train], y[train])
        asked = np.hstack([X[test], copy.predict_proba(X[test])])
        own = np.hstack([X[train], copy.predict_proba(X[train])])
        other = np.hstack([X[train], unseen[train]])
        for kind, learnt in (("paper", own), ("crossfit", other)):
            top = clone(TREE).fit(learnt, y[train])
            wrong[kind] += int((top.predict(asked) != y[test]).sum())
    (found,) = guarded.diagnosis_
    assert found.paper_error == wrong["paper"] / len(y)
    assert found.crossfit_error == wrong["crossfit"] / len(y)


def test_no_trial_is_held_where_any_gap_is_allowed() -> None:
    X, y = noise()
    cascade = after(TREE, VAIN, mode="guarded", max_gap=1.0, random_state=0)
    (found,) = cascade.fit(X, y).diagnosis_
    assert found.choice == "paper"
    assert found.crossfit_error is None


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
