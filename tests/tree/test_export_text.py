"""Tests of `export_text`."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from dissensus.tree._export_text import export_text
from tests.oracles import DATA_SETS, needs_oracles
from tests.tree.fitted import (
    FittedTree,
    deep,
    fitted,
    oracle_trees,
    read_outputs,
    weather,
)


def tree_lines(text: str) -> list[str]:
    """Return the lines of the tree itself, without what stands above and below."""
    above = re.compile(r"J48 pruned tree\n-+\n+")
    below = re.compile(r"\n\nNumber of [Ll]eaves")
    return below.split(above.sub("", text))[0].split("\n")


def class_weights(node: dict[str, Any]) -> list[float]:
    """Add up the leaves below a node of the oracle's dictionaries."""
    if "c" in node:
        return list(node["c"])
    children = map(class_weights, node["s"])
    return [sum(column) for column in zip(*children, strict=True)]


def leaf_text(
    leaf: dict[str, Any], parent: dict[str, Any] | None, classes: list[str]
) -> str:
    """Return the class and the counts of a leaf."""
    counts = leaf["c"]
    winner, most = 0, 0.0
    for code, weight in enumerate(
        class_weights(parent) if parent and leaf.get("e") else counts
    ):
        if weight > most + 1e-6:
            winner, most = code, weight
    errors = sum(counts) - counts[winner]
    numbers = [sum(counts), errors] if errors > 1e-6 else [sum(counts)]
    rounded = "/".join(str(math.floor(n * 100 + 0.5) / 100) for n in numbers)
    return f": {classes[winner]} ({rounded})"


def branch_texts(node: dict[str, Any], attributes: list[Any]) -> list[str]:
    """Return the conditions of a node's branches."""
    name, values = attributes[node["a"]]
    if node["k"] == "le":
        threshold = repr(float(node["t"])).removesuffix(".0")
        return [f"{name} <= {threshold}", f"{name} > {threshold}"]
    if node["k"] == "eq":
        value = values[int(node["t"])]
        return [f"{name} = {value}", f"{name} != {value}"]
    return [f"{name} = {value}" for value in values]


def reference_lines(
    node: dict[str, Any], attributes: list[Any], classes: list[str], indent: str = ""
) -> list[str]:
    """Write a tree down by plain recursion over the oracle's dictionaries."""
    if "c" in node:
        return [leaf_text(node, None, classes)]
    lines = []
    for branch, child in zip(branch_texts(node, attributes), node["s"], strict=True):
        if "c" in child:
            lines.append(indent + branch + leaf_text(child, node, classes))
        else:
            lines.append(indent + branch)
            lines += reference_lines(child, attributes, classes, indent + "|   ")
    return lines


@pytest.mark.parametrize("decimals", [None, 6])
@needs_oracles
@pytest.mark.parametrize("name", DATA_SETS)
def test_text_equals_wekas_line_by_line(
    name: str,
    decimals: int | None,
) -> None:
    oracle = read_outputs(name)
    weka = oracle["schemes"]["j48"]["all"]
    model = fitted(weka["tree"], oracle["attributes"], oracle["classes"]["all"])

    text = export_text(model, decimals=decimals)

    assert tree_lines(text) == tree_lines(weka["text"])
    assert text.endswith(
        f"Number of leaves: {weka['leaves']}\nSize of the tree: {weka['size']}"
    )


@needs_oracles
@pytest.mark.parametrize("name", DATA_SETS)
def test_text_of_every_oracle_tree_equals_a_plain_recursion(name: str) -> None:
    oracle = read_outputs(name)
    n_trees = 0
    for label, model, root in oracle_trees(name):
        expected = reference_lines(root, oracle["attributes"], list(model.classes_))
        assert tree_lines(export_text(model)) == expected, label
        n_trees += 1
    assert n_trees == 22


def test_text_shows_every_kind_of_branch() -> None:
    assert export_text(weather()) == (
        "outlook = sunny\n"
        "|   humidity <= 75: yes (2.0)\n"
        "|   humidity > 75\n"
        "|   |   humidity <= 82.5: no (3.0)\n"
        "|   |   humidity > 82.5: yes (2.25/1.0)\n"
        "outlook = overcast: yes (0.0)\n"
        "outlook = rainy\n"
        "|   wind = strong: no (2.0)\n"
        "|   wind != strong\n"
        "|   |   wind = none: yes (3.0)\n"
        "|   |   wind != none: yes (4.33/1.33)\n"
        "\n"
        "Number of leaves: 7\n"
        "Size of the tree: 12"
    )


def test_a_tree_cut_at_max_depth_shows_the_nodes_classes_and_dots() -> None:
    lines = tree_lines(export_text(weather(), max_depth=1))
    assert lines == [
        "outlook = sunny: no (7.25/3.25) ...",
        "outlook = overcast: yes (0.0)",
        "outlook = rainy: yes (9.33/3.33) ...",
    ]
    assert tree_lines(export_text(weather(), max_depth=0)) == [": yes (16.58/7.33) ..."]
    assert export_text(weather(), max_depth=3) == export_text(weather())


def test_a_single_leaf_is_one_line() -> None:
    model = fitted({"c": [50.0, 1.0]}, [["x", "numeric"]], ["a", "b"])
    assert tree_lines(export_text(model)) == [": a (51.0/1.0)"]


def test_a_class_ahead_by_less_than_a_millionth_is_not_the_majority() -> None:
    model = fitted({"c": [2.0, 2.0 + 5e-7]}, [["x", "numeric"]], ["a", "b"])
    assert tree_lines(export_text(model)) == [": a (4.0/2.0)"]


@pytest.mark.parametrize(
    ("threshold", "decimals", "printed"),
    [
        (0.1 + 0.2, None, "0.30000000000000004"),
        (0.1 + 0.2, 2, "0.3"),
        (1200.0, None, "1200"),
        (1200.0, 0, "1200"),
        (1200.0, 3, "1200"),
        (-0.0004, 3, "0"),
        (1e-12, None, "1e-12"),
        (2.0 / 3.0, 4, "0.6667"),
    ],
)
def test_thresholds_are_printed_in_full_unless_told_otherwise(
    threshold: float,
    decimals: int | None,
    printed: str,
) -> None:
    root = {"a": 0, "k": "le", "t": threshold, "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    model = fitted(root, [["x", "numeric"]], [0, 1])
    assert tree_lines(export_text(model, decimals=decimals)) == [
        f"x <= {printed}: 0 (1.0)",
        f"x > {printed}: 1 (1.0)",
    ]


def test_a_line_end_in_a_name_does_not_end_the_line() -> None:
    root = {"a": 0, "k": "in", "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    model = fitted(root, [["two\nlines", ["é\t", "\u2028\ud800"]]], ["a\r\n", "b"])
    assert export_text(model).splitlines()[:2] == [
        r"two\nlines = é\t: a\r\n (1.0)",
        r"two\nlines = \u2028\ud800: b (1.0)",
    ]


def test_labels_and_categories_that_are_not_strings_are_printed() -> None:
    root = {"a": 0, "k": "in", "s": [{"c": [1, 0]}, {"c": [0, 1]}]}
    model = fitted(root, [["x", [1, 2.5]]], [False, True])
    assert tree_lines(export_text(model)) == [
        "x = 1: False (1.0)",
        "x = 2.5: True (1.0)",
    ]


def test_a_tree_of_a_thousand_levels_needs_no_recursion() -> None:
    lines = tree_lines(export_text(deep(1500)))
    assert len(lines) == 3000
    assert lines[-1] == "|   " * 1499 + "x > 1499: 0 (1.0)"


def test_an_unfitted_estimator_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        export_text(FittedTree())


@pytest.mark.parametrize("other", [GaussianNB(), DecisionTreeClassifier()])
def test_an_estimator_without_a_tree_of_ours_is_refused_with_the_cure(
    other: Any,
) -> None:
    iris = load_iris()
    other.fit(iris.data, iris.target)
    with pytest.raises(TypeError, match=r"no tree of dissensus.*estimators_"):
        export_text(other)


@pytest.mark.parametrize("name", ["decimals", "max_depth"])
@pytest.mark.parametrize("value", [-1, 1.5, "2", True])
def test_a_bad_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name} must be None or an integer"):
        export_text(weather(), **{name: value})
