"""Nothing in a model file is executed, and a damaged file is an error in words."""

from __future__ import annotations

import dataclasses
import importlib
import io
import json
import pickle
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from dissensus import (
    AODEClassifier,
    C45Classifier,
    LocalCascadeClassifier,
    MaclenClassifier,
    NaiveBayesClassifier,
)
from dissensus.models import ModelError, load_model, read_card, save_model
from dissensus.models._types import OUR_RECORDS, OURS, SKLEARN_PARTS
from tests.estimator_data import as_pandas, make_problem

State = dict[str, Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a good file of a small tree."""
    cells, y = make_problem()
    path = tmp_path / "model.skops"
    save_model(C45Classifier().fit(as_pandas(cells), y), path)
    return path


def rewrite(path: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change one part of a file, with a fitting checksum."""
    with zipfile.ZipFile(path) as old:
        parts = {part: old.read(part) for part in old.namelist()}
    parts[name] = change(parts[name])
    with zipfile.ZipFile(path, "w") as new:
        for part, content in parts.items():
            new.writestr(part, content)


def change_state(path: Path, change: Callable[[State], None]) -> None:
    """Change what a file asks for."""

    def rewritten(content: bytes) -> bytes:
        state = json.loads(content)
        change(state)
        return json.dumps(state).encode()

    rewrite(path, "schema.json", rewritten)


def add_part(path: Path, part: State) -> None:
    """Put another object into the model."""

    def add(state: State) -> None:
        attributes = state["content"]
        attributes["content"]["evil"] = part
        attributes["key_types"]["content"].append(node("builtins.str", "TypeNode"))

    change_state(path, add)


def node(name: str, loader: str, **rest: Any) -> State:
    """Return an entry of a file."""
    module, _, kind = name.rpartition(".")
    return {"__module__": module, "__class__": kind, "__loader__": loader, **rest}


def text(value: Any) -> State:
    """Return the entry of a text or a number."""
    return node("builtins.str", "JsonNode", content=json.dumps(value))


def arguments(*values: Any) -> State:
    """Return the entry of a tuple of texts and numbers."""
    return node("builtins.tuple", "TupleNode", content=[text(v) for v in values])


def empty(name: str = "builtins.dict") -> State:
    """Return the entry of an empty dictionary."""
    types = node("builtins.list", "ListNode", content=[])
    return node(name, "DictNode", content={}, key_types=types)


COMMAND = "touch evil-was-here"
HOSTILE = {
    "posix.system": node("posix.system", "FunctionNode"),
    "os.system": node(
        "os.system", "ConstructorFromReduceNode", content=arguments(COMMAND)
    ),
    "subprocess.Popen": node(
        "subprocess.Popen", "ConstructorFromReduceNode", content=arguments(COMMAND)
    ),
    "builtins.eval": node("builtins.eval", "TypeNode"),
    "builtins.map": node("builtins.map", "TypeNode"),
    "antigravity.geohash": node("antigravity.geohash", "ObjectNode", content=empty()),
    "numpy.fromfile": node(
        "functools.partial",
        "PartialNode",
        content={"func": node("numpy.fromfile", "FunctionNode")},
    ),
    "operator.methodcaller": node(
        "operator.methodcaller", "OperatorFuncNode", attrs=arguments("fit")
    ),
    "numpy.load": node(
        "numpy.load", "ConstructorFromReduceNode", content=arguments("x", None, True)
    ),
    # Names that modules on the list only import.
    "dissensus.table._read.Path": node(
        "dissensus.table._read.Path",
        "ConstructorFromReduceNode",
        content=arguments("evil-was-here"),
    ),
    "dissensus.table._load.os": node("dissensus.table._load.os", "ObjectNode"),
    "dissensus.table._read.read_table": node(
        "dissensus.table._read.read_table",
        "ConstructorFromReduceNode",
        content=arguments("model.skops"),
    ),
    # Good names in the wrong places.
    "dissensus.tree._c45.C45Classifier": node(
        "dissensus.tree._c45.C45Classifier",
        "ConstructorFromReduceNode",
        content=arguments(0.25),
    ),
    "sklearn.pipeline.Pipeline": node("sklearn.pipeline.Pipeline", "TypeNode"),
    "sklearn.tree._c45.C45Classifier.fit": node(
        "sklearn.tree._c45.C45Classifier.fit", "MethodNode", content={"func": "fit"}
    ),
    "builtins.dict": node("builtins.dict", "ListNode", content=[]),
    "builtins.str": node("builtins.str", "NoSuchNode", content="1"),
    "collections.Counter": empty("collections.Counter"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_type_that_is_not_on_the_list_is_refused_with_its_name(
    name: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    sys.modules.pop("antigravity", None)
    add_part(path, HOSTILE[name])
    with pytest.raises(ModelError, match=re.escape(name)) as caught:
        load_model(path)
    assert "model.evil" in str(caught.value)
    assert [file.name for file in path.parent.iterdir()] == ["model.skops"]
    assert "antigravity" not in sys.modules


def test_hostile_type_is_found_however_deep_it_is(path: Path) -> None:
    part = HOSTILE["os.system"]
    for _ in range(50):
        part = node("builtins.list", "ListNode", content=[part])
    add_part(path, part)
    with pytest.raises(ModelError, match="os.system"):
        load_model(path)


def test_description_without_end_is_refused(path: Path) -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    rewrite(path, "schema.json", lambda _: deep)
    with pytest.raises(ModelError, match="damaged"):
        load_model(path)


@pytest.mark.parametrize("value", [1, None, {}, {"__loader__": None}])
def test_names_that_are_no_texts_are_refused(value: Any, path: Path) -> None:
    add_part(
        path, {"__loader__": "ObjectNode", "__module__": value, "__class__": value}
    )
    with pytest.raises(ModelError, match="is of type"):
        load_model(path)


class Hostile:
    """An object whose pickle runs a command when it is opened."""

    def __reduce__(self) -> tuple[Any, ...]:
        import os

        return os.system, (COMMAND,)


def test_pickle_with_another_name_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.skops"
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        path.write_bytes(pickle.dumps(Hostile(), protocol))
        with pytest.raises(ModelError, match="this is a pickle.* not opened"):
            load_model(path)
    path.write_bytes(pickle.dumps(Hostile(), 0))  # which looks like any text
    with pytest.raises(ModelError, match="no model file"):
        load_model(path)
    joblib.dump(Hostile(), path, compress=3)
    with pytest.raises(ModelError, match="no model file"):
        load_model(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data.pkl", pickle.dumps(Hostile()))
    with pytest.raises(ModelError, match="not written by save_model"):
        load_model(path)
    assert not (tmp_path / "evil-was-here").exists()


def test_pickled_array_in_a_file_is_not_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    buffer = io.BytesIO()
    np.save(buffer, np.array([Hostile()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(path) as archive:
        first = next(n for n in archive.namelist() if n.endswith(".npy"))
    rewrite(path, first, lambda _: buffer.getvalue())
    with pytest.raises(ModelError, match="damaged"):
        load_model(path)
    assert not (path.parent / "evil-was-here").exists()


def test_file_that_is_cut_short_is_an_error(path: Path) -> None:
    content = path.read_bytes()
    for length in range(0, len(content), 97):
        path.write_bytes(content[:length])
        for read in (load_model, read_card):
            with pytest.raises(ModelError, match="model.skops: "):
                read(path)


def test_flipped_bit_is_an_error_or_harmless(
    path: Path, rng: np.random.Generator
) -> None:
    cells, _ = make_problem()
    X = as_pandas(cells)
    content, expected = path.read_bytes(), load_model(path).predict_proba(X)
    refused = 0
    for place in rng.integers(0, 8 * len(content), 200).tolist():
        changed = bytearray(content)
        changed[place // 8] ^= 1 << (place % 8)
        path.write_bytes(changed)
        try:
            model = load_model(path)
        except ModelError:
            refused += 1
        else:  # a date or a permission of the archive
            assert (model.predict_proba(X) == expected).all()
    assert refused > 100


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"a,b\n1,2\n", "no model file"),
        (b"\x93NUMPY\x01\x00", "no model file"),
        (b"PK\x03\x04 and nothing more", "damaged"),
    ],
)
def test_file_of_another_kind_is_an_error(
    content: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=words):
        load_model(path)


def test_absent_file_and_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        load_model(tmp_path / "absent.skops")
    with pytest.raises(ModelError, match="folder"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2, "has format 2, written by dissensus .*; this version reads .* up to 1"),
        (10**9, "has format 1000000000"),
        (0, "damaged"),
        (-1, "damaged"),
        ("1", "damaged"),
        (None, "damaged"),
        ([], "damaged"),
    ],
)
def test_later_format_is_refused(number: Any, words: str, path: Path) -> None:
    def change(content: bytes) -> bytes:
        return json.dumps({**json.loads(content), "format": number}).encode()

    rewrite(path, "dissensus.json", change)
    for read in (load_model, read_card):
        with pytest.raises(ModelError, match=words):
            read(path)


def test_later_protocol_of_skops_is_refused(path: Path) -> None:
    change_state(path, lambda state: state.update(protocol=99))
    with pytest.raises(ModelError, match="protocol 99"):
        load_model(path)


# Parts that would lead compiled code astray.


def set_items(array: Any, items: dict[Any, Any]) -> None:
    """Set items of an array, or of fields of a structured array."""
    for key, value in items.items():
        array[key] = value


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("first_child", {0: 0}, "sons before parents"),
        ("first_child", {0: -5}, "sons before parents"),
        ("first_child", {0: 10_000_000}, "sons that are not there"),
        ("attribute", {0: 99}, "attribute 99"),
        ("attribute", {0: -1}, "attribute -1"),
        ("kind", {0: 77}, "branches|test of"),
        ("n_children", {0: 1}, "branches"),
        ("n_children", {-1: 2}, "sons of a leaf"),
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


def test_tree_of_scikit_learn_that_leaves_its_nodes_is_refused(tmp_path: Path) -> None:
    cells, y = make_problem(missing=0)
    path = tmp_path / "model.skops"
    tree = DecisionTreeClassifier().fit(cells, y)
    state = tree.tree_.__getstate__()
    state["nodes"]["left_child"][0] = 0
    tree.tree_.__setstate__(state)
    save_model(tree, path)
    with pytest.raises(ModelError, match="sons before parents"):
        load_model(path)
    boosting = HistGradientBoostingClassifier(max_iter=2).fit(cells, y)
    boosting._predictors[0][0].nodes["feature_idx"] = 1000
    save_model(boosting, path)
    with pytest.raises(ModelError, match="an attribute"):
        load_model(path)


def test_every_name_on_the_list_is_a_class_of_its_module() -> None:
    for name in OURS | OUR_RECORDS | SKLEARN_PARTS:
        module, _, kind = name.rpartition(".")
        found = getattr(importlib.import_module(module), kind)
        assert (found.__module__, found.__qualname__) == (module, kind)


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
