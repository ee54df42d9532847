"""The state of a committee that grows, and the labels that oppose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dissensus.ensemble._members import Adder, Codes
from dissensus.metrics import diversity
from dissensus.table import Table
from dissensus.utils._typing import Floats

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
    adders : tuple of callable
        Each adds a member's class probabilities of any rows to sums.
    total : ndarray of shape (n_rows, n_classes)
        The sum of the members' class probabilities.
    predicted : ndarray of shape (n_rows,)
        The most probable class, by the members together; -1 without members.
    votes : tuple of ndarray of shape (n_rows,)
        The class that each member finds most probable.
    """

    y_codes: Codes
    members: tuple[Any, ...]
    adders: tuple[Adder, ...]
    total: Floats
    predicted: NDArray[np.intp]
    votes: tuple[NDArray[np.intp], ...]

    @classmethod
    def of_nobody(cls, y_codes: Codes, n_classes: int) -> Committee:
        """Return the committee without members."""
        nothing = np.zeros((len(y_codes), n_classes))
        return cls(y_codes, (), (), nothing, np.full(len(y_codes), -1), ())

    def __len__(self) -> int:
        return len(self.members)

    def joined_by(self, member: Any, adder: Adder, table: Table) -> Committee:
        """Return the committee with one more member, who is asked about `table`."""
        proba = np.zeros_like(self.total)
        adder(table, proba)
        total = self.total + proba
        return Committee(
            self.y_codes,
            (*self.members, member),
            (*self.adders, adder),
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
    columns = proba.T[candidates]  # a class in a row: what is done to all rows is fast
    is_zero = columns < TINY
    chances = 1.0 / np.where(is_zero, zero_value or 1.0, columns)
    if not zero_value:
        np.copyto(chances, is_zero, where=is_zero.any(axis=0))
    steps = np.cumsum(chances, axis=0)
    drawn = rng.random(len(proba)) * steps[-1]
    places = np.count_nonzero(drawn >= steps[:-1], axis=0)
    return candidates[places].astype(np.int32)
