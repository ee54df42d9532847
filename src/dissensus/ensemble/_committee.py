"""The state of a committee that grows, and the labels that oppose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dissensus.ensemble._members import Codes, Floats
from dissensus.metrics import diversity

# A probability below this counts as zero: its reciprocal would overflow in a sum.
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Committee:
    """Members and what they say of the training rows; nobody is asked twice.

    Attributes
    ----------
    y_codes : ndarray of shape (n_rows,)
        The true classes.
    members : tuple of classifiers
        In the order of their joining.
    total : ndarray of shape (n_rows, n_classes)
        The sum of the members' class probabilities.
    predicted : ndarray of shape (n_rows,)
        The class that the committee finds most probable; nobody finds none, -1.
    votes : tuple of ndarray of shape (n_rows,)
        The class that each member finds most probable.
    """

    y_codes: Codes
    members: tuple[Any, ...]
    total: Floats
    predicted: NDArray[np.intp]
    votes: tuple[NDArray[np.intp], ...]

    @classmethod
    def of_nobody(cls, y_codes: Codes, n_classes: int) -> Committee:
        """Return the committee without members."""
        n_rows = len(y_codes)
        return cls(y_codes, (), np.zeros((n_rows, n_classes)), np.full(n_rows, -1), ())

    def __len__(self) -> int:
        return len(self.members)

    def joined_by(self, member: Any, proba: Floats) -> Committee:
        """Return the committee with one more member, whose probabilities are given."""
        total = self.total + proba
        return Committee(
            self.y_codes,
            (*self.members, member),
            total,
            total.argmax(axis=1),
            (*self.votes, proba.argmax(axis=1)),
        )

    @property
    def n_errors(self) -> int:
        """Number of training rows it gets wrong; nobody gets all of them wrong."""
        return int(np.count_nonzero(self.predicted != self.y_codes))

    @property
    def diversity(self) -> float:
        """How often a member and the committee differ on a training row."""
        return diversity(self.votes, self.predicted)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one member; errors are shares of the training rows."""

    accepted: bool
    member_error: float
    trial_error: float
    committee_error: float
    diversity: float


def judge(committee: Committee, larger: Committee) -> tuple[Committee, Trial]:
    """Keep the larger committee unless it makes more errors than the one before."""
    accepted = larger.n_errors <= committee.n_errors
    kept = larger if accepted else committee
    n_rows = len(kept.y_codes)
    trial = Trial(
        accepted=accepted,
        member_error=float((larger.votes[-1] != larger.y_codes).mean()),
        trial_error=larger.n_errors / n_rows,
        committee_error=kept.n_errors / n_rows,
        diversity=kept.diversity,
    )
    return kept, trial


def as_arrays(trials: Sequence[Trial]) -> dict[str, NDArray[Any]]:
    """Return an array for each property of the trials."""
    return {
        field.name: np.array([getattr(trial, field.name) for trial in trials])
        for field in fields(Trial)
    }


def opposite_labels(
    proba: Floats, candidates: NDArray[np.intp], zero_value: float, rng: Generator
) -> Codes:
    """Draw labels with chances inversely proportional to a committee's probabilities.

    Parameters
    ----------
    proba : ndarray of shape (n_rows, n_classes)
        What the committee says.
    candidates : ndarray of int
        The classes that may be drawn.
    zero_value : float
        What a probability of zero is replaced by. With 0, the limit, classes of
        probability zero have equal chances and the others none.
    rng : Generator
        Source of chance.

    Returns
    -------
    labels : ndarray of shape (n_rows,), int32
        Class codes.
    """
    proba = proba[:, candidates]
    is_zero = proba < TINY
    chances = 1.0 / np.where(is_zero, zero_value or 1.0, proba)
    if not zero_value:
        some_zero = is_zero.any(axis=1)
        chances[some_zero] = is_zero[some_zero]
    steps = np.cumsum(chances, axis=1)
    drawn = rng.random(len(proba)) * steps[:, -1]
    places = (drawn[:, None] >= steps[:, :-1]).sum(axis=1)
    return candidates[places].astype(np.int32)
