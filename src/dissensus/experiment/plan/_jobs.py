"""Cells of a study as frozen records, and the study that gives them their meaning.

A cell can be run alone, in any order, on any machine, and gives the same numbers: its
splits depend on the seed of the study, the data set and the repeat, its learner's seed
on everything that tells it from other cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cloudpickle
import numpy as np
from numpy.typing import NDArray

import dissensus
from dissensus.datasets import PROTOCOLS, DataSource, Loaded
from dissensus.evaluation import inject_class_noise, nested_fractions
from dissensus.exceptions import ExperimentError
from dissensus.experiment.plan._resampling import RESAMPLING, SplitRequest
from dissensus.experiment.plan._seeds import digest, seed_of
from dissensus.experiment.plan._splits import Rows, Split
from dissensus.learners import parse_learner
from dissensus.store import FOLDS, Job, Task, regime

KEY_FORMAT = 1  # to be raised when seeds or splits are made in another way


@dataclass(frozen=True, slots=True)
class LearnerSource:
    """A learner of a study.

    Attributes
    ----------
    label : str
        Its name in tables.
    text : str
        Its identity: what `parse_learner` reads, or a description of an object.
    versions : tuple of str
        Packages, with versions, beside this one that its results depend on.
    pickled : bytes
        The object, if the learner was given as one.
    """

    label: str
    text: str
    versions: tuple[str, ...] = ()
    pickled: bytes = b""

    def build(self) -> Any:
        """Return a new, unfitted classifier."""
        if self.pickled:
            return cloudpickle.loads(self.pickled)
        return parse_learner(self.text).build()


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a learner gets to learn and to predict.

    Attributes
    ----------
    data : Loaded
        The data set.
    train, test : ndarray
        Row numbers.
    y : ndarray
        Class codes of the training rows, noise included.
    """

    data: Loaded
    train: Rows
    test: Rows
    y: NDArray[np.int32]


@dataclass(slots=True, eq=False)
class Study:
    """Everything that is needed to run any cell; what a worker is sent, once.

    Attributes
    ----------
    seed : int
        Seed of the study.
    n_folds : int
        Number of folds.
    protocol : {"honest", "paper"}
        Whether preprocessing sees test rows.
    measures : tuple of str
        Scores to compute in each cell.
    data : mapping of str to DataSource
        The data sets by name.
    learners : mapping of str to LearnerSource
        The learners by identity.
    resampling : str
        How training and test sets are drawn.
    """

    seed: int
    n_folds: int
    protocol: str
    measures: tuple[str, ...]
    data: Mapping[str, DataSource]
    learners: Mapping[str, LearnerSource]
    resampling: str = FOLDS
    _loaded: dict[str, Loaded] = field(default_factory=dict)
    _splits: dict[tuple[str, int], list[Split]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        # What was loaded stays behind: a worker loads for itself.
        parts = (self.seed, self.n_folds, self.protocol, self.measures)
        named = (dict(self.data), dict(self.learners), self.resampling)
        return type(self), (*parts, *named)

    @property
    def regime(self) -> str:
        """The protocol, and how rows are drawn if not by folds; part of each key."""
        return regime(self.protocol, self.resampling)

    def key(self, job: Job) -> str:
        """Return the digest of all that determines the result of a cell."""
        learner = self.learners[job.learner]
        return digest(
            KEY_FORMAT,
            dissensus.__version__,
            learner.text,
            learner.versions,
            self.data[job.task.dataset].fingerprint,
            self.regime,
            self.n_folds,
            self.seed,
            *_identity(job.task),
        )

    def learner_seed(self, job: Job) -> int:
        """Return the seed of everything random in the learner of a cell."""
        return seed_of("learner", self.seed, job.learner, *_identity(job.task))

    def load(self, name: str) -> Loaded:
        """Return a data set; it is read when it is first asked for."""
        if name not in self._loaded:
            prepare = PROTOCOLS[self.protocol]
            self._loaded[name] = prepare(self.data[name].load())
        return self._loaded[name]

    def splits(self, name: str, repeat: int) -> list[Split]:
        """Return the training and test sets of one repeat."""
        if (name, repeat) not in self._splits:
            place = SplitRequest(self.seed, name, repeat, self.n_folds)
            draw = RESAMPLING[self.resampling]
            self._splits[name, repeat] = draw(self.load(name), place)
        return self._splits[name, repeat]

    def material(self, task: Task) -> Material:
        """Return the rows and labels of a task; every learner gets the same."""
        data = self.load(task.dataset)
        train, test = self.splits(task.dataset, task.repeat)[task.fold]
        where = (self.seed, task.dataset, task.repeat, task.fold)
        if task.fraction < 1.0:
            # One order for all fractions: each part is a part of the next.
            rng = seed_of("fraction", *where)
            parts = nested_fractions(data.y[train], [task.fraction], rng=rng)
            train = np.sort(train[parts[task.fraction]])
        y = data.y[train]
        if task.noise > 0.0:
            rng = seed_of("noise", *where, task.fraction, task.noise)
            codes = np.arange(len(data.classes), dtype=np.int32)
            y = inject_class_noise(y, task.noise, classes=codes, rng=rng)
        return Material(data, train, test, y)

    def find_learner(self, job: Job) -> LearnerSource:
        """Return the learner of a cell."""
        if job.learner not in self.learners:
            raise ExperimentError(f"the study has no learner {job.learner!r}.")
        return self.learners[job.learner]


def _identity(task: Task) -> tuple[Any, ...]:
    return task.dataset, task.repeat, task.fold, task.fraction, task.noise
