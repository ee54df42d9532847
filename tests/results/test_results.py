"""Results: tables with known numbers, and what is missing said beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import log_loss

from dissensus.evaluation import (
    average_ranks,
    corrected_resampled_ttest,
    holm,
    wilcoxon,
)
from dissensus.exceptions import ExperimentError
from dissensus.experiment import (
    DatasetSpec,
    ExperimentSpec,
    SerialExecutor,
    run_experiment,
)
from dissensus.metrics import geometric_mean_error_ratio
from dissensus.results import Results, ResultTable
from dissensus.results._cube import Cube
from tests.experiment.learners import Constant, Raises, RaisesOnLargeSets
from tests.experiment.studies import DATA, small_spec


@pytest.fixture(scope="module")
def results() -> Results:
    """A study in which all goes well."""
    spec = ExperimentSpec(
        DATA,
        {"tree": "c45", "base": "majority", "stump": "c45(min_samples_leaf=40)"},
        repeats=2,
        folds=3,
        fractions=[0.2, 1.0],
        noise=[0.0, 0.1],
        measures=["accuracy", "auc"],
    )
    return run_experiment(spec, executor="serial")


@pytest.fixture(scope="module")
def faulty() -> Results:
    """A study in which one learner fails everywhere, one on some data sets."""
    spec = ExperimentSpec(
        DATA,
        {"sound": Constant(), "never": Raises(), "half": RaisesOnLargeSets(105)},
        repeats=1,
        folds=3,
    )
    return run_experiment(spec, executor="serial")


def chosen(results: Results, **values: Any) -> pl.DataFrame:
    """Return the cells with these values, in the order of tasks."""
    frame = results.cells
    for name, value in values.items():
        frame = frame.filter(pl.col(name) == value)
    return frame.sort("repeat", "fold")


def test_cells_have_a_row_each(results: Results) -> None:
    assert results.n_cells == 2 * 3 * 2 * 3 * 2 * 2
    assert (results.n_failed, results.n_missing) == (0, 0)
    assert results.datasets == ("iris", "wine")
    assert results.learners == ("tree", "base", "stump")
    assert {"accuracy", "auc", "fit_seconds", "leaves"} <= set(results.cells.columns)
    assert results.spec["repeats"] == 2


def test_means_are_the_means_of_the_cells(results: Results) -> None:
    table = results.means()
    assert table.frame.columns == ["dataset", "tree", "base", "stump"]
    cells = chosen(results, dataset="wine", learner="tree", fraction=1.0, noise=0.0)
    expected = cells["accuracy"].to_numpy()
    assert table.frame["tree"][1] == pytest.approx(expected.mean(), abs=1e-15)
    deviation = results.deviations().frame["tree"][1]
    assert deviation == pytest.approx(expected.std(ddof=1), abs=1e-12)


def test_fraction_and_noise_can_be_chosen(results: Results) -> None:
    cells = chosen(results, dataset="iris", learner="tree", fraction=0.2, noise=0.1)
    table = results.means("auc", fraction=0.2, noise=0.1)
    assert table.frame["tree"][0] == pytest.approx(cells["auc"].mean(), abs=1e-15)
    with pytest.raises(ExperimentError, match="has no fraction 0.3. It has"):
        results.means(fraction=0.3)


def test_another_measure_is_computed_from_the_saved_predictions(
    results: Results,
) -> None:
    results.means("log_loss")
    predictions = results.predictions("iris", "base").filter(
        (pl.col("fraction") == 1.0) & (pl.col("noise") == 0.0)
    )
    losses = []
    for _, part in predictions.group_by("repeat", "fold", maintain_order=True):
        proba = part.select(pl.col("^p\\(.*$")).to_numpy()
        losses.append(log_loss(part["truth"], proba, labels=["0", "1", "2"]))
    cells = chosen(results, dataset="iris", learner="base", fraction=1.0, noise=0.0)
    np.testing.assert_allclose(sorted(cells["log_loss"]), sorted(losses), atol=1e-12)


def test_an_unknown_measure_or_learner_is_refused(results: Results) -> None:
    with pytest.raises(ValueError, match="no measure 'accurasy'"):
        results.means("accurasy")
    with pytest.raises(
        ExperimentError, match="no learner 'trees'. Did you mean 'tree'"
    ):
        results.tests("trees", "base")
    with pytest.raises(
        ExperimentError, match="no data set 'irys'. Did you mean 'iris'?"
    ):
        results.predictions("irys", "tree")


def test_ranks_and_tests_are_those_of_the_evaluation(results: Results) -> None:
    means = results.means().frame.drop("dataset").to_numpy()
    ranks = results.ranks().frame
    np.testing.assert_array_equal(
        ranks.drop("dataset").to_numpy()[-1], average_ranks(means).average
    )
    assert ranks["dataset"].to_list() == ["iris", "wine", "average"]
    a, b = (
        chosen(results, dataset="wine", learner=name, fraction=1.0, noise=0.0)[
            "accuracy"
        ]
        for name in ("tree", "stump")
    )
    row = results.tests("tree", "stump").frame.row(1, named=True)
    expected = corrected_resampled_ttest(a, b, test_train_ratio=1 / 2)
    assert row["pvalue"] == expected.pvalue
    assert row["difference"] == pytest.approx(expected.difference)
    row = results.tests("tree", "stump", test="wilcoxon").frame.row(1, named=True)
    assert row["pvalue"] == wilcoxon(a, b).pvalue


def test_error_ratios_are_those_of_the_metrics(results: Results) -> None:
    errors = 1.0 - results.means().frame.drop("dataset").to_numpy()
    frame = results.error_ratios().frame
    expected = geometric_mean_error_ratio(errors[:, 0], errors[:, 1])
    assert frame["base"][0] == pytest.approx(expected)
    assert frame["tree"][1] == pytest.approx(1 / expected)
    with pytest.raises(ExperimentError, match="no error ratio of 'auc'"):
        results.error_ratios("auc")


def test_the_floor_of_errors_is_said_with_their_ratio(results: Results) -> None:
    assert "errors at least 0.0001" in results.error_ratios().title


def test_wins_of_one_are_losses_of_the_other(results: Results) -> None:
    frame = results.win_draw_loss().frame
    assert frame["base"][0] == "2-0-0"
    assert frame["tree"][1] == "0-0-2"
    assert frame["tree"][0] is None
    plain = results.win_draw_loss(test=None).frame["base"]
    assert plain[0] == "2-0-0"
    with pytest.raises(ValueError, match="There is no test 'bayes'"):
        results.win_draw_loss(test="bayes")


def test_friedman_and_nemenyi_see_all_data_sets(results: Results) -> None:
    assert results.friedman().n == 2
    assert results.nemenyi().pvalues.shape == (3, 3)


def test_curves_have_a_row_for_each_fraction(results: Results) -> None:
    frame = results.learning_curves().frame
    assert frame["fraction"].to_list() == [0.2, 1.0, 0.2, 1.0]
    assert frame["tree"][1] == results.means().frame["tree"][0]


def test_the_share_of_data_that_a_learner_needs_is_read_off_its_curve(
    results: Results,
) -> None:
    curves = results.learning_curves().frame
    target = curves.filter(pl.col("fraction") == 1.0)["base"].to_list()
    small = curves.filter(pl.col("fraction") == 0.2)["tree"].to_list()
    frame = results.shares_needed("base").frame
    reached = [at >= goal for at, goal in zip(small, target, strict=True)]
    expected = [0.2 if early else 1.0 for early in reached]
    assert frame["tree"].to_list() == expected
    assert results.shares_needed("tree").frame["base"].to_list() == [None, None]
    with pytest.raises(ExperimentError, match="no learner 'nobody'"):
        results.shares_needed("nobody")


def test_one_learner_is_tested_against_all_others(results: Results) -> None:
    frame = results.against("tree").frame
    assert frame["rival"].to_list() == ["base", "stump"]
    means = results.means().frame
    tests = [wilcoxon(means["tree"], means[rival]) for rival in frame["rival"]]
    assert frame["wilcoxon"].to_list() == [test.pvalue for test in tests]
    assert frame["difference"].to_list() == [test.difference for test in tests]
    assert frame["holm"].to_list() == holm(frame["wilcoxon"]).tolist()
    assert frame["w-d-l"][0] == results.win_draw_loss().frame["base"][0]


def test_learners_without_results_are_compared_with_nothing(faulty: Results) -> None:
    table = faulty.against("sound")
    assert table.frame["wilcoxon"].to_list() == [None, None]
    assert "9 cells failed" in str(table)


def test_the_accuracy_of_a_run_takes_its_folds_together(results: Results) -> None:
    frame = results.by_run().frame.filter(
        (pl.col("dataset") == "wine") & (pl.col("learner") == "tree")
    )
    cells = chosen(results, dataset="wine", learner="tree", fraction=1.0, noise=0.0)
    first = cells.filter(pl.col("repeat") == 0)
    assert frame["accuracy"][0] == first["n_correct"].sum() / 178
    assert len(frame) == 2


def test_predictions_cover_every_row_once_in_each_repeat(results: Results) -> None:
    frame = results.predictions("wine", "tree").filter(
        (pl.col("fraction") == 1.0) & (pl.col("noise") == 0.0) & (pl.col("repeat") == 0)
    )
    assert frame["row"].sort().to_list() == list(range(178))
    right = (frame["truth"] == frame["prediction"]).sum()
    cells = chosen(results, dataset="wine", learner="tree", fraction=1.0, noise=0.0)
    assert right == cells.filter(pl.col("repeat") == 0)["n_correct"].sum()


def test_answers_are_the_predictions_as_codes(results: Results) -> None:
    cells = results.answers("wine", "tree", fraction=0.2)
    assert [repeat for repeat, _ in cells] == [0, 0, 0, 1, 1, 1]
    rows = np.concatenate([answers.rows for _, answers in cells[:3]])
    assert sorted(rows.tolist()) == list(range(178))
    frame = results.predictions("wine", "tree").filter(pl.col("fraction") == 0.2)
    right = sum((a.truth == a.predictions).sum() for _, a in cells)
    kept = frame.filter(pl.col("noise") == 0.0)
    assert right == (kept["truth"] == kept["prediction"]).sum()


def test_data_sets_are_described(results: Results) -> None:
    frame = results.described_data().frame
    assert frame["dataset"].to_list() == ["iris", "wine"]
    assert frame.row(1)[1:5] == (178, 13, 0, 3)
    assert frame["fingerprint"][0] == results.spec["datasets"]["iris"]["fingerprint"]


def test_data_are_at_hand_where_the_study_was_run(results: Results) -> None:
    loaded = results.load_data("wine")
    assert loaded.table.n_rows == 178
    assert loaded.fingerprint() == results.spec["datasets"]["wine"]["fingerprint"]


def test_a_summary_has_a_line_for_each_learner(results: Results) -> None:
    frame = results.summary().frame
    assert frame["learner"].to_list() == ["tree", "base", "stump"]
    assert frame["w-d-l"][1] == "0-0-2"
    assert frame["failed"].to_list() == [0, 0, 0]


def test_failures_are_counted_beside_every_table(faulty: Results) -> None:
    assert (faulty.n_cells, faulty.n_failed) == (18, 9)
    tables = [
        faulty.means(),
        faulty.deviations(),
        faulty.ranks(),
        faulty.win_draw_loss(),
        faulty.error_ratios(),
        faulty.tests("sound", "half"),
        faulty.learning_curves(),
        faulty.by_run(),
        faulty.times(),
        faulty.summary(),
    ]
    for table in tables:
        assert table.n_failed == 9
        assert "Not in the numbers: 9 cells failed." in str(table)
        assert "9 cells failed" in table._repr_html_()


def test_learners_are_compared_only_where_all_have_a_result(faulty: Results) -> None:
    means = faulty.means().frame
    assert means["never"].to_list() == [None, None]
    assert means["half"][1] is None
    ranks = faulty.ranks()
    assert "6 were left out" in str(ranks)
    assert ranks.frame["sound"].to_list() == [None, None, None]
    assert faulty.error_ratios().frame["half"][0] is None


def test_cells_without_a_score_are_counted_beside_the_table() -> None:
    X, y = np.arange(12.0).reshape(12, 1), [0] * 9 + [1] * 3
    data = DatasetSpec("few", X=X, y=y, folds=[[0, 1, 2, 3] * 3])
    spec = ExperimentSpec([data], ["c45"], repeats=1, folds=4, measures=["auc"])
    table = run_experiment(spec, executor="serial").means("auc")
    assert "Without a score, and not counted: 1 cell." in str(table)


def test_failures_are_listed_with_their_errors(faulty: Results) -> None:
    frame = faulty.failures().frame
    assert len(frame) == 9
    errors = set(frame.filter(pl.col("learner") == "half")["error"])
    assert errors == {
        "ValueError: 118 rows are too many",
        "ValueError: 119 rows are too many",
    }


def test_missing_cells_are_counted_beside_every_table(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"

    def stop(progress: Any) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(small_spec(), path, executor="serial", progress=stop)
    results = Results.open(path)
    assert (results.n_cells, results.n_missing) == (3, 1)
    assert "1 cell not run yet" in str(results.means())
    assert "1 missing" in repr(results)


def test_exports_have_a_row_for_each_cell(faulty: Results, tmp_path: Path) -> None:
    faulty.to_csv(tmp_path / "cells.csv")
    faulty.to_parquet(tmp_path / "cells.parquet")
    csv, parquet = (
        pl.read_csv(tmp_path / "cells.csv"),
        pl.read_parquet(tmp_path / "cells.parquet"),
    )
    assert len(csv) == len(parquet) == 18
    assert csv.columns == parquet.columns
    assert parquet["accuracy"].to_list() == faulty.cells["accuracy"].to_list()
    assert csv["accuracy"].to_list() == faulty.cells["accuracy"].to_list()
    assert (csv["error"].is_not_null()).sum() == 9
    table = faulty.means()
    table.to_csv(tmp_path / "means.csv")
    table.to_parquet(tmp_path / "means.parquet")
    assert pl.read_parquet(tmp_path / "means.parquet").equals(table.frame)


def test_a_table_is_shown_as_text_and_as_html() -> None:
    frame = pl.DataFrame({"set": ["a<b", "c"], "x": [0.123456, None], "n": [1, 20]})
    table = ResultTable("Title", frame, n_failed=1, n_missing=2, notes=("A note.",))
    assert str(table).splitlines() == [
        "Title",
        "set       x   n",
        "a<b  0.1235   1",
        "c         -  20",
        "Not in the numbers: 1 cell failed, 2 cells not run yet.",
        "A note.",
    ]
    page = table._repr_html_()
    assert page.startswith("<div><p>Title</p><table>")
    assert "<td>a&lt;b</td><td>0.1235</td>" in page


def test_results_show_themselves_as_a_table(results: Results) -> None:
    assert "<th>stump</th>" in results._repr_html_()
    assert repr(results).startswith("<Results: 2 data sets, 3 learners, 144 cells")


def test_the_order_of_cells_is_that_of_the_study_and_not_of_their_arrival() -> None:
    class Backward(SerialExecutor):
        def run(self, study: Any, jobs: Any) -> Any:
            return super().run(study, jobs[::-1])

    spec = ExperimentSpec(DATA[::-1], {"b": "majority", "a": "c45"}, repeats=2, folds=2)
    found = [run_experiment(spec, executor=e) for e in (SerialExecutor(), Backward())]
    tables = [r.cells.drop("id", "fit_seconds", "predict_seconds") for r in found]
    assert tables[0].equals(tables[1])
    assert found[1].times().frame["learner"].to_list() == ["b", "a"] * len(DATA)
    names = list(dict.fromkeys(found[1].by_run().frame["dataset"].to_list()))
    assert tuple(names) == found[1].datasets


def test_a_cube_without_results_has_no_means() -> None:
    cube = Cube(np.full((1, 2, 3), np.nan), ("d",), ("a", "b"), 3, 1.0, True)
    assert np.isnan(cube.means()).all()
    assert np.isnan(cube.deviations()).all()
    assert cube.error_ratio(0, 1) is None
