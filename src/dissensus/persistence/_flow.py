"""Check that each part of a model was fitted on what it will be given.

A member of an ensemble reads the table that the ensemble makes for it. Kinds of columns
and numbers of values must be those that the member knows, and its classes those that
the ensemble counts on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dissensus.base import TableClassifier, TableTransformer
from dissensus.bayes import CountingClassifier
from dissensus.ensemble import (
    AdaBoostM1Classifier,
    AttributeTask,
    CascadeClassifier,
    Construction,
    LocalCascadeClassifier,
    MaclenClassifier,
    PairBayes,
    PriorClassifier,
    ProductLabels,
    StackedGeneralizationClassifier,
)
from dissensus.linear import HyperplaneClassifier
from dissensus.persistence._walk import (
    attributes,
    expect,
    is_floats,
    is_integers,
    is_whole,
)
from dissensus.preprocessing import MDLDiscretizer, MissingValueReplacer
from dissensus.table import Schema
from dissensus.tree import C45Classifier, Tree

Columns = tuple[tuple[bool, int], ...]
"""Of each column whether it is nominal, and the number of its values."""
Member = tuple[Any, Columns, int]
NUMBER = (False, 0)


def columns_of(schema: Any) -> Columns:
    """Return what compiled code must know of the columns of a table."""
    expect(isinstance(schema, Schema), "a part without attributes")
    return tuple((a.is_nominal, a.n_values) for a in schema)


def check_flow(part: Any) -> None:
    """Raise an error unless the members of a model were fitted on what they get."""
    if not isinstance(part, TableClassifier) or "schema_" not in vars(part):
        return
    n_classes = count_classes(part)
    labels = vars(part).get("classes_")
    expect(labels is None or len(labels) == n_classes, "a number of classes")
    members = MEMBERS.get(type(part).__name__)
    if members is not None:
        for member, columns, n_member in members(part, n_classes):
            _check_member(member, columns, n_member)


def count_classes(model: Any) -> int:
    """Return the number of classes that a fitted model tells apart."""
    if isinstance(model, C45Classifier):
        expect(isinstance(model.tree_, Tree), "a model without a tree")
        return int(model.tree_.class_weights.n_classes)
    if isinstance(model, CountingClassifier):
        return len(model.counts_.classes)
    if isinstance(model, HyperplaneClassifier):
        return len(model._heights)
    if isinstance(model, PriorClassifier):
        return len(model.prior_)
    if type(model).__name__ == "DiscretizedClassifier":
        return count_classes(model.estimator_)
    held = vars(model)
    number = held.get("n_classes_", held.get("_n_classes"))
    expect(is_whole(number, 1, 2**31), "a number of classes")
    return int(number or 0)


def _check_member(member: Any, columns: Columns, n_classes: int) -> None:
    if isinstance(member, TableClassifier):
        fits = "schema_" in vars(member) and columns_of(member.schema_) == columns
        expect(fits, f"attributes of a member, {type(member).__name__}")
        fits = count_classes(member) == n_classes
        expect(fits, f"classes of a member, {type(member).__name__}")
        return
    expect(hasattr(member, "predict"), "a member that cannot predict")
    n_features = getattr(member, "n_features_in_", len(columns))
    expect(n_features == len(columns), "attributes of a member")
    codes = np.asarray(getattr(member, "classes_", [0]))
    expect(is_integers(codes, 0, n_classes), "classes of a member")


def _as_a_list(value: Any, kind: type | tuple[type, ...] = object) -> list[Any]:
    expect(isinstance(value, list) and len(value) > 0, "a list of parts")
    expect(all(isinstance(item, kind) for item in value), "a list of parts")
    return list(value)


def _side_by_side(model: Any, n_classes: int) -> Iterator[Member]:
    """Give members that all see the inputs."""
    members = _as_a_list(model.estimators_)
    if isinstance(model, AdaBoostM1Classifier):
        weights = model.estimator_weights_
        expect(is_floats(weights, (len(members),)), "weights of members")
    for member in members:
        yield member, columns_of(model.schema_), n_classes


def _levels(model: CascadeClassifier, n_classes: int) -> Iterator[Member]:
    inputs = seen = columns_of(model.schema_)
    levels = [_as_a_list(level) for level in _as_a_list(model.levels_, list)]
    names = [_as_a_list(level, str) for level in _as_a_list(model.names_, list)]
    expect([*map(len, levels)] == [*map(len, names)], "names of learners")
    flat = [member for level in levels for member in level]
    listed = _as_a_list(model.estimators_)
    same = len(listed) == len(flat) and all(
        one is two for one, two in zip(listed, flat, strict=True)
    )
    expect(same and len(levels[-1]) == 1, "learners of a cascade")
    for number, level in enumerate(levels):
        if number:
            before = seen if model.carry == "all" else inputs
            seen = before + (NUMBER,) * (n_classes * len(levels[number - 1]))
        for member in level:
            yield member, seen, n_classes
    expect(columns_of(model.schema_out_) == seen, "attributes of a cascade")


def _stacked(
    model: StackedGeneralizationClassifier, n_classes: int
) -> Iterator[Member]:
    members = _as_a_list(model.estimators_)
    expect(len(_as_a_list(model.names_, str)) == len(members), "names of learners")
    for member in members:
        yield member, columns_of(model.schema_), n_classes
    seen = (NUMBER,) * (n_classes * len(members))
    expect(columns_of(model.schema_out_) == seen, "attributes of level 1")
    yield model.final_estimator_, seen, n_classes


def _tasks(model: Any, n_classes: int) -> Iterator[Member]:
    """Give the members of MACLEN and MTForest."""
    inputs = columns_of(model.schema_)
    views = [_seen_through(view, inputs) for view in _as_a_list(model.views_, tuple)]
    tasks = _as_a_list(model.tasks_, AttributeTask)
    for task in tasks:
        _check_task(task, views)
    if "_counted" in vars(model):
        yield from _counted(model, views, n_classes)
        return
    sizes = [n_classes] * len(tasks)
    members = model.estimators_
    if isinstance(model, MaclenClassifier):
        labels = _as_a_list(model._product_labels, ProductLabels)
        expect(len(labels) == len(tasks), "pairs of tasks")
        expect({one.n_classes for one in labels} == {n_classes}, "classes of pairs")
        sizes = [one.n_labels for one in labels]
    expect(len(_as_a_list(members)) == len(tasks), "members of tasks")
    for task, member, size in zip(tasks, members, sizes, strict=True):
        seen = inputs if model.features == "original" else views[task.view]
        yield member, seen[: task.attribute] + seen[task.attribute + 1 :], size


def _counted(model: Any, views: list[Columns], n_classes: int) -> Iterator[Member]:
    counted = _as_a_list(model._counted, PairBayes)
    expect(len(counted) == len(views) and model._is_counted(), "counts of views")
    for one, seen in zip(counted, views, strict=True):
        settings = (one.smoothing, one.alpha, one.missing)
        expected = model.estimator
        expected = (expected.smoothing, expected.alpha, expected.missing)
        expect(settings == expected, "settings of members")
        yield one, seen, n_classes


def _check_task(task: AttributeTask, views: list[Columns]) -> None:
    expect(len(attributes(task)) == 4, "half a task")
    expect(is_whole(task.view, 0, len(views)), "the view of a task")
    seen = views[task.view]
    expect(is_whole(task.attribute, 0, len(seen)), "the attribute of a task")
    nominal, n_values = seen[task.attribute]
    sound = isinstance(task.values, tuple) and len(task.values) == n_values
    expect(nominal and sound and isinstance(task.name, str), "the values of a task")


def _seen_through(view: tuple[Any, ...], columns: Columns) -> Columns:
    """Return the columns that a chain of transformers makes."""
    for transformer in view:
        expect(isinstance(transformer, TableTransformer), "a view")
        expect(columns_of(transformer.schema_) == columns, "the attributes of a view")
        columns = columns_of(transformer.schema_out_)
    return columns


def _constructions(model: LocalCascadeClassifier, n_classes: int) -> Iterator[Member]:
    """Give the models at the nodes of a local cascade."""
    columns = columns_of(model.schema_)
    expect(isinstance(model.tree_, Tree), "a model without a tree")
    expect(model.tree_.class_weights.n_classes == n_classes, "classes of a tree")
    expect(isinstance(model.constructions_, list), "models at nodes")
    for built in model.constructions_:
        expect(isinstance(built, Construction), "a model at a node")
        expect(len(attributes(built)) == 8, "half a model at a node")
        expect(is_whole(built.node, 0, len(model.tree_.kind)), "the node of a model")
        expect(is_integers(built.classes, 0, n_classes), "the classes of a model")
        n_made = len(built.classes)
        distinct = n_made > 0 and len(np.unique(built.classes)) == n_made
        expect(distinct and built.first == len(columns), "attributes that are built")
        expect(is_integers(built.inputs, 0, len(columns)), "the inputs of a model")
        inputs = tuple(columns[number] for number in built.inputs.tolist())
        expect(columns_of(built.schema) == inputs, "the inputs of a model")
        expect(isinstance(built.name, str), "the name of a model")
        yield built.model, inputs, n_made
        columns += (NUMBER,) * n_made
    expect(columns_of(model.schema_out_) == columns, "attributes that are built")


def _prepared(model: Any, n_classes: int) -> Iterator[Member]:
    view = (model.replacer_, model.discretizer_)
    expect(isinstance(view[0], MissingValueReplacer), "what replaces missing values")
    expect(isinstance(view[1], MDLDiscretizer), "what cuts numbers")
    expect(isinstance(model.estimator_, TableClassifier), "what learns")
    yield model.estimator_, _seen_through(view, columns_of(model.schema_)), n_classes


def _encoded(model: Any, n_classes: int) -> Iterator[Member]:
    columns = columns_of(model.schema_)
    if model.replacer_ is not None:
        expect(isinstance(model.replacer_, MissingValueReplacer), "a replacer")
        _seen_through((model.replacer_,), columns)
    expect((model.replacer_ is None) == (model.encoding == "native"), "a replacer")
    if model.encoding == "onehot":
        width = sum(n_values if nominal else 1 for nominal, n_values in columns)
        expect(type(model.scaler_).__name__ == "StandardScaler", "a scaler")
        expect(model.scaler_.n_features_in_ == width, "a scaler")
        columns = (NUMBER,) * width
    else:
        expect(model.scaler_ is None, "a scaler")
    expect(is_integers(model.empty_, 0, len(columns)), "empty columns")
    expect(hasattr(model.estimator_, "predict_proba"), "what learns")
    expect(model.estimator_.n_features_in_ == len(columns), "what learns")
    yield model.estimator_, columns, n_classes


# By the name of the class: two of them stand above this layer. Which classes a file may
# ask for is fixed, and no two of ours have one name.
MEMBERS: dict[str, Callable[[Any, int], Iterator[Member]]] = {
    "AdaBoostM1Classifier": _side_by_side,
    "BaggingClassifier": _side_by_side,
    "CascadeClassifier": _levels,
    "DecorateClassifier": _side_by_side,
    "DiscretizedClassifier": _prepared,
    "EncodedClassifier": _encoded,
    "LocalCascadeClassifier": _constructions,
    "MTForestClassifier": _tasks,
    "MaclenClassifier": _tasks,
    "StackedGeneralizationClassifier": _stacked,
}
