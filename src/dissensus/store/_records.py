"""What a store keeps: cells, their outcomes, and how their rows were drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

# How training and test sets are drawn, beside the protocols of `bias_variance`.
FOLDS = "folds"
TEST = "test"


@dataclass(frozen=True, slots=True)
class Task:
    """One training set and one test set of one data set.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    repeat, fold : int
        Number of the cross-validation, and of the fold that is tested, from 0.
    fraction : float
        Share of the training fold that is learnt from.
    noise : float
        Share of the training labels that are wrong.
    """

    dataset: str
    repeat: int
    fold: int
    fraction: float = 1.0
    noise: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """Run one learner on one task; a list of jobs is a whole experiment.

    Attributes
    ----------
    learner : str
        Identity of the learner: its text, with all parameters.
    task : Task
        What it is run on.
    """

    learner: str
    task: Task


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one cell.

    Attributes
    ----------
    job : Job
        The cell.
    failure : str
        "" if it went well; else "raised", "answer", "memory", "time" or "died".
    error : str
        The error in one line.
    details : str
        Where it happened.
    n_train, n_test, n_correct : int or None
        Numbers of rows.
    fit_seconds, predict_seconds : float or None
        Wall time of `fit` and of `predict`.
    leaves, members : int or None
        Leaves of the tree or of all trees; number of members, where there are any.
    scores : mapping of str to float
        The measures of the study.
    answers : bytes
        The packed predictions.
    notes : str
        The first few different warnings.
    """

    job: Job
    failure: str = ""
    error: str = ""
    details: str = ""
    n_train: int | None = None
    n_test: int | None = None
    n_correct: int | None = None
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    leaves: int | None = None
    members: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    answers: bytes = b""
    notes: str = ""


class LearnerIdentity(Protocol):
    """What tells a learner of a study from all others."""

    @property
    def label(self) -> str:
        """Its name in tables."""

    @property
    def text(self) -> str:
        """The learner with all its parameters."""

    @property
    def versions(self) -> tuple[str, ...]:
        """Packages that its results depend on."""


class DataIdentity(Protocol):
    """What tells a data set of a study from all others."""

    @property
    def name(self) -> str:
        """Its name in tables."""

    @property
    def fingerprint(self) -> str:
        """The digest of its content."""


class StudyIdentity(Protocol):
    """What a store must know about a study to keep its cells apart from others."""

    seed: int
    n_folds: int

    @property
    def data(self) -> Mapping[str, DataIdentity]:
        """The data sets by name."""

    @property
    def learners(self) -> Mapping[str, LearnerIdentity]:
        """The learners by their text."""

    @property
    def regime(self) -> str:
        """The protocol, and how rows are drawn if not by folds."""

    def key(self, job: Job) -> str:
        """Return the digest of all that determines the result of a cell."""


def regime(protocol: str, resampling: str) -> str:
    """Return under which rules cells are run, in words for keys and stores."""
    return protocol if resampling == FOLDS else f"{protocol}, {resampling}"
