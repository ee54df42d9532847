"""What a terminal would obey is spelt out."""

from __future__ import annotations

import json

import pytest

from dissensus.utils._printable import printable


@pytest.mark.parametrize(
    "character",
    [
        "\x00",
        "\x07",
        "\x08",
        "\r",
        "\x1b",
        "\x7f",
        "\x9b",
        "\u202e",
        "\u2066",
        "\ud800",
    ],
)
def test_character_that_a_terminal_obeys_is_spelt_out(character: str) -> None:
    shown = printable(f"a{character}b")
    assert shown == f"a\\u{ord(character):04x}b"


def test_ordinary_text_stays_as_it_is() -> None:
    text = "Größe 日本 \u00a0 tab\tline\n😀"
    assert printable(text) == text


def test_json_means_the_same() -> None:
    values = ["\x9b31m", "\x7f", "\u202e", "\x1b", "plain"]
    text = json.dumps(values, ensure_ascii=False)
    assert json.loads(printable(text)) == values
