from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dissensus.exceptions import TableError
from dissensus.io import read_table
from tests.io.conftest import Reader

CSV = "a,b,class\n1,x,no\n2,y,yes\n3,x,no\n"


def test_the_content_tells_the_format_where_the_name_does_not(
    read: Reader, tmp_path: Path
) -> None:
    arff = (
        "% comment\n\n @RELATION t\n@attribute a real\n@attribute y {0,1}\n@data\n1,0\n"
    )
    assert read(arff, "noname").target == "y"
    assert read(CSV, "noname.txt").target == "class"
    pl.DataFrame({"a": [1.0, 2.0], "y": ["n", "m"]}).write_parquet(tmp_path / "p")
    assert read_table(tmp_path / "p").target == "y"


def test_parquet_keeps_declared_values(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "e": pl.Series(["u", None, "v"], dtype=pl.Enum(["w", "v", "u"])),
            "when": [datetime.date(2020, 1, day) for day in (1, 2, 3)],
            "i": [1, 2, 3],
            "flag": [True, False, True],
        }
    )
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    data = read_table(path, "flag", drop=["when"])
    assert data.schema[0].categories == ("w", "v", "u")
    assert data.y.tolist() == [True, False, True]
    assert data.classes == (False, True)
    with pytest.raises(TableError, match=r"t.parquet: Attribute 'when' holds dates"):
        read_table(path, "flag")
    with pytest.raises(TableError, match=r"drop: there is no column 'wen'.*'when'"):
        read_table(path, "flag", drop=["wen"])


def test_target_drop_and_nominal_take_names(read: Reader) -> None:
    data = read(CSV, "t.csv", target="b", drop="a", nominal=())
    assert data.X.columns == ["class"]
    assert data.y.tolist() == ["x", "y", "x"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"target": "Klass"},
            "target: there is no column 'Klass'. Did you mean 'class'",
        ),
        ({"target": "zzz"}, "There are: 'a', 'b', 'class'"),
        ({"drop": ["bb"]}, "drop: there is no column 'bb'"),
        ({"nominal": ["q"]}, "nominal: there is no column 'q'"),
        ({"target": "a", "drop": ["a"]}, "both dropped and the target"),
        ({"drop": ["a", "b"]}, "only one column"),
        ({"drop": ["a", "b", "class"]}, r"\['a', 'b', 'class'\] leaves no column"),
        ({"encoding": "klingon"}, "'klingon' is not known"),
    ],
)
def test_wrong_options_are_explained(
    read: Reader, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TableError, match=f"t.csv: {message}|t.csv: .*{message}"):
        read(CSV, "t.csv", **options)


def test_a_numeric_target_of_few_values_is_taken_for_labels(read: Reader) -> None:
    data = read("a,y\n1,0\n2,1\n3,\n4,1\n", "t.csv")
    assert data.y.tolist() == [0, 1, 1]
    assert data.y.dtype.kind == "i"
    assert data.classes == (0, 1)
    assert any("taken for labels" in note for note in data.notes)
    assert any("1 row without a value of the target" in note for note in data.notes)


@pytest.mark.parametrize("values", [range(30), [0.5, 1.5, 2.0]])
def test_a_numeric_target_of_many_values_is_a_regression(
    read: Reader, values: Any
) -> None:
    text = "a,y\n" + "".join(f"{v},{v}\n" for v in values)
    with pytest.raises(TableError, match=r"regression.*nominal=\['y'\]"):
        read(text, "t.csv", header=True)
    assert len(read(text, "t.csv", header=True, nominal=["y"]).classes) == len(values)


def test_the_last_column_is_the_target_when_no_name_tells(read: Reader) -> None:
    data = read("a,b\n1,u\n2,v\n", "t.csv")
    assert data.target == "b"
    assert "target: 'b' (the last column)" in data.notes


def test_identifiers_are_noted_with_the_cure(read: Reader) -> None:
    rows = "".join(f"p{i},{i * 7},{i % 4},{i * 1.5},{i % 2}\n" for i in range(20))
    data = read("name,patient_id,ward,dose,class\n" + rows, "t.csv")
    noted = [note for note in data.notes if "identifier" in note]
    assert len(noted) == 2
    assert "drop=['name']" in noted[0]
    assert "drop=['patient_id']" in noted[1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"a,b\n\x00\x01,2\n", "line 2: a zero byte"),
        (b"\xff\xfe\xfa", "line 1: byte 0xff"),
    ],
)
@pytest.mark.parametrize("name", ["t.csv", "t.arff", "t"])
def test_junk_is_named(read: Reader, content: bytes, message: str, name: str) -> None:
    with pytest.raises(TableError, match=f"{name}: .*{message}"):
        read(content, name)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="there is no such file"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="this is a folder"):
        read_table(tmp_path)
    with pytest.raises(TableError):
        read_table("a\0b.csv")


def test_without_polars_the_extra_is_named(
    read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(TableError, match=r'pip install "dissensus\[tables\]"'):
        read(CSV, "t.csv")
