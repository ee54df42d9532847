from __future__ import annotations

import polars as pl
import pytest

from dissensus.io._spreadsheet import harmless, harmless_frame


@pytest.mark.parametrize(
    "text",
    ["=cmd|' /C calc'!A0", "+x", "-x", "@SUM(1)", "\t=1+1", "\r=1", "\n=1", "--1"],
)
def test_text_that_begins_like_a_formula_is_marked_as_text(text: str) -> None:
    assert harmless(pl.Series([text, "a"])).to_list() == ["'" + text, "a"]


def test_numbers_and_missing_values_stay_as_they_are() -> None:
    texts = ["-1", "+2.5", "-1e3", None, "", "a=b"]
    assert harmless(pl.Series(texts)).to_list() == texts
    assert harmless(pl.Series([-1.5, None])).to_list() == [-1.5, None]


def test_declared_labels_are_marked_too() -> None:
    labels = pl.Series(["=x", None, "y"], dtype=pl.Enum(["y", "=x"]))
    assert harmless(labels).to_list() == ["'=x", None, "y"]


def test_names_of_columns_are_marked() -> None:
    frame = harmless_frame(pl.DataFrame({"=a": [1, 2], "b": ["=1", "c"]}))
    assert frame.to_dict(as_series=False) == {"'=a": [1, 2], "b": ["'=1", "c"]}
