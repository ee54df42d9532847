"""Public names of our classes in model files, whatever module they are written in.

skops names a class by the module in which it is defined, so moving that module would
break every file. In a file our classes have the name of the package that exports them:
`dissensus.tree.C45Classifier`. This is the one place that knows both names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from dissensus.persistence._types import OUR_RECORDS, OURS


def to_public(state: bytes) -> bytes:
    """Return what skops says of an object, with the public names of our classes."""
    return _renamed(state, {module: name for name, module in _homes().items()})


def to_private(state: bytes) -> bytes:
    """Return what a file says of an object, with the names that skops looks up."""
    return _renamed(state, _homes())


def trusted(names: list[str]) -> list[str]:
    """Return names that were found in a file as skops knows them."""
    homes = {".".join(public): ".".join(home) for public, home in _homes().items()}
    return [homes.get(name, name) for name in names]


@cache
def _homes() -> dict[tuple[str, str], tuple[str, str]]:
    """Return module and name of each class in files -> module and name in the code."""
    found = {}
    for name in OURS | OUR_RECORDS:
        package, _, public = name.rpartition(".")
        kind = getattr(import_module(package), public)
        found[package, public] = (kind.__module__, kind.__name__)
    return found


def _renamed(state: bytes, names: Mapping[tuple[str, str], tuple[str, str]]) -> bytes:
    content = json.loads(state)
    stack: list[Any] = [content]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            new = names.get((value.get("__module__", ""), value.get("__class__", "")))
            if new is not None:
                value["__module__"], value["__class__"] = new
            stack += value.values()
        elif isinstance(value, list):
            stack += value
    return json.dumps(content).encode()
