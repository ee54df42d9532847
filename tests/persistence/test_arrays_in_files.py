"""Arrays in a model file that would lead compiled code astray are refused."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from dissensus import (
    AODEClassifier,
    C45Classifier,
    LocalCascadeClassifier,
    MaclenClassifier,
    NaiveBayesClassifier,
)
from dissensus.exceptions import ModelError
from dissensus.persistence import load_model, save_model
from tests.estimator_data import as_pandas, make_problem
from tests.persistence.files import rewrite


def set_items(array: Any, items: dict[Any, Any]) -> None:
    """Set items of an array, or of fields of a structured array."""
    for key, value in items.items():
        array[key] = value


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("first_child", {0: 0}, "children before parents"),
        ("first_child", {0: -5}, "children before parents"),
        ("first_child", {0: 10_000_000}, "children before parents"),
        ("attribute", {0: 99}, "attribute 99"),
        ("attribute", {0: -1}, "attribute -1"),
        ("kind", {0: 77}, "branches|test of"),
        ("n_children", {0: 1}, "children of a node"),
        ("n_children", {-1: 2}, "children or a test of a leaf"),
    ],
)
def test_tree_that_leaves_its_nodes_is_refused(
    name: str, change: dict[int, int], words: str, tmp_path: Path
) -> None:
    cells, y = make_problem()
    model = C45Classifier().fit(as_pandas(cells), y)
    set_items(getattr(model.tree_, name), change)
    save_model(model, tmp_path / "model.skops")
    with pytest.raises(ModelError, match=words):
        load_model(tmp_path / "model.skops")


def test_nominal_test_of_a_numeric_attribute_is_refused(tmp_path: Path) -> None:
    cells, y = make_problem()
    model = C45Classifier().fit(as_pandas(cells), y)
    numeric = int(np.flatnonzero(model.tree_.kind == 1)[0])
    model.tree_.kind[numeric] = 3
    save_model(model, tmp_path / "model.skops")
    with pytest.raises(ModelError, match="test of"):
        load_model(tmp_path / "model.skops")


def test_arrays_of_several_lengths_are_refused(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        arrays = {n: archive.read(n) for n in archive.namelist() if n.endswith(".npy")}
    name = next(n for n, c in arrays.items() if np.load(io.BytesIO(c)).dtype == "u1")
    buffer = io.BytesIO()
    np.save(buffer, np.load(io.BytesIO(arrays[name]))[:-1])
    rewrite(path, name, lambda _: buffer.getvalue())
    with pytest.raises(ModelError, match="several lengths"):
        load_model(path)


def test_histogram_boosting_that_asks_for_no_feature_is_refused(
    tmp_path: Path,
) -> None:
    cells, y = make_problem(missing=0)
    path = tmp_path / "model.skops"
    boosting = HistGradientBoostingClassifier(max_iter=2).fit(cells, y)
    boosting._predictors[0][0].nodes["feature_idx"] = 1000
    save_model(boosting, path)
    with pytest.raises(ModelError, match="an attribute"):
        load_model(path)


@pytest.mark.parametrize("learner", [NaiveBayesClassifier, AODEClassifier])
def test_counts_of_another_shape_are_refused(learner: Any, tmp_path: Path) -> None:
    cells, y = make_problem()
    path = tmp_path / "model.skops"
    for changes in (
        {"values": np.zeros((3, 1))},
        {"n_values": np.array([3, 4, 9, 9], dtype=np.int32)},
        {"pairs": np.zeros((1, 1, 1))},
    ):
        model = learner().fit(as_pandas(cells), y)
        model.counts_ = dataclasses.replace(model.counts_, **changes)
        save_model(model, path)
        with pytest.raises(ModelError, match="inconsistent"):
            load_model(path)


def test_probabilities_in_a_file_are_estimated_anew(tmp_path: Path) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = NaiveBayesClassifier().fit(X, y)
    expected = model.predict_proba(X)
    model._model = dataclasses.replace(model._model, factors=np.zeros((1, 1)))
    save_model(model, tmp_path / "model.skops")
    assert (load_model(tmp_path / "model.skops").predict_proba(X) == expected).all()


def test_local_cascade_that_tests_what_nobody_builds_is_refused(tmp_path: Path) -> None:
    cells, y = make_problem(600, missing=0)
    model = LocalCascadeClassifier().fit(as_pandas(cells), y)
    assert model.n_constructed_ > 0
    model.constructions_ = []
    save_model(model, tmp_path / "model.skops")
    with pytest.raises(ModelError, match="attributes that are built"):
        load_model(tmp_path / "model.skops")


def test_intervals_that_later_parts_do_not_know_are_refused(tmp_path: Path) -> None:
    cells, y = make_problem(600, missing=0)
    for change in (lambda cuts: np.append(cuts, [1e9]), lambda cuts: cuts[:0]):
        model = MaclenClassifier().fit(as_pandas(cells), y)
        cut = next(part for view in model.views_ for part in view)
        place = next(
            i for i, c in enumerate(cut.cut_points_) if c is not None and len(c)
        )
        cut.cut_points_[place] = change(cut.cut_points_[place])
        save_model(model, tmp_path / "model.skops")
        with pytest.raises(ModelError, match="intervals of"):
            load_model(tmp_path / "model.skops")
