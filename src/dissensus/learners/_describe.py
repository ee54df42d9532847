"""What an object given as a learner is, in words that are the same tomorrow.

The words are the identity of the learner: they enter keys and seeds. A learner of this
package gets the text that the registry would read, so that it does not matter whether
it was given as text or as an object.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

import cloudpickle
import numpy as np

from dissensus.exceptions import LearnerError
from dissensus.learners._learner import Learner
from dissensus.learners._registry import LEARNERS, Entry

PLAIN = (str, int, float, bool, type(None))


def describe(value: Any) -> str:
    """Return the text of a learner or of one of its parameters."""
    if _is_estimator(value):
        learner = _as_learner(value)
        return str(learner) if learner is not None else _call(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(describe(item) for item in value)}]"
    if isinstance(value, Mapping):
        items = (f"{describe(k)}: {describe(v)}" for k, v in value.items())
        return f"{{{', '.join(items)}}}"
    if isinstance(value, np.ndarray) and value.dtype != object:
        return f"array<{value.dtype.str}{value.shape}:{_sha(value.tobytes())}>"
    if inspect.isclass(value) or inspect.isroutine(value):
        return f"{value.__module__}.{value.__qualname__}<{_sha(_pickled(value))}>"
    return f"{_name(type(value))}<{_sha(_pickled(value))}>"


def pickled(estimator: Any) -> bytes:
    """Return a learner as bytes that other processes can read.

    Classes that are defined in the main program travel with it.
    """
    return _pickled(estimator)


def estimators_in(value: Any) -> Iterator[Any]:
    """Yield a learner, and the learners and transformers in its parameters."""
    if _is_estimator(value):
        yield value
        for part in value.get_params(deep=False).values():
            yield from estimators_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from estimators_in(part)


def versions_of(value: Any) -> tuple[str, ...]:
    """Return the packages, with versions, that the classes of a learner come from.

    This one is left out: its version counts in any case.
    """
    found = {type(part).__module__.partition(".")[0] for part in estimators_in(value)}
    return tuple(sorted(filter(None, map(_package, found))))


@cache
def _package(module: str) -> str:
    if module in ("dissensus", "__main__"):
        return ""
    names = packages_distributions().get(module, [])
    try:
        return f"{names[0]}=={version(names[0])}" if names else ""
    except PackageNotFoundError:
        return ""


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not inspect.isclass(value)


def _as_learner(estimator: Any) -> Learner | None:
    """Return the record of a learner that the registry knows by its class."""
    entry = _ENTRIES.get(_home(type(estimator)))
    if entry is None:
        return None
    changed = {name: _as_value(v) for name, v in _changed(estimator).items()}
    if any(value is _STRANGE for value in changed.values()):
        return None
    inner = changed.pop(entry.takes, ())
    inner = inner if isinstance(inner, tuple) else (inner,)
    if not all(isinstance(part, Learner) for part in inner):
        return None
    return Learner(entry.name, inner, tuple(sorted(changed.items())))


_STRANGE = object()


def _as_value(value: Any) -> Any:
    """Return a parameter as a text can say it; _STRANGE if none can."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, list | tuple):
        items = tuple(_as_value(item) for item in value)
        return _STRANGE if _STRANGE in items else items
    learner = _as_learner(value) if _is_estimator(value) else None
    return _STRANGE if learner is None else learner


_ENTRIES: dict[str, Entry] = {
    entry.home: entry
    for entry in LEARNERS.values()
    if not entry.encoding and not entry.preset
}


def _home(kind: type) -> str:
    """Return the package that exports a class, and its name, as the registry does."""
    package = ".".join(kind.__module__.split(".")[:2])
    return f"{package}:{kind.__qualname__}"


def _changed(estimator: Any) -> dict[str, Any]:
    """Return the parameters that differ from their defaults."""
    defaults = inspect.signature(type(estimator)).parameters
    return {
        name: value
        for name, value in sorted(estimator.get_params(deep=False).items())
        if name not in defaults or not _is_default(value, defaults[name].default)
    }


def _is_default(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return (
        isinstance(value, PLAIN) and type(value) is type(default) and value == default
    )


def _call(estimator: Any) -> str:
    changed = _changed(estimator)
    words = ", ".join(f"{name}={describe(value)}" for name, value in changed.items())
    return f"{_name(type(estimator))}({words})"


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _pickled(value: Any) -> bytes:
    try:
        content: bytes = cloudpickle.dumps(value)
    except Exception as error:  # noqa: BLE001 -- whatever its classes raise
        raise LearnerError(
            f"{value!r} cannot be sent to another process "
            f"({type(error).__name__}: {error})."
        ) from None
    return content
