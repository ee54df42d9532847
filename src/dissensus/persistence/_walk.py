"""Walk over all objects of an opened model, and what every one of them must keep."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from dissensus.exceptions import ModelError
from dissensus.utils._sklearn import validate_parameter_constraints

BROKEN = "a part of the model is inconsistent ({}), so that it cannot be used."
PLAIN = str | bytes | bool | int | float | complex | slice | type | np.generic | None


def expect(holds: Any, words: str) -> None:
    """Raise the error of an inconsistent part unless something holds."""
    if not holds:
        raise ModelError(BROKEN.format(words))


def attributes(part: Any) -> dict[str, Any]:
    """Return the attributes of an object, those in slots too."""
    found = dict(getattr(part, "__dict__", {}))
    for cls in type(part).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(part, name):
                found[name] = getattr(part, name)
    return found


def walk(model: Any) -> Iterator[tuple[Any, Any]]:
    """Give every object in a model, each once, with the object that holds it."""
    seen: set[int] = set()
    stack: list[tuple[Any, Any]] = [(None, model)]
    while stack:
        owner, part = stack.pop()
        if id(part) in seen or isinstance(part, PLAIN):
            continue
        seen.add(id(part))
        yield owner, part
        if isinstance(part, dict):
            stack += [(owner, value) for value in part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            stack += [(owner, value) for value in part]
        elif isinstance(part, np.ndarray):
            if part.dtype == object:
                stack += [(owner, value) for value in part.ravel()]
        else:
            stack += [(part, value) for value in attributes(part).values()]


def check_attributes(part: Any) -> None:
    """Check that no attribute stands in the way of a method of the class."""
    kind = type(part)
    for name in getattr(part, "__dict__", {}):
        expect(isinstance(name, str), f"an attribute {name!r} of {kind.__name__}")
        of_class = getattr(kind, name, None)
        clash = callable(of_class) or isinstance(of_class, property | dict)
        expect(not clash, f"{name!r} of {kind.__name__}, which is no attribute")
        if isinstance(of_class, cached_property):
            continue


def check_parameters(part: Any) -> None:
    """Check the parameters of an estimator by its own rules."""
    if not isinstance(part, BaseEstimator):
        return
    rules = getattr(part, "_parameter_constraints", {})
    params = part.get_params(deep=False)
    try:
        validate_parameter_constraints(rules, params, type(part).__name__)
    except ValueError as error:
        raise ModelError(BROKEN.format(str(error).splitlines()[0][:200])) from None


def is_floats(value: Any, shape: tuple[int, ...] | None = None) -> bool:
    """Return whether a value is an array of finite numbers, of a shape."""
    return (
        isinstance(value, np.ndarray)
        and value.dtype == np.float64
        and (shape is None or value.shape == shape)
        and bool(np.isfinite(value).all())
    )


def is_integers(value: Any, low: int, high: int, dtype: Any = None) -> bool:
    """Return whether a value is a row of whole numbers from `low` to `high` - 1."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1
        and (value.dtype == dtype if dtype is not None else value.dtype.kind in "iu")
        and (len(value) == 0 or (int(value.min()) >= low and int(value.max()) < high))
    )


def is_whole(value: Any, low: int, high: int) -> bool:
    """Return whether a value is a whole number from `low` to `high` - 1."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and low <= int(value) < high
