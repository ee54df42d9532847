"""The errors of learners on data sets, as Gama and Brazdil's tables set them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissensus.evaluation import (
    WinDrawLoss,
    average_ranks,
    paired_ttest,
    summarize_errors,
    wilcoxon,
    win_draw_loss,
)
from dissensus.results import Results
from dissensus.utils._typing import Floats

LEVEL = 0.999  # of the paper's tests on single data sets
FLOOR = 1e-4  # what an error counts at least in a geometric mean: 0.01 points


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Errors in per cent, from one or several studies of the same learners.

    Attributes
    ----------
    datasets, learners : tuple of str
        Names.
    means : ndarray of shape (n_datasets, n_learners)
        Mean errors.
    runs : list of ndarray of shape (n_learners, n_runs)
        For each data set the errors that tests compare: those of whole
        cross-validations, as in the paper, or of folds where there is only one.
    whole : list of bool
        For each data set whether they are those of whole cross-validations.
    n_failed, n_missing : int
        Cells that are not in the numbers.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    means: Floats
    runs: list[Floats]
    whole: list[bool]
    n_failed: int
    n_missing: int

    def of(self, learner: str) -> Floats:
        """Return the errors of a learner on all data sets."""
        return self.means[:, self.learners.index(learner)]

    def some(self, learners: Sequence[str]) -> Floats:
        """Return the errors of some learners, a column for each."""
        return self.means[:, [self.learners.index(name) for name in learners]]

    def arithmetic(self, learner: str) -> float:
        """Return the mean over data sets."""
        return float(self.of(learner).mean())

    def geometric(
        self, learner: str, *, kept: NDArray[np.bool_] | None = None
    ) -> float:
        """Return the geometric mean, over some of the data sets or all."""
        errors = self.of(learner) if kept is None else self.of(learner)[kept]
        found = summarize_errors(errors[:, np.newaxis] / 100, floor=FLOOR)
        return 100 * float(found.geometric_mean[0])

    def ranks(self, learners: Sequence[str]) -> dict[str, float]:
        """Return the average rank of each of these learners among them."""
        found = average_ranks(self.some(learners), greater_is_better=False)
        return dict(zip(learners, map(float, found.average), strict=True))

    def never_perfect(self) -> NDArray[np.bool_]:
        """Tell on which data sets every learner errs, at least a little."""
        kept: NDArray[np.bool_] = self.means.min(axis=1) > 0
        return kept

    def deviation(self, learner: str) -> float:
        """Return the standard deviation of the mean over data sets."""
        own = [self.uncertainty(d, learner) for d in range(len(self.datasets))]
        return float(np.sqrt(np.sum(np.square(own))) / len(own))

    def uncertainty(self, dataset: int, learner: str) -> float:
        """Return the standard deviation of the mean error on one data set.

        Of cross-validations, which divide the same rows anew; of one alone it is
        reckoned from its folds, which makes it larger.
        """
        runs = self._run(dataset, learner)
        return float(runs.std(ddof=1) / np.sqrt(len(runs)))

    def spread(self, dataset: int, learner: str) -> float:
        """Return the deviation of an error as the paper seems to give it.

        That of whole cross-validations; where there is one only, that of its mean.
        """
        of_mean = self.uncertainty(dataset, learner)
        n_runs = len(self._run(dataset, learner))
        return of_mean * float(np.sqrt(n_runs)) if self.whole[dataset] else of_mean

    def wins(self, a: str, b: str) -> WinDrawLoss:
        """Count the data sets on which `a` has a lower mean error than `b`."""
        first, second = self.of(a), self.of(b)
        return win_draw_loss(
            [[x] for x in first], [[x] for x in second], greater_is_better=False
        )

    def significant(self, a: str, b: str) -> WinDrawLoss:
        """Count the data sets on which the difference is significant at 99.9 %."""
        pairs = [(self._run(d, a), self._run(d, b)) for d in range(len(self.datasets))]
        return win_draw_loss(
            [pair[0] for pair in pairs],
            [pair[1] for pair in pairs],
            test=paired_ttest,
            level=LEVEL,
            greater_is_better=False,
        )

    def mark(self, dataset: int, learner: str, component: str) -> str:
        """Return "+" if significantly better than a component, "-" if worse."""
        found = paired_ttest(self._run(dataset, learner), self._run(dataset, component))
        if not found.is_significant(LEVEL):
            return ""
        return "+" if found.difference < 0 else "-"

    def wilcoxon(self, a: str, b: str) -> float:
        """Return the p-value of the signed-ranks test over data sets."""
        return wilcoxon(self.of(a), self.of(b)).pvalue

    def _run(self, dataset: int, learner: str) -> Floats:
        return self.runs[dataset][self.learners.index(learner)]


def read_errors(studies: Iterable[Results]) -> Errors:
    """Put the studies of a part together, one below the other."""
    datasets: list[str] = []
    runs: list[Floats] = []
    means: list[Floats] = []
    is_whole: list[bool] = []
    n_failed = n_missing = 0
    for results in studies:
        cube = results.cube()
        errors = 100 * (1 - cube.values)
        shape = (*errors.shape[:2], -1, cube.n_folds)
        whole = errors.reshape(shape).mean(axis=3)
        datasets += cube.datasets
        repeated = whole.shape[2] > 1
        runs += list(whole if repeated else errors)
        is_whole += [repeated] * len(cube.datasets)
        means.append(100 * (1 - cube.means()))
        learners = cube.learners
        n_failed, n_missing = n_failed + cube.n_failed, n_missing + cube.n_missing
    return Errors(
        tuple(datasets),
        tuple(learners),
        np.vstack(means),
        runs,
        is_whole,
        n_failed,
        n_missing,
    )
