"""Outputs of Weka, with the data they were made from, and comparisons with them.

The outputs and the data lie in a folder `shared` beside the repository, or where the
environment variable `DISSENSUS_SHARED` points. Tests that need them are skipped where
there is no such folder; `tests/expected` has a copy for two generated data sets.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pytest
from numpy.typing import NDArray

from dissensus.io import read_table

SHARED = Path(os.environ.get("DISSENSUS_SHARED", Path(__file__).parents[2] / "shared"))
SKIP_REASON = (
    ""
    if (SHARED / "oracles").is_dir()
    else "no folder 'shared' with Weka's outputs beside the repository "
    "(set DISSENSUS_SHARED to where it is)"
)
needs_oracles = pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON)

DATA_SETS = (
    *("anneal", "autos", "balance-scale", "breast-w", "credit-a", "glass", "heart-c"),
    *("hepatitis", "iris", "kr-vs-kp", "labor", "monks-2", "segment", "soybean"),
    *("vehicle", "vote", "vowel", "zoo"),
)
COMBO_SETS = (
    *("autos", "balance-scale", "credit-a", "glass", "hepatitis", "iris", "labor"),
    *("monks-2", "vote", "zoo"),
)
PARTS = ("all", "third")

# Weka's J48 schemes as parameters of C45Classifier. "j48-w" has weights besides, and
# "j48-pre" fills in missing values and discretises before.
J48_SCHEMES: dict[str, dict[str, Any]] = {
    "j48": {},
    "j48-U": {"prune": False},
    "j48-B": {"binary_splits": True},
    "j48-S": {"subtree_raising": False},
    "j48-A": {"smoothing": "laplace"},
    "j48-M5": {"min_samples_leaf": 5},
    "j48-C01": {"confidence": 0.1},
    "j48-J": {"mdl_correction": False},
    "j48-UO": {"prune": False, "collapse": False},
    "j48-mid": {"actual_thresholds": False},
    "j48-w": {},
    "j48-pre": {},
}
MDL_SCHEMES: dict[str, dict[str, Any]] = {
    "mdl": {},
    "mdl-K": {"criterion": "kononenko"},
    "mdl-E": {"efficient_encoding": True},
}
FLAGS: dict[str, dict[str, Any]] = {
    "-U": {"prune": False},
    "-O": {"collapse": False},
    "-B": {"binary_splits": True},
    "-A": {"smoothing": "laplace"},
    "-J": {"mdl_correction": False},
}

# Weka's outputs have 12 significant digits.
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Oracle:
    """What Weka made of one data set.

    `X` holds all rows, `labels` their classes; `content` is the file of outputs.
    """

    content: Mapping[str, Any]
    X: Any
    labels: NDArray[Any]

    def classes(self, part: str) -> list[str]:
        """Return the class labels, in the order of Weka's columns."""
        return list(self.content["classes"][part])

    def train_rows(self, part: str) -> NDArray[np.intp]:
        """Return the rows trained on: all, or two thirds."""
        rows = np.arange(len(self.labels))
        return rows if part == "all" else rows[rows % 3 != 0]

    def test_rows(self, part: str) -> NDArray[np.intp]:
        """Return the rows predicted: all, or the other third."""
        rows = np.arange(len(self.labels))
        return rows if part == "all" else rows[rows % 3 == 0]

    def train(self, part: str) -> tuple[Any, NDArray[np.intp]]:
        """Return the frame trained on and its class codes in Weka's order."""
        code = {label: c for c, label in enumerate(self.classes(part))}
        rows = self.train_rows(part)
        y = np.array([code[str(label)] for label in self.labels[rows]])
        return take_rows(self.X, rows), y

    def test(self, part: str) -> Any:
        """Return the frame that was predicted."""
        return take_rows(self.X, self.test_rows(part))

    def weight(self, part: str, key: str) -> NDArray[np.float64] | None:
        """Return the row weights of a scheme, None where it has none."""
        if not key.endswith("-w"):
            return None
        return np.array([0.5, 1.0, 1.5, 2.0])[self.train_rows(part) % 4]

    def result(self, key: str, part: str) -> Any:
        """Return the outputs of one scheme on one part."""
        return self.content["schemes"][key][part]


def read_json(path: Path) -> Any:
    """Read a JSON file, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file)


@lru_cache(maxsize=2)
def load_oracle(name: str) -> Oracle:
    """Read Weka's outputs on a data set together with the data."""
    content = read_json(SHARED / "oracles" / f"{name}.json.gz")
    path = SHARED / "data" / f"{name}.arff"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == content["sha256"]
    target = content["attributes"][-1][0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # columns like identifiers
        data = read_table(path, target=target, drop=content["dropped"])
    declared = [
        [attribute.name, list(attribute.categories) or "numeric"]
        for attribute in data.schema
    ]
    assert declared == content["attributes"][:-1]
    return Oracle(content, data.X, np.asarray(data.y))


@lru_cache(maxsize=2)
def load_combo(name: str) -> Any:
    """Read the outputs of combinations around Weka's learners, by part and key."""
    return read_json(SHARED / "oracles" / f"combo-{name}.json.gz")


def take_rows(frame: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of a pandas or polars frame; categories stay declared."""
    return nw.from_native(frame, eager_only=True)[rows].to_native()


def parameters_of(options: str) -> dict[str, Any]:
    """Translate Weka's command line options into parameters of C45Classifier."""
    words, parameters = iter(options.split()), {}
    for word in words:
        if word == "-C":
            parameters["confidence"] = float(next(words))
        elif word == "-M":
            parameters["min_samples_leaf"] = int(next(words))
        else:
            parameters.update(FLAGS[word])
    return parameters


def assert_model_equals(model: Any, oracle: Oracle, part: str, key: str) -> None:
    """Compare the tree of a fitted pipeline and its distributions with Weka's."""
    expected = oracle.result(key, part)
    fitted = model[-1]
    assert_tree_equals(fitted.tree_, expected["tree"])
    assert fitted.n_leaves_ == expected["leaves"]
    assert fitted.tree_.n_nodes == expected["size"]
    dist = model.predict_proba(oracle.test(part))
    assert_close(dist, expected["dist"], "distributions")


def assert_same_cut_points(actual: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare the cut points of all attributes; None stands for a nominal one."""
    for number, (got, wanted) in enumerate(zip(actual, expected, strict=True)):
        assert (got is None) == (wanted is None), f"attribute {number}"
        if wanted is not None:
            assert_close(got, wanted, f"cut points of attribute {number}")


def assert_same_fill_values(actual: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare the values put in for missing ones, labels as text."""
    for number, (got, wanted) in enumerate(zip(actual, expected, strict=True)):
        if isinstance(wanted, str):
            assert str(got) == wanted, f"attribute {number}"
        else:
            assert_close(got, wanted, f"mean of attribute {number}")


# Trees

KINDS = {1: "le", 2: "in", 3: "eq"}


def nested(tree: Any, node: int = 0) -> dict[str, Any]:
    """Return a fitted `tree_` as nested dictionaries, in the form of the outputs."""
    if tree.attribute[node] < 0:
        leaf: dict[str, Any] = {"c": tree.node_weights(node).tolist()}
        return {**leaf, "e": 1} if tree.empty[node] else leaf
    first = int(tree.first_child[node])
    children = range(first, first + int(tree.n_children[node]))
    assert all(tree.parent[child] == node for child in children)
    inner = {
        "a": int(tree.attribute[node]),
        "k": KINDS[int(tree.kind[node])],
        "g": float(tree.gain[node]),
        "r": float(tree.gain_ratio[node]),
        "w": [float(tree.branch_weight[child]) for child in children],
        "s": [nested(tree, child) for child in children],
    }
    if inner["k"] != "in":
        inner["t"] = float(tree.threshold[node])
    return inner


def assert_tree_equals(tree: Any, expected: Mapping[str, Any]) -> None:
    """Compare a fitted `tree_` with an expected one, node by node."""
    assert_same_nodes(nested(tree), expected, "root")


def assert_same_nodes(
    actual: Mapping[str, Any], expected: Mapping[str, Any], path: str
) -> None:
    """Compare two nested trees; `path` says in messages where a difference is."""
    got, wanted = describe(actual), describe(expected)
    assert got == wanted, f"at {path}: {got}, expected {wanted}"
    numbers = ("c",) if "c" in expected else ("g", "r", "w")
    for key in numbers:
        assert_close(actual[key], expected[key], f"at {path}: {NUMBERS[key]}")
    pairs = zip(actual.get("s", ()), expected.get("s", ()), strict=True)
    for branch, (child, expected_son) in enumerate(pairs):
        assert_same_nodes(child, expected_son, f"{path} > {wanted}, branch {branch}")


NUMBERS = {"c": "class weights", "g": "gain", "r": "gain ratio", "w": "branch weights"}


def describe(node: Mapping[str, Any]) -> str:
    """Say what must be the same to the last bit in two equal nodes."""
    if "c" in node:
        return "empty leaf" if node.get("e") else "leaf"
    threshold = f" {node['t'] + 0.0!r}" if node["k"] != "in" else ""
    return f"attribute {node['a']} {node['k']}{threshold}"


def assert_close(
    actual: Any, expected: Any, what: str, tolerance: float = TOLERANCE
) -> None:
    """Compare numbers; the tolerance is relative above 1 and absolute below."""
    got, wanted = np.asarray(actual, float), np.asarray(expected, float)
    assert got.shape == wanted.shape, f"{what}: shape {got.shape} for {wanted.shape}"
    wrong = ~(np.abs(got - wanted) <= tolerance * np.maximum(1.0, np.abs(wanted)))
    if wrong.any():
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise AssertionError(
            f"{what}: {int(wrong.sum())} of {wrong.size} differ, "
            f"first at {first}: {got[first]!r}, expected {wanted[first]!r}"
        )


# Weka's text of a tree


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a printed tree; `label` is None where the line is no leaf."""

    depth: int
    attribute: str
    operator: str
    value: str
    label: str | None
    weight: float
    errors: float


def parse_text(
    text: str, attributes: list[str], labels: Mapping[str, str] | None = None
) -> list[TextLine]:
    """Read a printed tree; lines that are no part of it are left out.

    A line is "|   |   attribute <= 2.45: label (50.0/1.0)", the label with its weight
    and errors at leaves only; a tree that is one leaf is ": label (50.0/1.0)". Class
    labels are translated by `labels`.
    """
    found = (_parse_line(line, attributes) for line in text.splitlines())
    lines = [line for line in found if line is not None]
    if labels is None:
        return lines
    return [replace(line, label=line.label and labels[line.label]) for line in lines]


def _parse_line(line: str, attributes: list[str]) -> TextLine | None:
    rest = line.lstrip("| ")
    depth = line[: len(line) - len(rest)].count("|")
    condition, label, weight, errors = _split_leaf(rest)
    if condition == "" and label is not None:
        return TextLine(depth, "", "", "", label, weight, errors)
    for name in sorted(attributes, key=len, reverse=True):
        for operator in ("<=", ">", "=", "!="):
            start = f"{name} {operator} "
            if condition.startswith(start):
                value = condition[len(start) :]
                return TextLine(depth, name, operator, value, label, weight, errors)
    return None


def _split_leaf(rest: str) -> tuple[str, str | None, float, float]:
    if not rest.endswith(")") or ": " not in rest:
        return rest.rstrip(), None, 0.0, 0.0
    condition, _, leaf = rest.rpartition(": ")
    label, _, numbers = leaf.rpartition(" (")
    weight, _, errors = numbers.rstrip(")").partition("/")
    return condition, label, float(weight), float(errors or 0)


def assert_same_text(actual: list[TextLine], expected: list[TextLine]) -> None:
    """Compare printed trees: thresholds to 6 decimals, weights to 2, as Weka prints."""
    assert len(actual) == len(expected)
    for number, (got, wanted) in enumerate(zip(actual, expected, strict=True), 1):
        where = f"line {number}: {got}, expected {wanted}"
        assert _words(got) == _words(wanted), where
        assert got.weight == pytest.approx(wanted.weight, abs=0.00501), where
        assert got.errors == pytest.approx(wanted.errors, abs=0.00501), where
        if wanted.operator in ("<=", ">"):
            value = float(wanted.value)
            assert float(got.value) == pytest.approx(value, abs=5.01e-7), where


def _words(line: TextLine) -> tuple[object, ...]:
    value = "" if line.operator in ("<=", ">") else line.value
    return line.depth, line.attribute, line.operator, value, line.label
