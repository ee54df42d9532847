"""The finished tree of a local cascade, and how rows walk down it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus._core.tree._walk import find_leaves
from dissensus.ensemble._members import InputKind
from dissensus.ensemble.cascade._extension import unique_name
from dissensus.ensemble.local_cascade._constructor import (
    Construction,
    built_attributes,
    needed_models,
)
from dissensus.ensemble.local_cascade._grafts import Piece
from dissensus.table import Attribute, Column, Schema, Table
from dissensus.tree import LEAF, Tree, numbered

Numbers = NDArray[np.intp]


def finish(
    nodes: Piece, constructions: list[Construction], n_inputs: int
) -> tuple[Tree, list[Construction]]:
    """Number what is left of a pruned tree, and the attributes that it needs.

    Parameters
    ----------
    nodes : dict of ndarray
        The pruned nodes, with the parents that they had before.
    constructions : list of Construction
        All models, those of a node before those of its children.
    n_inputs : int
        Number of attributes that are not built.

    Returns
    -------
    tree : Tree
        The nodes that are left.
    kept : list of Construction
        The models whose attributes are tested, or read by such a model.
    """
    tree, old = numbered(nodes)
    needed = {model.first for model in needed_models(tree.attribute, constructions)}
    new_number = np.arange(_n_attributes(n_inputs, constructions))
    kept: list[Construction] = []
    for node, construction in _held(tree, old, nodes["parent"], constructions):
        if construction.first not in needed:
            continue
        name = f"{construction.name.rpartition('@')[0]}@{node}"
        changed = replace(
            construction,
            name=unique_name(name, [other.name for other in kept]),
            node=node,
            inputs=new_number[construction.inputs],
            first=_n_attributes(n_inputs, kept),
        )
        new_number[construction.made] = changed.made
        kept.append(changed)
    attribute = np.where(tree.attribute < 0, -1, new_number[tree.attribute])
    return replace(tree, attribute=attribute.astype(np.int32)), kept


def _held(
    tree: Tree,
    old: NDArray[np.intp],
    old_parent: NDArray[np.int32],
    constructions: list[Construction],
) -> Iterator[tuple[int, Construction]]:
    """Give the models that each node holds, with its number.

    A node whose place was taken by a branch of it holds its own models and those of the
    branch, for the latter may read what the former make.
    """
    by_node: dict[int, list[Construction]] = {}
    for construction in constructions:
        by_node.setdefault(construction.node, []).append(construction)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        way = [int(old_parent[old[tree.first_child[node]]])]
        while way[-1] != old[node]:
            way.append(int(old_parent[way[-1]]))
        for place in reversed(way):
            for construction in by_node.get(place, []):
                yield node, construction


def _n_attributes(n_inputs: int, constructions: list[Construction]) -> int:
    return n_inputs + sum(len(construction.classes) for construction in constructions)


def extended_schema(
    schema: Schema, constructions: list[Construction], labels: list[Any]
) -> Schema:
    """Return the inputs and the attributes that the models make."""
    made = (
        Attribute(f"{construction.name}:P({labels[code]})", "numeric")
        for construction in constructions
        for code in construction.classes
    )
    return Schema((*schema, *made), schema.named)


class Walk:
    """Rows on their way down a local cascade.

    The paper widens a row at every node that holds a model. Here a model is asked when
    a test, or another model, asks for its attributes: the answers are the same.

    Parameters
    ----------
    tree : Tree
        The tree.
    constructions : list of Construction
        The models it holds.
    table : Table
        The rows.
    kind : {"array", "pandas", "polars"}
        What models of other packages are given.
    """

    def __init__(
        self,
        tree: Tree,
        constructions: list[Construction],
        table: Table,
        kind: InputKind,
    ) -> None:
        self.tree = tree
        self.constructions = constructions
        self.kind = kind
        self.n_rows, n_inputs = table.n_rows, table.n_attributes
        n_made = _n_attributes(0, constructions)
        unknown = np.full((n_made, self.n_rows), np.nan)
        self.arrays: list[NDArray[Any]] = [*table.arrays, *unknown]
        self._made = np.zeros((len(constructions), self.n_rows), dtype=bool)
        self._maker = np.full(n_inputs + n_made, -1)  # the model of each attribute
        for number, construction in enumerate(constructions):
            self._maker[construction.made] = number

    def leaves(self) -> NDArray[np.int32]:
        """Return where each row ends: a leaf, or a test whose value it lacks."""
        while True:
            nodes, lost = find_leaves(self.tree, self.arrays, self.n_rows, True)
            rows = np.flatnonzero(lost)
            makers = self._maker[self.tree.attribute[nodes[rows]]]
            waiting = makers >= 0
            waiting[waiting] = ~self._made[makers[waiting], rows[waiting]]
            if not waiting.any():
                return nodes
            for maker in np.unique(makers[waiting]).tolist():
                self.make(maker, rows[waiting & (makers == maker)])

    def make(self, maker: int, rows: Numbers) -> None:
        """Ask a model for the attributes of some rows, unless they have them."""
        rows = rows[~self._made[maker, rows]]
        if len(rows) == 0:
            return
        construction = self.constructions[maker]
        for earlier in np.unique(self._maker[construction.inputs]).tolist():
            if earlier >= 0:
                self.make(earlier, rows)
        table = Table(
            construction.schema,
            [
                Column(attribute, self.arrays[number][rows])
                for attribute, number in zip(
                    construction.schema, construction.inputs, strict=True
                )
            ],
            len(rows),
        )
        n_classes = len(construction.classes)
        proba = built_attributes(construction.model, table, n_classes, self.kind)
        for number, column in zip(construction.made, proba.T, strict=True):
            self.arrays[number][rows] = column
        self._made[maker, rows] = True
