"""Check the arrays that compiled code will trust.

A file without code can still ask a tree to step outside its own nodes, and compiled
walks do not look where they step. Every object of a model is checked once, when it is
opened: its parameters by its class's own rules, its arrays by type, shape and range,
and whether what it hands on is what the next one was fitted on (`_flow.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from dissensus.base import TableClassifier
from dissensus.bayes import CountingClassifier, Normal
from dissensus.ensemble import EnsembleClassifier, PriorClassifier, ProductLabels
from dissensus.linear import HyperplaneClassifier
from dissensus.persistence._card import ModelCard, find_schema
from dissensus.persistence._flow import check_flow, columns_of
from dissensus.persistence._sklearn_structure import check_sklearn
from dissensus.persistence._sklearn_trees import is_tree
from dissensus.persistence._walk import (
    attributes,
    check_attributes,
    check_parameters,
    expect,
    is_floats,
    is_integers,
    is_whole,
    walk,
)
from dissensus.preprocessing import BaseDiscretizer, MissingValueReplacer, ValueGrouper
from dissensus.table import Attribute, Schema
from dissensus.tree import LEAF, MULTIWAY, NUMERIC, ONE_VALUE, ClassWeights, Tree

# The branches' shares of a node's weight add up to 1, but for less than a millionth of
# it, which J48 sends nowhere.
ADD_UP = 1e-4
LABELS = str | bool | int | float | np.generic


def check_structure(model: Any) -> None:
    """Raise an error unless all parts of a model are sound and fit together."""
    found = list(walk(model))
    for _, part in found:
        check_attributes(part)
        if isinstance(part, Attribute):
            _check_attribute(part)
    for _, part in found:
        if isinstance(part, Schema):
            _check_schema(part)
    for owner, part in found:
        check_parameters(part)
        for kind, marker, check in CHECKS:
            if isinstance(part, kind) and (not marker or marker in attributes(part)):
                check(part, owner)
        check_sklearn(part, owner)
    for _, part in found:
        check_flow(part)


def check_card(card: ModelCard, model: Any) -> None:
    """Raise an error unless a card tells of the attributes that the model has.

    Files of rows are read by the card, and their codes handed to the model.
    """
    own = find_schema(model)
    if card.schema is not None:
        for attribute in card.schema:
            _check_attribute(attribute)
        _check_schema(card.schema)
        told = own is None or columns_of(card.schema) == columns_of(own)
        expect(told, "attributes that the file tells of")
    labels = getattr(model, "classes_", ())
    expect(len(card.classes) == len(labels), "classes that the file tells of")


def _check_attribute(attribute: Attribute) -> None:
    expect(len(attributes(attribute)) == len(fields(Attribute)), "half an attribute")
    values = attribute.categories
    known = attribute.kind in ("numeric", "nominal") and isinstance(attribute.name, str)
    expect(known and isinstance(values, tuple), "an attribute")
    expect(attribute.is_nominal or not values, f"values of {attribute.name!r}")
    plain = all(isinstance(value, LABELS) for value in values)
    expect(plain and len(set(values)) == len(values), f"values of {attribute.name!r}")


def _check_schema(schema: Schema) -> None:
    for name in {"names", "all_numeric", "_positions"} & vars(schema).keys():
        del vars(schema)[name]  # what it has worked out; it will do so again
    held = schema.attributes
    expect(isinstance(held, tuple) and type(schema.named) is bool, "attributes")
    expect(all(isinstance(a, Attribute) for a in held), "attributes")
    expect(len(set(schema.names)) == len(held), "attributes of one name")


def _check_classifier(model: TableClassifier, _: Any) -> None:
    """Check what all classifiers of this package have."""
    expect(isinstance(model.schema_, Schema), "a model without attributes")
    held = vars(model)
    if "classes_" in held:
        labels = held["classes_"]
        sound = isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0
        expect(sound and labels.dtype.kind in "iufbUSO", "class labels")
        if labels.dtype == object:
            expect(all(isinstance(x, LABELS) for x in labels), "class labels")
        expect(len(set(labels.tolist())) == len(labels), "equal class labels")
    _check_names(model, _)
    if isinstance(model, EnsembleClassifier):
        expect(model.input_kind_ in ("array", "pandas", "polars"), "a kind of input")


def _check_names(part: Any, _: Any) -> None:
    n_features = getattr(part, "n_features_in_", len(part.schema_))
    expect(n_features == len(part.schema_), "a number of attributes")
    names = getattr(part, "feature_names_in_", None)
    expect(names is None or tuple(names) == part.schema_.names, "names of attributes")


def _check_tree(tree: Tree, owner: Any) -> None:
    """Check a tree of this package against the attributes of its estimator."""
    schema = getattr(owner, "schema_out_", getattr(owner, "schema_", None))
    expect(isinstance(schema, Schema), "a tree without attributes")
    n_nodes = len(tree.kind) if isinstance(tree.kind, np.ndarray) else 0
    expect(n_nodes > 0, "a tree of no nodes")
    for name, dtype in TREE_TYPES.items():
        array = getattr(tree, name)
        expect(isinstance(array, np.ndarray) and array.dtype == dtype, f"tree: {name}")
        expect(array.shape[:1] == (n_nodes,), "arrays of several lengths")
        expect(array.ndim == 1, f"tree: {name}")
    _check_shape(tree)
    _check_class_weights(tree)
    _check_weights(tree)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        _check_test(tree, node, schema)


def _check_shape(tree: Tree) -> None:
    """Check that every node but the first is the child of one node before it."""
    leaf = tree.kind == LEAF
    unused = (tree.n_children[leaf] <= 0) & (tree.attribute[leaf] == -1)
    expect(unused.all(), "children or a test of a leaf")
    nodes = np.flatnonzero(~leaf)
    first, count = tree.first_child[nodes], tree.n_children[nodes].astype(np.int64)
    expect((count > 0).all() and count.sum() == len(leaf) - 1, "children of a node")
    owners = np.repeat(nodes, count)
    steps = np.arange(len(owners)) - np.repeat(np.cumsum(count) - count, count)
    children = np.repeat(first.astype(np.int64), count) + steps
    expect(is_tree(owners, children[np.newaxis], len(leaf)), "children before parents")
    expect(tree.parent[0] == -1, "a parent of the root")
    expect(np.array_equal(tree.parent[children], owners), "a parent")


def _check_class_weights(tree: Tree) -> None:
    """Check that class weights are those of the tree's nodes and of its classes."""
    kept = tree.class_weights
    expect(
        isinstance(kept, ClassWeights) and is_whole(kept.n_classes, 1, 2**31), "classes"
    )
    for array, dtype in (
        (kept.starts, np.intp),
        (kept.classes, np.int32),
        (kept.weights, np.float64),
        (kept.totals, np.float64),
    ):
        sound = isinstance(array, np.ndarray) and array.dtype == dtype
        expect(sound and array.ndim == 1, "class weights")
    starts, codes, n_weights = kept.starts, kept.classes, len(kept.weights)
    expect(len(starts) == len(tree.kind) + 1 == len(kept.totals) + 1, "class weights")
    expect(len(codes) == n_weights, "class weights")
    expect(starts[0] == 0 and starts[-1] == n_weights, "class weights")
    expect((np.diff(starts) >= 0).all(), "class weights")
    expect(is_integers(codes, 0, kept.n_classes, np.int32), "classes")
    owners = np.repeat(np.arange(len(tree.kind)), np.diff(starts))
    ascending = (np.diff(codes) > 0) | (np.diff(owners) > 0)
    expect(ascending.all(), "classes of a node")


def _check_weights(tree: Tree) -> None:
    """Check that every leaf has a distribution to answer with."""
    leaf, kept = tree.kind == LEAF, tree.class_weights
    expect(is_floats(kept.weights) and (kept.weights >= 0).all(), "class weights")
    expect(is_floats(kept.totals) and is_floats(tree.branch_weight), "class weights")
    expect((tree.branch_weight >= 0).all(), "weights of branches")
    expect(not (tree.empty & ~leaf).any() and not tree.empty[0], "an empty node")
    expect((kept.totals[~tree.empty] > 0).all(), "a node without weight")
    has_own = np.diff(kept.starts) > 0
    answers = np.where(tree.empty, tree.parent, np.arange(len(leaf)))[leaf]
    expect(has_own[answers].all(), "a leaf without weights")
    # What is not kept for a node is the sum of its children.
    owners = np.repeat(np.arange(len(leaf)), np.diff(kept.starts))
    own = np.bincount(owners, kept.weights, len(leaf))
    below = np.bincount(tree.parent[1:], kept.totals[1:], len(leaf))
    totals = np.where(has_own | leaf, own, below)
    expect(np.allclose(kept.totals, totals, rtol=1e-10, atol=0.0), "sums of weights")
    # A row without a value goes down all branches, by their shares of the weight.
    sent = np.where(tree.empty, 0.0, tree.branch_weight)[1:]
    sums = np.bincount(tree.parent[1:], sent, len(leaf))[~leaf]
    shares = sums / kept.totals[~leaf]
    expect((abs(shares - 1) < ADD_UP).all(), "weights of branches")


def _check_test(tree: Tree, node: int, schema: Any) -> None:
    """Check that the test of a node fits the attribute that it asks for."""
    index, kind = int(tree.attribute[node]), int(tree.kind[node])
    expect(0 <= index < len(schema), f"attribute {index}")
    attribute, n_children = schema[index], int(tree.n_children[node])
    expect(attribute.is_nominal == (kind != NUMERIC), f"test of {attribute.name!r}")
    expected = {NUMERIC: 2, ONE_VALUE: 2, MULTIWAY: attribute.n_values}.get(kind)
    expect(n_children == expected, f"{n_children} branches of {attribute.name!r}")
    threshold = float(tree.threshold[node])
    if kind == NUMERIC:
        expect(np.isfinite(threshold), f"threshold of {attribute.name!r}")
    elif kind == ONE_VALUE:
        known = threshold in range(attribute.n_values)
        expect(known, f"value of {attribute.name!r}")


def _check_counts(model: CountingClassifier, _: Any) -> None:
    """Check the counts of a model, and estimate its probabilities anew.

    Estimates are the same bits each time, and those of the file may be anything.
    """
    counts = model.counts_
    _check_cut_points(model.cut_points_, model.schema_)
    declared = np.array(model._n_declared(), dtype=np.int32)
    n_values = declared + np.int32(model._missing_is_value)
    expect(is_integers(counts.n_values, 0, 2**31, np.int32), "numbers of values")
    expect(np.array_equal(counts.n_values, n_values), "numbers of values")
    n_places, n_classes = int(n_values.sum()), len(counts.classes)
    shapes = {"classes": (n_classes,), "values": (n_classes, n_places)}
    if model._counts_pairs:
        shapes["pairs"] = (n_classes, n_places, n_places)
    else:
        expect(counts.pairs is None, "counts of pairs")
    for name, shape in shapes.items():
        array = getattr(counts, name)
        expect(is_floats(array, shape) and (array >= 0).all(), f"counts of {name}")
    expect(n_classes > 0, "counts of no class")
    _check_normals(getattr(model, "normals_", {}), model, n_classes)
    model._estimate()


def _check_normals(normals: Any, model: Any, n_classes: int) -> None:
    expect(isinstance(normals, dict), "densities")
    numeric = {
        position
        for position, (a, cuts) in enumerate(
            zip(model.schema_, model.cut_points_, strict=True)
        )
        if not a.is_nominal and cuts is None
    }
    expect(normals.keys() == numeric, "densities of other attributes")
    for normal in normals.values():
        expect(isinstance(normal, Normal), "a density")
        expect(isinstance(normal.precision, float), "a precision")
        expect(np.isfinite(normal.precision) and normal.precision > 0, "a precision")
        expect(is_floats(normal.mean, (n_classes,)), "means")
        deviation = normal.deviation
        expect(
            is_floats(deviation, (n_classes,)) and (deviation > 0).all(), "deviations"
        )


def _check_cut_points(cut_points: Any, schema: Schema) -> None:
    """Check that cut points are of numbers, and ascend."""
    expect(isinstance(cut_points, list), "cut points")
    expect(len(cut_points) == len(schema), "columns to be cut")
    for attribute, cuts in zip(schema, cut_points, strict=True):
        if cuts is not None:
            sound = is_floats(cuts) and cuts.ndim == 1 and not attribute.is_nominal
            expect(sound, f"cut points of {attribute.name!r}")
            expect((np.diff(cuts) > 0).all(), f"cut points of {attribute.name!r}")


def _check_transformer(part: Any, _: Any) -> None:
    schemas = (part.schema_, part.schema_out_)
    expect(all(isinstance(s, Schema) for s in schemas), "a transformer")
    expect(len(schemas[0]) == len(schemas[1]), "columns of a transformer")
    _check_names(part, _)


def _check_cuts(part: BaseDiscretizer, _: Any) -> None:
    """Check that intervals are as many as the labels that later parts know of."""
    _check_transformer(part, _)
    _check_cut_points(part.cut_points_, part.schema_)
    for old, new, cuts in zip(
        part.schema_, part.schema_out_, part.cut_points_, strict=True
    ):
        if cuts is None:
            expect(old == new, f"column {old.name!r}, which is not cut")
        else:
            sound = new.is_nominal and new.n_values == len(cuts) + 1
            expect(sound, f"intervals of {old.name!r}")


def _check_fills(part: MissingValueReplacer, _: Any) -> None:
    _check_transformer(part, _)
    expect(part.schema_ == part.schema_out_, "columns that are filled")
    both = (part._fills, part.fill_values_)
    expect(
        all(isinstance(f, list) and len(f) == len(part.schema_) for f in both), "fills"
    )
    for attribute, fill in zip(part.schema_, part._fills, strict=True):
        if attribute.is_nominal:
            sound = is_whole(fill, 0, max(attribute.n_values, 1))
        else:
            sound = isinstance(fill, float | int) and bool(np.isfinite(fill))
        expect(sound, f"what stands for a missing {attribute.name!r}")


def _check_groups(part: ValueGrouper, _: Any) -> None:
    _check_transformer(part, _)
    lists = (part._codes, part.groups_)
    expect(
        all(isinstance(x, list) and len(x) == len(part.schema_) for x in lists),
        "groups",
    )
    rows = zip(part.schema_, part.schema_out_, *lists, strict=True)
    for old, new, codes, groups in rows:
        if codes is None:
            expect(old == new and groups is None, f"column {old.name!r}, not grouped")
            continue
        sound = old.is_nominal and new.is_nominal and isinstance(groups, list)
        expect(sound and len(groups or ()) == new.n_values, f"groups of {old.name!r}")
        expect(
            is_integers(codes, -2, new.n_values, np.int32), f"groups of {old.name!r}"
        )
        # Missing and unseen are -1 and -2, so that they find the last two codes.
        whole = len(codes) == old.n_values + 2 and (codes[-2:] < 0).all()
        expect(whole, f"groups of {old.name!r}")


def _check_hyperplanes(model: HyperplaneClassifier, _: Any) -> None:
    n_classes, width = len(model._heights), sum(model._widths())
    shapes = {
        "means_": (width,),
        "priors_": (n_classes,),
        "coef_": (n_classes, width),
        "intercept_": (n_classes,),
        "_heights": (n_classes,),
    }
    expect(n_classes > 0, "hyperplanes of no class")
    for name, shape in shapes.items():
        expect(is_floats(getattr(model, name), shape), f"hyperplanes: {name}")
    expect((model.priors_ >= 0).all(), "hyperplanes: priors_")
    sound = isinstance(model.inputs_, tuple) and len(model.inputs_) == width
    expect(sound, "hyperplanes: inputs_")


def _check_prior(model: PriorClassifier, _: Any) -> None:
    prior = model.prior_
    sound = is_floats(prior) and prior.ndim == 1 and (prior >= 0).all()
    expect(sound and abs(prior.sum() - 1) < 1e-9, "frequencies of classes")


def _check_labels(labels: ProductLabels, _: Any) -> None:
    """Check that pairs of class and value, and their labels, point at each other."""
    table = labels.label_of
    sound = isinstance(table, np.ndarray) and table.ndim == 2 and table.size > 0
    expect(sound and table.dtype == np.int32, "pairs of class and value")
    n_classes = table.shape[1]
    expect(is_integers(labels.class_of, 0, n_classes, np.int32), "classes of pairs")
    n_labels = len(labels.class_of)
    used = table[table >= 0]
    expect(table.min() >= -1 and len(used) == n_labels, "labels of pairs")
    expect(np.array_equal(np.sort(used), np.arange(n_labels)), "labels of pairs")
    columns = np.broadcast_to(np.arange(n_classes), table.shape)
    expect(
        np.array_equal(labels.class_of[used], columns[table >= 0]), "classes of labels"
    )
    expect((np.diff(labels.class_of) >= 0).all(), "labels that do not ascend")


TREE_TYPES = {
    "attribute": np.int32,
    "kind": np.uint8,
    "threshold": np.float64,
    "first_child": np.int32,
    "n_children": np.int32,
    "parent": np.int32,
    "branch_weight": np.float64,
    "empty": np.bool_,
    "gain": np.float64,
    "gain_ratio": np.float64,
}
# Class, the attribute that it has once it is fitted, and the check. In this order.
CHECKS: tuple[tuple[type, str, Callable[[Any, Any], None]], ...] = (
    (TableClassifier, "schema_", _check_classifier),
    (Tree, "", _check_tree),
    (ProductLabels, "", _check_labels),
    (BaseDiscretizer, "schema_", _check_cuts),
    (MissingValueReplacer, "schema_", _check_fills),
    (ValueGrouper, "schema_", _check_groups),
    (CountingClassifier, "counts_", _check_counts),
    (HyperplaneClassifier, "schema_", _check_hyperplanes),
    (PriorClassifier, "schema_", _check_prior),
)
