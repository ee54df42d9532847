from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dissensus.exceptions import TableError
from dissensus.io import read_table
from dissensus.table import Attribute
from tests.io.conftest import Reader


@pytest.mark.parametrize(
    ("delimiter", "word"),
    [(",", "comma"), ("\t", "tab"), (";", "semicolon"), ("|", "bar")],
)
def test_the_delimiter_is_found_and_noted(
    read: Reader, delimiter: str, word: str
) -> None:
    text = "a,b,class\n1,x,no\n2,y,yes\n".replace(",", delimiter)
    data = read(text, "t.csv")
    assert data.X.columns == ["a", "b"]
    assert data.X.schema == {"a": pl.Float64, "b": pl.Enum(["x", "y"])}
    assert f"delimiter: {word}" in data.notes
    assert "target: 'class' (by its name)" in data.notes
    assert "columns: 1 numeric, 1 nominal" in data.notes


def test_quoted_fields_may_hold_anything(read: Reader) -> None:
    text = 'a,b,class\n"x, y",1,no\n"say ""hi""",2,yes\n"two\nlines",3,no\n'
    data = read(text, "t.csv")
    assert data.X["a"].to_list() == ["x, y", 'say "hi"', "two\nlines"]


def test_missing_markers_are_counted(read: Reader) -> None:
    data = read("a,b,class\n1,x,no\n,NA,yes\n?,?,no\n", "t.csv")
    np.testing.assert_array_equal(data.X["a"].to_numpy(), [1, np.nan, np.nan])
    assert data.X["b"].to_list() == ["x", None, None]
    assert "missing values: '' (1), '?' (2), 'NA' (1)" in data.notes
    data = read("a,class\n-,no\nNA,yes\n", "t.csv", missing=["-"])
    assert data.X["a"].to_list() == [None, "NA"]


def test_integers_are_numbers_unless_told_otherwise(read: Reader) -> None:
    text = "zip,n,class\n010,10,no\n9,9,yes\n010,8,no\n"
    assert read(text, "t.csv").X.dtypes == [pl.Float64, pl.Float64]
    data = read(text, "t.csv", nominal=["zip", "n"])
    assert data.schema[0] == Attribute("zip", "nominal", ("9", "010"))
    assert data.schema[1].categories == ("8", "9", "10")
    assert data.X["zip"].to_list() == ["010", "9", "010"]


def test_a_file_without_header_gets_numbered_columns(read: Reader) -> None:
    data = read("5.1,3.5,setosa\n4.9,3.0,setosa\n6.0,2.2,other\n", "iris.data")
    assert data.X.columns == ["x0", "x1"]
    assert data.target == "x2"
    assert len(data.y) == 3
    assert any("no header" in note for note in data.notes)
    assert len(read("a,b\nc,d\n", "t.csv", header=False).y) == 2


def test_numbers_in_a_header_are_names(read: Reader) -> None:
    assert read("who,2019,class\nann,1,a\nbob,2,b\n", "t.csv").X.columns == [
        "who",
        "2019",
    ]
    data = read("1,2,class\n1,3,a\n2,4,b\n", "t.csv", header=True)
    assert data.X.columns == ["1", "2"]


def test_decimal_commas_are_understood(read: Reader) -> None:
    data = read("a;b;class\n1,5;x,y;no\n2;z;yes\n", "t.csv")
    assert data.X["a"].to_list() == [1.5, 2.0]
    assert data.X["b"].to_list() == ["x,y", "z"]
    assert "decimal comma in: a" in data.notes


def test_space_around_cells_and_blank_lines_do_not_count(read: Reader) -> None:
    data = read("\na, b ,class\n\n 1 , x, no\n  \n2,x ,no \n", "t.csv")
    assert data.X["b"].to_list() == ["x", "x"]
    assert data.classes == ("no",)


def test_a_delimiter_at_the_end_of_each_line_makes_no_column(read: Reader) -> None:
    data = read("a,class,\n1,x,\n2,y,\n", "t.csv")
    assert data.target == "class"
    assert data.X.columns == ["a"]


def test_a_nameless_row_counter_is_named_and_noted(read: Reader) -> None:
    rows = "".join(f"{i},{i % 3},{i % 2}\n" for i in range(20))
    data = read(",a,class\n" + rows, "t.csv")
    assert data.X.columns == ["column 0", "a"]
    assert any("'column 0' looks like an identifier" in note for note in data.notes)


def test_bom_crlf_and_other_encodings(read: Reader) -> None:
    text = "é,class\r\nx,1\r\ny,0\r\n"
    assert read(b"\xef\xbb\xbf" + text.encode(), "t.csv").X.columns == ["é"]
    assert read(text.encode("latin-1"), "t.csv", encoding="latin-1").X.columns == ["é"]
    with pytest.raises(TableError, match=r"t.csv: line 1: byte 0xe9 .*encoding="):
        read(text.encode("latin-1"), "t.csv")


BAD = [
    ("a,b\n1,2\n1\n", "line 3: 1 values, but the header has 2"),
    ("a,b\n1,2\n1,2,3\n", "line 3: 3 values, but the header has 2"),
    ("a,b,a\n1,2,3\n", "line 1: column name 'a' occurs 2 times"),
    ('a,b\n1,"2\n3,4\n', "line 2: .*quotes"),
    ('a,b\n1,"2"x\n', "line 2: .*quotes"),
    ("a,b\n", "no rows"),
    ("\n,\n,\n", "nothing to predict|every column is empty|no value"),
    ("a\n1\n2\n", "only one column"),
    ("a,y\ninf,1\n2,0\n", "line 2: column 'a' has the infinite number"),
    ("a,y\n1,\n2,?\n", "'y' has no value in any row"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_broken_file_is_an_error_with_its_line(
    read: Reader, text: str, message: str
) -> None:
    with pytest.raises(TableError, match=f"t.csv: .*({message})"):
        read(text, "t.csv")


def test_the_delimiter_is_one_character(read: Reader) -> None:
    with pytest.raises(TableError, match="one character"):
        read("a,b\n1,2\n", "t.csv", delimiter=", ")


def test_a_csv_file_equals_the_arff_file_it_was_made_of(
    shared_dir: Path, tmp_path: Path
) -> None:
    arff = read_table(shared_dir / "data" / "credit-a.arff")
    path = tmp_path / "credit-a.csv"
    arff.X.with_columns(pl.Series("class", arff.y)).fill_nan(None).write_csv(path)
    csv = read_table(path)
    assert csv.y.tolist() == arff.y.tolist()
    for name in arff.X.columns:
        left, right = csv.X[name], arff.X[name]
        if left.dtype != pl.Float64:
            left, right = left.cast(pl.String), right.cast(pl.String)
        assert left.equals(right)
