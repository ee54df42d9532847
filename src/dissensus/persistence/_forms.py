"""Check that an entry of a model file is as skops writes it, before it is made.

Some objects are made by compiled code, which trusts what it is given: arrays, sparse
matrices, random generators, and the trees of scikit-learn. What they are made of is
looked at here, in the file.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dissensus.exceptions import ModelError
from dissensus.persistence._archive import read_array, read_header, read_sparse_headers
from dissensus.persistence._limits import MAX_DIMENSIONS, MAX_SEED_WORDS
from dissensus.persistence._sklearn_trees import check_tree_state

Entry = dict[str, Any]
Parts = Mapping[str, bytes]

BROKEN = "a part of the model is inconsistent ({}), so that it cannot be used."
WORD = 2**32
KEY_TYPES = {"str", "int", "float", "bool", "int64", "int32", "str_"}


def is_sound(entry: Entry, parts: Parts) -> bool:
    """Return whether an entry is as skops writes it."""
    check = FORMS.get(entry["__loader__"])
    if check is None:
        return True
    try:
        return check(entry, parts)
    except ModelError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        return False


def plain(entry: Entry, parts: Parts) -> Any:
    """Return the value of an entry that consists of numbers, texts and arrays."""
    loader, content = entry["__loader__"], entry.get("content")
    if loader == "JsonNode":
        return json.loads(content or "")
    if loader == "NdArrayNode" and entry["type"] == "numpy":
        array = read_array(parts[entry["file"]])
        return array if entry["__class__"] == "ndarray" else array[()]
    if loader in ("ListNode", "TupleNode") and isinstance(content, list):
        values = [plain(item, parts) for item in content]
        return values if loader == "ListNode" else tuple(values)
    if loader == "DictNode" and isinstance(content, dict):
        return {key: plain(item, parts) for key, item in content.items()}
    raise ValueError(loader)


def is_whole(value: Any, low: int, high: int) -> bool:
    """Return whether a value is a whole number in a range, both ends included."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and low <= int(value) <= high


def _json(entry: Entry, _: Parts) -> bool:
    value = json.loads(entry["content"])
    return value is None or isinstance(value, bool | int | float | str)


def _array(entry: Entry, parts: Parts) -> bool:
    if entry["type"] == "json":
        shape = plain(entry["shape"], parts)
        whole = all(is_whole(length, 0, 2**31) for length in shape)
        items = entry["content"]
        fits = isinstance(items, list) and (
            len(items) == shape[0] if shape else not items
        )
        return whole and fits and len(shape) <= MAX_DIMENSIONS
    if entry["type"] != "numpy":
        return False
    header = read_header(parts[entry["file"]], str(entry["file"]))
    return entry["__class__"] == "ndarray" or header.shape == ()


def _sparse(entry: Entry, parts: Parts) -> bool:
    content = parts[entry["file"]]
    headers = read_sparse_headers(content, str(entry["file"]))
    if headers["format.npy"].shape != () or entry["type"] != "scipy":
        return False
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        arrays = {name[:-4]: read_array(archive.read(name)) for name in headers}
    known = {"data", "indices", "indptr", "shape", "format", "_is_array"}
    form = arrays["format"].item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    if not known.issuperset(arrays) or form != entry["__class__"][:3]:
        return False
    return _is_sparse(
        arrays["data"],
        arrays["indices"],
        arrays["indptr"],
        [int(n) for n in arrays["shape"]],
        0 if form == "csr" else 1,
    )


def _is_sparse(
    data: Any, indices: Any, indptr: Any, shape: list[int], axis: int
) -> bool:
    """Return whether the arrays of a compressed matrix point into each other."""
    integers = all(a.dtype.kind == "i" and a.ndim == 1 for a in (indices, indptr))
    if (
        not integers
        or len(shape) != 2
        or min(shape) < 0
        or data.dtype.kind not in "fiub"
    ):
        return False
    lines, places = shape[axis], shape[1 - axis]
    whole = data.shape == indices.shape and len(indptr) == lines + 1
    if not whole or indptr[0] != 0 or indptr[-1] != len(data):
        return False
    inside = len(indices) == 0 or (indices.min() >= 0 and indices.max() < places)
    return bool(inside and (np.diff(indptr) >= 0).all())


def _mersenne(state: Any) -> bool:
    inner = state["state"]
    key, position = inner["key"], inner["pos"]
    words = isinstance(key, np.ndarray) and key.dtype == np.uint32
    return words and key.shape == (624,) and is_whole(position, 0, 624)


def _random_state(entry: Entry, parts: Parts) -> bool:
    state = plain(entry["content"], parts)
    gauss = state["gauss"]
    return (
        state["bit_generator"] == "MT19937"
        and _mersenne(state)
        and is_whole(state["has_gauss"], 0, 1)
        and isinstance(gauss, float | np.floating)
        and bool(np.isfinite(gauss))
    )


def _generator(entry: Entry, parts: Parts) -> bool:
    content = entry["content"]
    state = plain(content["bit_generator"], parts)
    if "seed_seq" in content and not _is_seed(plain(content["seed_seq"], parts)):
        return False
    if state["bit_generator"] == "MT19937":
        return _mersenne(state)
    inner = state["state"]
    return (
        state["bit_generator"] in ("PCG64", "PCG64DXSM")
        and all(is_whole(inner[key], 0, WORD**4 - 1) for key in ("state", "inc"))
        and is_whole(state["has_uint32"], 0, 1)
        and is_whole(state["uinteger"], 0, WORD - 1)
    )


def _is_seed(state: Any) -> bool:
    """Return whether a seed sequence is of modest size: it mixes all of its pool."""
    entropy, key = state["entropy"], state["spawn_key"]
    words = entropy if isinstance(entropy, list | tuple) else [entropy]
    largest = WORD**MAX_SEED_WORDS
    return (
        len(words) <= MAX_SEED_WORDS
        and len(key) <= MAX_SEED_WORDS
        and all(is_whole(word, 0, largest) for word in (*words, *key))
        and is_whole(state["pool_size"], 4, MAX_SEED_WORDS)
        and is_whole(state["n_children_spawned"], 0, WORD)
    )


def _sklearn_tree(entry: Entry, parts: Parts) -> bool:
    arguments = plain(entry["__reduce__"]["args"], parts)
    return check_tree_state(arguments, plain(entry["content"], parts))


def _loss(entry: Entry, parts: Parts) -> bool:
    arguments = plain(entry["__reduce__"]["args"], parts)
    numbers = all(isinstance(a, float | int) for a in arguments)
    return numbers and len(arguments) <= 2 and not plain(entry["content"], parts)


def _record(entry: Entry, parts: Parts) -> bool:
    """Check that a record of ours is made of arrays, numbers and other records."""
    arguments = entry["content"]
    return arguments["__loader__"] == "TupleNode" and all(
        _is_field(field, parts) for field in arguments["content"]
    )


def _is_field(entry: Entry, parts: Parts) -> bool:
    if entry["__loader__"] == "JsonNode":
        return is_whole(plain(entry, parts), 0, 2**31)
    is_array = entry["__loader__"] == "NdArrayNode" and entry["type"] == "numpy"
    return is_array or entry["__loader__"] == "ConstructorFromReduceNode"


def _dictionary(entry: Entry, _: Parts) -> bool:
    keys, content = entry["key_types"], entry["content"]
    return (
        keys["__loader__"] == "ListNode"
        and len(keys["content"]) == len(content)
        and all(
            key["__loader__"] == "TypeNode" and key["__class__"] in KEY_TYPES
            for key in keys["content"]
        )
        and all(isinstance(item, dict) for item in content.values())
    )


def _sequence(entry: Entry, _: Parts) -> bool:
    content = entry["content"]
    return isinstance(content, list) and all(isinstance(c, dict) for c in content)


def _slice(entry: Entry, _: Parts) -> bool:
    ends = [entry["content"][key] for key in ("start", "stop", "step")]
    return all(end is None or is_whole(end, -(2**62), 2**62) for end in ends)


def _partial(entry: Entry, parts: Parts) -> bool:
    content = entry["content"]
    return (
        content["func"]["__loader__"] == "FunctionNode"
        and not plain(content["args"], parts)
        and not plain(content["namespace"], parts)
    )


def _dtype(entry: Entry, _: Parts) -> bool:
    held = entry["content"]
    return held["__loader__"] == "NdArrayNode" and held["__class__"] == "ndarray"


def _file(entry: Entry, parts: Parts) -> bool:
    return entry["file"] in parts


FORMS: dict[str, Callable[[Entry, Parts], bool]] = {
    "BytesNode": _file,
    "ConstructorFromReduceNode": _record,
    "DTypeNode": _dtype,
    "DictNode": _dictionary,
    "JsonNode": _json,
    "ListNode": _sequence,
    "LossNode": _loss,
    "NdArrayNode": _array,
    "PartialNode": _partial,
    "RandomGeneratorNode": _generator,
    "RandomStateNode": _random_state,
    "SetNode": _sequence,
    "SliceNode": _slice,
    "SparseMatrixNode": _sparse,
    "TreeNode": _sklearn_tree,
    "TupleNode": _sequence,
}
