"""The part of a page that shows the best single model as a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dissensus.datasets import PROTOCOLS
from dissensus.ensemble import CascadeClassifier, LocalCascadeClassifier
from dissensus.evaluation import seeded_copy
from dissensus.exceptions import ExperimentError, LearnerError
from dissensus.learners import parse_learner
from dissensus.report._scores import Part
from dissensus.report._tree_picture import draw_named
from dissensus.results import compare_with_best
from dissensus.store import TEST
from dissensus.tree import NUMERIC, C45Classifier, NamedTree, export_text, read_tree
from dissensus.utils._format import percent, seconds_text

MAX_NODES = 300  # in the picture: each takes about a kilobyte of the page
MAX_SECONDS = 20.0  # that a fit may be expected to take
DIGITS = 4  # of a threshold in the picture
HOW_TO_READ = (
    "A box has the condition of its branch, then the attribute asked for next and the "
    "number of rows, or the class answered, the rows and the share of that class. The "
    "line below shows how the rows divide among the classes."
)


def tree_part(results: Any) -> Part | None:
    """Return the tree of the best learner that has one; None if no learner has."""
    models = _tree_learners(results.spec["learners"])
    reason = ""
    for number, dataset in enumerate(results.datasets):
        learner = _best(results, number, models)
        if learner is None:
            continue
        try:
            data = results.load_data(dataset)
        except ExperimentError as error:
            reason = reason or str(error)
            continue
        return _part(results, dataset, learner, models[learner], data)
    if not reason:
        return None
    return _without_picture(f"The best single model is not drawn: {reason}")


def _tree_learners(described: Any) -> dict[str, Any]:
    """Return the learners that are one tree, or end in one."""
    found = {}
    for label, learner in described.items():
        try:
            model = parse_learner(learner["text"]).build()
        except (LearnerError, TypeError, ValueError):
            continue  # given as an object of another package
        last = model.levels[-1] if isinstance(model, CascadeClassifier) else model
        if isinstance(last, C45Classifier | LocalCascadeClassifier):
            found[label] = model
    return found


def _best(results: Any, dataset: int, models: dict[str, Any]) -> str | None:
    """Return the most accurate of these learners on a data set, if any has results."""
    cube = results.cube("accuracy")
    means = cube.means()[dataset]
    known = [a for a in map(cube.index, models) if not np.isnan(means[a])]
    return cube.learners[max(known, key=lambda a: means[a])] if known else None


def _part(results: Any, dataset: str, learner: str, model: Any, data: Any) -> Part:
    seconds = _expected_seconds(results, dataset, learner)
    if seconds > MAX_SECONDS:
        return _without_picture(
            f"The best single model on {dataset} is {learner}. It is not drawn: to fit "
            f"it takes about {seconds_text(seconds)}."
        )
    fitted = _fit(
        model, PROTOCOLS[results.spec["protocol"]](data), results.spec["seed"]
    )
    last = fitted
    if isinstance(fitted, CascadeClassifier):
        last = fitted.estimators_[-1]
        last.classes_ = fitted.classes_  # instead of codes; the model is thrown away
    named = read_tree(last)
    depth = _depth(named)
    return {
        "id": "tree",
        "title": "The best single model",
        "sentence": _sentence(results, dataset, learner, named),
        "table": None,
        "chart": None,
        "tree": draw_named(_rounded(named), None, depth),
        "text": export_text(last, max_depth=depth),
    }


def _fit(model: Any, data: Any, seed: int) -> Any:
    """Return a copy of a model fitted on all rows but those of a test set."""
    train = np.arange(len(data.y) - data.n_test)
    labels = np.array([str(label) for label in data.classes], dtype=object)
    weight = {} if data.weight is None else {"sample_weight": data.weight[train]}
    fitted = seeded_copy(model, seed)
    return fitted.fit(data.table.take(train), labels[data.y[train]], **weight)


def _sentence(results: Any, dataset: str, learner: str, named: NamedTree) -> str:
    cube = results.cube("accuracy")
    place = cube.datasets.index(dataset)
    best, worse = compare_with_best(cube, place)
    a = cube.index(learner)
    mean = percent(float(cube.means()[place, a]))
    standing = (
        "the best of all learners here"
        if a == best
        else "significantly behind the best learner"
        if a in worse
        else "level with the best learner"
    )
    rows = "all rows" if results.resampling != TEST else "the training rows"
    several = f" on {dataset}" if len(cube.datasets) > 1 else ""
    return (
        f"Of the learners that are one tree, or end in one, {learner} is the most "
        f"accurate{several}: {mean}, {standing}. This is its tree fitted on {rows}: "
        f"{_size(named)} {HOW_TO_READ}"
    )


def _size(named: NamedTree) -> str:
    if named.tree.n_nodes == 1:
        return "a single leaf."
    return f"{named.tree.n_nodes} nodes, {named.tree.n_leaves} leaves."


def _without_picture(sentence: str) -> Part:
    return {
        "id": "tree",
        "title": "The best single model",
        "sentence": sentence,
        "table": None,
        "chart": None,
    }


def _expected_seconds(results: Any, dataset: str, learner: str) -> float:
    frame = results.times().frame
    chosen = frame.filter((frame["dataset"] == dataset) & (frame["learner"] == learner))
    return float(chosen["fit_seconds"].mean() or 0.0)


def _depth(named: NamedTree) -> int | None:
    """Return the depth at which the picture stops, None if all of it is drawn."""
    if named.tree.n_nodes <= MAX_NODES:
        return None
    counts = np.bincount([depth for _, depth, _ in named.walk()])
    return max(1, int(np.searchsorted(np.cumsum(counts), MAX_NODES, side="right")) - 1)


def _rounded(named: NamedTree) -> NamedTree:
    """Return the tree with thresholds that people read; the text has them in full."""
    tree = named.tree
    thresholds = tree.threshold.copy()
    for node in np.flatnonzero(tree.kind == NUMERIC):
        thresholds[node] = float(f"{thresholds[node]:.{DIGITS}g}")
    return replace(named, tree=replace(tree, threshold=thresholds))
