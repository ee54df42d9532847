"""What MACLEN and MTForest share: every input attribute is a task in its turn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from heapq import nlargest
from numbers import Integral
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from dissensus.base import fewer_values, read_inputs
from dissensus.ensemble._members import EnsembleClassifier
from dissensus.ensemble._views import (
    HOW_FEWER,
    AttributeTask,
    View,
    WeightedClasses,
    apply_view,
    checked_discretizers,
    checked_groupers,
    fit_views,
    tasks_of,
    with_ordinals,
)
from dissensus.preprocessing import ValueGrouper
from dissensus.table import Attribute, Column, Table
from dissensus.utils._memory_limit import ALWAYS_ALLOWED, check_memory
from dissensus.utils._sklearn import StrOptions
from dissensus.utils._threads import in_threads
from dissensus.utils._typing import Floats

Codes = NDArray[np.int32]

# Rows are answered in blocks of no more than so many rows and probabilities, which
# bounds the memory of members with many labels. The size of the blocks must not depend
# on the number of threads: a classifier of another package may answer with other last
# bits in other company.
BLOCK_ROWS = 8192
BLOCK_CELLS = BLOCK_ROWS * 2048
# Bytes that a member keeps for each of its inputs: its place in a schema, its name.
BYTES_PER_INPUT = 24


class Others(NamedTuple):
    """How many values the attributes beside one have, each with one more for none."""

    most: int
    total: int


class Widths(NamedTuple):
    """How many values each attribute of a table has, with one more for none."""

    widths: list[int]
    total: int
    two_most: list[int]

    @classmethod
    def of(cls, table: Table) -> Widths:
        """Count the values of all attributes once."""
        widths = [attribute.n_values + 1 for attribute in table.schema]
        return cls(widths, sum(widths), nlargest(2, [0, 0, *widths]))

    def without(self, attribute: int) -> Others:
        """Return how many values the other attributes have."""
        own, (most, second) = self.widths[attribute], self.two_most
        return Others(second if own == most else most, self.total - own)


class TaskEnsembleClassifier(EnsembleClassifier):
    """Base of ensembles with a member for each attribute, and for each view of it.

    A subclass has four hooks: `_member_bytes` says how much memory a member takes,
    `_fit_task` fits a member that has the target column as
    its task and does not see it, `_keep` stores what that returned for all tasks, and
    `_vote` asks one member. Votes are averaged.
    """

    discretizers: Any
    features: str
    max_values: Any
    n_jobs: int | None
    n_classes_: int
    tasks_: list[AttributeTask]
    views_: list[View]

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **EnsembleClassifier._parameter_constraints,
        "discretizers": [list, tuple, None],
        "features": [StrOptions({"discretized", "original"})],
        "max_values": [Integral, ValueGrouper, list, tuple, None],
        "n_jobs": [Integral, None],
    }

    @abstractmethod
    def _fit_task(
        self, prototype: Any, table: Table, target: Column, classes: WeightedClasses
    ) -> Any:
        """Return what is to be kept of one member."""

    @abstractmethod
    def _member_bytes(
        self, task: AttributeTask, others: Others, classes: WeightedClasses
    ) -> tuple[int, int]:
        """Estimate the memory of one member: what it keeps, what its fit needs besides.

        Parameters
        ----------
        task : AttributeTask
            What the member predicts beside the class.
        others : Others
            How many values the attributes have that it learns from.
        classes : WeightedClasses
            The classes of the rows.
        """

    @abstractmethod
    def _keep(self, fitted: list[Any]) -> None:
        """Store what `_fit_task` returned, task by task."""

    @abstractmethod
    def _vote(self, number: int, table: Table, values: Codes) -> Floats:
        """Return a member's probabilities of all classes, given also its own values."""

    def _fit_table(
        self,
        table: Table,
        y_codes: Codes,
        n_classes: int,
        sample_weight: Floats | None = None,
    ) -> Self:
        prototype = self._prototype()
        classes = WeightedClasses(y_codes, n_classes, sample_weight)
        self.schema_ = table.schema
        self.n_classes_ = n_classes
        self.views_, views = fit_views(
            table,
            classes,
            checked_discretizers(self.discretizers),
            checked_groupers(self.max_values),
        )
        self.tasks_ = tasks_of(views, table)
        self._fit_tasks(prototype, table, views, classes)
        return self

    def _fit_tasks(
        self, prototype: Any, table: Table, views: list[Table], classes: WeightedClasses
    ) -> None:
        """Fit the members, in threads."""
        inputs = self._inputs(table, views)
        self._check_size(inputs, classes)

        def fit(task: AttributeTask) -> Any:
            attributes = inputs[task.view].drop(task.attribute)
            values = views[task.view].columns[task.attribute]
            return self._fit_task(prototype, attributes, values, classes)

        self._keep(in_threads(fit, self.tasks_, self.n_jobs))

    def _check_size(self, inputs: list[Table], classes: WeightedClasses) -> None:
        """Raise an error if the members would not fit in memory.

        It adds up what all members keep, and what those that are fitted at the same
        time need besides.
        """
        kept, needed = 0, 0
        widths = [Widths.of(shown) for shown in inputs]
        for task in self.tasks_:
            others = widths[task.view].without(task.attribute)
            keeps, needs = self._member_bytes(task, others, classes)
            kept += keeps + BYTES_PER_INPUT * inputs[task.view].n_attributes
            needed = max(needed, needs)
        if kept + len(self.tasks_) * needed <= ALWAYS_ALLOWED:
            return
        n_threads = min(effective_n_jobs(self.n_jobs), len(self.tasks_))
        check_memory(
            kept + n_threads * needed,
            f"{type(self).__name__} with {len(self.tasks_):,} members",
            fewer_values(
                (Attribute(task.name, "nominal", task.values) for task in self.tasks_),
                HOW_FEWER,
            ),
        )

    def _inputs(self, table: Table, views: list[Table]) -> list[Table]:
        """Return for each view the table whose attributes its members learn from."""
        if self.features == "original":
            return [table] * len(views)
        if self.input_kind_ == "array":
            return [with_ordinals(view, table) for view in views]
        return views

    def _proba_table(self, table: Table) -> Floats:
        blocks = in_threads(self._average, self._blocks(table), self.n_jobs)
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _average(self, table: Table) -> Floats:
        total = np.zeros((table.n_rows, self.n_classes_))
        for votes in self._votes(table):
            total += votes
        return total / len(self.tasks_)

    def _votes(self, table: Table) -> Iterator[Floats]:
        """Ask the members one after the other."""
        views = [apply_view(view, table) for view in self.views_]
        inputs = self._inputs(table, views)
        for number, task in enumerate(self.tasks_):
            values = views[task.view].columns[task.attribute].data
            yield self._vote(number, inputs[task.view].drop(task.attribute), values)

    def member_votes(self, X: Any) -> Floats:
        """Return what each member makes of each row.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The inputs, as in `predict_proba`.

        Returns
        -------
        votes : ndarray of shape (n_samples, n_members, n_classes)
            Each member's probabilities of the classes, in the order of `tasks_`. Their
            mean over the members is `predict_proba(X)`.
        """
        check_is_fitted(self)
        table = read_inputs(self, X, reset=False)
        votes = [np.stack(list(self._votes(b)), axis=1) for b in self._blocks(table)]
        return votes[0] if len(votes) == 1 else np.concatenate(votes)

    def _blocks(self, table: Table) -> Iterator[Table]:
        """Cut a table into blocks of rows."""
        step = min(BLOCK_ROWS, max(1, BLOCK_CELLS // self._most_labels()))
        if table.n_rows <= step:
            yield table
            return
        for start in range(0, table.n_rows, step):
            yield table.take(np.arange(start, min(start + step, table.n_rows)))

    def _most_labels(self) -> int:
        """Return how many probabilities a member gives a row."""
        return self.n_classes_
