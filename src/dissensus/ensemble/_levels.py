"""The learners of a cascade as the caller writes them, brought into one form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from sklearn.utils import get_tags

from dissensus.ensemble._extension import short_name, unique_name


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner of a cascade and its name, which no other learner of it has."""

    name: str
    estimator: Any


Level = tuple[Learner, ...]


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
            learners.append(Learner(name, estimator))
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
    for learner in flat(levels):
        if not all(hasattr(learner.estimator, name) for name in ("fit", "predict")):
            raise ValueError(
                f"{learner.estimator!r} in levels is no classifier: it has no fit and "
                "predict. Give classifiers, unfitted."
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


class LearnersMixin:
    """Base of ensembles whose members are named learners in one parameter.

    The parameters of a learner are reached by its name: ``C45__confidence``, or ``C45``
    for the learner itself. A subclass names the parameter, and says which learners
    stand for None.
    """

    _learners_parameter: str

    def _default_learners(self) -> list[Any]:
        raise NotImplementedError

    def _read_learners(self) -> list[Level]:
        """Return the levels of named learners."""
        given = getattr(self, self._learners_parameter)
        return read_levels(self._default_learners() if given is None else given)

    def _learners(self) -> list[Any]:
        """Return all learners, unfitted, without their names."""
        return [learner.estimator for learner in flat(self._read_learners())]

    def _member_estimator(self) -> Any:
        """Return one learner; `__sklearn_tags__` below asks the others too."""
        return self._default_learners()[-1]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep` those of the learners too."""
        params: dict[str, Any] = super().get_params(deep=deep)  # type: ignore[misc]
        if deep and isinstance(params[self._learners_parameter], list | tuple):
            for learner in flat(self._read_learners()):
                params[learner.name] = learner.estimator
                if hasattr(learner.estimator, "get_params"):
                    own = learner.estimator.get_params(deep=True)
                    params |= {f"{learner.name}__{key}": own[key] for key in own}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, of learners too."""
        key = self._learners_parameter
        if key in params:
            setattr(self, key, params.pop(key))
        if isinstance(getattr(self, key), list | tuple):
            names = {learner.name for learner in flat(self._read_learners())}
            for name in names & params.keys():
                setattr(self, key, replace(getattr(self, key), name, params.pop(name)))
        super().set_params(**params)  # type: ignore[misc]
        return self

    def __sklearn_tags__(self) -> Any:
        """Say that the learners decide what is welcome."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        theirs = [get_tags(learner).input_tags for learner in self._learners()]
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in theirs)
        tags.input_tags.categorical = all(tag.categorical for tag in theirs)
        tags.input_tags.string = all(tag.string for tag in theirs)
        return tags


def flat(levels: list[Level]) -> list[Learner]:
    """Return the learners of all levels in one list."""
    return [learner for level in levels for learner in level]
