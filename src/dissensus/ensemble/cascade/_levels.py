"""The learners of a cascade as the caller writes them, brought into one form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dissensus.ensemble.cascade._extension import short_name, unique_name


@dataclass(frozen=True, slots=True)
class NamedEstimator:
    """A learner of a cascade and its name, which no other learner of it has."""

    name: str
    estimator: Any


Level = tuple[NamedEstimator, ...]


def read_levels(levels: Any) -> list[Level]:
    """Return levels of named learners; a name counts up where it would repeat.

    Parameters
    ----------
    levels : list
        From the level that runs first. A level is a learner, a pair of a name and a
        learner, or a list of these.

    Examples
    --------
    >>> from dissensus.tree import C45Classifier
    >>> levels = read_levels([C45Classifier(), ("top", C45Classifier())])
    >>> [[learner.name for learner in level] for level in levels]
    [['C45'], ['top']]
    """
    taken: list[str] = []
    result: list[Level] = []
    for level in levels:
        learners = []
        for item in level if isinstance(level, list) else [level]:
            given, estimator = item if _is_named(item) else (None, item)
            name = unique_name(given or short_name(estimator), taken)
            taken.append(name)
            learners.append(NamedEstimator(name, estimator))
        result.append(tuple(learners))
    return result


def _is_named(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)


def check_levels(levels: list[Level], parameters: set[str]) -> None:
    """Raise an error that says what is wrong with the levels, unless nothing is.

    Parameters
    ----------
    levels : list of Level
        What `read_levels` returned.
    parameters : set of str
        Names that learners must not have, being those of parameters.
    """
    if not levels or not all(levels):
        raise ValueError(
            "levels has no learner, or a level without any. Give at least one learner."
        )
    if len(levels[-1]) > 1:
        names = ", ".join(learner.name for learner in levels[-1])
        raise ValueError(
            f"The last level decides, so it must be one learner, but it has {names}. "
            "Put another level behind it."
        )
    check_learners(flat(levels), parameters)


def check_learners(learners: list[NamedEstimator], parameters: set[str]) -> None:
    """Raise an error unless all are classifiers with names that can be used."""
    if not learners:
        raise ValueError("There is no learner. Give at least one.")
    for learner in learners:
        if not all(hasattr(learner.estimator, name) for name in ("fit", "predict")):
            raise ValueError(
                f"{learner.estimator!r} is no classifier: it has no fit and predict. "
                "Give classifiers, unfitted."
            )
        if "__" in learner.name or learner.name in parameters:
            raise ValueError(
                f"A learner cannot be called {learner.name!r}: names must have no "
                "double underscore and differ from the parameters. Rename it."
            )


def replace(levels: Any, name: str, estimator: Any) -> list[Any]:
    """Return the levels as the caller wrote them, with another learner in one place."""
    position = iter(learner.name for learner in flat(read_levels(levels)))

    def changed(item: Any) -> Any:
        if next(position) != name:
            return item
        return (item[0], estimator) if _is_named(item) else estimator

    return [
        [changed(item) for item in level] if isinstance(level, list) else changed(level)
        for level in levels
    ]


def flat(levels: list[Level]) -> list[NamedEstimator]:
    """Return the learners of all levels in one list."""
    return [learner for level in levels for learner in level]
