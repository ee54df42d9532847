"""The numbers and names of a specification: every mistake becomes a sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from dissensus.datasets import PROTOCOLS
from dissensus.experiment.plan._resampling import RESAMPLING
from dissensus.metrics import MEASURES
from dissensus.utils._names import suggest

MAX_SEED = 2**63 - 1  # the largest number of SQLite


def unknown_keys(
    given: Mapping[str, Any], known: Collection[str], where: str
) -> list[str]:
    """Return a sentence for each key that means nothing."""
    return [
        f"{where}there is no key {key!r}. {suggest(str(key), known)}"
        for key in given
        if key not in known
    ]


def check_values(spec: Any) -> list[str]:
    """Return a sentence for each value of a specification that cannot be."""
    mistakes = [
        _whole(spec.repeats, "repeats", 1),
        _whole(spec.folds, "folds", 2),
        _whole(spec.seed, "seed", 0, MAX_SEED),
        _list(spec.fractions, "fractions", _fraction),
        _list(spec.noise, "noise", _noise),
        _list(spec.measures, "measures", _measure),
        _one_of(spec.protocol, "protocol", PROTOCOLS),
        _one_of(spec.resampling, "resampling", RESAMPLING),
        _text(spec.title, "title", str),
        _text(spec.data_dir, "data_dir", (str, os.PathLike, type(None))),
        _flag(spec.download, "download"),
    ]
    return [mistake for mistake in mistakes if mistake]


def _whole(value: Any, name: str, least: int, most: int | None = None) -> str:
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if whole and value >= least and (most is None or value <= most):
        return ""
    to = "" if most is None else f" to {most}"
    return f"{name} is {value!r}. It must be a whole number from {least}{to}."


def _list(values: Any, name: str, check: Callable[[Any], str]) -> str:
    if isinstance(values, str) or not isinstance(values, Iterable):
        return f"{name} is {values!r}. It must be a list."
    items = list(values)
    if not items:
        return f"{name} is empty. It needs at least one entry."
    wrong = next(filter(None, map(check, items)), "")
    return f"{name} has {wrong}" if wrong else ""


def _fraction(value: Any) -> str:
    if _is_number(value) and 0.0 < value <= 1.0:
        return ""
    return f"{value!r}. Each must be above 0 and at most 1: 0.5 is half of the rows."


def _noise(value: Any) -> str:
    if _is_number(value) and 0.0 <= value <= 1.0:
        return ""
    return f"{value!r}. Each must be from 0 to 1: 0.05 is one label in twenty."


def _measure(value: Any) -> str:
    if isinstance(value, str) and value in MEASURES:
        return ""
    return f"{value!r}, which is no measure. {suggest(str(value), MEASURES)}"


def _one_of(value: Any, name: str, known: Collection[str]) -> str:
    if isinstance(value, str) and value in known:
        return ""
    return f"{name} is {value!r}. {suggest(str(value), known)}"


def _text(value: Any, name: str, kind: Any) -> str:
    return "" if isinstance(value, kind) else f"{name} is {value!r}. It must be text."


def _flag(value: Any, name: str) -> str:
    fits = isinstance(value, bool | np.bool_)
    return "" if fits else f"{name} is {value!r}. It must be true or false."


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
