"""Small files that ask for much, and files that are none, are refused at once."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from dissensus import AODEClassifier
from dissensus.exceptions import ModelError
from dissensus.persistence import (
    _archive as archives,
    load_model,
    read_card,
    save_model,
)
from dissensus.table import Attribute, Schema, Table
from tests.estimator_data import make_problem
from tests.persistence.files import rewrite
from tests.persistence.test_hostile_files import (
    add_part,
    arguments,
    change_state,
    empty,
    node,
    text,
)


def dictionary(**entries: Any) -> dict[str, Any]:
    """Return the entry of a dictionary."""
    types = [node("builtins.str", "TypeNode") for _ in entries]
    keys = node("builtins.list", "ListNode", content=types)
    return node("builtins.dict", "DictNode", content=entries, key_types=keys)


def entries_of(value: Any, loader: str) -> list[Any]:
    """Return all entries of a loader in a description."""
    if isinstance(value, list):
        return [entry for item in value for entry in entries_of(item, loader)]
    if not isinstance(value, dict):
        return []
    own = [value] if value.get("__loader__") == loader else []
    below = (entries_of(item, loader) for item in value.values())
    return own + [entry for entries in below for entry in entries]


def forget_numbers(value: Any) -> None:
    """Remove the numbers of an entry and of all below it."""
    if isinstance(value, dict):
        value.pop("__id__", None)
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            forget_numbers(item)


def refuse(path: Path, words: str) -> None:
    """Check that a file is refused."""
    for read in (load_model, read_card):
        with pytest.raises(ModelError, match=words):
            read(path)


def test_pipe_device_and_folder_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refuse(tmp_path / "pipe", "no regular file but a pipe or a device")
    refuse(Path("/dev/zero"), "no regular file")
    refuse(tmp_path, "folder")


def test_file_that_unpacks_to_gigabytes_is_refused(path: Path) -> None:
    content = path.read_bytes()
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("zeros.npy", bytes(200 * 2**20))
    assert path.stat().st_size < len(content) + 300_000
    refuse(path, "would unpack to 200 MB; 64 are allowed for a file of")


def test_declared_size_that_is_not_true_is_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".npy"))
    # In the list at the end, the size stands 22 bytes before the name.
    place = content.rindex(name.encode()) - 46 + 24
    content[place : place + 4] = (16).to_bytes(4, "little")
    path.write_bytes(content)
    refuse(path, "damaged")


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("MAX_FILE", "the file has 0 MB; 0 are allowed"),
        ("MAX_PARTS", r"it has \d+ parts; 1 are allowed"),
    ],
)
def test_file_beyond_a_limit_is_refused(
    limit: str, words: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, limit, 1)
    refuse(path, words)


def test_long_description_is_refused(path: Path) -> None:
    rewrite(path, "schema.json", lambda old: b" " * 17 * 2**20 + old)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path.write_bytes(archives.write_parts(parts.items(), zipfile.ZIP_DEFLATED))
    refuse(path, "its schema.json has 17 MB; 16 are allowed")


def test_strange_packing_and_equal_names_are_refused(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    refuse(path, "packed strangely")
    path.write_bytes(archives.write_parts(parts.items(), zipfile.ZIP_STORED))
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Dup"):
        archive.writestr("schema.json", parts["schema.json"])
    refuse(path, "two parts of one name")


def test_levels_that_share_all_below_them_are_refused(path: Path) -> None:
    part: dict[str, Any] = node("builtins.list", "ListNode", content=[], __id__=1)
    for number in range(2, 26):
        again = node("builtins.list", "ListNode", content=[], __id__=part["__id__"])
        items = [part, again]
        part = node("builtins.list", "ListNode", content=items, __id__=number)
    add_part(path, part)
    with pytest.raises(ModelError, match="have one number, and are not the same"):
        load_model(path)


def test_entry_that_holds_itself_is_refused(path: Path) -> None:
    inner = node("builtins.list", "ListNode", content=[], __id__=7)
    add_part(path, node("builtins.list", "ListNode", content=[inner], __id__=7))
    with pytest.raises(ModelError, match="have one number"):
        load_model(path)


def test_number_without_a_description_is_refused(path: Path) -> None:
    add_part(path, node("builtins.list", "ListNode", content=[{"__id__": 1}]))
    with pytest.raises(ModelError, match="is not described"):
        load_model(path)


def seed(**changes: Any) -> dict[str, Any]:
    """Return the entry of a seed sequence."""
    values = {"entropy": 1, "spawn_key": [], "pool_size": 4, "n_children_spawned": 0}
    entries = {key: text(value) for key, value in {**values, **changes}.items()}
    if "spawn_key" not in changes:
        entries["spawn_key"] = arguments()
    return dictionary(**entries)


def generator(seeds: dict[str, Any], **state: Any) -> dict[str, Any]:
    """Return the entry of a random generator."""
    values = {"bit_generator": "PCG64", "has_uint32": 0, "uinteger": 0, **state}
    inner = dictionary(state=text(1), inc=text(1))
    entries = {key: text(value) for key, value in values.items()}
    content = {"bit_generator": dictionary(**entries, state=inner), "seed_seq": seeds}
    name = "numpy.random._generator.Generator"
    return node(name, "RandomGeneratorNode", content=content)


def test_generator_as_skops_writes_it_is_taken(path: Path) -> None:
    add_part(path, generator(seed()))
    assert load_model(path).evil.bit_generator.state["state"]["state"] == 1


@pytest.mark.parametrize(
    "part",
    [
        generator(seed(pool_size=1_000_000)),
        generator(seed(entropy=2**5000)),
        generator(seed(), bit_generator="seed"),
        generator(seed(), has_uint32=2),
        node("numpy.random.mtrand.RandomState", "RandomStateNode", content=empty()),
    ],
)
def test_strange_generator_is_refused(part: dict[str, Any], path: Path) -> None:
    add_part(path, part)
    with pytest.raises(ModelError, match=r"the model.evil, of type|int string"):
        load_model(path)


def random_state_model(tmp_path: Path) -> Path:
    """Save a model that keeps a random state."""
    cells, y = make_problem(missing=0)
    model = RandomForestClassifier(2, random_state=np.random.RandomState(3))
    path = tmp_path / "model.skops"
    save_model(model.fit(cells, y), path)
    return path


def test_position_of_a_random_state_beyond_its_key_is_refused(tmp_path: Path) -> None:
    path = random_state_model(tmp_path)

    def edit(state: dict[str, Any]) -> None:
        entry = entries_of(state, "RandomStateNode")[0]
        forget_numbers(entry)
        inner = entry["content"]["content"]["state"]["content"]
        inner["pos"]["content"] = "100000"

    change_state(path, edit)
    with pytest.raises(ModelError, match="random_state, of type RandomState"):
        load_model(path)


def test_array_that_asks_for_more_than_it_has_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".npy"))
    head = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(head, header)
    rewrite(path, name, lambda _: head.getvalue() + bytes(8))
    with pytest.raises(ModelError, match="is not as long as it says"):
        load_model(path)


def test_model_of_zeros_is_saved_unpacked_and_opens(tmp_path: Path) -> None:
    """Counts of pairs of an attribute with many values pack too well."""
    names = [f"v{i}" for i in range(2200)]
    schema = Schema((Attribute("a", "nominal", tuple(names)),))
    X = [[name] for name in names[:40]]
    model = AODEClassifier()
    model.fit(Table.from_any(X, schema=schema), [0, 1] * 20)
    save_model(model, tmp_path / "model.skops")
    with zipfile.ZipFile(tmp_path / "model.skops") as archive:
        assert {part.compress_type for part in archive.infolist()} == {0}
    opened = load_model(tmp_path / "model.skops")
    assert (opened.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state["__reduce__"]["args"]["content"][0].update(content="99"),
        lambda state: state["__reduce__"]["args"]["content"][2].update(content="7"),
        lambda state: state["content"]["content"]["node_count"].update(content="9999"),
        lambda state: state["content"]["content"]["nodes"].update(
            file=state["content"]["content"]["values"]["file"]
        ),
    ],
    ids=["features", "outputs", "node count", "nodes of another file"],
)
def test_tree_of_scikit_learn_is_checked_before_it_is_made(
    change: Callable[[Any], None], tmp_path: Path
) -> None:
    path = random_state_model(tmp_path)

    def edit(state: dict[str, Any]) -> None:
        tree = entries_of(state, "TreeNode")[0]
        forget_numbers(tree)
        change(tree)

    change_state(path, edit)
    with pytest.raises(ModelError, match="of type Tree|features of a tree"):
        load_model(path)
