"""Learning curves and the share of the data that a score needs."""

import math
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from dissensus.evaluation import LearningCurve, learning_curve, share_needed
from dissensus.tree import C45Classifier
from tests.evaluation.inputs import KINDS, small_table


class Recorder(GaussianNB):
    """A learner that tells the test what it was given."""

    seen: list[Any] = []  # noqa: RUF012 - shared on purpose: estimators are copied

    def fit(self, X: Any, y: Any) -> Any:
        """Note the training set."""
        self.seen.append((X, y))
        return super().fit(X, y)


class Seeded(DummyClassifier):
    """A learner that tells the test its seed."""

    seen: list[Any] = []  # noqa: RUF012 - shared on purpose: estimators are copied

    def fit(self, X: Any, y: Any) -> Any:
        """Note the seed."""
        self.seen.append(self.random_state)
        return super().fit(X, y)


def curve(mean: list[float], measure: str = "accuracy") -> LearningCurve:
    """Make a curve at 10, 50 and 100 %."""
    shares, sizes = np.array([0.1, 0.5, 1.0]), np.array([[10, 50, 100]])
    return LearningCurve(shares, sizes, np.array([mean]), measure)


def test_scores_are_those_of_fitting_by_hand() -> None:
    X, y = small_table("array")
    train, test = np.arange(30), np.arange(30, 40)
    found = learning_curve(
        GaussianNB(), X, y, fractions=[1.0], cv=[(train, test)], rng=0
    )
    expected = GaussianNB().fit(X[:30], y[:30]).score(X[30:], y[30:])
    assert found.scores.tolist() == [[expected]]
    assert found.train_sizes.tolist() == [[30]]


def test_parts_of_a_fold_grow_and_hold_rows_with_their_own_labels() -> None:
    X, y = small_table("array")
    Recorder.seen.clear()
    learning_curve(Recorder(), X, y, fractions=[0.5, 0.2, 1.0], cv=2, rng=0)
    sizes = [len(labels) for _, labels in Recorder.seen]
    assert sizes == [4, 10, 20] * 2
    label_of = dict(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
    for start in (0, 3):
        parts = [{*map(tuple, rows.tolist())} for rows, _ in Recorder.seen[start:][:3]]
        assert parts[0] < parts[1] < parts[2]
    for rows, labels in Recorder.seen:
        assert [label_of[tuple(row)] for row in rows.tolist()] == labels.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_of_table_gives_the_same_curve(kind: str) -> None:
    X, y = small_table(kind)
    plain, _ = small_table("array")
    estimator = C45Classifier(min_samples_leaf=1)
    kwargs: dict[str, Any] = {"fractions": [0.1, 1.0], "cv": 4, "rng": 5}
    found = learning_curve(estimator, X, y, **kwargs)
    assert found.scores.tolist() == (
        learning_curve(estimator, plain, y, **kwargs).scores.tolist()
    )


def test_the_same_seed_gives_other_learners_the_same_parts() -> None:
    X, y = small_table("array")
    Recorder.seen.clear()
    forest = RandomForestClassifier(2)
    for estimator in (Recorder(), forest, Recorder()):
        learning_curve(estimator, X, y, fractions=[0.3, 1.0], cv=3, rng=11)
    first, second = Recorder.seen[:6], Recorder.seen[6:]
    assert [y.tolist() for _, y in first] == [y.tolist() for _, y in second]
    assert forest.random_state is None


def test_the_number_of_jobs_does_not_matter_nor_does_the_call() -> None:
    X, y = small_table("array")

    def scores(n_jobs: int | None) -> Any:
        forest = RandomForestClassifier(3)  # without a seed of its own
        kwargs: dict[str, Any] = {"fractions": [0.2, 1.0], "cv": 2, "rng": 1}
        with parallel_config(backend="threading"):
            return learning_curve(forest, X, y, n_jobs=n_jobs, **kwargs).scores.tolist()

    assert scores(None) == scores(None) == scores(2)


@pytest.mark.parametrize("own", [None, 3])
def test_a_seed_that_the_estimator_has_is_kept_and_no_other(own: int | None) -> None:
    X, y = small_table("array")
    Seeded.seen.clear()
    for seed in (1, 1, 2):
        learning_curve(
            make_pipeline(Seeded(random_state=own)),
            X,
            y,
            fractions=[1.0],
            cv=2,
            rng=seed,
        )
    first, again, other = Seeded.seen[:2], Seeded.seen[2:4], Seeded.seen[4:]
    assert first == again
    if own is None:
        assert len({*first, *other}) == 4
    else:
        assert {*first, *other} == {own}


@pytest.mark.parametrize(
    ("cv", "n_splits"),
    [
        (3, 3),
        (np.int64(4), 4),
        (ShuffleSplit(2, random_state=0), 2),
        (RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0), 6),
    ],
)
def test_splits_may_be_a_number_or_a_splitter(cv: Any, n_splits: int) -> None:
    X, y = small_table("polars")
    found = learning_curve(C45Classifier(), X, y, fractions=[1.0], cv=cv, rng=0)
    assert found.scores.shape == (n_splits, 1)


@pytest.mark.parametrize("measure", ["auc", "log_loss", "balanced_accuracy"])
def test_classes_that_a_part_lacks_have_no_probability(measure: str) -> None:
    X, y = small_table("array")
    found = learning_curve(
        GaussianNB(), X, y, fractions=[0.1], cv=4, measure=measure, rng=0
    )
    assert np.isfinite(found.scores).all()
    assert found.measure == measure


def test_a_part_of_one_class_is_predicted_as_that_class() -> None:
    X, y = small_table("array")
    found = learning_curve(C45Classifier(), X, y, fractions=[0.01], cv=4, rng=0)
    assert (found.train_sizes == 1).all()
    assert (found.scores > 0).any()


def test_a_learner_that_refuses_one_class_says_so_itself() -> None:
    X, y = small_table("array")
    with pytest.raises(ValueError, match="2 classes"):
        learning_curve(LogisticRegression(), X, y, fractions=[0.01], rng=0)


def test_a_measure_of_probabilities_needs_them() -> None:
    X, y = small_table("array")
    with pytest.raises(ValueError, match=r"'auc' needs probabilities"):
        learning_curve(LinearSVC(), X, y, fractions=[1.0], measure="auc", rng=0)


def test_mean_and_deviation_are_over_the_splits() -> None:
    found = LearningCurve(
        np.array([0.5, 1.0]),
        np.array([[1, 2], [1, 2]]),
        np.array([[0.2, 0.6], [0.4, 0.8]]),
        "accuracy",
    )
    assert found.mean == pytest.approx(np.array([0.3, 0.7]))
    assert found.std == pytest.approx(np.array([0.1, 0.1]) * math.sqrt(2))
    assert np.isnan(curve([0.1, 0.2, 0.3]).std).all()


def test_labels_for_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"y has the shape \(2,\), X has 3 rows"):
        learning_curve(DummyClassifier(), np.zeros((3, 1)), [0, 1])


def test_no_fractions_are_refused() -> None:
    with pytest.raises(ValueError, match="fractions is empty"):
        learning_curve(C45Classifier(), *small_table("array"), fractions=[])


@pytest.mark.parametrize("cv", ["ten", 2.5, None])
def test_what_is_no_way_of_splitting_is_refused(cv: Any) -> None:
    with pytest.raises(ValueError, match="It must be a number of folds, a splitter"):
        learning_curve(C45Classifier(), *small_table("array"), cv=cv)


def test_no_splits_are_refused() -> None:
    with pytest.raises(ValueError, match="cv has no splits"):
        learning_curve(DummyClassifier(), np.zeros((3, 1)), [0, 1, 1], cv=[])


@pytest.mark.parametrize(
    ("target", "measured", "interpolated"),
    [
        (0.5, 0.1, 0.1),
        (0.6, 0.1, 0.1),
        (0.7, 0.5, 0.3),
        (0.8, 0.5, 0.5),
        (0.85, 1, 0.75),
    ],
)
def test_share_needed_worked_by_hand(
    target: float, measured: float, interpolated: float
) -> None:
    rising = curve([0.6, 0.8, 0.9])
    assert share_needed(rising, target) == measured
    found = share_needed(rising, target, interpolate=True)
    assert found == pytest.approx(interpolated)


def test_share_needed_is_missing_where_the_score_is_never_reached() -> None:
    assert math.isnan(share_needed(curve([0.6, 0.8, 0.9]), 0.91))


def test_share_needed_is_the_first_crossing_of_a_curve_that_falls_again() -> None:
    assert share_needed(curve([0.6, 0.9, 0.7]), 0.8) == 0.5


def test_share_needed_goes_downward_for_losses() -> None:
    falling = curve([0.9, 0.4, 0.2], "log_loss")
    assert share_needed(falling, 0.4) == 0.5
    assert math.isnan(share_needed(falling, 0.1))


def test_a_learner_reaches_its_own_score_with_all_the_data() -> None:
    rising = curve([0.6, 0.8, 0.9])
    assert share_needed(rising, float(rising.mean[-1])) == 1.0
