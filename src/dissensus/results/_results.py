"""The results of a study: a frame of cells, and the tables of papers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.evaluation import (
    FriedmanTest,
    NemenyiTest,
    average_ranks,
    friedman,
    nemenyi,
)
from dissensus.exceptions import ExperimentError
from dissensus.metrics import FLOOR
from dissensus.results._cells import SavedCells
from dissensus.results._cube import USUAL, Cube, against_all, mean_of_rows, plain
from dissensus.results._curves import curves_table, shares_table
from dissensus.results._decomposition import decomposition_table
from dissensus.results._tables import ResultTable
from dissensus.table import import_polars

SHARES = ("accuracy", "balanced_accuracy")  # of which 1 minus the score is an error


class Results(SavedCells):
    """The saved cells of one study, and tables of them.

    Made by `run_experiment` and `compare`, or read from a store by `Results.open`.

    Attributes
    ----------
    cells : polars.DataFrame
        One row for each saved cell: data set, learner, repeat, fold, fraction, noise,
        failure, sizes, times, leaves, members, and a column for each measure.
    datasets, learners : tuple of str
        Names, in the order of the study.
    measures : tuple of str
        The measures of the study; any other can be asked for.
    n_cells, n_failed, n_missing : int
        Numbers of cells that went well or not, of those with an error, and of those
        that have not been run.

    See Also
    --------
    run_experiment : Run a study.

    Notes
    -----
    A mean is taken over the cells that have a result. Where learners are set against
    each other (ranks, error ratios), only tasks that all of them have done count, and
    what was left out is said.

    Examples
    --------
    >>> from dissensus.experiment import compare
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> results = compare(X, y, ["c45", "majority"], folds=5, executor="serial")
    >>> print(results.win_draw_loss())
    accuracy, significant wins-draws-losses at 95 % (corrected), row against column
    learner     c45  majority
    c45           -     1-0-0
    majority  0-0-1         -
    """

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self.datasets)} data sets, {len(self.learners)} learners, "
            f"{self.n_cells} cells, {self.n_failed} failed, {self.n_missing} missing>"
        )

    def _repr_html_(self) -> str:
        return self.means()._repr_html_()

    def means(self, measure: str = "accuracy", **setting: Any) -> ResultTable:
        """Return the mean score of each learner on each data set.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            A row for each data set, a column for each learner.
        """
        cube = self.cube(measure, **setting)
        title = f"{measure}, mean over {cube.values.shape[2]} cells"
        return cube.by_dataset(title, cube.means())

    def deviations(self, measure: str = "accuracy", **setting: Any) -> ResultTable:
        """Return the standard deviation over cells, as `means` the mean.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            A row for each data set, a column for each learner.
        """
        cube = self.cube(measure, **setting)
        title = f"{measure}, standard deviation over {cube.values.shape[2]} cells"
        return cube.by_dataset(title, cube.deviations())

    def ranks(self, measure: str = "accuracy", **setting: Any) -> ResultTable:
        """Return the rank of each learner on each data set, and the average ranks.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            1 is the best; the last row has the averages.
        """
        cube = self.cube(measure, **setting)
        means, left_out = cube.fair_means()
        found = average_ranks(means, greater_is_better=cube.greater_is_better)
        rows = np.vstack([found.by_dataset, found.average])
        names = [*cube.datasets, "average"]
        return cube.by_dataset(f"{measure}, rank", rows, left_out, names=names)

    def win_draw_loss(
        self,
        measure: str = "accuracy",
        *,
        test: str | None = USUAL,
        level: float = 0.95,
        **setting: Any,
    ) -> ResultTable:
        """Count the data sets on which each learner wins, draws and loses.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        test : str or None, default="usual"
            A difference that is not significant by this test is a draw; if None, the
            better mean wins. "corrected" is the corrected resampled t-test, which is
            usual for folds; "mcnemar" is McNemar's exact test on the rows of a test
            set, which is usual there; others are "paired", "wilcoxon" and "sign".
        level : float, default=0.95
            Level of significance.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            Wins, draws and losses of the row's learner against the column's.
        """
        cube = self.cube(measure, **setting)
        test = cube.usual_test if test == USUAL else test
        how = f"significant wins-draws-losses at {100 * level:g} % ({test})"
        title = f"{measure}, {how if test else 'wins-draws-losses of means'}"
        return cube.by_pair(
            f"{title}, row against column",
            lambda a, b: str(cube.compare(a, b, test, level)),
        )

    def error_ratios(self, measure: str = "accuracy", **setting: Any) -> ResultTable:
        """Return the geometric mean error ratio of each pair of learners.

        Parameters
        ----------
        measure : {"accuracy", "balanced_accuracy"}, default="accuracy"
            The measure; the error is 1 minus its mean.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            Below 1, the row's learner makes fewer errors than the column's. An error of
            0 counts as 0.0001, as the title says.
        """
        if measure not in SHARES:
            raise ExperimentError(
                f"There is no error ratio of {measure!r}. There is one of: {SHARES}."
            )
        cube = self.cube(measure, **setting)
        title = f"geometric mean error ratio ({measure}, errors at least {FLOOR:g})"
        title += ", row to column"
        return cube.by_pair(title, cube.error_ratio, cube.fair_means()[1])

    def tests(
        self,
        learner: str,
        rival: str,
        measure: str = "accuracy",
        *,
        test: str = USUAL,
        **setting: Any,
    ) -> ResultTable:
        """Test two learners on each data set.

        Parameters
        ----------
        learner, rival : str
            Names of the two.
        measure : str, default="accuracy"
            The measure.
        test : str, default="usual"
            The test, as for `win_draw_loss`.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            For each data set the difference of the means, the statistic, the p-value,
            and the highest of the levels 0.95, 0.99 and 0.999 that is reached.
        """
        cube = self.cube(measure, **setting)
        test = cube.usual_test if test == USUAL else test
        a, b = self._index(learner), self._index(rival)
        found = [cube.test(d, a, b, test) for d in range(len(cube.datasets))]
        columns = {
            "dataset": cube.datasets,
            "difference": [plain(result.difference) for result in found],
            "statistic": [plain(result.statistic) for result in found],
            "pvalue": [plain(result.pvalue) for result in found],
            "level": [result.level for result in found],
            "pairs": [result.n for result in found],
        }
        schema = {"level": import_polars().Float64}
        frame = import_polars().DataFrame(columns, schema_overrides=schema)
        title = f"{measure}, {learner} minus {rival} ({test})"
        return ResultTable(title, frame, cube.n_failed, cube.n_missing)

    def friedman(self, measure: str = "accuracy", **setting: Any) -> FriedmanTest:
        """Test whether the learners differ over the data sets at all.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        FriedmanTest
            Friedman's test with Iman and Davenport's correction.
        """
        cube = self.cube(measure, **setting)
        better = cube.greater_is_better
        return friedman(cube.fair_means()[0], greater_is_better=better)

    def nemenyi(self, measure: str = "accuracy", **setting: Any) -> NemenyiTest:
        """Test which learners differ over the data sets, by their average ranks.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        NemenyiTest
            Nemenyi's test.
        """
        cube = self.cube(measure, **setting)
        better = cube.greater_is_better
        return nemenyi(cube.fair_means()[0], greater_is_better=better)

    def learning_curves(self, measure: str = "accuracy") -> ResultTable:
        """Return the mean score at each fraction of the training folds.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.

        Returns
        -------
        ResultTable
            A row for each data set and fraction, a column for each learner.
        """
        return curves_table(measure, self._cubes(measure))

    def shares_needed(self, rival: str, measure: str = "accuracy") -> ResultTable:
        """Return how much of the data each learner needs to be as good as a rival.

        Parameters
        ----------
        rival : str
            Name of the learner whose score at the largest fraction is to be reached.
        measure : str, default="accuracy"
            The measure.

        Returns
        -------
        ResultTable
            For each data set the smallest fraction of the study at which a learner's
            mean reaches that of the rival; missing if it never does.
        """
        cubes = self._cubes(measure)
        return shares_table(measure, cubes, self._index(rival))

    def _cubes(self, measure: str) -> dict[float, Cube]:
        return {f: self.cube(measure, fraction=f) for f in self.spec["fractions"]}

    def against(
        self, learner: str, measure: str = "accuracy", **setting: Any
    ) -> ResultTable:
        """Compare one learner with each other one over all data sets.

        Parameters
        ----------
        learner : str
            Name of the learner.
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            For each rival the mean difference, the significant wins, draws and losses
            (the usual test, 95 %), the p-value of Wilcoxon's test over data sets, and
            the same after Holm, which allows for the number of rivals.
        """
        cube = self.cube(measure, **setting)
        return against_all(cube, self._index(learner), measure)

    def bias_variance(self) -> ResultTable:
        """Take the error of each learner apart, by Kohavi and Wolpert's rule.

        Returns
        -------
        ResultTable
            Error, bias and variance of each learner on each data set, for a study with
            the resampling "maclen" or "bootstrap", in the form of that protocol.
        """
        return decomposition_table(self)

    def summary(self, measure: str = "accuracy", **setting: Any) -> ResultTable:
        """Return one line for each learner, the first being the one compared with.

        Parameters
        ----------
        measure : str, default="accuracy"
            The measure.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            The mean over data sets, the average rank, the significant wins, draws and
            losses against the first learner, the mean time of `fit`, and failed cells.
        """
        cube = self.cube(measure, **setting)
        means, left_out = cube.fair_means()
        rank = average_ranks(means, greater_is_better=cube.greater_is_better).average
        against = [
            "-" if not a else str(cube.compare(a, 0, USUAL, 0.95))
            for a in range(len(self.learners))
        ]
        columns = {
            "learner": self.learners,
            "mean": [plain(value) for value in mean_of_rows(means)],
            "rank": [plain(value) for value in rank],
            "w-d-l": against,
        }
        frame = (
            import_polars()
            .DataFrame(columns)
            .join(self._effort(), on="learner", how="left", maintain_order="left")
        )
        title = f"{measure}; wins, draws and losses against {self.learners[0]}"
        return cube.table(title, frame, left_out)

    def _effort(self) -> Any:
        """Return the mean time and the number of failures of each learner."""
        pl = import_polars()
        return self.cells.group_by("learner").agg(
            pl.col("fit_seconds").mean(),
            (pl.col("failure") != "").sum().alias("failed"),
        )
