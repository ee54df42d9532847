"""Scores by data set, learner and task: the array that all tables are computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.evaluation import (
    PairedTest,
    corrected_resampled_ttest,
    holm,
    mcnemar,
    paired_ttest,
    sign_test,
    wilcoxon,
    win_draw_loss,
)
from dissensus.exceptions import ExperimentError
from dissensus.metrics import geometric_mean_error_ratio
from dissensus.results._tables import ResultTable, count_cells
from dissensus.table import import_polars
from dissensus.utils._typing import Floats

TESTS = ("corrected", "mcnemar", "paired", "wilcoxon", "sign")
USUAL = "usual"


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """The scores of one measure at one fraction and level of noise.

    Attributes
    ----------
    values : ndarray of shape (n_datasets, n_learners, n_repeats * n_folds)
        NaN where a cell failed, was not run, or has no such score.
    datasets, learners : tuple of str
        Names, in the order of the study.
    n_folds : int
        Number of folds.
    fraction : float
        Share of the training fold that was learnt from.
    greater_is_better : bool
        Whether larger scores are better.
    n_failed, n_missing : int
        Numbers of cells that ended with an error, and that have not been run.
    n_undefined : int
        Number of cells that went well but have no such score, as the area under the
        curve of a test fold with one class.
    test_train_ratio : float
        Size of the test sets over that of the training sets, for the corrected test.
    rows : tuple of ndarray of shape (n_learners, n_rows)
        For each data set which rows each learner gets right (1) or not (0), where there
        is one test set; NaN for a learner without an answer.
    """

    values: Floats
    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    n_folds: int
    fraction: float
    greater_is_better: bool
    n_failed: int = 0
    n_missing: int = 0
    n_undefined: int = 0
    test_train_ratio: float = np.nan
    rows: tuple[Floats, ...] = ()

    @property
    def usual_test(self) -> str:
        """The test that fits how rows were drawn."""
        return "mcnemar" if self.rows else "corrected"

    def means(self) -> Floats:
        """Return the mean of each learner on each data set, over what there is."""
        return _mean(self.values, ~np.isnan(self.values))

    def deviations(self) -> Floats:
        """Return the standard deviations over cells (divisor n - 1)."""
        counts = (~np.isnan(self.values)).sum(axis=2)
        centred = self.values - self.means()[:, :, np.newaxis]
        squares = np.nansum(centred**2, axis=2)
        variance = np.full(counts.shape, np.nan)
        np.divide(squares, counts - 1, out=variance, where=counts > 1)
        return np.sqrt(variance)

    def fair_means(self) -> tuple[Floats, int]:
        """Return the means over tasks that all learners have done; how many were not.

        A learner that fails on the hard tasks would otherwise look good.
        """
        present = ~np.isnan(self.values)
        complete = present.all(axis=1, keepdims=True)
        tried = present.any(axis=1, keepdims=True)
        left_out = int((tried & ~complete).sum())
        return _mean(self.values, np.broadcast_to(complete, present.shape)), left_out

    def fair_errors(self) -> tuple[Floats, int]:
        """Return the mean errors, for a measure that is a share of right answers."""
        means, left_out = self.fair_means()
        return 1.0 - means, left_out

    def index(self, learner: str) -> int:
        """Return the position of a learner."""
        return self.learners.index(learner)

    def test(self, dataset: int, a: int, b: int, name: str = USUAL) -> PairedTest:
        """Test two learners on one data set, task by task or row by row."""
        results = self._results(name)[dataset]
        return self._test_of(name)(results[a], results[b])

    def compare(self, a: int, b: int, name: str | None, level: float) -> Any:
        """Count the data sets on which learner `a` wins, draws and loses."""
        results = self._results(name)
        return win_draw_loss(
            [of_learners[a] for of_learners in results],
            [of_learners[b] for of_learners in results],
            test=None if name is None else self._test_of(name),
            level=level,
            greater_is_better=self.greater_is_better,
        )

    def error_ratio(self, a: int, b: int) -> float | None:
        """Return the geometric mean of the ratios of errors, None without data sets."""
        errors, _ = self.fair_errors()
        pairs = errors[~np.isnan(errors).any(axis=1)]
        if not len(pairs):
            return None
        return geometric_mean_error_ratio(pairs[:, a], pairs[:, b])

    # As tables

    def table(self, title: str, frame: Any, left_out: int = 0) -> ResultTable:
        """Return a frame with what is missing in it said beside it."""
        notes = []
        if self.n_undefined:
            n_cells = count_cells(self.n_undefined)
            notes.append(f"Without a score, and not counted: {n_cells}.")
        if left_out:
            notes.append(
                f"Compared are tasks that all learners have done; {left_out} were left "
                "out."
            )
        return ResultTable(title, frame, self.n_failed, self.n_missing, tuple(notes))

    def by_dataset(
        self,
        title: str,
        rows: Floats,
        left_out: int = 0,
        *,
        names: Sequence[str] | None = None,
    ) -> ResultTable:
        """Return numbers with a row for each data set, a column for each learner."""
        columns: dict[str, Any] = {"dataset": names or self.datasets}
        for learner, numbers in zip(self.learners, rows.T, strict=True):
            columns[learner] = [plain(number) for number in numbers]
        floats = dict.fromkeys(self.learners, import_polars().Float64)
        frame = import_polars().DataFrame(columns, schema_overrides=floats)
        return self.table(title, frame, left_out)

    def by_pair(
        self, title: str, relate: Callable[[int, int], Any], left_out: int = 0
    ) -> ResultTable:
        """Return what relates each learner (row) to each other one (column)."""
        everyone = range(len(self.learners))
        columns: dict[str, Any] = {"learner": self.learners}
        for b in everyone:
            columns[self.learners[b]] = [
                relate(a, b) if a != b else None for a in everyone
            ]
        return self.table(title, import_polars().DataFrame(columns), left_out)

    def _results(self, name: str | None) -> Any:
        """Return for each data set the results of each learner that a test looks at."""
        name = self.usual_test if name == USUAL else name
        if name == "mcnemar" and not self.rows:
            raise ValueError(
                "McNemar's test compares right and wrong answers on the rows of one "
                "test set. For folds, use 'corrected'."
            )
        return self.rows if name == "mcnemar" else self.values

    def _test_of(self, name: str) -> Any:
        tests: dict[str, Any] = {
            "corrected": partial(
                corrected_resampled_ttest, test_train_ratio=self.test_train_ratio
            ),
            "mcnemar": mcnemar,
            "paired": paired_ttest,
            "wilcoxon": wilcoxon,
            "sign": sign_test,
        }
        name = self.usual_test if name == USUAL else name
        if name not in tests:
            raise ValueError(f"There is no test {name!r}. There are: {TESTS}.")
        return tests[name]


def plain(number: float) -> float | None:
    """Return a number, None for NaN: frames show that as missing."""
    return None if np.isnan(number) else float(number)


def mean_of_rows(means: Floats) -> Floats:
    """Return the mean of each column over the rows without a gap."""
    complete = means[~np.isnan(means).any(axis=1)]
    return complete.mean(axis=0) if len(complete) else np.full(means.shape[1], np.nan)


def _mean(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    counts = chosen.sum(axis=2)
    sums = np.where(chosen, values, 0.0).sum(axis=2)
    means = np.full(counts.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def against_all(cube: Cube, learner: int, measure: str) -> ResultTable:
    """Return how one learner does against each other one over all data sets."""
    means, left_out = cube.fair_means()
    rivals = [b for b in range(len(cube.learners)) if b != learner]
    found = [wilcoxon(means[:, learner], means[:, b]) for b in rivals]
    columns = {
        "rival": [cube.learners[b] for b in rivals],
        "difference": [plain(test.difference) for test in found],
        "w-d-l": [str(cube.compare(learner, b, USUAL, 0.95)) for b in rivals],
        "wilcoxon": [plain(test.pvalue) for test in found],
        "holm": [plain(p) for p in holm([test.pvalue for test in found])],
    }
    floats = dict.fromkeys(("difference", "wilcoxon", "holm"), import_polars().Float64)
    frame = import_polars().DataFrame(columns, schema_overrides=floats)
    title = f"{measure}, {cube.learners[learner]} against each other learner"
    return cube.table(title, frame, left_out)


def make_cube(
    columns: dict[str, ArrayLike],
    shape: tuple[int, int, int],
    scores: ArrayLike,
) -> Floats:
    """Return scores in their places, NaN in all others.

    Parameters
    ----------
    columns : dict
        The codes "dataset", "learner" and "task" of each score.
    shape : tuple
        Numbers of data sets, learners and tasks.
    scores : array
        The scores.
    """
    values = np.full(shape, np.nan)
    places = tuple(np.asarray(columns[n]) for n in ("dataset", "learner", "task"))
    values[places] = scores
    return values


def codes_of(names: Any, known: Sequence[str]) -> NDArray[np.int64]:
    """Return the positions of the names of a polars series in a list."""
    codes = {name: number for number, name in enumerate(known)}
    replaced = names.replace_strict(codes, return_dtype=import_polars().Int64)
    return np.asarray(replaced.to_numpy())


def test_train_ratio(cells: Any, n_folds: int, fraction: float) -> float:
    """Return the size of the test sets over that of the training sets."""
    if n_folds > 1:
        return 1.0 / ((n_folds - 1) * fraction)
    n_train, n_test = cells["n_train"].sum(), cells["n_test"].sum()
    return float(n_test / n_train) if n_train else 1.0


def choose(
    known: Sequence[float],
    given: float | None,
    name: str,
    usual: Callable[[Sequence[float]], float],
) -> float:
    """Return a setting of a study: the one given, or else the usual one."""
    if given is None:
        return usual(known)
    if given not in known:
        raise ExperimentError(f"The study has no {name} {given}. It has: {known}.")
    return given
