"""What can be wrong with what was given: one line, the cause and the cure."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from tests.cli.conftest import WEATHER, Runner

FIT = ("fit", "data.csv", "--target", "play")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "data.csv: the file is empty"),
        ("outlook,play\n", "data.csv: there are no rows, only a header"),
        ("outlook,play\nsunny,yes\n", "every row has the same value of the target"),
        ("outlook,play\nsunny,yes\nrainy,yes\n", "needs at least two classes"),
        ("outlook,ploy\nsunny,yes\n", "'play'. Did you mean 'ploy'?"),
        ("play\nyes\n", "only one column, 'play', so nothing to predict it from"),
        ("a,play\n1,2.5\n2,3.5\n3,1.2\n", "is numeric with 3 different values"),
        ("a,play\n1\n", "line 2: 1 values, but the header has 2"),
        ("a,a,play\n1,2,yes\n", "column name 'a' occurs 2 times"),
        ('a,play\n"1,yes\n', "line 2"),
        ("a,play\ninf,yes\n1,no\n", "line 2: column 'a' has the infinite number"),
        ("a,play\n1,\n2,?\n", "the target 'play' has no value in any row"),
    ],
)
def test_table_that_cannot_be_learnt_from(
    content: str, words: str, command: Runner
) -> None:
    Path("data.csv").write_text(content)
    assert words in command(*FIT).error


def test_column_without_values_is_no_obstacle(command: Runner) -> None:
    Path("data.csv").write_text("a,b,play\n1,,yes\n2,,no\n1,,yes\n2,,no\n")
    assert command(*FIT).code == 0


def test_weights_of_rows_that_cannot_be_added_up(command: Runner) -> None:
    rows = "".join(f"{row}, {'ab'[row % 2]}, {{1e308}}\n" for row in range(9))
    Path("heavy.arff").write_text(
        "@relation r\n@attribute x numeric\n@attribute class {a, b}\n@data\n" + rows
    )
    error = command("fit", "heavy.arff", "--learner", "nb").error
    assert "heavy.arff: The weights of the rows sum to inf" in error


def test_column_of_names_is_too_much_for_maclen(command: Runner) -> None:
    rows = "".join(f"n{row}x,{row % 7},{'ab'[row % 2]}\n" for row in range(132_000))
    Path("names.csv").write_text("id,x,class\n" + rows)
    error = command("fit", "names.csv", "--learner", "maclen").error
    assert "132,000 values: group them with max_values, or drop it." in error


def test_dropping_every_column(command: Runner) -> None:
    Path("data.csv").write_text("play\nyes\nno\n")
    assert "leaves no column" in command("fit", "data.csv", "--drop", "play").error


def test_absent_file_and_unknown_columns(command: Runner) -> None:
    assert "absent.csv: there is no such file" in command("fit", "absent.csv").error
    error = command("fit", "weather.csv", "--target", "ply").error
    assert "'ply'" in error
    assert "Did you mean 'play'?" in error
    error = command("fit", "weather.csv", "--target", "play", "--drop", "windi").error
    assert "Did you mean 'windy'?" in error


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        ("c54", "no learner 'c54'. Did you mean 'c45'"),
        ("c45(confidenz=0.1)", "no parameter 'confidenz'. Did you mean 'confidence'"),
        ("c45(confidence=2)", "'confidence' parameter of C45Classifier must be"),
        ("bagging(c45", "it ends too early"),
        ("decorate(c45, 3)", "3 stands where 'decorate' takes a learner|takes one"),
        ("", "it ends too early"),
    ],
)
def test_learner_that_means_nothing(learner: str, words: str, command: Runner) -> None:
    error = command(
        "fit", "weather.csv", "--target", "play", "--learner", learner
    ).error
    assert any(part in error for part in words.split("|"))


def test_output_that_cannot_be_written(command: Runner) -> None:
    done = command("fit", "weather.csv", "--target", "play", "-o", "no/such/dir.skops")
    assert done.code == 2
    assert "cannot be written" in done.err.splitlines()[-1]


@pytest.fixture
def model(command: Runner) -> str:
    """Return a model of the weather."""
    command("fit", "weather.csv", "--target", "play")
    return "weather.skops"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "humidity,",
            "humidty,",
            "column 'humidity' is missing. Did you mean 'humidty'",
        ),
        (",85,no,no", ",dry,no,no", "line 2: column 'humidity' has 'dry'"),
        (
            "sunny,80,90,yes",
            "sunny,hot,90,yes",
            "line 3: column 'temperature' has 'hot'",
        ),
        ("sunny,80,90,yes,no", "sunny,80", "line 3: 2 values, but the header has 5"),
    ],
)
def test_new_file_with_other_columns_or_cells(
    old: str, new: str, words: str, model: str, command: Runner
) -> None:
    Path("new.csv").write_text(WEATHER.replace(old, new, 1))
    error = command("predict", model, "new.csv").error
    assert "new.csv: " in error
    assert words in error


def test_new_file_is_absent_or_empty(model: str, command: Runner) -> None:
    assert (
        "absent.csv: there is no such file"
        in command("predict", model, "absent.csv").error
    )
    Path("new.csv").write_text("")
    assert "the file is empty" in command("predict", model, "new.csv").error


def test_unreadable_models(model: str, command: Runner) -> None:
    assert (
        "absent.skops: there is no such file"
        in command("predict", "absent.skops", "weather.csv").error
    )
    Path("p.skops").write_bytes(pickle.dumps([1, 2]))
    assert "this is a pickle" in command("show", "p.skops").error
    Path("t.skops").write_bytes(Path(model).read_bytes()[:1000])
    assert "damaged" in command("explain", "t.skops", "weather.csv").error
    assert "no model file" in command("predict", "weather.csv", model).error


COMPARE = ("compare", "weather.csv", "--target", "play")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "."), ".: this is a folder. Give the path of one file in it"),
        (("compare", "absent.csv"), "absent.csv: there is no such file"),
        ((*COMPARE[:2], "--target", "ply"), "Did you mean 'play'?"),
        ((*COMPARE[:2], "--target", "temperature"), "that is a regression"),
        ((*COMPARE, "--drop", "windi"), "drop: there is no column 'windi'"),
        ((*COMPARE, "--drop", "play"), "both dropped and the target"),
        ((*COMPARE, "--nominal", "x"), "nominal: there is no column 'x'"),
        ((*COMPARE, "--group", "house"), "group: No attribute 'house'"),
        ((*COMPARE, "--group", "outlook"), "10 folds cannot be made of 3 groups"),
        ((*COMPARE, "--learner", "c54"), "Did you mean 'c45'"),
        ((*COMPARE, "--learner", "c45(confidence=2)"), "must be a float in the range"),
        ((*COMPARE, "--folds", "1"), "1 is not in the range"),
        ((*COMPARE, "--fractions", "0.1,2"), "Each must be above 0 and at most 1"),
        ((*COMPARE, "--fractions", "a"), "Write shares such as 0.1,0.5,1"),
        ((*COMPARE, "--seed", "-1"), "seed is -1"),
        ((*COMPARE, "--jobs", "0"), "0 is not in the range"),
        ((*COMPARE, "--jobs", "2", "--scheduler", "tcp://x:1"), "--jobs is for this"),
        ((*COMPARE, "--encoding", "klingon"), "Use 'utf-8' or 'latin-1'"),
        ((*COMPARE, "--test", "absent.csv"), "absent.csv: there is no such file"),
        ((*COMPARE, "--report", "no/such.html"), "the page cannot be written"),
        ((*COMPARE, "--report", "."), "the page cannot be written (Is a directory)"),
        ((*COMPARE, "--store", "no/such.sqlite"), "there is no folder 'no'"),
        ((*COMPARE, "--store", "weather.csv"), "this is no store of dissensus"),
        (("curve", *COMPARE[1:], "--learner", "nbb"), "Did you mean 'nb'"),
        (("bias-variance", *COMPARE[1:], "--models", "1"), "1 is not in the range"),
        (("report", "absent.sqlite"), "absent.sqlite: there is no such store"),
        (("report", "weather.csv"), "this is no store of dissensus"),
        (("run", "absent.toml"), "absent.toml: there is no such file"),
        (("show", "."), ".: this is a folder"),
        (("show", "weather.csv"), "this is no model file"),
    ],
)
def test_what_cannot_be_is_found_before_anything_runs(
    arguments: tuple[str, ...], words: str, command: Runner
) -> None:
    assert words in command(*arguments).error
    assert not list(Path().glob("*.sqlite"))
    assert not list(Path().glob("*.html"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("humidity", "humidty", "column 'humidity' is missing. Did you mean 'humidty'"),
        (",85,no,no", ",dry,no,no", "line 2: column 'humidity' has 'dry'"),
        (",no\n", ",perhaps\n", "labels in 5 rows that the training set does not"),
    ],
)
def test_test_file_that_does_not_fit(
    old: str, new: str, words: str, command: Runner
) -> None:
    Path("new.csv").write_text(WEATHER.replace(old, new))
    error = command(*COMPARE, "--test", "new.csv").error
    assert error.startswith("Error: new.csv: ")
    assert words in error


def test_mistakes_of_a_study_in_a_file_are_numbered_in_one_line(
    command: Runner,
) -> None:
    Path("s.toml").write_text('datasets = ["irys.csv"]\nlearners = ["c54"]\nfolds = 1')
    error = command("run", "s.toml").error
    assert error.startswith("Error: 1) s.toml: folds is 1.")
    assert "2) learner 'c54': " in error
    assert "3) data set 'irys.csv': " in error
    Path("s.toml").write_text('datasets = ["iris"]\nlerners = ["c45"]')
    assert "Did you mean 'learners'?" in command("run", "s.toml").error


def test_output_of_predict_that_cannot_be_written(model: str, command: Runner) -> None:
    error = command("predict", model, "weather.csv", "-o", "no/such.csv").error
    assert "no/such.csv: No such file or directory. Check the path" in error


def test_empty_model_file(command: Runner) -> None:
    Path("e.skops").write_bytes(b"")
    assert (
        "e.skops: the file is damaged or incomplete" in command("show", "e.skops").error
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_file_without_permission(command: Runner) -> None:
    Path("weather.csv").chmod(0)
    assert "Permission denied" in command(*COMPARE).error
