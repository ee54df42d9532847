"""All data sets of the shared folder load, and are what their list says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from dissensus.io import read_table
from dissensus.table import Table

NAMES = [
    "adult",
    "anneal",
    "anneal-orig",
    "audiology",
    "australian",
    "autos",
    "balance-scale",
    "banding",
    "bands",
    "breast-cancer",
    "breast-w",
    "colic",
    "colic-orig",
    "credit-a",
    "credit-g",
    "diabetes",
    "glass",
    "heart-c",
    "heart-statlog",
    "hepatitis",
    "ionosphere",
    "iris",
    "kr-vs-kp",
    "labor",
    "letter",
    "lymph",
    "monks-1",
    "monks-2",
    "monks-3",
    "mushroom",
    "nursery",
    "pendigits",
    "satimage",
    "segment",
    "sick",
    "sonar",
    "soybean",
    "splice",
    "vehicle",
    "vote",
    "vowel",
    "waveform",
    "waveform-5000",
    "wine",
    "yeast",
    "zoo",
]


def test_the_list_is_complete(shared_dir: Path) -> None:
    listed = json.loads((shared_dir / "data" / "datasets.json").read_text())
    assert [entry["name"] for entry in listed["datasets"]] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_what_the_list_says(shared_dir: Path, name: str) -> None:
    listed = json.loads((shared_dir / "data" / "datasets.json").read_text())["datasets"]
    expected = next(entry for entry in listed if entry["name"] == name)
    data = read_table(shared_dir / "data" / expected["file"])
    table = Table.from_any(data.X)
    labels, counts = np.unique(data.y, return_counts=True)
    assert table.schema == data.schema
    assert data.name == name
    assert data.target == expected["class_attribute"]
    assert list(data.classes) == expected["class_labels_declared"]
    assert (
        dict(zip(labels.tolist(), counts.tolist(), strict=True))
        == expected["class_counts"]
    )
    assert table.n_rows == expected["instances"]
    assert table.numeric.shape[1] == expected["numeric"]
    assert table.nominal.shape[1] == expected["nominal"]
    missing = np.count_nonzero(table.nominal == -1) + np.isnan(table.numeric).sum()
    assert missing == expected["missing_cells"]
    noted = [note for note in data.notes if "identifier" in note]
    listed_ids = expected["identifier_attributes"]
    assert all(any(repr(i) in note for i in listed_ids) for note in noted)
    assert bool(noted) == bool(listed_ids)


@pytest.mark.parametrize("name", ["autos", "colic", "vote", "soybean", "heart-c"])
def test_another_reader_of_arff_sees_the_same_cells(
    shared_dir: Path, name: str
) -> None:
    arff = pytest.importorskip("arff", reason="needs liac-arff to compare with")
    path = shared_dir / "data" / f"{name}.arff"
    with path.open() as file:
        rows = arff.load(file)["data"]
    data = read_table(path)
    ours = data.X.fill_nan(None).with_columns(pl.Series(data.target, data.y)).rows()
    assert [list(row) for row in ours] == rows
