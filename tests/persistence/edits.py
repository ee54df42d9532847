"""Random edits of model files: their arrays, and the description that holds them."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Iterator
from tokenize import TokenError
from typing import Any

import numpy as np

Parts = dict[str, bytes]
Random = np.random.Generator

NUMBERS = (0, 1, -1, 2, 3, 7, 255, 256, 2**31 - 1, 2**31, 2**62, -(2**31), 10**30)
FLOATS = (0.0, -1.0, 0.5, 1e308, -1e308, 5e-324, float("inf"), float("nan"))
TEXTS = ("", "array", "nominal", "numeric", "predict", "x" * 300, "\x1b[31m", "tree_")
UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    SyntaxError,
    TokenError,  # numpy's reader of headers
)
DTYPES = ("f8", "f4", "i8", "i4", "u1", "?", "U3", "S4", "i2", ">f8", "c16", "u4")


def edited(parts: Parts, rng: Random) -> tuple[Parts, str]:
    """Return the parts of a file with one to three edits, and what they were."""
    parts, names = dict(parts), []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        edit = KINDS[int(rng.integers(len(KINDS)))]
        try:
            names.append(edit(parts, rng))
        except UNREADABLE:
            break  # what an edit before has left of the file cannot be edited
    return parts, "; ".join(names)


def pick(rng: Random, items: Any) -> Any:
    """Return one of some items, as it is."""
    items = list(items)
    return items[int(rng.integers(len(items)))]


def _arrays(parts: Parts) -> list[str]:
    return [name for name in parts if name.endswith(".npy")]


def edit_values(parts: Parts, rng: Random) -> str:
    """Set some items of an array to strange values."""
    name = pick(rng, _arrays(parts) or [""])
    if not name:
        return "nothing"
    array = np.load(io.BytesIO(parts[name])).copy()
    target = array
    words = name
    if array.dtype.names:
        field = pick(rng, array.dtype.names)
        target, words = array[field], f"{name}.{field}"
    if target.size == 0:
        return "nothing"
    place = rng.integers(target.size, size=int(rng.integers(1, 4)))
    value = _value_for(target, rng)
    with np.errstate(all="ignore"):
        flat = target.reshape(-1).copy()
        flat[place] = value
        if array.dtype.names:
            array[field] = flat.reshape(target.shape)
        else:
            array = flat.reshape(target.shape)
    parts[name] = saved(array)
    return f"{words}{place.tolist()} = {value!r}"


def _value_for(array: Any, rng: Random) -> Any:
    kind = array.dtype.kind
    if kind in "iu":
        info = np.iinfo(array.dtype)
        near = int(pick(rng, array.ravel())) + int(rng.integers(-3, 4))
        value = pick(rng, (*NUMBERS, near, near, near, info.min, info.max))
        return int(np.clip(value, info.min, info.max))
    if kind == "b":
        return bool(rng.integers(2))
    if kind in "US":
        return pick(rng, ("", "zz", "no"))
    return float(pick(rng, (*FLOATS, *array.ravel()[:5].real)))


def saved(array: Any) -> bytes:
    """Return an array as a file."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def edit_dtype(parts: Parts, rng: Random) -> str:
    """Give an array another type."""
    name = pick(rng, _arrays(parts) or [""])
    if not name:
        return "nothing"
    array = np.load(io.BytesIO(parts[name]))
    dtype = pick(rng, DTYPES)
    with np.errstate(all="ignore"):
        try:
            parts[name] = saved(array.astype(dtype))
        except (ValueError, TypeError):
            parts[name] = saved(np.zeros(array.shape, dtype))
    return f"{name} as {dtype}"


def edit_shape(parts: Parts, rng: Random) -> str:
    """Give an array another shape."""
    name = pick(rng, _arrays(parts) or [""])
    if not name:
        return "nothing"
    array = np.load(io.BytesIO(parts[name]))
    way = pick(rng, ("shorter", "longer", "empty", "flat", "deeper", "turned", "none"))
    if way == "shorter":
        array = array[:-1] if array.ndim else array
    elif way == "longer" and array.ndim:
        array = np.concatenate([array, array[:1]])
    elif way == "empty":
        array = array[:0] if array.ndim else array
    elif way == "flat":
        array = array.ravel()
    elif way == "deeper":
        array = array[np.newaxis]
    elif way == "turned":
        array = np.asfortranarray(array.T)
    elif way == "none":
        array = array.ravel()[0] if array.size else array
    parts[name] = saved(np.asarray(array))
    return f"{name} {way}"


def swap_files(parts: Parts, rng: Random) -> str:
    """Exchange the contents of two arrays, or give one the content of the other."""
    names = _arrays(parts)
    if len(names) < 2:
        return "nothing"
    one, two = pick(rng, names), pick(rng, names)
    if rng.integers(2):
        parts[one], parts[two] = parts[two], parts[one]
        return f"{one} and {two} exchanged"
    parts[one] = parts[two]
    return f"{one} from {two}"


def edit_bytes(parts: Parts, rng: Random) -> str:
    """Change a byte of a part."""
    name = pick(rng, parts)
    content = bytearray(parts[name])
    place = int(rng.integers(len(content)))
    content[place] = int(rng.integers(256))
    parts[name] = bytes(content)
    return f"byte {place} of {name}"


def edit_card(parts: Parts, rng: Random) -> str:
    """Change what a file says about itself."""
    card = json.loads(parts["dissensus.json"])
    holder, key = pick(rng, _places(card))
    holder[key] = _scalar(rng)
    parts["dissensus.json"] = json.dumps(card).encode()
    return f"card: {key}"


def _scalar(rng: Random) -> Any:
    return pick(rng, (*NUMBERS, *FLOATS, *TEXTS, True, False, None, [], {}))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every holder and key in JSON."""
    stack = [value]
    while stack:
        holder = stack.pop()
        keys = holder.keys() if isinstance(holder, dict) else range(len(holder))
        for key in list(keys):
            yield holder, key
            if isinstance(holder[key], dict | list):
                stack.append(holder[key])


def edit_state(parts: Parts, rng: Random) -> str:
    """Change the description of the object."""
    state = json.loads(parts["schema.json"])
    places = list(_places(state))
    words = pick(rng, STATE_EDITS)(places, rng)
    parts["schema.json"] = json.dumps(state).encode()
    return f"state: {words}"


def _entries(places: Any, loader: str = "") -> list[tuple[Any, Any]]:
    return [
        (holder, key)
        for holder, key in places
        if isinstance(holder[key], dict)
        and "__loader__" in holder[key]
        and loader in ("", holder[key]["__loader__"])
    ]


def _set_value(places: Any, rng: Random) -> str:
    """Change a number or a text of the object."""
    found = _entries(places, "JsonNode")
    if not found:
        return "nothing"
    holder, key = pick(rng, found)
    entry = holder[key]
    try:
        old = json.loads(entry["content"])
    except (ValueError, TypeError):
        old = None
    value = _scalar(rng)
    if type(old) is int and rng.integers(2):
        value = old + int(rng.integers(-2, 3))
    entry["content"] = json.dumps(value)
    if rng.integers(4):
        entry.pop("__id__", None)
    return f"{key} = {value!r}"


def _set_anything(places: Any, rng: Random) -> str:
    holder, key = pick(rng, places)
    holder[key] = _scalar(rng)
    return f"{key} is a scalar"


def _remove(places: Any, rng: Random) -> str:
    holder, key = pick(rng, places)
    del holder[key]
    return f"{key} removed"


def _remove_attribute(places: Any, rng: Random) -> str:
    """Remove a key of a dictionary, with its type."""
    holder, key = pick(rng, _entries(places, "DictNode") or places)
    entry = holder[key]
    if not isinstance(entry, dict) or not entry.get("content"):
        return "nothing"
    if not isinstance(entry["content"], dict):
        return "nothing"
    names = list(entry["content"])
    name = pick(rng, names)
    del entry["content"][name]
    del entry["key_types"]["content"][names.index(name)]
    return f"{name} removed whole"


def _graft(places: Any, rng: Random) -> str:
    """Put a copy of one entry in the place of another."""
    found = _entries(places)
    (holder, key), (other, name) = pick(rng, found), pick(rng, found)
    new = copy.deepcopy(other[name])
    if rng.integers(2):
        _forget_numbers(new)
    holder[key] = new
    return f"{key} from {name}"


def _forget_numbers(entry: Any) -> None:
    entry.pop("__id__", None)
    for holder, key in list(_places(entry)):
        if key == "__id__":
            holder.pop(key)


def _graft_alike(places: Any, rng: Random) -> str:
    """Put a copy of an entry in the place of another of its class."""
    found = _entries(places)
    holder, key = pick(rng, found)
    kind = holder[key].get("__class__")
    alike = [(h, k) for h, k in found if h[k].get("__class__") == kind]
    other, name = pick(rng, alike)
    new = copy.deepcopy(other[name])
    _forget_numbers(new)
    holder[key] = new
    return f"{key} from {name}, both {kind}"


def _number(places: Any, rng: Random) -> str:
    """Give an entry the number of another."""
    found = _entries(places)
    (holder, key), (other, name) = pick(rng, found), pick(rng, found)
    holder[key]["__id__"] = other[name].get("__id__")
    return f"{key} has the number of {name}"


def _file(places: Any, rng: Random) -> str:
    """Let an array read another file."""
    found = [(h, k) for h, k in places if k == "file"]
    if not found:
        return "nothing"
    (holder, key), (other, name) = pick(rng, found), pick(rng, found)
    holder[key] = other[name]
    if rng.integers(2):
        holder.pop("__id__", None)
    return "another file"


def _kind(places: Any, rng: Random) -> str:
    """Give an entry the class of another."""
    found = _entries(places)
    (holder, key), (other, name) = pick(rng, found), pick(rng, found)
    for word in ("__class__", "__module__", "__loader__"):
        if rng.integers(3):
            holder[key][word] = other[name].get(word)
    return f"{key} of the class of {name}"


def _length(places: Any, rng: Random) -> str:
    """Make a list shorter or longer."""
    lists = [(h, k) for h, k in places if isinstance(h[k], list) and h[k]]
    holder, key = pick(rng, lists)
    items = holder[key]
    if rng.integers(2):
        items.pop(int(rng.integers(len(items))))
        return f"{key} shorter"
    items.append(copy.deepcopy(pick(rng, items)))
    return f"{key} longer"


def _order(places: Any, rng: Random) -> str:
    lists = [(h, k) for h, k in places if isinstance(h[k], list) and len(h[k]) > 1]
    holder, key = pick(rng, lists)
    rng.shuffle(holder[key])
    return f"{key} in another order"


def _add_attribute(places: Any, rng: Random) -> str:
    """Add an attribute that may stand in the way of a method."""
    found = _entries(places, "DictNode")
    holder, key = pick(rng, found)
    entry = holder[key]
    name = pick(
        rng, ("predict", "_proba_table", "classes_", "n_jobs", "tree_", "dtype")
    )
    other, word = pick(rng, _entries(places))
    entry["content"][name] = copy.deepcopy(other[word])
    types = entry["key_types"]["content"]
    if rng.integers(4) and len(types) < len(entry["content"]):
        types.append(
            {"__class__": "str", "__module__": "builtins", "__loader__": "TypeNode"}
        )
    return f"{name} added from {word}"


STATE_EDITS: tuple[Callable[[Any, Random], str], ...] = (
    *(_set_value,) * 4,
    _set_anything,
    _remove,
    _remove_attribute,
    _graft,
    _graft_alike,
    _graft_alike,
    _number,
    _file,
    _kind,
    _length,
    _length,
    _order,
    _add_attribute,
)
KINDS: tuple[Callable[[Parts, Random], str], ...] = (
    *(edit_values,) * 4,
    edit_dtype,
    edit_shape,
    swap_files,
    edit_bytes,
    edit_card,
    *(edit_state,) * 6,
)
