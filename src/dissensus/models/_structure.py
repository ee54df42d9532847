"""Check the arrays that compiled code will trust.

A file without code can still ask a tree to step outside its own nodes, and compiled
walks do not look where they step. Every tree and every table of counts of a model is
checked once, when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.bayes._base import CountingClassifier
from dissensus.models._errors import ModelError
from dissensus.preprocessing._discretizer import BaseDiscretizer
from dissensus.table import Schema
from dissensus.tree._class_weights import ClassWeights
from dissensus.tree._tree import LEAF, MULTIWAY, NUMERIC, ONE_VALUE, Tree

BROKEN = "a part of the model is inconsistent ({}), so that it cannot be used."


def check_structure(model: Any) -> None:
    """Raise an error unless all trees and counts of a model are sound."""
    for owner, part in list(_parts(model)):
        if isinstance(part, CountingClassifier) and hasattr(part, "counts_"):
            _check_counts(part)
        if isinstance(part, BaseDiscretizer) and hasattr(part, "cut_points_"):
            _check_cuts(part)
        check = CHECKS.get((type(part).__module__, type(part).__name__))
        if check is not None:
            check(part, owner)


def _parts(model: Any) -> Iterator[tuple[Any, Any]]:
    """Give every object in a model, each once, with the object that holds it."""
    seen: set[int] = set()
    stack: list[tuple[Any, Any]] = [(None, model)]
    while stack:
        owner, part = stack.pop()
        if id(part) in seen or isinstance(part, str | bytes | int | float | None):
            continue
        seen.add(id(part))
        yield owner, part
        if isinstance(part, dict):
            stack += [(owner, value) for value in part.values()]
        elif isinstance(part, list | tuple | set | frozenset):
            stack += [(owner, value) for value in part]
        elif isinstance(part, np.ndarray):
            if part.dtype == object:
                stack += [(owner, value) for value in part.ravel()]
        else:
            stack += [(part, value) for value in getattr(part, "__dict__", {}).values()]


def _check_c45(tree: Tree, owner: Any) -> None:
    """Check a tree of this package against the attributes of its estimator."""
    inputs = getattr(owner, "schema_", None)
    schema = getattr(owner, "schema_out_", inputs)
    _expect(isinstance(schema, Schema), "a tree without attributes")
    made = sum(len(model.classes) for model in getattr(owner, "constructions_", ()))
    _expect(len(inputs or ()) + made == len(schema or ()), "attributes that are built")
    names = [field.name for field in fields(Tree) if field.name != "class_weights"]
    arrays = [getattr(tree, name) for name in names]
    _expect(all(isinstance(a, np.ndarray) for a in arrays), "not arrays")
    _expect(len({len(a) for a in arrays}) == 1, "arrays of several lengths")
    _check_class_weights(tree)
    leaf = tree.kind == LEAF
    _check_sons(tree.first_child, tree.n_children, ~leaf)
    _expect(bool((tree.n_children[leaf] == 0).all()), "sons of a leaf")
    for node in np.flatnonzero(~leaf).tolist():
        _check_test(tree, node, schema)


def _check_class_weights(tree: Tree) -> None:
    """Check that the class weights of a tree are those of its nodes and classes."""
    known = tree.class_weights
    _expect(isinstance(known, ClassWeights), "class weights")
    _expect(isinstance(known.n_classes, int) and known.n_classes > 0, "classes")
    for array, dtype in (
        (known.starts, np.intp),
        (known.classes, np.int32),
        (known.weights, np.float64),
        (known.totals, np.float64),
    ):
        _expect(isinstance(array, np.ndarray), "class weights")
        _expect(array.dtype == dtype and array.ndim == 1, "class weights")
    starts, n_weights = known.starts, len(known.weights)
    _expect(len(starts) == len(tree.kind) + 1 == len(known.totals) + 1, "class weights")
    _expect(len(known.classes) == n_weights, "class weights")
    _expect(starts[0] == 0 and starts[-1] == n_weights, "class weights")
    _expect(bool((np.diff(starts) >= 0).all()), "class weights")
    codes = known.classes
    _expect(bool(((codes >= 0) & (codes < known.n_classes)).all()), "classes")


def _check_test(tree: Tree, node: int, schema: Any) -> None:
    """Check that the test of a node fits the attribute that it asks for."""
    index, kind = int(tree.attribute[node]), int(tree.kind[node])
    _expect(0 <= index < len(schema), f"attribute {index}")
    attribute, n_sons = schema[index], int(tree.n_children[node])
    _expect(attribute.is_nominal == (kind != NUMERIC), f"test of {attribute.name!r}")
    expected = {NUMERIC: 2, ONE_VALUE: 2, MULTIWAY: attribute.n_values}.get(kind)
    _expect(n_sons == expected, f"{n_sons} branches of {attribute.name!r}")


def _check_sons(
    first: NDArray[Any], count: NDArray[Any], inner: NDArray[np.bool_]
) -> None:
    """Check that sons come after their parents and before the end."""
    nodes = np.flatnonzero(inner)
    begin = first[nodes].astype(np.int64)
    end = begin + count[nodes].astype(np.int64)
    _expect(bool((begin > nodes).all() and (end > begin).all()), "sons before parents")
    _expect(bool((end <= len(first)).all()), "sons that are not there")


def _check_counts(model: CountingClassifier) -> None:
    """Check the counts of a model, and estimate its probabilities anew.

    Estimates are the same bits each time, and those of the file may be anything.
    """
    counts = model.counts_
    declared = np.array(model._n_declared(), dtype=np.int32)
    n_values = declared + np.int32(model._missing_is_value)
    _expect(np.array_equal(counts.n_values, n_values), "numbers of values")
    n_places, n_classes = int(n_values.sum()), len(counts.classes)
    _expect(counts.values.shape == (n_classes, n_places), "a table of counts")
    pairs = counts.pairs
    _expect((pairs is not None) == model._counts_pairs, "counts of pairs")
    if pairs is not None:
        _expect(pairs.shape == (n_classes, n_places, n_places), "counts of pairs")
    model._estimate()


def _check_cuts(part: BaseDiscretizer) -> None:
    """Check that intervals are as many as the labels that later parts know of."""
    schemas = (part.schema_, part.schema_out_)
    _expect(all(isinstance(s, Schema) for s in schemas), "a discretiser")
    _expect({len(part.cut_points_)} == set(map(len, schemas)), "columns to be cut")
    for old, new, cuts in zip(*schemas, part.cut_points_, strict=True):
        if cuts is None:
            _expect(old == new, f"column {old.name!r}, which is not cut")
        else:
            n_values = len(cuts) + 1
            _expect(new.n_values == n_values, f"intervals of {old.name!r}")


def _check_sklearn_tree(tree: Any, _: Any) -> None:
    left, right = tree.children_left, tree.children_right
    inner = left != -1
    _expect(bool((right[~inner] == -1).all()), "half a branch")
    for sons in (left, right):
        _check_sons(sons, np.ones_like(sons), inner)
    feature = tree.feature[inner]
    _expect(bool(((feature >= 0) & (feature < tree.n_features)).all()), "an attribute")


def _check_predictor(tree: Any, owner: Any) -> None:
    """Check a tree of scikit-learn's histogram boosting."""
    nodes = tree.nodes
    inner = nodes["is_leaf"] == 0
    for side in ("left", "right"):
        _check_sons(nodes[side], np.ones(len(nodes), dtype=np.int64), inner)
    feature = nodes["feature_idx"][inner]
    n_features = getattr(owner, "n_features_in_", 0)
    _expect(bool(((feature >= 0) & (feature < n_features)).all()), "an attribute")
    bitset = nodes["bitset_idx"][inner & (nodes["is_categorical"] == 1)]
    n_bitsets = min(len(tree.binned_left_cat_bitsets), len(tree.raw_left_cat_bitsets))
    _expect(bool((bitset < n_bitsets).all()), "a set of categories")


def _expect(holds: bool, words: str) -> None:
    if not holds:
        raise ModelError(BROKEN.format(words))


CHECKS: dict[tuple[str, str], Callable[[Any, Any], None]] = {
    (Tree.__module__, "Tree"): _check_c45,
    ("sklearn.tree._tree", "Tree"): _check_sklearn_tree,
    ("sklearn.ensemble._hist_gradient_boosting.predictor", "TreePredictor"): (
        _check_predictor
    ),
}
