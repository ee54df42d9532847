"""A learner as a record: read from text, written as text, built when it is needed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dissensus.exceptions import LearnerError
from dissensus.learners._encoded import EncodedClassifier
from dissensus.learners._grammar import CONSTANTS, WORD, Call, parse
from dissensus.learners._registry import (
    DISCRETIZERS,
    LEARNER_PARAMETERS,
    Entry,
    find_entry,
)
from dissensus.utils._names import suggest


@dataclass(frozen=True, slots=True)
class Learner:
    """The name of a kind of learner, the learners in it, and parameters.

    Attributes
    ----------
    name : str
        A name that is known, such as "c45".
    inner : tuple of Learner
        The learners in brackets.
    parameters : tuple of (str, value)
        The other parameters, by name, in alphabetical order.

    See Also
    --------
    parse_learner : Read one from text.

    Examples
    --------
    >>> from dissensus.learners import parse_learner
    >>> learner = parse_learner("dtree(min_samples_leaf = 5)")
    >>> learner.name, learner.parameters, str(learner)
    ('dtree', (('min_samples_leaf', 5),), 'dtree(min_samples_leaf=5)')
    """

    name: str
    inner: tuple[Learner, ...] = ()
    parameters: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        """Return the text that `parse_learner` reads into an equal record."""
        parts = [str(learner) for learner in self.inner]
        parts += [f"{name}={_write(value)}" for name, value in self.parameters]
        return f"{self.name}({', '.join(parts)})" if parts else self.name

    def build(self) -> Any:
        """Return a new, unfitted classifier.

        Returns
        -------
        classifier
            A classifier of this package; learners of scikit-learn come with the
            encoding, imputation and scaling that they need.
        """
        entry = find_entry(self.name, str(self))
        given = {name: _built(value) for name, value in self.parameters}
        if self.inner:
            inner = [learner.build() for learner in self.inner]
            given[entry.takes] = inner if entry.many else inner[0]
        model = entry.load()(**{**entry.preset, **given})
        return EncodedClassifier(model, entry.encoding) if entry.encoding else model


def parse_learner(text: str) -> Learner:
    """Read a learner from text; it is checked, but nothing is run.

    Parameters
    ----------
    text : str
        A name that is known, with parameters and learners in brackets:
        "maclen(nb(smoothing=m-estimate))", "cascade(nb, lda, c45)".

    Returns
    -------
    Learner
        The record, which `build` turns into a classifier.

    Raises
    ------
    LearnerError
        If a name or parameter is not known; the message has the nearest one.

    Examples
    --------
    >>> from dissensus.learners import parse_learner
    >>> str(parse_learner("bagging( estimator=c45, n_estimators=25 )"))
    'bagging(c45, n_estimators=25)'
    >>> parse_learner("c45(confidence=0.1)").build()
    C45Classifier(confidence=0.1)
    """
    learner = _read(parse(text), text)
    if learner.name in DISCRETIZERS:
        raise LearnerError(
            f"learner {text!r}: {learner.name!r} is a discretiser. Give it to a "
            f"learner: maclen(c45, discretizers=[{learner.name}])."
        )
    _check_parameters(learner, text)
    return learner


def _read(call: Call, text: str) -> Learner:
    entry = find_entry(call.name, text)
    named = {name: _read_named(name, value, text) for name, value in call.named}
    inner = _inner(entry, call.values, named, text)
    return Learner(entry.name, inner, tuple(sorted(named.items())))


def _inner(
    entry: Entry, values: Sequence[Any], named: dict[str, Any], text: str
) -> tuple[Learner, ...]:
    """Return the learners in brackets, whether they were named or not."""
    where = f"learner {text!r}: {entry.name!r}"
    if values and not entry.takes:
        raise LearnerError(
            f"{where} takes no learner in brackets. Name the parameter: "
            f"{entry.name}(parameter=value)."
        )
    if not values:
        given = named.get(entry.takes)
        if isinstance(given, Learner):
            given = (given,)
        if not isinstance(given, tuple) or not given:
            return ()
        del named[entry.takes]
        values = given
    elif entry.takes in named:
        raise LearnerError(f"{where} has {entry.takes!r} twice.")
    if len(values) > 1 and not entry.many:
        raise LearnerError(f"{where} takes one learner, not {len(values)}.")
    return tuple(_as_learner(value, entry, text) for value in values)


def _as_learner(value: Any, entry: Entry, text: str) -> Learner:
    if isinstance(value, Learner):
        return value
    if isinstance(value, Call):
        return _read(value, text)
    raise LearnerError(
        f"learner {text!r}: {value!r} stands where {entry.name!r} takes a learner. "
        "Name the parameter if it is one: name=value."
    )


def _read_named(name: str, value: Any, text: str) -> Any:
    """Return the value of a parameter: learners as records, bare words as text."""
    if isinstance(value, list):
        return tuple(_read_named(name, item, text) for item in value)
    if not isinstance(value, Call):
        return value
    if value.brackets or name in LEARNER_PARAMETERS:
        return _read(value, text)
    return value.name


def _check_parameters(learner: Learner, text: str) -> None:
    """Raise an error if the class has no parameter of a given name."""
    for inner in learner.inner:
        _check_parameters(inner, text)
    if not learner.parameters:
        return
    entry = find_entry(learner.name, text)
    known = list(inspect.signature(entry.load()).parameters)
    for name, value in learner.parameters:
        if name not in known:
            raise LearnerError(
                f"learner {text!r}: {learner.name!r} has no parameter {name!r}. "
                f"{suggest(name, known)}"
            )
        if isinstance(value, Learner):
            _check_parameters(value, text)


def _built(value: Any) -> Any:
    if isinstance(value, Learner):
        return value.build()
    if isinstance(value, tuple):
        return [_built(item) for item in value]
    return value


def _write(value: Any) -> str:
    """Return a value as `parse_learner` reads it back."""
    if isinstance(value, tuple):
        return f"[{', '.join(_write(item) for item in value)}]"
    if not isinstance(value, str):
        return str(value) if isinstance(value, Learner) else repr(value)
    if re.fullmatch(WORD, value) and value.lower() not in CONSTANTS:
        return value
    quote = '"' if "'" in value else "'"
    return f"{quote}{value}{quote}"
