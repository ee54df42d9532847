"""The saved cells of a study, as a frame and as arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from dissensus.datasets import Loaded, find_again
from dissensus.exceptions import ExperimentError
from dissensus.io import harmless_frame
from dissensus.metrics import find_measure
from dissensus.results._cube import (
    Cube,
    choose,
    codes_of,
    make_cube,
    test_train_ratio,
)
from dissensus.results._tables import ResultTable
from dissensus.store import TEST, CellPredictions, Store, reading
from dissensus.table import import_polars
from dissensus.utils._files import write_whole
from dissensus.utils._names import suggest


class SavedCells:
    """What a store has of one study; the base of `Results`.

    Parameters
    ----------
    store : Store or path
        The store.
    data : mapping of str to Loaded, default=()
        Data sets by name, where they are at hand.
    """

    cells: Any

    def __init__(
        self,
        store: Store | str | os.PathLike[str],
        data: Mapping[str, Loaded] = MappingProxyType({}),
    ) -> None:
        self._source = store
        self._data = data
        with self._store(check=True) as opened:
            self._study = reading.read_study(opened)
            self.cells = reading.read_cells(opened, self._study)
        names = (tuple(self.spec[n]) for n in ("datasets", "learners", "measures"))
        self.datasets, self.learners, self.measures = names
        for measure in self.measures:
            self._with_measure(measure)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read the study that was last run with a store.

        Parameters
        ----------
        path : str or path
            The store. It may be in use: what is saved so far is read.

        Returns
        -------
        Results
            Of the saved cells.
        """
        return cls(path)

    @contextmanager
    def _store(self, *, check: bool = False) -> Iterator[Store]:
        """Open the store; its content is checked once for this object."""
        if isinstance(self._source, Store):  # in memory
            yield self._source
        else:
            with Store(self._source, read_only=True, check=check) as opened:
                yield opened

    @property
    def spec(self) -> Mapping[str, Any]:
        """The specification, as plain values."""
        return self._study.content

    @property
    def resampling(self) -> str:
        """How training and test sets were drawn, as `ExperimentSpec.resampling`."""
        return self._study.resampling

    @property
    def version(self) -> str:
        """Version of the package that the cells were run with."""
        return self._study.version

    @property
    def started(self) -> str:
        """Time at which the study was last begun or resumed, in UTC."""
        return self._study.started

    @property
    def n_cells(self) -> int:
        """Number of saved cells."""
        return len(self.cells)

    @property
    def n_failed(self) -> int:
        """Number of saved cells that ended with an error."""
        return int((self.cells["failure"] != "").sum())

    @property
    def n_missing(self) -> int:
        """Number of cells that have not been run."""
        content = self._study.content
        settings = len(content["fractions"]) * len(content["noise"])
        return self._n_expected(settings) - self.n_cells

    def _n_expected(self, settings: int) -> int:
        content = self._study.content
        tasks = content["repeats"] * content["folds"] * settings
        return len(self.datasets) * len(self.learners) * int(tasks)

    def _with_measure(self, measure: str) -> Any:
        """Return the cells with a column for this measure, computed if need be."""
        if measure in self.cells.columns:
            return self.cells
        find_measure(measure)
        pl = import_polars()
        with self._store() as store:
            cells, values = reading.read_scores(store, measure)
            known = set(cells)
            lacking = [
                cell
                for cell, failure in self.cells.select("id", "failure").iter_rows()
                if not failure and cell not in known
            ]
            cells += lacking
            values += reading.compute_scores(store, lacking, measure)
        scores = pl.DataFrame(
            {"id": cells, measure: values}, schema={"id": pl.Int64, measure: pl.Float64}
        )
        self.cells = self.cells.join(scores, on="id", how="left", maintain_order="left")
        return self.cells

    def cube(
        self,
        measure: str = "accuracy",
        *,
        fraction: float | None = None,
        noise: float | None = None,
    ) -> Cube:
        """Return the scores as an array by data set, learner and task.

        Parameters
        ----------
        measure : str, default="accuracy"
            A name of `dissensus.metrics.MEASURES`, computed from the saved predictions
            if it is not among those of the study.
        fraction : float, default=None
            Share of the training folds learnt from; the largest if None.
        noise : float, default=None
            Share of wrong training labels; the smallest if None.

        Returns
        -------
        Cube
            What tables and tests are computed from.
        """
        pl = import_polars()
        content = self._study.content
        fraction, noise = self._setting(fraction, noise)
        frame = self._with_measure(measure).filter(
            (pl.col("fraction") == fraction) & (pl.col("noise") == noise)
        )
        n_folds, n_repeats = content["folds"], content["repeats"]
        places = {
            "dataset": codes_of(frame["dataset"], self.datasets),
            "learner": codes_of(frame["learner"], self.learners),
            "task": (frame["repeat"] * n_folds + frame["fold"]).to_numpy(),
        }
        shape = (len(self.datasets), len(self.learners), n_repeats * n_folds)
        scores = frame[measure].to_numpy()
        n_failed = int((frame["failure"] != "").sum())
        return Cube(
            make_cube(places, shape, scores),
            self.datasets,
            self.learners,
            n_folds,
            fraction,
            find_measure(measure).greater_is_better,
            n_failed,
            self._n_expected(1) - len(frame),
            int(np.isnan(scores).sum()) - n_failed,
            test_train_ratio(frame, n_folds, fraction),
            self._rows_right(frame) if measure == "accuracy" else (),
        )

    def _rows_right(self, cells: Any) -> tuple[Any, ...]:
        """Return which rows learners get right, where there is one test set."""
        if self._study.resampling != TEST:
            return ()
        with self._store() as store:
            return reading.read_right(store, cells, self.datasets, self.learners)

    def by_run(self, **setting: Any) -> ResultTable:
        """Return the accuracy of each repeat, its test rows taken together.

        Parameters
        ----------
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        ResultTable
            A row for each data set, learner and repeat.
        """
        pl = import_polars()
        fraction, noise = self._setting(**setting)
        frame = self.cells.filter(
            (pl.col("fraction") == fraction) & (pl.col("noise") == noise)
        )
        found = frame.group_by("dataset", "learner", "repeat", maintain_order=True).agg(
            pl.col("n_correct").sum() / pl.col("n_test").sum()
        )
        found = found.rename({"n_correct": "accuracy"})
        return self._table("accuracy of each run", found, frame)

    def times(self) -> ResultTable:
        """Return the mean times of each learner on each data set.

        Returns
        -------
        ResultTable
            Seconds of `fit` and `predict` on the whole training folds.
        """
        pl = import_polars()
        fraction, noise = self._setting()
        frame = self.cells.filter(
            (pl.col("fraction") == fraction) & (pl.col("noise") == noise)
        )
        found = frame.group_by("dataset", "learner", maintain_order=True).agg(
            pl.col("fit_seconds", "predict_seconds").mean(),
            pl.col("leaves", "members").mean(),
        )
        return self._table("seconds, leaves and members, means", found, frame)

    def failures(self) -> ResultTable:
        """Return the cells that ended with an error.

        Returns
        -------
        ResultTable
            With the kind of failure ("raised", "answer", "time", "memory" or "died"),
            the error, and where it happened.
        """
        with self._store() as store:
            frame = reading.read_failures(store, self._study)
        return ResultTable("failed cells", frame, 0, self.n_missing)

    def predictions(self, dataset: str, learner: str) -> Any:
        """Return the saved predictions of one learner on one data set.

        Parameters
        ----------
        dataset, learner : str
            Names.

        Returns
        -------
        polars.DataFrame
            A row for each cell and test row: its number in the data set, the true and
            the predicted class, and the probability of each class.
        """
        pl = import_polars()
        chosen = self._cells_of(dataset, learner)
        with self._store() as store:
            labels = reading.read_classes(store, self._study, dataset)
            parts = [
                reading.answers_frame(reading.read_answers(store, cell), labels, task)
                for cell, *task in chosen.select("id", *reading.TASK).iter_rows()
            ]
        return pl.concat(parts) if parts else pl.DataFrame()

    def answers(
        self, dataset: str, learner: str, **setting: Any
    ) -> list[tuple[int, CellPredictions]]:
        """Return the saved predictions of one learner as codes, cell by cell.

        Parameters
        ----------
        dataset, learner : str
            Names.
        **setting : float
            `fraction` and `noise`, as for `cube`.

        Returns
        -------
        list of (int, CellPredictions)
            The cross-validation, and the answers to one of its folds.
        """
        pl = import_polars()
        fraction, noise = self._setting(**setting)
        chosen = self._cells_of(dataset, learner).filter(
            (pl.col("fraction") == fraction) & (pl.col("noise") == noise)
        )
        with self._store() as store:
            return [
                (repeat, answers)
                for cell, repeat in chosen.select("id", "repeat").iter_rows()
                if (answers := reading.read_answers(store, cell)) is not None
            ]

    def _cells_of(self, dataset: str, learner: str) -> Any:
        pl = import_polars()
        self._index(learner)
        return self.cells.filter(
            (pl.col("dataset") == dataset)
            & (pl.col("learner") == learner)
            & (pl.col("failure") == "")
        )

    def described_data(self) -> ResultTable:
        """Return the size and the digest of each data set."""
        with self._store() as store:
            return ResultTable("data sets", reading.read_described(store, self._study))

    def load_data(self, dataset: str) -> Loaded:
        """Return a data set of the study, the same to the last bit.

        Parameters
        ----------
        dataset : str
            Its name.

        Returns
        -------
        Loaded
            From memory if it is there, else from where it was; without its test set.

        Raises
        ------
        ExperimentError
            If it cannot be found here, or has another content by now.
        """
        data = self._data.get(dataset)
        if data is None:
            data = find_again(dataset, self._study.content["datasets"][dataset])
        return data.without_test()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a line for each saved cell to a CSV file, harmless to a spreadsheet.

        Parameters
        ----------
        path : str or path
            The file.
        """
        with write_whole(path) as file:
            harmless_frame(self._export()).write_csv(file)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write a row for each saved cell to a Parquet file.

        Parameters
        ----------
        path : str or path
            The file.
        """
        with write_whole(path) as file:
            self._export().write_parquet(file)

    def _export(self) -> Any:
        """Return the cells with their errors and without the store's own numbers."""
        errors = self.failures().frame.drop("failure", "details")
        keys = ["dataset", "learner", *reading.TASK]
        frame = self.cells.join(errors, on=keys, how="left", maintain_order="left")
        return frame.drop("id")

    def _table(self, title: str, found: Any, cells: Any) -> ResultTable:
        n_failed = int((cells["failure"] != "").sum())
        return ResultTable(title, found, n_failed, self._n_expected(1) - len(cells))

    def _index(self, learner: str) -> int:
        if learner not in self.learners:
            raise ExperimentError(
                f"There is no learner {learner!r}. {suggest(learner, self.learners)}"
            )
        return self.learners.index(learner)

    def _setting(
        self, fraction: float | None = None, noise: float | None = None
    ) -> tuple[float, float]:
        content = self._study.content
        return (
            choose(content["fractions"], fraction, "fraction", max),
            choose(content["noise"], noise, "noise", min),
        )
