from __future__ import annotations

import dataclasses
import pickle

import pytest

from dissensus.exceptions import TableError
from dissensus.table import Attribute, Schema

COLOUR = Attribute("colour", "nominal", ("red", "blue"))
AGE = Attribute("age", "numeric")
SCHEMA = Schema((COLOUR, AGE))


def test_an_attribute_knows_its_kind_and_values() -> None:
    assert COLOUR.is_nominal
    assert COLOUR.n_values == 2
    assert not AGE.is_nominal
    assert AGE.n_values == 0


def test_an_attribute_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        COLOUR.name = "hue"  # type: ignore[misc]


def test_a_schema_is_a_sequence_of_attributes() -> None:
    assert len(SCHEMA) == 2
    assert list(SCHEMA) == [COLOUR, AGE]
    assert SCHEMA[1] is AGE
    assert SCHEMA.names == ("colour", "age")
    assert SCHEMA.index("age") == 1
    assert not SCHEMA.all_numeric


def test_an_unknown_name_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(TableError, match="Did you mean 'colour'"):
        SCHEMA.index("Color")


def test_a_schema_survives_pickling() -> None:
    _ = SCHEMA.names
    assert pickle.loads(pickle.dumps(SCHEMA)) == SCHEMA
