"""Nothing in a model file is executed, and a damaged file is an error in words."""

from __future__ import annotations

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

from dissensus.exceptions import ModelError
from dissensus.persistence import load_model, read_card
from dissensus.persistence._types import OUR_RECORDS, OURS, SKLEARN_PARTS
from tests.estimator_data import as_pandas, make_problem
from tests.persistence.files import rewrite

State = dict[str, Any]


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
    "dissensus.io._read.Path": node(
        "dissensus.io._read.Path",
        "ConstructorFromReduceNode",
        content=arguments("evil-was-here"),
    ),
    "dissensus.datasets._load.os": node("dissensus.datasets._load.os", "ObjectNode"),
    "dissensus.io._read.read_table": node(
        "dissensus.io._read.read_table",
        "ConstructorFromReduceNode",
        content=arguments("model.skops"),
    ),
    # Good names in the wrong places.
    "dissensus.tree.C45Classifier": node(
        "dissensus.tree.C45Classifier",
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
    for _ in range(40):
        part = node("builtins.list", "ListNode", content=[part])
    add_part(path, part)
    with pytest.raises(ModelError, match="os.system"):
        load_model(path)
    for _ in range(20):
        part = node("builtins.list", "ListNode", content=[part])
    add_part(path, part)
    with pytest.raises(ModelError, match="nested more than 100 levels deep"):
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
        (3, "has format 3, written by dissensus .*; this version reads format 2"),
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


def test_every_name_on_the_list_is_a_class_of_its_module() -> None:
    for name in SKLEARN_PARTS:
        module, _, kind = name.rpartition(".")
        found = getattr(importlib.import_module(module), kind)
        assert (found.__module__, found.__qualname__) == (module, kind)


def test_every_class_of_ours_has_one_public_name_in_files() -> None:
    for name in OURS | OUR_RECORDS:
        package, _, kind = name.rpartition(".")
        assert "._" not in package
        found = getattr(importlib.import_module(package), kind)
        assert found.__qualname__ == kind
        assert found.__module__.startswith(f"{package}.")
