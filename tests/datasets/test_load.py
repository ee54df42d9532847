from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from dissensus.datasets import _load, load_dataset
from dissensus.datasets._generators import led, tic_tac_toe, waveform
from dissensus.exceptions import TableError
from dissensus.io import read_table


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISSENSUS_DATA", raising=False)


@pytest.mark.parametrize("name", ["monks-1", "monks-2", "monks-3", "balance-scale"])
def test_generated_sets_equal_the_published_files(shared_dir: Path, name: str) -> None:
    made, published = (
        load_dataset(name),
        read_table(shared_dir / "data" / f"{name}.arff"),
    )
    assert made.schema == published.schema
    assert made.classes == published.classes
    assert made.target == published.target
    assert made.name == published.name
    assert_frame_equal(made.X, published.X)
    np.testing.assert_array_equal(made.y, published.y)


@pytest.mark.parametrize(
    ("name", "positive"), [("monks-1", 216), ("monks-2", 142), ("monks-3", 228)]
)
def test_the_monks_have_their_known_numbers(name: str, positive: int) -> None:
    data = load_dataset(name)
    assert data.X.shape == (432, 6)
    assert np.count_nonzero(data.y == "1") == positive


def test_tic_tac_toe_has_its_known_numbers() -> None:
    data = load_dataset("tic-tac-toe")
    assert data.X.shape == (958, 9)
    assert data.X.unique().height == 958
    assert np.count_nonzero(data.y == "positive") == 626
    assert tic_tac_toe().schema[0].categories == ("b", "o", "x")
    x, o = ((data.X.cast(pl.String) == mark).sum_horizontal() for mark in "xo")
    assert set((x - o).to_list()) == {0, 1}


def test_waveforms_have_the_means_of_their_waves() -> None:
    table = waveform(20000, seed=1)
    assert table.schema.names[-1] == "class"
    labels = table.column("class").data
    values = table.drop("class").numeric
    steps = np.arange(1, 22)
    waves = [np.maximum(6 - abs(steps - peak), 0) for peak in (7, 15, 11)]
    for label, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        mean = values[labels == label].mean(axis=0)
        np.testing.assert_allclose(mean, (waves[i] + waves[j]) / 2, atol=0.15)


def test_led_displays_are_wrong_as_often_as_told() -> None:
    clean = led(500, noise=0.0)
    assert len(np.unique(clean.nominal, axis=0)) == 10
    noisy, digits = led(20000, noise=0.1, seed=3).nominal, led(20000, noise=0.0, seed=3)
    wrong = (noisy != digits.nominal)[:, :7].mean()
    assert wrong == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("name", ["waveform", "led"])
def test_drawn_sets_are_the_same_every_time(name: str) -> None:
    assert_frame_equal(load_dataset(name).X, load_dataset(name).X)


@pytest.mark.parametrize(
    ("name", "shape", "n_classes"),
    [
        ("iris", (150, 4), 3),
        ("wine", (178, 13), 3),
        ("wdbc", (569, 30), 2),
        ("digits", (1797, 64), 10),
    ],
)
def test_sets_of_scikit_learn(
    name: str, shape: tuple[int, int], n_classes: int
) -> None:
    data = load_dataset(name)
    assert data.X.shape == shape
    assert len(data.classes) == n_classes
    assert data.notes[0] == "from scikit-learn"


def test_a_path_comes_first_then_the_folder_then_what_is_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "iris.csv").write_text("a,class\n1,x\n2,y\n")
    (tmp_path / "own.arff").write_text(
        "@attribute a real\n@attribute b {0}\n@data\n1,0\n"
    )
    assert load_dataset(tmp_path / "iris.csv").X.shape == (2, 1)
    assert load_dataset("iris", data_dir=tmp_path).X.shape == (2, 1)
    assert load_dataset("own", data_dir=tmp_path).target == "b"
    assert load_dataset("iris").X.shape == (150, 4)
    monkeypatch.setenv("DISSENSUS_DATA", str(tmp_path))
    assert load_dataset("iris").X.shape == (2, 1)
    with pytest.raises(TableError, match=r"data_dir is .* no folder"):
        load_dataset("iris", data_dir=tmp_path / "absent")


@pytest.mark.parametrize("name", ["absent.csv", "some/where"])
def test_an_absent_file_is_not_looked_for_on_the_network(name: str) -> None:
    with pytest.raises(TableError, match="there is no such file"):
        load_dataset(name)


def test_without_leave_no_network_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_load, "_fetch", lambda name: pytest.fail("asked OpenML"))
    with pytest.raises(TableError, match=r"Did you mean 'monks-\d'.*download=True"):
        load_dataset("monk-1")


def test_openml_is_asked_last(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "k": pd.Categorical(["u", "v"])})
    monkeypatch.setattr(
        _load, "_fetch", lambda name: SimpleNamespace(frame=frame, target=frame["k"])
    )
    data = load_dataset("far-away", download=True)
    assert data.target == "k"
    assert data.classes == ("u", "v")
    assert data.notes[0] == "from OpenML"


def test_without_network_the_nearest_name_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str) -> Any:
        raise OSError("no route to host")

    monkeypatch.setattr(_load, "_fetch", fail)
    with pytest.raises(TableError, match=r"no route to host.*Did you mean 'monks-\d'"):
        load_dataset("monk-1", download=True)
