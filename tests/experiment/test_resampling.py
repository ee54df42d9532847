"""Studies with a test set of their own, and with samples of one pool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus import load_dataset
from dissensus.evaluation import mcnemar
from dissensus.exceptions import ExperimentError, SpecError
from dissensus.experiment import (
    DatasetSpec,
    ExperimentSpec,
    compare,
    comparison,
    run_experiment,
)
from dissensus.io import Dataset
from dissensus.metrics import kohavi_wolpert
from dissensus.results import Results

GAME = load_dataset("tic-tac-toe")
TESTED = np.arange(len(GAME.y)) % 3 == 0


def part(rows: Any) -> Dataset:
    """Return some rows of the game as a data set."""
    return replace(GAME, X=GAME.X.filter(rows), y=GAME.y[rows])


def with_test(**options: Any) -> Results:
    """Compare two learners on a test set."""
    options = {"learners": ["c45", "nb"], "executor": "serial", **options}
    return compare(part(~TESTED), test=part(TESTED), **options)


def test_learners_are_fitted_once_on_all_training_rows() -> None:
    results = with_test()
    assert (results.n_cells, results.n_missing, results.resampling) == (2, 0, "test")
    assert set(results.cells["n_train"]) == {int((~TESTED).sum())}
    assert set(results.cells["n_test"]) == {int(TESTED.sum())}
    from dissensus import C45Classifier

    model = C45Classifier().fit(part(~TESTED).X, part(~TESTED).y)
    right = model.predict(part(TESTED).X) == part(TESTED).y
    assert results.cells["accuracy"][0] == right.mean()


def test_test_of_a_test_set_is_mcnemars_on_its_rows() -> None:
    results = with_test()
    right = []
    for learner in results.learners:
        frame = results.predictions(GAME.name, learner)
        right.append((frame["truth"] == frame["prediction"]).to_numpy().astype(float))
    expected = mcnemar(*right)
    found = results.tests("c45", "nb")
    assert found.title.endswith("(mcnemar)")
    assert found.frame["pvalue"][0] == expected.pvalue < 0.05
    assert found.frame["pairs"][0] == TESTED.sum()
    assert results.win_draw_loss().frame["nb"].to_list() == ["1-0-0", None]
    assert results.cube("log_loss").rows == ()


def test_mcnemars_test_is_refused_for_folds() -> None:
    results = compare(GAME, learners=["nb", "majority"], folds=2, executor="serial")
    with pytest.raises(ValueError, match="one test set"):
        results.win_draw_loss(test="mcnemar")
    assert "(corrected)" in results.win_draw_loss().title


def test_learner_that_fails_on_the_test_set_is_no_rival() -> None:
    results = with_test(learners=["nb", "c45", "adaboost(lda, n_estimators=2)"])
    assert results.n_failed in (0, 1)  # a discriminant needs numbers
    assert len(results.win_draw_loss().frame) == 3


def test_test_set_may_be_arrays_and_has_a_curve() -> None:
    X, y = np.arange(40.0)[:, np.newaxis], np.arange(40) > 20
    results = compare(
        *(X[::2], y[::2], ["c45"]),
        test=(X[1::2], y[1::2]),
        fractions=[0.5, 1.0],
        executor="serial",
    )
    assert results.learning_curves().frame["fraction"].to_list() == [0.5, 1.0]
    assert sorted(results.cells["n_train"]) == [10, 20]


def test_test_set_of_a_file_is_found_beside_the_specification(tmp_path: Path) -> None:
    rows = [f"{'abc'[i % 3]},{i},{'yes' if i % 3 else 'no'}" for i in range(30)]
    (tmp_path / "old.csv").write_text("\n".join(["a,b,y", *rows]))
    (tmp_path / "new.csv").write_text("y,b,a,more\nyes,1,b,0\nno,?,a,0\n")
    (tmp_path / "s.toml").write_text(
        'resampling = "test"\nlearners = ["c45"]\n'
        'datasets = [{ path = "old.csv", test = "new.csv", nominal = ["b"] }]\n'
    )
    results = run_experiment(tmp_path / "s.toml", tmp_path / "s.sqlite")
    assert results.means().frame["c45"][0] == 1.0
    assert Results.open(tmp_path / "s.sqlite").resampling == "test"


@pytest.mark.parametrize(
    ("data", "resampling", "words"),
    [
        (DatasetSpec("g", X=GAME), "test", "it has no test set"),
        (DatasetSpec("g", X=GAME, X_test=GAME), "folds", "it has a test set"),
        (DatasetSpec("g", X=[[1], [2]], y=[0, 1]), "maclen", "at least 4"),
        (DatasetSpec("g", X=GAME), "fold", "Did you mean 'folds'"),
        (
            DatasetSpec("g", X=[[1], [2]], y=[0, 1], X_test=[[1]], y_test=[7]),
            "test",
            "has the label 7, which no training row has",
        ),
        (
            DatasetSpec("g", X=[[1], [2]], y=[0, 1], X_test=[[1]], y_test=[0, 1]),
            "test",
            "1 rows, but 2 labels",
        ),
    ],
)
def test_data_that_do_not_fit_the_resampling_are_a_mistake(
    data: DatasetSpec, resampling: str, words: str
) -> None:
    spec = ExperimentSpec([data], ["nb"], resampling=resampling)
    with pytest.raises(SpecError, match=words):
        spec.check()


def test_samples_have_one_test_set_and_many_training_sets() -> None:
    plan = comparison(GAME, learners=["nb"], resampling="maclen", repeats=3).check()
    splits = [plan.study.splits(GAME.name, repeat)[0] for repeat in range(3)]
    (first, test), (second, other), _ = splits
    assert np.array_equal(test, other)
    assert not np.array_equal(first, second)
    assert len(first) == len(GAME.y) // 4
    assert not set(first) & set(test)


def test_bias_and_variance_are_those_of_the_saved_answers() -> None:
    results = compare(
        *(GAME, None, ["c45", "nb"]),
        resampling="bootstrap",
        repeats=4,
        executor="serial",
    )
    frame = results.predictions(GAME.name, "c45").sort("repeat", "row")
    answers = frame["prediction"].to_numpy().reshape(4, -1)
    truth = frame["truth"].to_numpy()[: answers.shape[1]]
    expected = kohavi_wolpert(truth, answers)
    found = results.bias_variance().frame.row(0, named=True)
    assert found["bias"] == expected.bias
    assert found["variance"] == expected.variance
    assert found["error"] == pytest.approx(1 - results.means().frame["c45"][0])


def test_bias_and_variance_of_folds_are_refused() -> None:
    results = compare(GAME, learners=["nb"], folds=2, repeats=1, executor="serial")
    with pytest.raises(ExperimentError, match="samples of one pool"):
        results.bias_variance()


def test_resamplings_do_not_share_cells(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    for resampling in ("maclen", "bootstrap"):
        results = compare(
            *(GAME, None, ["nb"]),
            resampling=resampling,
            repeats=2,
            store=store,
            executor="serial",
        )
        assert (results.n_cells, results.n_missing) == (2, 0)
        assert results.resampling == resampling
