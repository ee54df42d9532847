"""What every error of the package promises."""

from __future__ import annotations

import inspect
import pickle

import pytest

from dissensus import exceptions
from dissensus.exceptions import DissensusError, MemoryLimitError, TableError


def make_error() -> TableError:
    return TableError(
        "column 'id' has another value in each row.",
        value="id",
        cure="Leave it out: {drop}.",
        drop=["id"],
    )


@pytest.mark.parametrize("name", exceptions.__all__)
def test_every_error_has_the_one_root(name: str) -> None:
    assert issubclass(getattr(exceptions, name), DissensusError)


def test_all_errors_of_the_module_are_listed() -> None:
    classes = [
        name
        for name, kind in vars(exceptions).items()
        if inspect.isclass(kind) and issubclass(kind, Exception)
    ]
    assert sorted(classes) == exceptions.__all__


def test_a_setting_is_written_as_whoever_prints_it_wishes() -> None:
    error = make_error()
    assert str(error).endswith("Leave it out: drop=['id'].")
    assert error.text(lambda name, value: f"--{name} {value[0]}").endswith(
        "Leave it out: --drop id."
    )


def test_a_place_stands_before_the_words_and_all_else_stays() -> None:
    placed = make_error().at("rows.csv")
    assert type(placed) is TableError
    assert str(placed) == f"rows.csv: {make_error()}"
    assert placed.value == "id"


def test_an_error_is_the_same_in_another_process() -> None:
    again = pickle.loads(pickle.dumps(make_error().at("rows.csv")))
    assert str(again) == f"rows.csv: {make_error()}"
    assert again.settings == {"drop": ["id"]}


def test_too_little_memory_is_also_pythons_own_error() -> None:
    assert issubclass(MemoryLimitError, MemoryError)
