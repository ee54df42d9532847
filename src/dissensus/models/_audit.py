"""Look at what a model file asks for, before anything of it is made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from dissensus.models._errors import ModelError
from dissensus.models._forms import check_form
from dissensus.models._limits import MAX_DEPTH
from dissensus.models._types import CALLABLES, is_allowed

Parts = Mapping[str, bytes]


def audit(state: Any, parts: Parts, refusal: str) -> list[str]:
    """Return the names of all types that a file asks for.

    Parameters
    ----------
    state : dict
        The content of `schema.json`, in which skops describes the object.
    parts : mapping of str to bytes
        The other parts of the file, by name.
    refusal : str
        What follows from a type that is not allowed, for the error.

    Returns
    -------
    list of str
        Modules and names, sorted.

    Raises
    ------
    ModelError
        At a type that is not on the list, or an entry that is not as skops writes it;
        the message names it and its place.
    """
    found = set()
    entries = list(_entries(state))
    for entry, place in entries:
        loader, module, kind = (
            entry.get(key) for key in ("__loader__", "__module__", "__class__")
        )
        name = f"{module}.{kind}"
        # skops puts a class together from just these two, so both must be plain names.
        exact = isinstance(module, str) and isinstance(kind, str) and "." not in kind
        if not exact or not is_allowed(str(loader), name):
            what = ", which can be called" if loader in CALLABLES else ""
            raise ModelError(f"{place} is of type {name}{what}. {refusal}")
        found.add(name)
    _check_sharing(entries, parts)
    for entry, place in entries:
        check_form(entry, parts, place)
    return sorted(found)


def _entries(state: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Give every entry of the description, with its place in the object."""
    if not isinstance(state, dict) or "__loader__" not in state:
        raise ModelError("it does not describe an object. It is damaged.")
    stack: list[tuple[Any, str, int]] = [(state, "the model", 0)]
    while stack:
        value, place, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise ModelError(
                f"it is nested more than {MAX_DEPTH} levels deep, as no model is. It "
                "is damaged."
            )
        if isinstance(value, dict):
            if "__loader__" in value:
                yield value, place
            elif "__id__" in value:  # skops would take it for another entry
                raise ModelError(f"{place} is not described. It is damaged.")
            parts = ((part, _below(place, key)) for key, part in value.items())
            stack += [(part, where, depth + 1) for part, where in parts]
        elif isinstance(value, list):
            parts = ((part, f"{place}[{i}]") for i, part in enumerate(value))
            stack += [(part, where, depth + 1) for part, where in parts]


def _below(place: str, key: str) -> str:
    """Return the place of a part, without the words of the file format itself."""
    return place if key in ("content", "attrs", "__reduce__") else f"{place}.{key}"


def _check_sharing(entries: list[tuple[dict[str, Any], str]], parts: Parts) -> None:
    """Check that an entry with the number of another one describes the same.

    An object that is held twice is described twice, and skops makes it once. Since it
    takes the first for the second without a look, a file could otherwise double itself
    with every level, hold itself, or show one array to a check and another to skops.
    """
    by_number: dict[int, list[tuple[dict[str, Any], str]]] = {}
    for entry, place in entries:
        number = entry.get("__id__")
        if number is None:
            continue
        if type(number) is not int:
            raise ModelError(f"{place} has the number {number!r}. It is damaged.")
        by_number.setdefault(number, []).append((entry, place))
    digests = _Digests(parts)
    for same in by_number.values():
        if len(same) > 1 and len({digests.of(entry) for entry, _ in same}) > 1:
            raise ModelError(
                f"{same[-1][1]} and {same[0][1]} have one number, and are not the "
                "same. It is damaged."
            )


class _Digests:
    """Digests of entries by their content, whatever their numbers are."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._known: dict[int, bytes] = {}  # by the address of an entry, which lives on
        self._files: dict[str, bytes] = {}

    def of(self, value: Any) -> bytes:
        if not isinstance(value, dict | list):
            return _digest(type(value).__name__, repr(value).encode())
        if id(value) not in self._known:
            self._known[id(value)] = self._of_container(value)
        return self._known[id(value)]

    def _of_container(self, value: dict[str, Any] | list[Any]) -> bytes:
        if isinstance(value, list):
            return _digest("list", *(self.of(item) for item in value))
        pieces = []
        for key, item in value.items():
            if key == "__id__":
                continue
            is_file = key == "file" and isinstance(item, str)
            held = self._of_file(item) if is_file else self.of(item)
            pieces += [key.encode(errors="surrogatepass"), held]
        return _digest("dict", *pieces)

    def _of_file(self, name: str) -> bytes:
        if name not in self._files:
            self._files[name] = _digest("file", self._parts.get(name, name.encode()))
        return self._files[name]


def _digest(kind: str, *pieces: bytes) -> bytes:
    found = hashlib.blake2b(kind.encode(), digest_size=16)
    for piece in pieces:
        found.update(len(piece).to_bytes(8, "little"))
        found.update(piece)
    return found.digest()
