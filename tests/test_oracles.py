"""The comparisons with Weka's outputs see differences."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracles import (
    assert_close,
    assert_same_nodes,
    assert_same_text,
    parameters_of,
    parse_text,
)

TEXT = """J48 pruned tree
------------------

petal width <= 0.6: setosa (50.0)
petal width > 0.6
|   colour = light red: virginica (3.33/1.0)
|   colour = blue: setosa (0.0)

Number of Leaves  : 3
"""


def tree(**changes: Any) -> dict[str, Any]:
    leaves = [{"c": [2.0, 0.0]}, {"c": [0.0, 0.0], "e": 1}]
    node = {"a": 1, "k": "le", "t": 0.5, "g": 0.1, "r": 0.2, "w": [2, 0], "s": leaves}
    return {**node, **changes}


def test_equal_trees_pass() -> None:
    assert_same_nodes(tree(), tree(g=0.1 + 1e-12), "root")


@pytest.mark.parametrize(
    "changes",
    [
        {"a": 2},
        {"k": "eq"},
        {"t": 0.5000001},
        {"g": 0.10001},
        {"r": 0.20001},
        {"w": [2, 1]},
        {"s": [{"c": [2.0, 0.0]}, {"c": [0.0, 0.0]}]},
        {"s": [{"c": [2.0, 1.0]}, {"c": [0.0, 0.0], "e": 1}]},
    ],
)
def test_any_difference_between_trees_is_seen(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="at root"):
        assert_same_nodes(tree(**changes), tree(), "root")


def test_not_a_number_is_never_close() -> None:
    with pytest.raises(AssertionError, match="1 of 2 differ"):
        assert_close([1.0, float("nan")], [1.0, 1.0], "numbers")


def test_a_printed_tree_is_read_with_and_without_more_digits() -> None:
    names = ["petal width", "colour"]
    lines = parse_text(TEXT, names)
    assert [line.depth for line in lines] == [0, 0, 1, 1]
    assert [line.label for line in lines] == ["setosa", None, "virginica", "setosa"]
    assert_same_text(parse_text(TEXT.replace("0.6", "0.60000001"), names), lines)
    with pytest.raises(AssertionError, match="line 1"):
        assert_same_text(parse_text(TEXT.replace("0.6", "0.61"), names), lines)


def test_weka_options_become_parameters() -> None:
    expected = {"confidence": 0.1, "min_samples_leaf": 5, "prune": False}
    assert parameters_of("-C 0.1 -M 5 -U") == expected
