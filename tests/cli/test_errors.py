"""What can be wrong with what was given: one line, the cause and the cure."""

from __future__ import annotations

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
        ("outlook,play\nsunny,yes\n", "all 1 rows have the same value of the target"),
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
