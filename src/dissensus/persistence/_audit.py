"""Look at what a model file asks for, before anything of it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from dissensus.exceptions import ModelError
from dissensus.persistence._forms import BROKEN, Entry, Parts, is_sound
from dissensus.persistence._limits import MAX_DEPTH
from dissensus.persistence._types import CALLABLES, is_allowed

Place: TypeAlias = "tuple[Place, str | int] | None"
"""Where an entry stands: the place above it, and the key there."""


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
            raise ModelError(f"{words(place)} is of type {name}{what}. {refusal}")
        found.add(name)
    _check_sharing(entries, parts)
    for entry, place in entries:
        if not is_sound(entry, parts):
            what = f"{words(place)}, of type {entry['__class__']}"
            raise ModelError(BROKEN.format(what))
    return sorted(found)


def _entries(state: Any) -> Iterator[tuple[Entry, Place]]:
    """Give every entry of the description, with its place in the object."""
    if not isinstance(state, dict) or "__loader__" not in state:
        raise ModelError("it does not describe an object. It is damaged.")
    stack: list[tuple[Any, Place, int]] = [(state, None, 0)]
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
                raise ModelError(f"{words(place)} is not described. It is damaged.")
            items: Any = value.items()
        else:
            items = enumerate(value)
        stack += [
            (part, (place, key), depth + 1)
            for key, part in items
            if isinstance(part, dict | list)
        ]


def words(place: Place) -> str:
    """Return a place in words, without those of the file format itself."""
    keys = []
    while place is not None:
        place, key = place
        if key not in ("content", "attrs", "__reduce__"):
            keys.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    return "the model" + "".join(reversed(keys))


def _check_sharing(entries: list[tuple[Entry, Place]], parts: Parts) -> None:
    """Check that an entry with the number of another one describes the same.

    An object that is held twice is described twice, and skops makes it once. Since it
    takes the first for the second without a look, a file could otherwise double itself
    with every level, hold itself, or show one array to a check and another to skops.
    """
    by_number: dict[int, list[tuple[Entry, Place]]] = {}
    for entry, place in entries:
        number = entry.get("__id__")
        if number is None:
            continue
        if type(number) is not int:
            raise ModelError(
                f"{words(place)} has the number {number!r}. It is damaged."
            )
        by_number.setdefault(number, []).append((entry, place))
    contents = _Contents(parts)
    for same in by_number.values():
        if len(same) > 1 and len({contents.of(entry) for entry, _ in same}) > 1:
            raise ModelError(
                f"{words(same[-1][1])} and {words(same[0][1])} have one number, and "
                "are not the same. It is damaged."
            )


class _Contents:
    """Numbers entries by their content, whatever they call themselves.

    Equal contents get one number, by Python's own comparison.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._known: dict[int, int] = {}  # by the address of an entry, which lives on
        self._numbers: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a content."""
        if not isinstance(value, dict | list):
            return self._number((type(value), repr(value)))
        number = self._known.get(id(value))
        if number is None:
            number = self._known[id(value)] = self._number(self._content(value))
        return number

    def _number(self, content: Any) -> int:
        return self._numbers.setdefault(content, len(self._numbers))

    def _content(self, value: dict[str, Any] | list[Any]) -> Any:
        if isinstance(value, list):
            return (list, *map(self.of, value))
        pairs = ((key, item) for key, item in value.items() if key != "__id__")
        return (dict, *((key, self._held(key, item)) for key, item in pairs))

    def _held(self, key: str, item: Any) -> int:
        if key == "file" and isinstance(item, str):
            return self._number(self._parts.get(item, item))
        return self.of(item)
