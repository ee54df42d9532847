"""Whether a learner's probabilities on its own training rows can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import RandomState

from dissensus.ensemble._crossfit import Folds, Training, out_of_fold
from dissensus.ensemble._levels import Learner
from dissensus.ensemble._members import Floats

Choice = Literal["paper", "crossfit"]


@dataclass(frozen=True, slots=True)
class LevelDiagnosis:
    """What the guard of a cascade measured and chose for one learner.

    Attributes
    ----------
    level : int
        Number of the learner's level, counted from 0.
    learner : str
        Name of the learner.
    in_sample : float
        Mean probability that it gives to the true class of rows it learnt from.
    out_of_fold : float
        The same for rows that it did not learn from.
    gap : float
        The difference of the two: how much the learner flatters its training rows.
    limit : float
        Largest gap at which in-sample probabilities are used.
    choice : {"paper", "crossfit"}
        Where the next level's training attributes come from.

    Examples
    --------
    >>> from dissensus.ensemble import LevelDiagnosis
    >>> print(LevelDiagnosis(0, "NB", 0.91, 0.89, 0.02, 0.1, "paper"))
    level 0, NB: P(true class) is 0.910 on its own rows and 0.890 out of fold; the gap
    of 0.020 is within 0.1, so its probabilities on its own rows are used
    """

    level: int
    learner: str
    in_sample: float
    out_of_fold: float
    gap: float
    limit: float
    choice: Choice

    def __str__(self) -> str:
        """Return the choice and its reason as a sentence."""
        small = self.choice == "paper"
        return (
            f"level {self.level}, {self.learner}: P(true class) is "
            f"{self.in_sample:.3f} on its own rows and {self.out_of_fold:.3f} out of "
            f"fold; the gap of {self.gap:.3f} is {'within' if small else 'above'} "
            f"{self.limit:g}, so its probabilities "
            f"{'on its own rows' if small else 'out of fold'} are used"
        )


@dataclass(frozen=True, slots=True)
class Supply:
    """Where the attributes of training rows come from.

    Attributes
    ----------
    mode : {"paper", "crossfit", "guarded"}
        What the caller asks for.
    folds : list of pairs of ndarray
        How rows are divided; empty for the paper's way, or if they are too few.
    max_gap : float
        Largest gap at which the guard takes in-sample probabilities.
    rng : RandomState or None
        Seeds the copies of learners; None leaves them their seeds.
    """

    mode: str
    folds: Folds
    max_gap: float
    rng: RandomState | None

    def probabilities(
        self, level: int, learner: Learner, member: Any, training: Training
    ) -> tuple[Floats, LevelDiagnosis | None]:
        """Return what becomes attributes of the training rows, and why if guarded."""
        if not self.folds:
            return training.proba(member, training.table), None
        unseen = out_of_fold(learner.estimator, training, self.folds, self.rng)
        if self.mode == "crossfit":
            return unseen, None
        seen = training.proba(member, training.table)
        inside, outside = _truth(seen, training), _truth(unseen, training)
        gap = inside - outside
        choice: Choice = "crossfit" if gap > self.max_gap else "paper"
        found = LevelDiagnosis(
            level, learner.name, inside, outside, gap, self.max_gap, choice
        )
        return (seen if choice == "paper" else unseen), found


def _truth(proba: Floats, training: Training) -> float:
    """Return the mean probability of the true class."""
    true = proba[np.arange(len(proba)), training.y_codes]
    return float(np.average(true, weights=training.sample_weight))
