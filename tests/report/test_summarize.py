"""What a page says: its parts as plain values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dissensus.evaluation import critical_difference
from dissensus.report import _tree_part
from dissensus.report._summarize import summarize
from dissensus.results import Results, compare_with_best
from tests.report import studies

PARTS_OF_SEVERAL = [
    *("scores-accuracy", "scores-log-loss", "win-draw-loss", "ranks", "curves"),
    *("noise", "bias-variance", "diversity", "error-correlation", "tree"),
    *("calibration", "times", "failures"),
]


@pytest.fixture(scope="module")
def several() -> Results:
    return studies.several()


@pytest.fixture(scope="module")
def one() -> Results:
    return studies.one()


@pytest.fixture(scope="module")
def parts(several: Results) -> dict[str, Any]:
    return by_id(several)


def by_id(results: Results) -> dict[str, Any]:
    """Return the parts of a page by their names."""
    return {part["id"]: part for part in summarize(results)["parts"]}


def texts(table: dict[str, Any]) -> list[list[str]]:
    """Return the texts of a table."""
    return [[cell["text"] for cell in row] for row in table["rows"]]


def test_a_study_with_everything_has_all_parts_in_order(
    parts: dict[str, Any],
) -> None:
    assert list(parts) == PARTS_OF_SEVERAL


def test_a_study_of_one_data_set_has_no_ranks_and_no_curves(one: Results) -> None:
    found = by_id(one)
    assert not {"ranks", "curves", "noise", "failures"} & set(found)
    assert {"scores-accuracy", "bias-variance", "tree"} <= set(found)


def test_every_chart_has_a_sentence_and_a_table(parts: dict[str, Any]) -> None:
    for part in parts.values():
        assert part["sentence"].endswith(".")
        if part["chart"]:
            assert part["table"]["rows"]
            assert part["chart"]["rows"]


def test_a_summary_is_made_of_plain_values(several: Results) -> None:
    words = json.dumps(summarize(several), allow_nan=False)
    assert json.loads(words)["title"] == "5 learners on 6 data sets"


def test_the_best_is_marked_and_what_is_significantly_worse(
    several: Results, parts: dict[str, Any]
) -> None:
    cube = several.cube("accuracy")
    table = parts["scores-accuracy"]["table"]
    names = [column["name"] for column in table["columns"]][1:]
    assert sorted(names) == sorted(several.learners)
    for number, (dataset, *cells) in enumerate(table["rows"]):
        assert dataset["text"] == several.datasets[number]
        marks = {cube.index(n): c["mark"] for n, c in zip(names, cells, strict=True)}
        best, worse = compare_with_best(cube, number)
        assert {a for a, mark in marks.items() if mark == "best"} == {best}
        assert {a for a, mark in marks.items() if mark == "worse"} == worse
    assert any(c["mark"] == "worse" for row in table["rows"] for c in row)


def test_columns_run_from_the_best_learner_to_the_worst(parts: dict[str, Any]) -> None:
    part = parts["scores-accuracy"]
    names = [column["name"] for column in part["table"]["columns"]][1:]
    gaps = {
        name: [r["gap"] for r in part["chart"]["rows"] if r["learner"] == name]
        for name in names
    }
    means = [sum(gap) / len(gap) for gap in gaps.values()]
    assert means == sorted(means)
    assert part["chart"]["order"] == names


def test_one_data_set_has_a_line_for_each_learner(one: Results) -> None:
    table = by_id(one)["scores-accuracy"]["table"]
    means = [row[1]["sort"] for row in table["rows"]]
    assert sorted(means, reverse=True) == means
    assert table["rows"][0][1]["mark"] == "best"
    assert table["rows"][-1][0]["text"] == "majority"
    assert table["rows"][-1][1]["mark"] == "worse"
    assert table["rows"][-1][4]["text"] == "< 0.001"


def test_wins_of_one_learner_are_losses_of_another(parts: dict[str, Any]) -> None:
    table = parts["win-draw-loss"]["table"]
    rows = texts(table)
    for i, row in enumerate(rows):
        for j, words in enumerate(row[1:]):
            if i != j:
                wins, draws, losses = words.split("-")
                assert rows[j][i + 1] == f"{losses}-{draws}-{wins}"
    values = parts["win-draw-loss"]["chart"]["rows"]
    total = {
        part: sum(row["value"] for row in values if row["part"] == part)
        for part in ("wins", "losses")
    }
    assert total["wins"] == total["losses"] > 0


def test_one_data_set_shows_differences_instead_of_counts(one: Results) -> None:
    (first, *_, last) = by_id(one)["win-draw-loss"]["table"]["rows"]
    assert first[-1]["text"].startswith("+")
    assert first[-1]["mark"] == "better"
    assert last[1]["mark"] == "worse"


def test_bars_of_the_critical_difference_join_neighbours(
    several: Results, parts: dict[str, Any]
) -> None:
    chart = parts["ranks"]["chart"]
    ranks = [row["rank"] for row in chart["rows"]]
    assert ranks == sorted(ranks)
    place = {row["learner"]: number for number, row in enumerate(chart["rows"])}
    assert chart["groups"]
    for group in chart["groups"]:
        first, last = place[group["first"]], place[group["last"]]
        assert ranks[last] - ranks[first] < chart["reach"]
    assert len(ranks) == len(several.learners) - 1
    assert chart["reach"] == critical_difference(len(ranks), 6)
    assert "Not ranked, for want of results: stubborn." in parts["ranks"]["sentence"]


def test_curves_have_bands_and_a_mean_of_all_data_sets(parts: dict[str, Any]) -> None:
    chart = parts["curves"]["chart"]
    assert chart["names"][0] == "mean of all data sets"
    assert {row["share"] for row in chart["rows"]} == {"50 %", "100 %"}
    bands = [row for row in chart["rows"] if row["high"] > row["value"] > row["low"]]
    assert bands
    assert {row["share"] for row in parts["noise"]["chart"]["rows"]} == {"0 %", "20 %"}


def test_bias_and_variance_add_up_to_the_error(parts: dict[str, Any]) -> None:
    for _, error, bias, variance in parts["bias-variance"]["table"]["rows"]:
        assert error["sort"] == pytest.approx(bias["sort"] + variance["sort"])


def test_pairs_at_the_front_are_better_than_all_others(parts: dict[str, Any]) -> None:
    rows = parts["diversity"]["chart"]["rows"]
    for row in rows:
        beaten = any(o["x"] >= row["x"] and o["y"] < row["y"] for o in rows)
        front = row["standing"] == "no pair is better in both"
        assert not (front and beaten)
    assert len(rows) == 6  # of four learners; the fifth has too few predictions


def test_a_learner_with_few_predictions_is_left_out_aloud(
    parts: dict[str, Any],
) -> None:
    for name in ("bias-variance", "diversity", "error-correlation", "calibration"):
        assert "Not here, for want of predictions: stubborn." in parts[name]["sentence"]


def test_failures_are_counted_by_error(several: Results, parts: dict[str, Any]) -> None:
    rows = texts(parts["failures"]["table"])
    assert sum(int(row[2]) for row in rows) == several.n_failed
    ((learner, error, _, datasets, kind),) = rows
    assert (learner, kind) == ("stubborn", "raised")
    assert error == "ValueError: <b>too many</b> rows"
    assert datasets == "data 0, data 1, data 2, data 3, data 4 and data 5"


def test_the_study_can_be_run_again_from_what_is_said(several: Results) -> None:
    summary = summarize(several, command="dissensus run study.toml")
    said = {setting["name"]: setting["value"] for setting in summary["settings"]}
    assert said["Command"] == "dissensus run study.toml"
    assert said["Seed"] == "7"
    assert said["Run with"] == f"dissensus {several.version}"
    assert (
        said["Cells"]
        == f"{720 - several.n_failed} done, {several.n_failed} failed, 0 not run"
    )
    digests = [row[-1]["text"] for row in summary["data"]["rows"]]
    described = several.spec["datasets"].values()
    assert digests == [data["fingerprint"] for data in described]
    assert ["after naive Bayes", "cascade(nb, c45)", "-"] in texts(summary["learners"])


# Other ways to draw rows


def test_a_study_with_one_test_set_claims_no_more_than_that() -> None:
    found = by_id(studies.tested())
    assert "On the test set." in found["scores-accuracy"]["sentence"]
    assert "there is no test of this" in found["scores-log-loss"]["sentence"]
    columns = [c["name"] for c in found["scores-log-loss"]["table"]["columns"]]
    assert columns == ["learner", "mean", "behind the best"]
    assert "fitted on the training rows" in found["tree"]["sentence"]
    assert found["tree"]["tree"]["nodes"][0]["description"].count("60 rows")


def test_samples_of_a_pool_are_decomposed_in_their_own_form() -> None:
    data = [studies.make_data("pool", 100)]
    results = studies.run(data, ["c45", "nb"], repeats=4, resampling="maclen")
    part = by_id(results)["bias-variance"]
    assert "over 4 training sets" in part["sentence"]
    expected = results.bias_variance().frame.sort("error")
    for row, line in zip(part["table"]["rows"], expected.iter_rows(), strict=True):
        assert [row[0]["text"], *(c["sort"] for c in row[1:])] == [
            line[1],
            *map(pytest.approx, line[2:]),
        ]


# The tree


def test_the_tree_is_that_of_the_best_learner_which_has_one(one: Results) -> None:
    part = by_id(one)["tree"]
    means = one.cube("accuracy").means()[0]
    names = ("C4.5", "after naive Bayes")
    best = max(names, key=lambda name: means[one.learners.index(name)])
    assert f"{best} is the most accurate" in part["sentence"]
    assert part["tree"]["n_nodes"] > 3
    assert part["tree"]["classes"] == ["0", "1"]
    assert "Number of leaves" in part["text"]


def test_the_tree_of_a_cascade_has_the_labels_of_the_data() -> None:
    results = studies.run([studies.make_data("small")], ["cascade(nb, c45)"])
    part = by_id(results)["tree"]
    assert part["tree"]["classes"] == ["no", "yes"]
    assert "P(no)" in part["text"]
    assert "yes (" in part["text"]


def test_data_that_are_gone_are_missed_aloud(tmp_path: Path) -> None:
    store = tmp_path / "study.sqlite"
    studies.run([studies.make_data("mine")], ["c45"], store=store)
    part = by_id(Results.open(store))["tree"]
    assert part["tree"] is None
    assert "data set 'mine' is not here" in part["sentence"]


def test_a_tree_that_takes_long_is_not_fitted_again(
    one: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_tree_part, "MAX_SECONDS", 0.0)
    part = by_id(one)["tree"]
    assert part["tree"] is None
    assert "It is not drawn: to fit it takes about" in part["sentence"]


def test_a_large_tree_is_drawn_to_some_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tree_part, "MAX_NODES", 12)
    results = studies.run(["tic-tac-toe"], ["c45"], repeats=1, folds=2)
    tree = by_id(results)["tree"]["tree"]
    assert 0 < len(tree["nodes"]) <= 12
    assert tree["n_hidden"] == tree["n_nodes"] - len(tree["nodes"])


def test_without_a_tree_among_the_learners_there_is_no_such_part() -> None:
    assert "tree" not in by_id(studies.run(["iris"], ["nb", "lda"], repeats=1))


# Small and unfinished studies


def test_one_learner_with_one_repeat_has_a_page() -> None:
    found = by_id(studies.run(["iris"], ["c45"], repeats=1, folds=2))
    assert list(found) == [
        *("scores-accuracy", "scores-log-loss", "tree", "calibration", "times")
    ]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    store = tmp_path / "study.sqlite"
    datasets = [studies.make_data("a"), studies.make_data("b", seed=1)]
    studies.run(datasets, ["c45", "nb"], repeats=1, store=store)
    return store


@pytest.mark.parametrize(
    ("where", "headline"),
    [
        ("1", "There is no result yet."),
        ("text = 'nb'", "Only c45 has results to be judged by."),
        ("dataset || text IN ('ac45', 'bnb')", "No data set has a result of all."),
        ("fold > 0", "Over these data sets no learner can be told from the others."),
        ("dataset = 'b' AND text = 'nb'", None),
    ],
)
def test_an_unfinished_study_has_a_page_that_says_so(
    saved: Path, where: str, headline: str | None
) -> None:
    results = studies.without_cells(saved, where)
    summary = summarize(results)
    assert headline in (None, summary["verdict"]["headline"])
    assert summary["verdict"]["warnings"] == [
        f"{results.n_missing} cells have not been run: the study is not finished."
    ]
    json.dumps(summary, allow_nan=False)
