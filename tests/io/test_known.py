"""Test sets are read with the columns of their training set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dissensus.exceptions import TableError
from dissensus.io import Dataset, read_like, read_table

TRAIN = "colour,size,y\nred,1,a\nblue,2,b\nred,3,a\n"


@pytest.fixture
def train(tmp_path: Path) -> Dataset:
    (tmp_path / "train.csv").write_text(TRAIN)
    return read_table(tmp_path / "train.csv", "y")


def write(folder: Path, content: str, name: str = "test.csv") -> Path:
    """Write a test file."""
    path = folder / name
    path.write_text(content)
    return path


def test_columns_are_found_by_name_and_others_left(
    tmp_path: Path, train: Dataset
) -> None:
    path = write(tmp_path, "more,y,size,colour\n0,b,2.5,blue\n0,a,,green\n")
    test = read_like(path, train)
    assert test.schema == train.schema
    assert test.y.tolist() == ["b", "a"]
    assert np.array_equal(test.X["size"].to_numpy(), [2.5, np.nan], equal_nan=True)
    assert test.X["colour"].to_list() == ["blue", None]  # green was never seen


def test_rows_without_a_label_are_left_out(tmp_path: Path, train: Dataset) -> None:
    test = read_like(write(tmp_path, "colour,size,y\nred,1,\nblue,2,b\n"), train)
    assert test.y.tolist() == ["b"]
    assert test.notes == ("1 rows without a value of the target 'y' were left out",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("colour,size,y\nred,1,c\n", "labels in 1 rows that the training set"),
        ("colour,size\nred,1\n", "column 'y' is missing"),
        ("colour,size,y\nred,big,a\n", "line 2: column 'size' has 'big'"),
        ("colour,size,y\nred,1,\n", "no value in any row"),
        ("", "the file is empty"),
    ],
)
def test_file_that_is_no_test_set_is_refused(
    content: str, words: str, tmp_path: Path, train: Dataset
) -> None:
    with pytest.raises(TableError, match=f"test.csv: .*{words}"):
        read_like(write(tmp_path, content), train)


def test_numbers_as_labels_stay_numbers(tmp_path: Path) -> None:
    train = read_table(write(tmp_path, "x,y\n1,0\n2,1\n", "train.csv"), "y")
    test = read_like(write(tmp_path, "x,y\n5,1\n6,1.0\n"), train)
    assert test.y.tolist() == [1, 1]


def test_other_formats_and_encodings(tmp_path: Path, train: Dataset) -> None:
    frame = pl.DataFrame({"y": ["a", "b"], "colour": ["red", "blue"], "size": [1, 2]})
    frame.write_parquet(tmp_path / "test.parquet")
    assert read_like(tmp_path / "test.parquet", train).y.tolist() == ["a", "b"]
    path = tmp_path / "latin.csv"
    path.write_bytes("colour,size,y,straße\nred,1,a,ö\n".encode("latin-1"))
    with pytest.raises(TableError, match="is not utf-8 text"):
        read_like(path, train)
    assert np.array_equal(read_like(path, train, encoding="latin-1").y, ["a"])
    with pytest.raises(TableError, match="not known to Python"):
        read_like(path, train, encoding="klingon")
