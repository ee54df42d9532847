"""The learners of a specification, given as text or as objects."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from dissensus.exceptions import LearnerError
from dissensus.experiment.plan._jobs import LearnerSource
from dissensus.experiment.spec._values import unknown_keys
from dissensus.learners import (
    describe,
    estimators_in,
    parse_learner,
    pickled,
    versions_of,
)


@dataclass(frozen=True, slots=True)
class LearnerSpec:
    """A learner of a study, with the name that tables give it.

    Parameters
    ----------
    learner : str or classifier
        A text of the registry, or an object with `fit` and `predict`.
    name : str, default=None
        Its name in tables; the text if None.

    Examples
    --------
    >>> from dissensus.experiment import LearnerSpec
    >>> LearnerSpec("adaboost(c45, n_estimators=15)", "AdaBoost")
    LearnerSpec(learner='adaboost(c45, n_estimators=15)', name='AdaBoost')
    """

    learner: Any
    name: str | None = None


def read_learners(given: Any, mistakes: list[str]) -> list[LearnerSource]:
    """Return the learners; what is wrong with them is added to the mistakes."""
    items = _items(given)
    if not items:
        mistakes.append(
            f"learners is {given!r}. It must be a list with at least one learner."
        )
        return []
    sources: list[LearnerSource] = []
    for item in items:
        try:
            source = _source(_spec(item))
        except LearnerError as error:
            mistakes.append(str(error))
            continue
        if any(other.label == source.label for other in sources):
            mistakes.append(f"there are two learners {source.label!r}. Name one anew.")
        elif any(other.text == source.text for other in sources):
            mistakes.append(f"the learner {source.text!r} is there twice.")
        sources.append(source)
    return sources


def _items(given: Any) -> list[Any]:
    if isinstance(given, Mapping):
        return [LearnerSpec(learner, str(name)) for name, learner in given.items()]
    if isinstance(given, str) or not isinstance(given, Iterable):
        return []
    return list(given)


def _spec(item: Any) -> LearnerSpec:
    if isinstance(item, LearnerSpec):
        return item
    if not isinstance(item, Mapping):
        return LearnerSpec(item)
    wrong = unknown_keys(item, ("learner", "name"), f"learner {dict(item)!r}: ")
    if wrong:
        raise LearnerError(wrong[0])
    if "learner" not in item:
        raise LearnerError(f"learner {dict(item)!r}: the key 'learner' is missing.")
    return LearnerSpec(item["learner"], item.get("name"))


def _source(spec: LearnerSpec) -> LearnerSource:
    if isinstance(spec.learner, str):
        learner = parse_learner(spec.learner)
        text = str(learner)
        model = _checked(learner.build, text)
        return LearnerSource(spec.name or text, text, versions_of(model))
    model = spec.learner
    if (
        inspect.isclass(model)
        or not hasattr(model, "fit")
        or not hasattr(model, "predict")
    ):
        raise LearnerError(
            f"learner {model!r}: it must be a text or a classifier, an object with fit "
            "and predict."
        )
    name = type(model).__name__
    copy = _checked(lambda: clone(model), name)
    text = describe(copy)
    label = spec.name or text
    return LearnerSource(label, text, versions_of(copy), pickled(copy))


def _checked(make: Any, text: str) -> Any:
    """Return a learner whose parameters are those that its class allows."""
    try:
        model = make()
        for part in estimators_in(model):
            if hasattr(part, "_parameter_constraints"):
                part._validate_params()
    except (TypeError, ValueError) as error:
        words = str(error).splitlines()[0]
        raise LearnerError(f"learner {text!r}: {words}") from None
    return model
