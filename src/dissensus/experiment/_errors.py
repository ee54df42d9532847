"""The errors of this layer: each gives the value, the rule and the cure."""

from __future__ import annotations

from collections.abc import Iterable


class ExperimentError(Exception):
    """A study that cannot be run or read, and what to do about it.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentError, parse_learner
    >>> try:
    ...     parse_learner("baging(c45)")
    ... except ExperimentError as error:
    ...     print(error)
    learner 'baging(c45)': there is no learner 'baging'. Did you mean 'bagging'?
    """


class LearnerError(ExperimentError, ValueError):
    """A learner that is not known, or not so."""


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
            words = f"The specification has a mistake: {self.mistakes[0]}"
        else:
            lines = "".join(f"\n- {mistake}" for mistake in self.mistakes)
            words = f"The specification has {len(self.mistakes)} mistakes:{lines}"
        super().__init__(words)

    def __reduce__(self) -> tuple[type[SpecError], tuple[tuple[str, ...]]]:
        return type(self), (self.mistakes,)


class PaperError(ExperimentError, ValueError):
    """A paper, or a part of it, that cannot be run as it was asked for."""


class StoreError(ExperimentError):
    """A store that cannot be read, written or shared."""


class ExecutorError(ExperimentError):
    """An executor that is not known, cannot start, or has lost its workers."""
