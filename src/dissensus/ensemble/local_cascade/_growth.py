"""A tree that grows node by node, and widens the rows of a node before it splits them.

While a node, or one below it, may still build attributes, its split is one call of the
compiled search. Where none may any more, the rest of the tree below is one call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from dissensus._core.tree._grow import grow
from dissensus._core.tree._prune import collapse as collapse_nodes
from dissensus.ensemble._members import (
    Codes,
    InputKind,
    accepts_weights,
    fit_member,
    new_member,
    takes_tables,
)
from dissensus.ensemble.cascade._extension import check_built
from dissensus.ensemble.local_cascade._constructor import (
    Construction,
    Rules,
    Step,
    built_attributes,
    needed_models,
)
from dissensus.ensemble.local_cascade._grafts import (
    Grafts,
    Piece,
    branch_of,
    class_weights_of,
    share_out,
)
from dissensus.table import Attribute, Column, Schema, Table, take_in_order
from dissensus.tree import (
    LEAF,
    NUMERIC,
    check_growth,
    cut_back,
    gains_in_mean,
    numbered,
)
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._typing import Floats

Numbers = NDArray[np.intp]
TOLERANCE = 1e-6  # J48's, of every comparison of weights
# Of a number that is taken: the number, and its column sorted (see `take_sorted`).
TAKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class GrowthData:
    """The training set, and what the members are given of it."""

    table: Table
    y: Codes
    n_classes: int
    weights: Floats | None
    labels: list[Any]
    kind: InputKind


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """The parameters of `C45Classifier` that say how a node is split."""

    min_leaf: float
    binary: bool
    mdl: bool


@dataclass(slots=True)
class OpenNode:
    """A node that is still to be grown.

    Attributes
    ----------
    node, depth : int
        Its number and depth.
    rows : ndarray of int
        The training rows that reach it, in ascending order.
    weights : ndarray of float or None
        Their weights here; None if all are 1.
    class_weights : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    numbers : ndarray of int
        Numbers of the attributes that rows have here: the inputs and the ones that
        this node and those above it have built.
    table : Table
        The rows with these attributes.
    """

    node: int
    depth: int
    rows: Numbers
    weights: Floats | None
    class_weights: Floats
    numbers: Numbers
    table: Table


class LocalGrowth:
    """Grows the unpruned tree of a local cascade.

    Parameters
    ----------
    training : GrowthData
        The training set.
    levels : list of list of Step
        The learners of the constructor; those of one level see the same attributes.
    rules : Rules
        When a node may build attributes.
    options : SplitOptions
        How a node is split.
    rng : RandomState or None
        Seeds the learners; None leaves them their own seeds.

    Attributes
    ----------
    columns : list of Column
        Every attribute, the inputs first. Rows that do not reach the node where an
        attribute was built have NaN there (see `complete`).
    constructions : list of Construction
        The models, those of a node before those of its children.
    seconds : dict of str to float
        Time spent on "constructors" and on "splits".
    """

    def __init__(
        self,
        training: GrowthData,
        levels: list[list[Step]],
        rules: Rules,
        options: SplitOptions,
        rng: RandomState | None,
    ) -> None:
        self.training = training
        self.levels = levels
        self.rules = rules
        self.options = options
        self.rng = rng
        self.columns = list(training.table.columns)
        self.constructions: list[Construction] = []
        self.seconds = {"constructors": 0.0, "splits": 0.0}
        self._grafts = Grafts()
        self._exact = dict(enumerate(self.columns))

    def grow(self) -> Piece:
        """Grow the tree and return its nodes, whose tests count all attributes."""
        training = self.training
        check_growth(training.table, training.n_classes, binary=self.options.binary)
        spots = deque([self._root()])
        while spots:
            spots.extend(self._grow_at(spots.popleft()))
        return self._grafts.joined()

    def cut_back(
        self, nodes: Piece, collapse: bool, confidence: float | None, raising: bool
    ) -> None:
        """Collapse and prune the grown tree, in place, as C4.5 does."""
        if collapse:
            collapse_nodes(nodes)
        if raising and confidence is not None:
            tested = numbered(nodes)[0].attribute
            self.complete(needed_models(tested, self.constructions))
        cut_back(
            nodes,
            [column.data for column in self.columns],
            self.training.y,
            self.training.weights,
            collapse=False,
            confidence=confidence,
            subtree_raising=raising,
        )

    def complete(self, constructions: list[Construction]) -> None:
        """Give all training rows the attributes of these models, earlier ones first.

        When a branch takes the place of its parent in pruning, it gets rows that its
        models have not seen.
        """
        for construction in constructions:
            made = [self.columns[number].data for number in construction.made]
            others = np.flatnonzero(np.isnan(made[0]))
            if len(others):
                columns = [
                    self.columns[number].take(others) for number in construction.inputs
                ]
                table = Table(construction.schema, columns, len(others))
                proba = built_attributes(
                    construction.model, table, len(made), self.training.kind
                )
                for column, values in zip(made, proba.T, strict=True):
                    column[others] = values

    def _root(self) -> OpenNode:
        training = self.training
        class_weights = np.bincount(
            training.y, weights=training.weights, minlength=training.n_classes
        )
        return OpenNode(
            node=0,
            depth=0,
            rows=np.arange(training.table.n_rows),
            weights=training.weights,
            class_weights=class_weights.astype(np.float64),
            numbers=np.arange(training.table.n_attributes),
            table=training.table,
        )

    def _grow_at(self, spot: OpenNode) -> Iterator[OpenNode]:
        """Grow a node, or all that is below it; give the children left to be grown."""
        start = perf_counter()
        if spot.depth < self.rules.max_depth:
            for level in self.levels:
                self._construct(spot, level)
        middle = perf_counter()
        stepwise = spot.depth + 1 < self.rules.max_depth and self._may_construct(spot)
        piece = self._split(spot, only_root=stepwise)
        first_child = self._grafts.add(spot.node, piece)
        if stepwise and piece["kind"][0] != LEAF:
            yield from self._sons(spot, piece, first_child)
        self.seconds["constructors"] += middle - start
        self.seconds["splits"] += perf_counter() - middle

    def _may_construct(self, spot: OpenNode) -> bool:
        """Tell whether some class counts, here or, with still fewer rows, below."""
        return any(
            len(self.rules.counted(spot.class_weights, spot.numbers[inputs]))
            for level in self.levels
            for inputs in (step.inputs(spot.table.schema) for step in level)
        )

    def _construct(self, spot: OpenNode, level: list[Step]) -> None:
        """Let learners side by side build attributes from the rows of a node."""
        found = [self._build(step, spot) for step in level]
        for construction, proba in filter(None, found):
            self._widen(spot, construction, proba)

    def _build(self, step: Step, spot: OpenNode) -> tuple[Construction, Floats] | None:
        """Return a model and what it says about the rows; None if rules forbid it."""
        inputs = step.inputs(spot.table.schema)
        numbers = spot.numbers[inputs]
        classes = self.rules.counted(spot.class_weights, numbers)
        if not len(classes):
            return None
        n_built = len(self.columns) - self.training.table.n_attributes + len(classes)
        check_built(self.training.table.n_rows, n_built)
        table = select(spot.table, inputs)
        model = self._fit(step, spot, table, classes)
        proba = built_attributes(model, table, len(classes), self.training.kind)
        error = self._error(spot, classes[proba.argmax(axis=1)])
        if error >= self.rules.max_error:
            return None
        construction = Construction(
            name=f"{step.name}@{spot.node}",
            node=spot.node,
            model=model,
            inputs=numbers,
            schema=table.schema,
            classes=classes,
            first=-1,  # known when those before it have got their numbers
            error=error,
        )
        return construction, proba

    def _fit(self, step: Step, spot: OpenNode, table: Table, classes: Numbers) -> Any:
        """Fit a learner on the rows of the classes that count."""
        code_of = np.full(self.training.n_classes, -1, dtype=np.int32)
        code_of[classes] = np.arange(len(classes))
        codes, weights = code_of[self.training.y[spot.rows]], spot.weights
        if (codes < 0).any():
            kept = np.flatnonzero(codes >= 0)
            table, codes = table.take(kept), codes[kept]
            weights = None if weights is None else weights[kept]
        member = new_member(step.estimator, self.rng)
        if self.training.weights is None and not accepts_weights(member):
            weights = None  # only shares of rows with missing values are lost
        return fit_member(
            member, table, codes, len(classes), weights, kind=self.training.kind
        )

    def _error(self, spot: OpenNode, predicted: Numbers) -> float:
        """Return the share of a node's weight that is predicted wrongly."""
        wrong = predicted != self.training.y[spot.rows]
        return float(np.average(wrong, weights=spot.weights))

    def _widen(self, spot: OpenNode, construction: Construction, proba: Floats) -> None:
        """Give rows the attributes that a model has built."""
        construction = replace(construction, first=len(self.columns))
        self.constructions.append(construction)
        whole = np.full((self.training.table.n_rows, proba.shape[1]), np.nan, order="F")
        whole[spot.rows] = proba
        here = []
        for position, code in enumerate(construction.classes):
            name = f"{construction.name}:P({self.training.labels[code]})"
            attribute = Attribute(name, "numeric")
            self.columns.append(Column(attribute, whole[:, position]))
            here.append(Column(attribute, np.ascontiguousarray(proba[:, position])))
        spot.numbers = np.concatenate([spot.numbers, construction.made])
        spot.table = widened(spot.table, here)
        if takes_tables(construction.model):
            self._exact.update(zip(construction.made.tolist(), here, strict=True))

    def _split(self, spot: OpenNode, *, only_root: bool) -> Piece:
        """Search the best split of a node, or grow all that is below it."""
        encoded = spot.table.encoded
        n_rows = self.training.table.n_rows
        piece = grow(
            encoded,
            self.training.y[spot.rows],
            spot.weights,
            self.training.n_classes,
            in_mean=gains_in_mean(encoded, n_rows),
            min_leaf=self.options.min_leaf,
            binary=self.options.binary,
            mdl=self.options.mdl,
            actual_thresholds=False,
            only_root=only_root,
        )
        inner = np.flatnonzero(piece["kind"])
        piece["attribute"][inner] = spot.numbers[piece["attribute"][inner]]
        for node in np.flatnonzero(piece["kind"] == NUMERIC):
            values = self._cut_values(int(piece["attribute"][node]))
            if values is not None:
                place = np.searchsorted(values, piece["threshold"][node], side="right")
                piece["threshold"][node] = values[place - 1]
        return piece

    def _cut_values(self, number: int) -> Floats | None:
        """Return what thresholds of an attribute may be; None if anything.

        They are values of the training set. A model of another package may give a row
        other bits alone than in company, so its thresholds stay between two values.
        """
        column = self._exact.get(number)
        return None if column is None else column.in_order().values

    def _sons(
        self, spot: OpenNode, piece: Piece, first_child: int
    ) -> Iterator[OpenNode]:
        """Send the rows of a node down its branches."""
        kind, threshold = int(piece["kind"][0]), float(piece["threshold"][0])
        position = np.flatnonzero(spot.numbers == piece["attribute"][0])[0]
        data = spot.table.columns[position].data
        branch = branch_of(kind, threshold, data)
        parts = share_out(branch, spot.weights, int(piece["n_children"][0]))
        for number, (here, weights) in enumerate(parts):
            class_weights = class_weights_of(piece, 1 + number)
            if not self._is_leaf(class_weights):
                yield OpenNode(
                    node=first_child + number,
                    depth=spot.depth + 1,
                    rows=spot.rows[here],
                    weights=weights,
                    class_weights=class_weights,
                    numbers=spot.numbers,
                    table=taken(spot.table, here),
                )

    def _is_leaf(self, class_weights: Floats) -> bool:
        """Tell whether a node is too light or too pure to be split, as J48 does."""
        total = float(class_weights.sum())
        heaviest = float(class_weights.max())
        too_light = 2 * self.options.min_leaf - total > TOLERANCE
        return too_light or total - heaviest < TOLERANCE


def select(table: Table, positions: Numbers) -> Table:
    """Return the table with some of its columns only."""
    if len(positions) == table.n_attributes:
        return table
    columns = [table.columns[position] for position in positions]
    attributes = tuple(column.attribute for column in columns)
    return Table(Schema(attributes, table.schema.named), columns, table.n_rows)


def taken(table: Table, rows: Numbers) -> Table:
    """Return the table of these rows, in ascending order; sorted columns stay so."""
    check_memory(
        TAKEN_BYTES * len(rows) * table.n_attributes,
        f"{table.n_attributes:,} attributes of {len(rows):,} rows below a node",
        "Take fewer learners, or put classes together.",
    )
    starts = np.zeros(table.n_rows + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows, minlength=table.n_rows), out=starts[1:])
    columns = take_in_order(table.columns, rows, starts)
    return Table(table.schema, columns, len(rows))


def widened(table: Table, columns: list[Column]) -> Table:
    """Return the table with more columns behind its own."""
    attributes = (*table.schema, *(column.attribute for column in columns))
    schema = Schema(attributes, table.schema.named)
    return Table(schema, [*table.columns, *columns], table.n_rows)
