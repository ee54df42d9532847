"""The errors of this package: one root, and a class for each thing that can go wrong.

Every error says what was given, which rule it breaks and what to do about it. The
classes also inherit what users of scikit-learn expect in that place: `ValueError` for
bad input, `TypeError` for input of a wrong type.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any, Self

__all__ = [
    "DissensusError",
    "ExecutorError",
    "ExperimentError",
    "LearnerError",
    "MemoryLimitError",
    "ModelError",
    "PaperError",
    "ReportError",
    "SpecError",
    "StoreError",
    "TableError",
    "TableTypeError",
]


class DissensusError(Exception):
    """The root of all errors that this package raises on purpose.

    Parameters
    ----------
    rule : str, default=""
        What is wrong: the value that was given and the rule that it breaks.
    value : object, default=None
        The value itself, for programs that want to look at it.
    cure : str, default=""
        What to do about it. `{name}` stands for the setting of a parameter.
    **settings : object
        The settings that the cure names.

    Examples
    --------
    >>> from dissensus.exceptions import DissensusError
    >>> error = DissensusError(
    ...     "column 'id' has another value in each row.",
    ...     cure="Leave it out: {drop}.",
    ...     drop=["id"],
    ... )
    >>> print(error)
    column 'id' has another value in each row. Leave it out: drop=['id'].
    """

    def __init__(
        self, rule: str = "", *, value: object = None, cure: str = "", **settings: Any
    ) -> None:
        super().__init__(rule)
        self.rule = rule
        self.value = value
        self.cure = cure
        self.settings = settings

    def __str__(self) -> str:
        """Return rule and cure, settings written as in Python."""
        return self.text(_as_argument)

    def text(self, spell: Callable[[str, Any], str]) -> str:
        """Return rule and cure as one text.

        Parameters
        ----------
        spell : callable
            Writes a setting, given its name and value: `drop=['id']` in Python,
            `--drop id` at the command line.

        Returns
        -------
        str
            The text.
        """
        settings = {name: spell(name, value) for name, value in self.settings.items()}
        cure = self.cure.format(**settings) if settings else self.cure
        return f"{self.rule} {cure}".strip()

    def at(self, place: str) -> Self:
        """Return the same error with its place before its words.

        Parameters
        ----------
        place : str
            Such as the name of a file.

        Returns
        -------
        DissensusError
            Of the same class.
        """
        moved = copy.copy(self)
        moved.rule = f"{place}: {self.rule}"
        moved.args = (moved.rule,)
        return moved


def _as_argument(name: str, value: object) -> str:
    return f"{name}={value!r}"


class TableError(DissensusError, ValueError):
    """A table, frame or file that cannot be used."""


class TableTypeError(TableError, TypeError):
    """A cell, array or argument of a type that no table can hold.

    It is a `TypeError` too because scikit-learn raises one in the same place.
    """


class MemoryLimitError(DissensusError, MemoryError):
    """Work that would take too much of the machine's memory."""


class ModelError(DissensusError, ValueError):
    """A model that cannot be saved, or a model file that cannot be opened."""


class ReportError(DissensusError, ValueError):
    """A page that cannot be written."""


class ExperimentError(DissensusError):
    """A study that cannot be run or read.

    Examples
    --------
    >>> from dissensus.exceptions import ExperimentError
    >>> from dissensus.learners import parse_learner
    >>> try:
    ...     parse_learner("baging(c45)")
    ... except ExperimentError as error:
    ...     print(error)
    learner 'baging(c45)': there is no learner 'baging'. Did you mean 'bagging'?
    """


class LearnerError(ExperimentError, ValueError):
    """A learner that does not exist, or not with these parameters."""


class SpecError(ExperimentError, ValueError):
    """Everything that is wrong with the specification of a study.

    Parameters
    ----------
    mistakes : iterable of str
        One sentence each.
    """

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        if len(self.mistakes) == 1:
            message = f"The specification has a mistake: {self.mistakes[0]}"
        else:
            lines = "".join(f"\n- {mistake}" for mistake in self.mistakes)
            message = f"The specification has {len(self.mistakes)} mistakes:{lines}"
        super().__init__(message)

    def __reduce__(self) -> tuple[type[SpecError], tuple[tuple[str, ...]]]:
        """Return how to make it again in another process."""
        return type(self), (self.mistakes,)


class PaperError(ExperimentError, ValueError):
    """A paper, or a part of it, that cannot be run as it was asked for."""


class StoreError(ExperimentError):
    """A store that cannot be read, written or shared."""


class ExecutorError(ExperimentError):
    """An executor that does not exist, cannot start, or has lost its workers."""
