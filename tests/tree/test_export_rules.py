"""Tests of `export_rules`."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

from dissensus.tree._conditions import Condition
from dissensus.tree._export_rules import Rule, RuleSet, export_rules
from tests.oracles import DATA_SETS, needs_oracles
from tests.tree.fitted import FittedTree, deep, fitted, oracle_trees, weather


def holds(condition: Condition, value: Any) -> bool:
    """Return whether a value satisfies a condition."""
    match condition.operator:
        case "<=":
            return bool(value <= condition.value)
        case ">":
            return bool(value > condition.value)
        case "between":
            low, high = condition.value
            return bool(low < value <= high)
        case "=":
            return bool(value == condition.value)
        case "!=":
            return bool(value != condition.value)
        case "not in":
            return value not in condition.value
    raise AssertionError(condition.operator)


def leaf_of(model: Any, row: dict[str, Any]) -> int:
    """Walk a row without missing values down a tree."""
    tree, node = model.tree_, 0
    while tree.kind[node]:
        attribute = model.schema_[int(tree.attribute[node])]
        value, threshold = row[attribute.name], tree.threshold[node]
        if tree.kind[node] == 1:
            branch = int(value > threshold)
        elif tree.kind[node] == 2:
            branch = attribute.categories.index(value)
        else:
            branch = int(value != attribute.categories[int(threshold)])
        node = int(tree.first_child[node]) + branch
    return node


def random_row(model: Any, rng: np.random.Generator) -> dict[str, Any]:
    """Draw a row whose numbers lie on and around the tree's thresholds."""
    tree, row = model.tree_, {}
    for index, attribute in enumerate(model.schema_):
        if attribute.is_nominal:
            row[attribute.name] = attribute.categories[
                rng.integers(len(attribute.categories))
            ]
        else:
            cuts = tree.threshold[(tree.attribute == index) & (tree.kind == 1)]
            cut = rng.choice(cuts) if len(cuts) else 0.0
            row[attribute.name] = rng.choice([cut, np.nextafter(cut, np.inf), cut - 1])
    return row


@pytest.fixture(scope="module", params=DATA_SETS)
def rules_of_weka(request: pytest.FixtureRequest) -> list[tuple[str, Any, RuleSet]]:
    """Return the rules of all of Weka's trees of one data set."""
    return [
        (label, model, export_rules(model))
        for label, model, _ in oracle_trees(request.param)
    ]


@needs_oracles
def test_exactly_the_rule_of_the_rows_leaf_holds(
    rules_of_weka: list[tuple[str, Any, RuleSet]], rng: np.random.Generator
) -> None:
    for label, model, rules in rules_of_weka:
        assert len(rules) == model.tree_.n_leaves
        for _ in range(5):
            row = random_row(model, rng)
            true = [
                rule.leaf
                for rule in rules
                if all(holds(each, row[each.attribute]) for each in rule.conditions)
            ]
            assert true == [leaf_of(model, row)], label


@needs_oracles
def test_supports_and_counts_add_up_to_the_tree(
    rules_of_weka: list[tuple[str, Any, RuleSet]],
) -> None:
    for label, model, rules in rules_of_weka:
        counts = np.array([list(rule.counts.values()) for rule in rules])
        support = np.array([rule.support for rule in rules])
        root = model.tree_.value[0]
        np.testing.assert_allclose(counts.sum(axis=0), root, rtol=1e-9, err_msg=label)
        np.testing.assert_allclose(support, counts.sum(axis=1), 1e-12, err_msg=label)
        assert all(0.0 < rule.confidence <= 1.0 for rule in rules), label


@needs_oracles
def test_each_attribute_appears_once_in_a_rule(
    rules_of_weka: list[tuple[str, Any, RuleSet]],
) -> None:
    for label, _, rules in rules_of_weka:
        for rule in rules:
            asked = [condition.attribute for condition in rule.conditions]
            assert len(asked) == len(set(asked)), label


def test_rules_read_as_sentences_in_the_order_of_the_leaves() -> None:
    assert str(export_rules(weather())).split("\n") == [
        "IF outlook = sunny AND humidity <= 75 THEN yes (2, 100 %)",
        "IF outlook = sunny AND 75 < humidity <= 82.5 THEN no (3, 100 %)",
        "IF outlook = sunny AND humidity > 82.5 THEN yes (2.25, 55.6 %)",
        "IF outlook = overcast THEN yes (0, 55.8 %)",
        "IF outlook = rainy AND wind = strong THEN no (2, 100 %)",
        "IF outlook = rainy AND wind = none THEN yes (3, 100 %)",
        "IF outlook = rainy AND wind not in {strong, none} THEN yes (4.33, 69.2 %)",
    ]


def test_an_empty_leaf_has_support_zero_and_its_parents_confidence() -> None:
    rule = export_rules(weather())[3]
    assert rule.support == 0.0
    assert rule.counts == {"yes": 0.0, "no": 0.0}
    assert rule.prediction == "yes"
    assert rule.confidence == pytest.approx(9.25 / 16.583, abs=1e-12)


def test_a_rule_is_a_plain_record() -> None:
    rule = export_rules(weather())[1]
    assert rule == Rule(
        conditions=(
            Condition("outlook", "=", "sunny"),
            Condition("humidity", "between", (75.0, 82.5)),
        ),
        prediction="no",
        support=3.0,
        confidence=1.0,
        counts={"yes": 0.0, "no": 3.0},
        leaf=8,
    )
    assert len({rule, export_rules(weather())[1]}) == 1
    assert pickle.loads(pickle.dumps(rule)) == rule


def test_a_single_leaf_is_a_rule_without_conditions() -> None:
    rules = export_rules(fitted({"c": [290, 142]}, [["x", "numeric"]], [0, 1]))
    assert str(rules) == "IF true THEN 0 (432, 67.1 %)"
    assert rules[0].conditions == ()
    assert type(rules[0].prediction) is int


def test_an_impure_rule_is_never_printed_as_certain() -> None:
    rules = export_rules(fitted({"c": [99999, 1]}, [["x", "numeric"]], ["a", "b"]))
    assert str(rules) == "IF true THEN a (100000, 99.9 %)"


def chain(tests: list[tuple[str, float, int]]) -> dict[str, Any]:
    """Return a tree whose only long path goes through the branches of `tests`."""
    root: dict[str, Any] = {"c": [1, 0]}
    for kind, threshold, branch in reversed(tests):
        children = [{"c": [0, 1]}, root] if branch else [root, {"c": [0, 1]}]
        root = {"a": 0, "k": kind, "t": threshold, "s": children}
    return root


@pytest.mark.parametrize(
    ("tests", "merged"),
    [
        ([("le", 5, 0), ("le", 3, 0)], "x <= 3"),
        ([("le", 3, 1), ("le", 5, 1)], "x > 5"),
        ([("le", 5, 0), ("le", 1, 1), ("le", 3, 0)], "1 < x <= 3"),
        ([("le", 1, 1), ("le", 5, 0), ("le", 3, 1)], "3 < x <= 5"),
        ([("le", 1, 0), ("le", 5, 1)], "x <= 1 AND x > 5"),
        ([("le", 1, 0), ("le", 1, 1)], "x <= 1 AND x > 1"),
    ],
)
def test_numeric_tests_of_a_path_become_one_interval(
    tests: list[tuple[str, float, int]],
    merged: str,
) -> None:
    rules = export_rules(fitted(chain(tests), [["x", "numeric"]], ["yes", "no"]))
    texts = [
        " AND ".join(map(str, rule.conditions))
        for rule in rules
        if rule.prediction == "yes"
    ]
    assert texts == [merged]


@pytest.mark.parametrize(
    ("tests", "merged"),
    [
        ([("eq", 0, 1)], "x != a"),
        ([("eq", 0, 1), ("eq", 1, 1)], "x not in {a, b}"),
        ([("eq", 0, 1), ("eq", 1, 1), ("eq", 2, 1)], "x not in {a, b, c}"),
        ([("eq", 0, 1), ("eq", 1, 1), ("eq", 2, 0)], "x = c"),
        ([("eq", 0, 1), ("eq", 1, 0)], "x = b"),
        ([("eq", 0, 0), ("eq", 1, 1)], "x = a"),
        ([("eq", 0, 1), ("eq", 0, 1)], "x != a"),
        ([("eq", 0, 0), ("eq", 0, 0)], "x = a"),
        ([("eq", 0, 0), ("eq", 0, 1)], "x = a AND x != a"),
        ([("eq", 0, 0), ("eq", 1, 0)], "x = a AND x = b"),
        ([("eq", 0, 1), ("eq", 0, 0)], "x != a AND x = a"),
    ],
)
def test_nominal_tests_of_a_path_become_one_condition(
    tests: list[tuple[str, float, int]],
    merged: str,
) -> None:
    rules = export_rules(fitted(chain(tests), [["x", list("abcd")]], ["yes", "no"]))
    texts = [
        " AND ".join(map(str, rule.conditions))
        for rule in rules
        if rule.prediction == "yes"
    ]
    assert texts == [merged]


def test_records_have_a_column_for_each_class() -> None:
    assert export_rules(weather()).to_records()[6] == {
        "conditions": "outlook = rainy AND wind not in {strong, none}",
        "n_conditions": 2,
        "prediction": "yes",
        "support": pytest.approx(4.333, abs=1e-12),
        "confidence": pytest.approx(3.0 / 4.333, abs=1e-12),
        "leaf": 11,
        "count_yes": 3.0,
        "count_no": 1.333,
    }


def test_rules_become_a_frame_of_either_kind() -> None:
    rules = export_rules(weather())
    pandas, polars = rules.to_frame(), rules.to_frame("polars")
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert pandas.to_dict("records") == polars.to_dicts() == rules.to_records()
    with pytest.raises(ValueError, match="kind must be 'pandas' or 'polars'"):
        rules.to_frame("arrow")  # type: ignore[arg-type]


def test_a_frame_without_its_library_names_the_cure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"pip install polars.*to_records"):
        export_rules(weather()).to_frame("polars")


def test_a_rule_set_is_a_sequence() -> None:
    rules = export_rules(weather())
    assert repr(rules) == "<RuleSet of 7 rules>"
    assert isinstance(rules[2:4], RuleSet)
    assert list(rules[2:4]) == [rules[2], rules[3]]
    assert rules.index(rules[-1]) == 6
    assert sorted(rules, key=lambda rule: -rule.support)[0] == rules[6]


def test_a_path_of_thousands_of_tests_needs_no_recursion() -> None:
    rules = export_rules(deep(20_000))
    assert len(rules) == 20_001
    assert str(rules[-2]) == "IF 19998 < x <= 19999 THEN 1 (1, 100 %)"


def test_an_unfitted_estimator_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        export_rules(FittedTree())


def test_an_estimator_without_a_tree_is_refused_with_the_cure() -> None:
    model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"GaussianNB has no tree.*estimators_"):
        export_rules(model)
