"""Whether a learner's probabilities on its own training rows can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import RandomState

from dissensus.ensemble._members import member_codes, new_member
from dissensus.ensemble.cascade._cross_fit import (
    CrossFit,
    Folds,
    Positions,
    Training,
    cross_fit,
    out_of_fold,
)
from dissensus.ensemble.cascade._extension import extend
from dissensus.ensemble.cascade._levels import Level, NamedEstimator
from dissensus.table import Table
from dissensus.utils._typing import Floats

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
        Largest gap at which in-sample probabilities are used without a trial.
    choice : {"paper", "crossfit"}
        Where the next level's training attributes come from.
    paper_error, crossfit_error : float or None
        If the gap is above the limit, the error of the next level on held-out rows
        with attributes of either kind.

    Examples
    --------
    >>> from dissensus.ensemble import LevelDiagnosis
    >>> print(LevelDiagnosis(0, "NB", 0.91, 0.89, 0.02, 0.05, "paper"))
    level 0, NB: P(true class) is 0.910 on its own rows and 0.890 out of fold. The gap
    of 0.020 is within 0.05: its probabilities on its own rows are used.
    """

    level: int
    learner: str
    in_sample: float
    out_of_fold: float
    gap: float
    limit: float
    choice: Choice
    paper_error: float | None = None
    crossfit_error: float | None = None

    def __str__(self) -> str:
        """Return the choice and its reason in words."""
        own = self.choice == "paper"
        reason = f"is within {self.limit:g}"
        if self.paper_error is not None and self.crossfit_error is not None:
            reason = (
                f"is above {self.limit:g}, and the next level errs on "
                f"{self.paper_error:.1%} of held-out rows with the former and on "
                f"{self.crossfit_error:.1%} with the latter"
            )
        return (
            f"level {self.level}, {self.learner}: P(true class) is "
            f"{self.in_sample:.3f} on its own rows and {self.out_of_fold:.3f} out of "
            f"fold. The gap of {self.gap:.3f} {reason}: its probabilities "
            f"{'on its own rows' if own else 'out of fold'} are used."
        )


@dataclass(frozen=True, slots=True)
class AttributeSource:
    """Where the attributes of training rows come from.

    Attributes
    ----------
    mode : {"paper", "crossfit", "guarded"}
        What the caller asks for.
    folds : list of pairs of ndarray
        How rows are divided; empty for the paper's way, or if they are too few.
    max_gap : float
        Largest gap at which the guard asks for no trial.
    rng : RandomState or None
        Seeds the copies of learners; None leaves them their seeds.
    """

    mode: str
    folds: Folds
    max_gap: float
    rng: RandomState | None

    def probabilities(
        self,
        learner: NamedEstimator,
        member: Any,
        training: Training,
        level: int,
        above: Level,
    ) -> tuple[Floats, LevelDiagnosis | None]:
        """Return what becomes attributes of the training rows, and why if guarded.

        Parameters
        ----------
        learner : NamedEstimator
            Unfitted.
        member : classifier
            Its copy, fitted on all rows.
        training : Training
            The rows.
        level : int
            Number of the learner's level.
        above : Level
            The learners of the next level.
        """
        if not self.folds:
            return training.proba(member, training.table), None
        fits = list(cross_fit(learner.estimator, training, self.folds, self.rng))
        unseen = out_of_fold(fits, training.table.n_rows)
        if self.mode == "crossfit":
            return unseen, None

        seen = training.proba(member, training.table)
        inside, outside = _truth(seen, training), _truth(unseen, training)
        measured = (
            level,
            learner.name,
            inside,
            outside,
            inside - outside,
            self.max_gap,
        )
        if inside - outside <= self.max_gap:
            return seen, LevelDiagnosis(*measured, "paper")
        paper, crossfit = self._trial(fits, unseen, training, above)
        choice: Choice = "crossfit" if crossfit < paper else "paper"
        found = LevelDiagnosis(*measured, choice, paper, crossfit)
        return (seen if choice == "paper" else unseen), found

    def _trial(
        self,
        fits: Sequence[CrossFit],
        unseen: Floats,
        training: Training,
        above: Level,
    ) -> tuple[float, float]:
        """Return the next level's error with attributes of either kind.

        It learns from the rows that a copy has learnt from, with the copy's
        probabilities or with those out of fold, and is tested on the copy's others.
        """
        errors = np.zeros(2)
        tested = np.zeros(training.table.n_rows, dtype=bool)
        for fit in fits:
            if tested[fit.test].any():  # once is enough
                break
            tested[fit.test] = True
            part, rest = training.take(fit.train), training.take(fit.test)
            asked = _extended(rest.table, fit.proba)
            own = part.proba(fit.member, part.table)
            for kind, proba in enumerate((own, unseen[fit.train])):
                learnt = part.of(_extended(part.table, proba))
                for learner in above:
                    member = learnt.fit(new_member(learner.estimator, self.rng))
                    errors[kind] += _error(member, rest.of(asked))
        paper, crossfit = errors / (len(above) * _weight(training, tested))
        return float(paper), float(crossfit)


def _extended(table: Table, proba: Floats) -> Table:
    return extend(table, proba, "P", range(proba.shape[1]))


def _error(member: Any, rest: Training) -> float:
    """Return the weight of the rows that a member gets wrong."""
    codes = member_codes(member, rest.table, kind=rest.kind)
    return _weight(rest, codes != rest.y_codes)


def _weight(training: Training, rows: Positions | Any) -> float:
    if training.sample_weight is None:
        return float(np.count_nonzero(rows))
    return float(training.sample_weight[rows].sum())


def _truth(proba: Floats, training: Training) -> float:
    """Return the mean probability of the true class."""
    true = proba[np.arange(len(proba)), training.y_codes]
    return float(np.average(true, weights=training.sample_weight))
