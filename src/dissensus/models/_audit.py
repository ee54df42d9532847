"""Look at what a model file asks for, before anything of it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dissensus.models._errors import ModelError
from dissensus.models._types import CALLABLES, is_allowed


def audit(state: Any, refusal: str) -> list[str]:
    """Return the names of all types that a file asks for.

    Parameters
    ----------
    state : dict
        The content of `schema.json`, in which skops describes the object.
    refusal : str
        What follows from a type that is not allowed, for the error.

    Returns
    -------
    list of str
        Modules and names, sorted.

    Raises
    ------
    ModelError
        At a type that is not on the list; the message names it and its place.
    """
    found = set()
    for entry, place in _entries(state):
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
    return sorted(found)


def _entries(state: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Give every entry of the description, with its place in the object."""
    if not isinstance(state, dict) or "__loader__" not in state:
        raise ModelError("it does not describe an object. It is damaged.")
    stack: list[tuple[Any, str]] = [(state, "the model")]
    while stack:
        value, place = stack.pop()
        if isinstance(value, dict):
            if "__loader__" in value:
                yield value, place
            stack += [(part, _below(place, key)) for key, part in value.items()]
        elif isinstance(value, list):
            stack += [(part, f"{place}[{i}]") for i, part in enumerate(value)]


def _below(place: str, key: str) -> str:
    """Return the place of a part, without the words of the file format itself."""
    return place if key in ("content", "attrs", "__reduce__") else f"{place}.{key}"
