"""fit, predict, explain, show and datasets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dissensus import load_dataset
from dissensus.persistence import load_model, read_card, save_model
from tests.cli.conftest import WEATHER, Runner

NEW = "windy,outlook,humidity,temperature\nno,sunny,70,20\nyes,rainy,,21\n"


@pytest.fixture
def model(command: Runner) -> str:
    """Return a model of the weather."""
    assert command("fit", "weather.csv", "--target", "play").code == 0
    Path("new.csv").write_text(NEW)
    return "weather.skops"


def test_fit_saves_a_model_and_says_what_it_assumed(command: Runner) -> None:
    done = command("fit", "weather.csv", "--target", "play", "-o", "my.skops")
    assert done.code == 0
    assert done.out == ""
    assert "weather: missing values: '?' (1)" in done.err
    assert "c45 learnt 'play' from 14 rows: a tree of 5 leaves." in done.err
    card = read_card("my.skops")
    assert (card.learner, card.target) == ("c45", "play")
    assert card.source == "weather, 14 rows"
    assert load_model("my.skops").n_leaves_ == 5


def test_fit_takes_a_name_and_a_learner_in_a_learner(command: Runner) -> None:
    learner = "decorate(c45, n_estimators=3)"
    done = command("fit", "monks-2", "--learner", learner, "--seed", "7", "--quiet")
    assert done.code == 0
    assert load_model("monks-2.skops").get_params()["n_estimators"] == 3
    assert read_card("monks-2.skops").learner == learner


def test_same_seed_gives_the_same_model(command: Runner) -> None:
    answers = []
    for seed in ("1", "1", "2"):
        learner = ("--learner", "bagging(n_estimators=5)")
        done = command("fit", "led", *learner, "--seed", seed)
        assert done.code == 0, done.err
        X = load_dataset("led").X
        answers.append(load_model("led.skops").predict_proba(X))
    assert (answers[0] == answers[1]).all()
    assert (answers[0] != answers[2]).any()


def test_fit_leaves_columns_out_and_takes_numbers_for_labels(command: Runner) -> None:
    command(
        *("fit", "weather.csv", "--target", "play"),
        *("--drop", "outlook", "--drop", "windy", "--nominal", "temperature"),
    )
    schema = read_card("weather.skops").schema
    assert schema is not None
    assert schema.names == ("temperature", "humidity")
    assert schema[0].is_nominal


def test_predict_writes_an_answer_for_each_row(model: str, command: Runner) -> None:
    done = command("predict", model, "new.csv")
    assert (done.code, done.out, done.err) == (0, "prediction\nyes\nno\n", "")
    done = command("predict", model, "new.csv", "-o", "out.csv", "--proba")
    assert (done.out, done.err) == ("", "2 rows: out.csv\n")
    frame = pl.read_csv("out.csv")
    assert frame.columns == ["prediction", "p(no)", "p(yes)"]
    assert frame.row(0) == ("yes", 0.0, 1.0)


def test_predict_leaves_the_old_answers_where_it_fails_on_the_way(
    model: str, command: Runner
) -> None:
    rows = NEW + NEW.splitlines()[1] + "\n"
    Path("long.csv").write_text(rows + "too,few\n")
    Path("out.csv").write_text("old")
    before = sorted(Path().iterdir())
    assert "long.csv" in command("predict", model, "long.csv", "-o", "out.csv").error
    assert Path("out.csv").read_text() == "old"
    assert sorted(Path().iterdir()) == before


def test_a_killed_predict_leaves_nothing_under_the_name_of_its_output(
    model: str,
) -> None:
    before = sorted(Path().iterdir())
    process = subprocess.Popen(
        [sys.executable, "-m", "dissensus", "predict", model, "-o", "out.csv"],
        stdin=subprocess.PIPE,
    )
    assert process.stdin is not None
    header, row, *_ = NEW.splitlines()
    process.stdin.write(f"{header}\n".encode() + 100_000 * f"{row}\n".encode())
    process.stdin.flush()  # more than a pipe holds: it has begun to read
    process.kill()
    process.wait()
    process.stdin.close()
    assert sorted(Path().iterdir()) == before


def test_predict_reads_standard_input(model: str, command: Runner) -> None:
    for arguments in ((), ("-",)):
        done = command("predict", model, *arguments, stdin=NEW.encode())
        assert (done.code, done.out) == (0, "prediction\nyes\nno\n")


def test_predict_says_which_columns_it_does_not_use(
    model: str, command: Runner
) -> None:
    done = command("predict", model, "weather.csv")
    assert done.out.split() == ["prediction", *_play()]
    assert "columns that the model does not use: 'play'" in done.err
    assert command("predict", model, "weather.csv", "--quiet").err == ""


def _play() -> list[str]:
    return [line.rpartition(",")[2] for line in WEATHER.split()[1:]]


def test_predict_without_header_goes_by_position(model: str, command: Runner) -> None:
    Path("bare.csv").write_text("sunny,20,70,no\n")
    assert "no header" in command("predict", model, "bare.csv").error
    done = command("predict", model, "bare.csv", "--no-header")
    assert done.out == "prediction\nyes\n"


def test_every_learner_of_the_registry_can_be_fitted_and_asked(
    command: Runner,
) -> None:
    for learner in (
        "nb",
        "aode",
        "maclen",
        "local",
        "cascade(nb, c45)",
        "forest",
        "hgb",
    ):
        options = "" if learner != "forest" else "(n_estimators=3)"
        done = command("fit", "monks-1", "--learner", learner + options, "--quiet")
        assert done.code == 0, done.err
        load_dataset("monks-1").X.write_csv("monks.csv")
        done = command("predict", "monks-1.skops", "monks.csv")
        found = np.array(done.out.split()[1:])
        fitted = load_model("monks-1.skops")
        assert (found == fitted.predict(load_dataset("monks-1").X)).all()


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        ("c45", "The tree came to this after these tests:\n    outlook = sunny\n"),
        ("nb", "Its log-odds against no are"),
        ("cascade(nb, c45)", "level 1"),
        ("maclen(nb)", "with outlook = sunny"),
        ("decorate(c45, n_estimators=4)", "Its 4 members are split: "),
        ("adaboost(n_estimators=4)", "weight"),
        ("local", "The answer is"),
        ("forest(n_estimators=3)", "EncodedClassifier gives no reasons."),
    ],
)
def test_explain_gives_the_reasons_of_its_kind(
    learner: str, words: str, command: Runner
) -> None:
    Path("new.csv").write_text(NEW)
    command("fit", "weather.csv", "--target", "play", "--learner", learner)
    done = command("explain", "weather.skops", "new.csv", "--row", "1")
    assert done.code == 0, done.err
    assert done.out.startswith("The answer is ")
    assert "Probabilities: " in done.out
    assert words in done.out


def test_explain_refuses_a_row_that_is_not_there(model: str, command: Runner) -> None:
    for row in ("3", "0", "-1"):
        error = command("explain", model, "new.csv", "--row", row).error
        assert f"there is no row {row}; the file has 2" in error


def test_show_prints_the_card_and_the_tree(model: str, command: Runner) -> None:
    done = command("show", model)
    assert "predicts   play" in done.out
    assert "outlook = overcast: yes (4.0)" in done.out
    assert (
        "humidity"
        not in command("show", model, "--max-depth", "0").out.partition("\n\n")[2]
    )


def test_show_writes_json(model: str, command: Runner) -> None:
    content = json.loads(command("show", model, "--json").out)
    assert content["learner"] == "c45"
    assert content["attributes"][0]["values"] == ["overcast", "rainy", "sunny"]


def test_show_draws_a_tree_on_a_page(model: str, command: Runner) -> None:
    done = command("show", model, "--html", "tree.html")
    assert (done.code, done.err) == (0, "The tree: tree.html\n")
    assert "<svg" in Path("tree.html").read_text()
    command("fit", "weather.csv", "--target", "play", "--learner", "nb")
    done = command("show", model, "--html", "tree.html")
    assert "nb has no tree to draw" in done.error
    assert "NaiveBayesClassifier" in command("show", model).out


def test_datasets_lists_what_needs_no_network(command: Runner, tmp_path: Path) -> None:
    done = command("datasets")
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()].count(
        ["monks-1", "432"]
    ) == 1
    listed = json.loads(command("datasets", "--json", "--data-dir", str(tmp_path)).out)
    assert {"name": "weather", "from": str(tmp_path / "weather.csv")} in listed
    assert "is no folder" in command("datasets", "--data-dir", "absent").error


def test_escapes_in_a_model_file_do_not_reach_the_terminal(
    command: Runner, model: str
) -> None:
    fitted = load_model(model)
    save_model(fitted, "red.skops", learner="c45\x1b[31m", target="\x9b2Jplay")
    shown = command("show", "red.skops")
    assert "c45\\u001b[31m" in shown.out
    assert "\\u009b2Jplay" in shown.out
    told = command("show", "red.skops", "--json")
    assert json.loads(told.out)["learner"] == "c45\x1b[31m"
    wrong = command("explain", "red.skops", "absent\x1b[31m.csv")
    for text in (shown.out, told.out, wrong.err):
        assert "\x1b" not in text
        assert "\x9b" not in text
