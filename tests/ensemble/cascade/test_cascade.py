"""CascadeClassifier: which learner sees what, and what is told about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from dissensus.bayes import NaiveBayesClassifier
from dissensus.datasets import load_dataset
from dissensus.ensemble import CascadeClassifier, after
from dissensus.linear import DiscriminantClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, as_polars, make_problem

NB, TREE, LINE = NaiveBayesClassifier(), C45Classifier(), DiscriminantClassifier()
IRIS = load_iris(return_X_y=True, as_frame=True)


def frame() -> tuple[Any, Any]:
    cells, y = make_problem()
    return as_pandas(cells), np.array(["no", "perhaps", "yes"])[y]


def by_hand(X: Any, learner: Any, name: str) -> Any:
    """Return a frame with a fitted learner's probabilities behind its columns."""
    proba = learner.predict_proba(X)
    names = [f"{name}:P({label})" for label in learner.classes_]
    return X.join(pd.DataFrame(proba, columns=names, index=X.index))


# The operators of the paper


def test_the_second_learner_sees_the_first_ones_probabilities() -> None:
    X, y = frame()
    first = clone(NB).fit(X, y)
    second = clone(TREE).fit(by_hand(X, first, "NB"), y)
    cascade = CascadeClassifier([NB, TREE]).fit(X, y)
    assert cascade.schema_out_ == second.schema_
    expected = second.predict_proba(by_hand(X, first, "NB"))
    assert_array_equal(cascade.predict_proba(X), expected)
    assert_array_equal(cascade.predict(X), second.predict(by_hand(X, first, "NB")))


def test_three_levels_see_everything_below() -> None:
    X, y = frame()
    first = clone(NB).fit(X, y)
    wider = by_hand(X, first, "NB")
    second = clone(LINE).fit(wider, y)
    widest = by_hand(wider, second, "Discrim")
    third = clone(TREE).fit(widest, y)
    cascade = after(TREE, LINE, NB).fit(X, y)
    assert_array_equal(cascade.predict_proba(X), third.predict_proba(widest))
    assert cascade.schema_out_.names == tuple(widest.columns)


def test_carrying_the_previous_level_only_forgets_the_one_below_it() -> None:
    X, y = frame()
    cascade = after(TREE, LINE, NB, carry="previous").fit(X, y)
    new = cascade.schema_out_.names[4:]
    assert new == ("Discrim:P(no)", "Discrim:P(perhaps)", "Discrim:P(yes)")
    assert cascade.levels_[1][0].schema_.names[4:] == (
        *("NB:P(no)", "NB:P(perhaps)", "NB:P(yes)"),
    )


def test_learners_side_by_side_do_not_see_each_other() -> None:
    X, y = frame()
    cascade = after(TREE, [NB, LINE]).fit(X, y)
    line = clone(LINE).fit(X, y)
    assert_array_equal(cascade.levels_[0][1].predict_proba(X), line.predict_proba(X))
    assert len(cascade.schema_out_) == 4 + 2 * 3
    assert cascade.names_ == [["NB", "Discrim"], ["C45"]]


def test_one_level_is_the_learner_itself() -> None:
    X, y = frame()
    cascade = CascadeClassifier([TREE]).fit(X, y)
    assert_array_equal(cascade.predict_proba(X), clone(TREE).fit(X, y).predict_proba(X))


def test_after_reads_from_right_to_left() -> None:
    cascade = after(TREE, LINE, NB, mode="guarded")
    assert cascade.levels == [NB, LINE, TREE]
    assert cascade.mode == "guarded"


def test_the_default_is_c45_after_naive_bayes() -> None:
    X, y = frame()
    assert_array_equal(
        CascadeClassifier().fit(X, y).predict_proba(X),
        after(TREE, NB).fit(X, y).predict_proba(X),
    )


def test_the_learners_handed_over_stay_unfitted() -> None:
    X, y = frame()
    mine = [NaiveBayesClassifier(), C45Classifier()]
    CascadeClassifier(mine).fit(X, y)
    assert not any(hasattr(learner, "schema_") for learner in mine)


def test_a_training_row_gets_the_same_attributes_later_to_the_last_bit() -> None:
    X, y = frame()
    cascade = after(TREE, LINE, [NB, TREE]).fit(X, y)
    whole = cascade.transform(Table.from_any(X))
    learnt_from = cascade.estimators_[-1].tree_
    for i in range(0, len(X), 7):
        row = cascade.transform(Table.from_any(X.iloc[i : i + 1]))
        for alone, among in zip(row.arrays, whole.arrays, strict=True):
            assert_array_equal(alone, among[i : i + 1])
    thresholds = learnt_from.threshold[learnt_from.attribute >= 4]
    made = np.concatenate(whole.arrays[4:])
    assert np.isin(thresholds, made).all()


# Names


def test_names_count_up_where_they_would_repeat() -> None:
    X, y = frame()
    cascade = after(TREE, TREE, [TREE, NB, NB]).fit(X, y)
    assert cascade.names_ == [["C45", "NB", "NB_2"], ["C45_2"], ["C45_3"]]
    assert len(set(cascade.schema_out_.names)) == 4 + 4 * 3


def test_learners_can_be_named() -> None:
    X, y = frame()
    cascade = CascadeClassifier([[("old", NB), LINE], ("top", TREE)]).fit(X, y)
    assert cascade.names_ == [["old", "Discrim"], ["top"]]
    assert "old:P(yes)" in cascade.schema_out_.names


def test_a_column_that_is_called_like_a_new_one_is_no_trouble() -> None:
    X, y = frame()
    X["NB:P(yes)"] = 1.0
    names = after(TREE, NB).fit(X, y).schema_out_.names
    assert names[4:6] == ("NB:P(yes)", "NB_2:P(no)")


def test_a_pipeline_is_called_by_its_classifier() -> None:
    X, y = IRIS
    cascade = after(TREE, make_pipeline(StandardScaler(), KNeighborsClassifier()))
    assert cascade.fit(X, y).names_ == [["KNN"], ["C45"]]


def test_parameters_of_learners_are_reached_by_their_names() -> None:
    cascade = after(TREE, NaiveBayesClassifier())
    assert cascade.get_params()["NB__alpha"] == 1.0
    cascade = clone(cascade).set_params(NB__alpha=2.5, C45=LINE, carry="previous")
    assert cascade.levels[0].alpha == 2.5
    assert cascade.levels[1] is LINE
    named = CascadeClassifier([[("a", NB)], ("b", TREE)]).set_params(a=LINE)
    assert named.levels == [[("a", LINE)], ("b", TREE)]
    with pytest.raises(ValueError, match="Invalid parameter 'AODE'"):
        cascade.set_params(AODE__alpha=1)


def test_a_grid_search_reaches_learners() -> None:
    X, y = frame()
    grid = {"C45__confidence": [0.1, 0.25], "NB": [NB, LINE]}
    search = GridSearchCV(after(TREE, NB), grid, cv=2, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.5


# The extended table


def test_transform_gives_a_frame_with_the_new_columns() -> None:
    X, y = frame()
    X.index = [f"row {i}" for i in range(len(X))]
    cascade = after(TREE, NB).fit(X, y)
    out = cascade.transform(X)
    assert list(out.index) == list(X.index)
    pd.testing.assert_frame_equal(out[list(X.columns)], X)
    proba = clone(NB).fit(X, y).predict_proba(X)
    assert_array_equal(out.iloc[:, 4:].to_numpy(), proba)
    assert out.columns.tolist() == cascade.get_feature_names_out().tolist()


def test_transform_gives_polars_arrays_and_tables_too() -> None:
    cells, y = make_problem()
    polars = after(TREE, NB).fit(as_polars(cells), y).transform(as_polars(cells))
    assert isinstance(polars, pl.DataFrame)
    assert polars.columns[4:] == ["NB:P(0)", "NB:P(1)", "NB:P(2)"]
    X, y = load_iris(return_X_y=True)
    cascade = after(TREE, NB).fit(X, y)
    assert cascade.transform(X).shape == (150, 7)
    assert cascade.get_feature_names_out()[[0, 4]].tolist() == ["x0", "NB:P(0)"]
    table = cascade.transform(Table.from_any(X))
    assert table.schema == cascade.schema_out_
    framed = cascade.set_output(transform="polars").transform(X)
    assert framed.columns == cascade.get_feature_names_out().tolist()


# Attributes


def test_times_and_leaves_are_told() -> None:
    X, y = frame()
    cascade = after(TREE, LINE, NB).fit(X, y)
    assert cascade.fit_times_.shape == (3,)
    assert (cascade.fit_times_ > 0).all()
    assert cascade.n_leaves_ == cascade.estimators_[-1].tree_.n_leaves
    assert not hasattr(after(NB, TREE).fit(X, y), "n_leaves_")
    with pytest.raises(NotFittedError):
        _ = after(TREE, NB).n_leaves_


def test_the_cascade_of_the_paper_has_fewer_leaves_and_errors_on_monks_2() -> None:
    monks = load_dataset("monks-2")
    alone = C45Classifier().fit(monks.X, monks.y)
    cascade = after(TREE, NB).fit(monks.X, monks.y)
    assert cascade.score(monks.X, monks.y) > alone.score(monks.X, monks.y) + 0.1


# Learners of other packages


@pytest.mark.parametrize("mode", ["paper", "crossfit", "guarded"])
@pytest.mark.parametrize("top", [TREE, KNeighborsClassifier()])
def test_nearest_neighbours_and_a_network_take_part(top: Any, mode: str) -> None:
    X, y = IRIS
    network = make_pipeline(
        StandardScaler(),
        MLPClassifier((5,), solver="lbfgs", max_iter=500, random_state=0, tol=0.1),
    )
    cascade = after(top, [KNeighborsClassifier(), network], mode=mode, n_repeats=1)
    labels = np.array(["se", "ve", "vi"])[y]
    cascade.fit(X, labels)
    assert cascade.schema_out_.names[4] == "KNN:P(se)"
    assert cascade.schema_out_.names[7] == "MLP:P(se)"
    assert_allclose(cascade.predict_proba(X).sum(axis=1), 1.0)
    assert cascade.score(X, labels) > 0.9


def test_a_learner_without_probabilities_gives_its_votes() -> None:
    X, y = IRIS
    cascade = after(TREE, LinearSVC()).fit(X, y)
    votes = cascade.transform(X).to_numpy()[:, 4:]
    assert set(votes.ravel()) == {0.0, 1.0}
    assert_array_equal(votes.argmax(axis=1), LinearSVC().fit(X, y).predict(X))


def test_seeds_of_learners_are_kept_unless_the_cascade_has_its_own() -> None:
    X, y = IRIS
    forest = RandomForestClassifier(3, random_state=5)
    kept = after(TREE, forest).fit(X, y)
    assert kept.estimators_[0].random_state == 5
    seeded = after(TREE, forest, random_state=1).fit(X, y)
    assert seeded.estimators_[0].random_state != 5
    again = after(TREE, forest, random_state=1).fit(X, y)
    assert again.estimators_[0].random_state == seeded.estimators_[0].random_state


def test_missing_values_are_welcome_if_all_learners_welcome_them() -> None:
    ours = after(TREE, LINE, NB).__sklearn_tags__().input_tags
    assert ours.allow_nan
    assert ours.categorical
    foreign = after(TREE, KNeighborsClassifier()).__sklearn_tags__().input_tags
    assert not foreign.allow_nan
    assert not foreign.categorical


# Composition


def test_a_cascade_is_a_learner_of_another_cascade() -> None:
    X, y = frame()
    outer = after(TREE, [after(TREE, NB), NB]).fit(X, y)
    inner = clone(after(TREE, NB)).fit(X, y)
    assert_array_equal(
        outer.levels_[0][0]._proba_table(Table.from_any(X)), inner.predict_proba(X)
    )
    on_top = after(after(TREE, NB), NB).fit(X, y)
    assert on_top.estimators_[-1].schema_out_.names[7:] == (
        *("NB_2:P(0)", "NB_2:P(1)", "NB_2:P(2)"),
    )


# Corners


@pytest.mark.parametrize("mode", ["paper", "crossfit", "guarded"])
def test_one_class_and_one_row_are_enough(mode: str) -> None:
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    cascade = after(TREE, [NB, LINE], mode=mode)
    assert clone(cascade).fit(X, ["a", "a"]).predict(X).tolist() == ["a", "a"]
    assert clone(cascade).fit(X[:1], ["b"]).predict(X).tolist() == ["b", "b"]
    assert clone(cascade).fit(X, ["a", "b"]).predict_proba(X).shape == (2, 2)


def test_weights_reach_every_level() -> None:
    X, y = frame()
    weight = np.random.default_rng(0).choice([0.0, 0.5, 2.0], len(y))
    kept = weight > 0
    cascade = after(TREE, NB).fit(X, y, sample_weight=weight)
    first = clone(NB).fit(X, y, weight)
    wider = by_hand(X, first, "NB")
    second = clone(TREE).fit(wider, y, weight)
    assert_array_equal(
        cascade.predict_proba(X[kept]), second.predict_proba(wider[kept])
    )


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([], "no learner"),
        ([[], TREE], "no learner"),
        ([NB, [TREE, LINE]], "must be one learner, but it has C45, Discrim"),
        ([NB, "tree"], "'tree' is no classifier"),
        ([("a__b", NB), TREE], "cannot be called 'a__b'"),
        ([("mode", NB), TREE], "cannot be called 'mode'"),
    ],
)
def test_wrong_levels_are_refused_with_the_cure(levels: Any, message: str) -> None:
    X, y = frame()
    with pytest.raises(ValueError, match=message):
        CascadeClassifier(levels).fit(X, y)


def test_wrong_parameters_of_a_learner_are_refused() -> None:
    X, y = frame()
    with pytest.raises(ValueError, match="'confidence' parameter of C45Classifier"):
        after(C45Classifier(2.0), NB).fit(X, y)
