"""One cell: whatever a learner does becomes an outcome."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info

from dissensus.experiment import DatasetSpec, ExperimentSpec
from dissensus.experiment.run._cell import reads_tables, run_cell
from dissensus.experiment.run._threads import one_thread
from dissensus.learners import parse_learner
from dissensus.store import Job, Outcome, Task
from dissensus.store._predictions import CellPredictions, unpack
from dissensus.tree import C45Classifier
from tests.experiment import learners


def run(learner: Any, task: Task | None = None, **options: Any) -> Outcome:
    """Run one cell of iris."""
    study = ExperimentSpec(["iris"], [learner], **options).check().study
    (identity,) = study.learners
    return run_cell(study, Job(identity, task or Task("iris", 0, 0)))


def answers_of(outcome: Outcome, n_classes: int = 3) -> CellPredictions:
    assert outcome.n_test is not None
    return unpack(outcome.answers, outcome.n_test, n_classes)


def test_an_outcome_has_the_numbers_of_the_fold() -> None:
    study = (
        ExperimentSpec(["iris"], ["c45"], measures=["accuracy", "auc"]).check().study
    )
    outcome = run_cell(study, Job("c45", Task("iris", 0, 3)))
    train, test = study.splits("iris", 0)[3]
    data = study.load("iris")
    tree = C45Classifier().fit(data.table.take(train), data.y[train])
    answers = answers_of(outcome)
    np.testing.assert_array_equal(answers.rows, test)
    np.testing.assert_array_equal(answers.truth, data.y[test])
    np.testing.assert_array_equal(
        answers.predictions, tree.predict(data.table.take(test))
    )
    np.testing.assert_array_equal(
        answers.proba, tree.predict_proba(data.table.take(test))
    )
    assert outcome.failure == outcome.error == outcome.notes == ""
    assert (outcome.n_train, outcome.n_test) == (135, 15)
    assert outcome.n_correct == (answers.truth == answers.predictions).sum()
    assert outcome.scores["accuracy"] == np.mean(answers.truth == answers.predictions)
    assert outcome.leaves == tree.n_leaves_
    assert outcome.members is None
    for seconds in (outcome.fit_seconds, outcome.predict_seconds):
        assert seconds is not None
        assert seconds > 0


def test_members_and_leaves_of_an_ensemble_are_counted() -> None:
    outcome = run("forest(n_estimators=7)")
    assert outcome.members == 7
    assert outcome.leaves is not None
    assert outcome.leaves >= 7 * 3


@pytest.mark.parametrize(
    ("learner", "failure", "words"),
    [
        (learners.Raises(), "raised", "ZeroDivisionError: it was bound to happen"),
        (learners.Exits(), "raised", "SystemExit: 3"),
        (
            learners.AnswersNan(),
            "answer",
            "predict_proba returned nan in 15 of 15 rows",
        ),
        (learners.AnswersTooFew(), "answer", "shape (14,) for 15 rows"),
        (
            learners.AnswersStrangers(),
            "answer",
            "99) in 15 of 15 rows, which is no class",
        ),
    ],
)
def test_a_failure_is_an_outcome_with_its_error(
    learner: Any, failure: str, words: str
) -> None:
    outcome = run(learner)
    assert outcome.failure == failure
    assert words in outcome.error
    assert outcome.answers == b""
    assert outcome.scores == {}


def test_the_place_of_an_error_is_kept() -> None:
    assert "in misbehave" in run(learners.Raises()).details


def test_warnings_are_kept_once_each() -> None:
    outcome = run(learners.Warns())
    assert outcome.failure == ""
    assert outcome.notes == "UserWarning: it did not converge"


def test_a_learner_without_probabilities_has_only_some_scores() -> None:
    outcome = run(learners.Voter(), measures=["accuracy", "log_loss"])
    assert outcome.scores["accuracy"] == pytest.approx(1 / 3)
    assert np.isnan(outcome.scores["log_loss"])
    assert answers_of(outcome).proba is None


def test_classes_absent_from_the_training_rows_have_probability_zero() -> None:
    y = np.array([0] * 10 + [1] * 10 + [2] * 2)
    data = DatasetSpec("d", X=np.arange(22.0).reshape(22, 1), y=y, folds=[y // 2])
    study = ExperimentSpec([data], ["c45"], repeats=1, folds=2).check().study
    outcome = run_cell(study, Job("c45", Task("d", 0, 1)))
    proba = answers_of(outcome).proba
    assert proba is not None
    assert proba.shape == (2, 3)
    assert (proba[:, 2] == 0.0).all()


def test_a_seed_that_is_given_holds_and_others_come_from_the_cell() -> None:
    assert run(learners.Lottery()).answers == run(learners.Lottery()).answers
    free = {
        run(learners.Lottery(), Task("iris", 0, fold)).answers[10:] for fold in (0, 1)
    }
    assert len(free) == 2
    other_seed = run(learners.Lottery(), seed=1)
    assert answers_of(other_seed).proba[0].tolist() != (  # type: ignore[index]
        answers_of(run(learners.Lottery())).proba[0].tolist()  # type: ignore[index]
    )
    held = [answers_of(run(learners.Lottery(5), seed=s)).proba for s in (0, 1)]
    np.testing.assert_array_equal(held[0][0], held[1][0])  # type: ignore[index]


def test_only_learners_of_ours_throughout_are_given_tables() -> None:
    assert reads_tables(C45Classifier())
    assert reads_tables(parse_learner("forest").build())
    assert not reads_tables(LogisticRegression())
    assert not reads_tables(make_pipeline(StandardScaler(), C45Classifier()))


def test_a_table_and_a_frame_give_the_same_answers() -> None:
    direct = run(C45Classifier())
    through_frames = run(make_pipeline(C45Classifier()))
    assert direct.answers == through_frames.answers


def test_weights_of_a_file_are_used(tmp_path: Any) -> None:
    path = tmp_path / "w.arff"
    rows = "".join(f"{i % 2},{'ab'[i % 2]},{{{1 + 9 * (i % 2)}}}\n" for i in range(20))
    path.write_text(
        "@relation w\n@attribute x numeric\n@attribute class {a, b}\n@data\n" + rows
    )
    study = ExperimentSpec([path], ["majority"], repeats=1, folds=2).check().study
    outcome = run_cell(study, Job("majority", Task("w", 0, 0)))
    proba = answers_of(outcome, 2).proba
    assert proba is not None
    np.testing.assert_allclose(proba[0], [1 / 11, 10 / 11])


def test_a_cell_has_one_thread_and_gives_them_back() -> None:
    def threads() -> set[int]:
        return {library["num_threads"] for library in threadpool_info()}

    before = threads()
    with one_thread():
        assert threads() == {1}
        with one_thread():
            pass
        assert threads() == {1}
    assert threads() == before
