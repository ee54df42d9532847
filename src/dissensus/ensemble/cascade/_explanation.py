"""Records of why a cascade answers as it does, and how they read as text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from dissensus.tree import Condition, number_text, plain

Kind = Literal["tests", "log-odds", "output", "unexplained"]


@dataclass(frozen=True, slots=True)
class TreeTest:
    """A test on a row's way down a tree.

    Parameters
    ----------
    condition : Condition
        The branch that the row takes: attribute, operator and threshold or value.
    value : object
        The row's own value; None if it is missing.
    source : tuple of (str, object) or None
        For an attribute that a learner has made, the learner's name and the class.
    """

    condition: Condition
    value: Any
    source: tuple[str, Any] | None = None

    def __str__(self) -> str:
        """Return the test with the row's value in it."""
        name = plain(self.condition.attribute)
        operator, limit = self.condition.operator, self.condition.value
        if self.value is None:
            branch = f"{operator} {value_text(limit)}"
            return f"{name} is missing; the heaviest branch is {branch}"
        value, bound = value_text(self.value), value_text(limit)
        if value == bound and self.value != limit:  # too close for four digits
            value, bound = repr(self.value), repr(limit)
        if operator == "=":
            return f"{name} = {value}"
        return f"{name} = {value} {operator} {bound}"


@dataclass(frozen=True, slots=True)
class Term:
    """What one attribute adds to a sum.

    Parameters
    ----------
    attribute : str
        Name of the attribute.
    value : object
        The row's value; None if it is missing.
    amount : float
        What it adds.
    interval : str or None
        The interval that the value falls in, where a learner cuts numbers.
    source : tuple of (str, object) or None
        For an attribute that a learner has made, the learner's name and the class.
    """

    attribute: str
    value: Any
    amount: float
    interval: str | None = None
    source: tuple[str, Any] | None = None

    def __str__(self) -> str:
        """Return the attribute, the row's value and the amount."""
        name = plain(self.attribute)
        if self.value is None:
            return f"{self.amount:+.3f}  {name} is missing"
        place = f" in {self.interval}" if self.interval else ""
        return f"{self.amount:+.3f}  {name} = {value_text(self.value)}{place}"


@dataclass(frozen=True, slots=True)
class LearnerExplanation:
    """Why one learner of a cascade gives a class its probability.

    Parameters
    ----------
    level : int
        Number of the learner's level, counted from 0.
    learner : str
        Name of the learner.
    label : object
        The class in question.
    probability : float
        What the learner gives it.
    kind : {"tests", "log-odds", "output", "unexplained"}
        What the reasons are: the tests of a tree; terms whose sum is the logarithm of
        `probability` over that of `rival`; terms whose sum is the output of a
        regression; or nothing that could be told.
    rival : object or None
        With "log-odds", the most probable other class.
    tests : tuple of TreeTest
        The tests, from the root of the tree.
    base : float
        The part of the sum that no attribute adds, such as the log-odds of the priors.
    terms : tuple of Term
        The other parts, the largest first.
    """

    level: int
    learner: str
    label: Any
    probability: float
    kind: Kind
    rival: Any = None
    tests: tuple[TreeTest, ...] = ()
    base: float = 0.0
    terms: tuple[Term, ...] = ()

    @property
    def total(self) -> float:
        """The sum of base and terms."""
        return math.fsum([self.base, *(term.amount for term in self.terms)])

    def __str__(self) -> str:
        """Return the learner's part as lines of text."""
        return self.text()

    def text(self, max_terms: int | None = None) -> str:
        """Return the learner's part as lines of text.

        Parameters
        ----------
        max_terms : int, default=None
            So many terms are printed at most, and the sum of the others.

        Returns
        -------
        str
            A heading, and the reasons one to a line.
        """
        chance = f"P({plain(self.label)}) = {value_text(self.probability)}"
        heading = f"level {self.level}, {self.learner}: {chance}"
        if self.kind == "unexplained":
            return f"{heading} (no explanation exists for this kind of learner)"
        if self.kind == "tests":
            tests = [f"    {test}" for test in self.tests] or ["    (a single leaf)"]
            return "\n".join([f"{heading} after these tests", *tests])
        what = "output of its regression"
        if self.kind == "log-odds":
            what = f"log-odds against {plain(self.rival)}"
        base = f"    {self.base:+.3f}  for any row"
        return "\n".join(
            [f"{heading}, {what} {self.total:+.3f}", base, *self._term_lines(max_terms)]
        )

    def _term_lines(self, max_terms: int | None) -> list[str]:
        shown = self.terms[:max_terms]
        lines = [f"    {term}" for term in shown]
        rest = self.terms[len(shown) :]
        if rest:
            total = math.fsum(term.amount for term in rest)
            plural = "s" if len(rest) > 1 else ""
            lines.append(f"    {total:+.3f}  {len(rest)} more attribute{plural}")
        return lines


@dataclass(frozen=True, slots=True)
class CascadeExplanation:
    """Why a cascade answers as it does for one row.

    Parameters
    ----------
    label : object
        The class that the cascade predicts.
    probability : float
        What it gives that class.
    parts : tuple of LearnerExplanation
        First the learner that decides; then, level by level downwards, the learners
        whose probabilities it has asked for, each for the class asked for.
    """

    label: Any
    probability: float
    parts: tuple[LearnerExplanation, ...]

    def __str__(self) -> str:
        """Return the whole explanation as text."""
        return self.text()

    def text(self, max_terms: int | None = None) -> str:
        """Return the whole explanation as text.

        Parameters
        ----------
        max_terms : int, default=None
            So many terms of a learner are printed at most, and the sum of the others.

        Returns
        -------
        str
            The answer, and a paragraph for each learner.
        """
        chance = value_text(self.probability)
        answer = f"The answer is {plain(self.label)} (probability {chance})."
        return "\n".join([answer, *(part.text(max_terms) for part in self.parts)])


def value_text(value: Any) -> str:
    """Return a row's value: a number to four digits, anything else as it is."""
    if isinstance(value, float):
        return number_text(float(f"{value:.4g}"))
    return plain(value)
