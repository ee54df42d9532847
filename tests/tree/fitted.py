"""Fitted trees made by hand or from Weka's outputs, to try the exports on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from dissensus.table import Attribute, Schema
from dissensus.tree._class_weights import ClassWeights, from_matrix
from dissensus.tree._tree import Tree
from tests.oracles import PARTS, SHARED, read_json

KINDS = {"le": 1, "in": 2, "eq": 3}


class FittedTree(BaseEstimator):
    """What the exports need of an estimator, and nothing else."""

    def fit(self, root: dict[str, Any], attributes: list[Any], classes: Any) -> Self:
        """Take over a tree in the form of the oracles."""
        self.tree_ = make_tree(root)
        self.schema_ = Schema(
            tuple(
                Attribute(name, "numeric")
                if values == "numeric"
                else Attribute(name, "nominal", tuple(values))
                for name, values in attributes
            )
        )
        self.classes_ = np.asarray(classes)
        return self


def make_tree(root: dict[str, Any]) -> Tree:
    """Return the nested dictionaries of an oracle as arrays, level by level."""
    nodes, parent, first_child = [root], [-1], []
    for number, node in enumerate(nodes):  # grows while it is read
        children = node.get("s", [])
        first_child.append(len(nodes) if children else -1)
        nodes += children
        parent += [number] * len(children)
    n_classes = next(len(node["c"]) for node in nodes if "c" in node)
    value = np.zeros((len(nodes), n_classes))
    for number in reversed(range(len(nodes))):
        value[number] += nodes[number].get("c", 0.0)
        if number:
            value[parent[number]] += value[number]

    def column(key: str, default: Any, dtype: Any) -> Any:
        return np.array([node.get(key, default) for node in nodes], dtype=dtype)

    return Tree(
        attribute=column("a", -1, np.int32),
        kind=np.array([KINDS.get(node.get("k", ""), 0) for node in nodes], np.uint8),
        threshold=np.array(
            [np.nan if node.get("t") is None else node["t"] for node in nodes]
        ),
        first_child=np.array(first_child, np.int32),
        n_children=np.array([len(node.get("s", [])) for node in nodes], np.int32),
        parent=np.array(parent, np.int32),
        class_weights=from_matrix(value),
        branch_weight=value.sum(axis=1),
        empty=column("e", 0, np.bool_),
        gain=column("g", np.nan, np.float64),
        gain_ratio=column("r", np.nan, np.float64),
    )


def plain_arrays(tree: Tree) -> dict[str, Any]:
    """Return all that a tree holds, by name."""
    parts = {name: getattr(tree, name) for name in Tree.__slots__}
    weights = parts.pop("class_weights")
    return parts | {name: getattr(weights, name) for name in ClassWeights.__slots__}


def fitted(root: dict[str, Any], attributes: list[Any], classes: Any) -> FittedTree:
    """Return a fitted estimator with this tree."""
    return FittedTree().fit(root, attributes, classes)


def deep(levels: int) -> FittedTree:
    """Return a tree of one attribute with a test on each of many levels."""
    root: dict[str, Any] = {"c": [1, 0]}
    for level in reversed(range(levels)):
        root = {"a": 0, "k": "le", "t": float(level), "s": [{"c": [0, 1]}, root]}
    return fitted(root, [["x", "numeric"]], [0, 1])


def read_outputs(name: str) -> Any:
    """Read Weka's outputs on a data set."""
    return read_json(SHARED / "oracles" / f"{name}.json.gz")


def oracle_trees(name: str) -> Iterator[tuple[str, FittedTree, dict[str, Any]]]:
    """Give Weka's trees of a data set: scheme and part, fitted, and as dictionaries."""
    outputs = read_outputs(name)
    for key, scheme in outputs["schemes"].items():
        # The values in j48-pre are intervals, whose names the file does not have.
        if key.startswith("j48") and key != "j48-pre":
            for part in PARTS:
                root, classes = scheme[part]["tree"], outputs["classes"][part]
                yield (
                    f"{key} {part}",
                    fitted(root, outputs["attributes"], classes),
                    root,
                )


def weather() -> FittedTree:
    """Return a small tree with every kind of node and an empty leaf."""
    root = {
        "a": 0,
        "k": "in",
        "s": [
            {
                "a": 1,
                "k": "le",
                "t": 75.0,
                "s": [
                    {"c": [2.0, 0.0]},
                    {
                        "a": 1,
                        "k": "le",
                        "t": 82.5,
                        "s": [{"c": [0.0, 3.0]}, {"c": [1.25, 1.0]}],
                    },
                ],
            },
            {"c": [0.0, 0.0], "e": 1},
            {
                "a": 2,
                "k": "eq",
                "t": 1,
                "s": [
                    {"c": [0.0, 2.0]},
                    {
                        "a": 2,
                        "k": "eq",
                        "t": 0,
                        "s": [{"c": [3.0, 0.0]}, {"c": [3.0, 1.333]}],
                    },
                ],
            },
        ],
    }
    attributes = [
        ["outlook", ["sunny", "overcast", "rainy"]],
        ["humidity", "numeric"],
        ["wind", ["none", "strong", "weak"]],
    ]
    return fitted(root, attributes, ["yes", "no"])
