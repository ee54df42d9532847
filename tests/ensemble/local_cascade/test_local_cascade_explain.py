"""A local cascade in words: explain, export_text and the other exports."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from dissensus import C45Classifier, LocalCascadeClassifier, load_dataset
from dissensus.ensemble.local_cascade._tree import Walk
from dissensus.table import Table
from dissensus.tree import export_graphviz, export_rules, export_text
from tests.estimator_data import as_pandas, make_problem


def fitted(constructor: Any, **options: Any) -> tuple[Any, Any]:
    """Fit on rows with missing values and three classes."""
    cells, y = make_problem(400, missing=0.05)
    X, y = as_pandas(cells), np.array(["no", "perhaps", "yes"])[y]
    model = LocalCascadeClassifier(constructor, min_class_ratio=0.5, **options)
    return model.fit(X, y), X


def all_columns(model: Any, X: Any) -> Any:
    """Return every attribute of every row by name, built ones too."""
    walk = Walk(model.tree_, model.constructions_, Table.from_any(X), "pandas")
    for number in range(len(model.constructions_)):
        walk.make(number, np.arange(len(X)))
    return dict(zip(model.schema_out_.names, walk.arrays, strict=True))


CONSTRUCTORS = ["bayes", "discriminant", "bayes+discriminant", [C45Classifier()]]


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_the_tests_are_those_on_the_rows_way(constructor: Any) -> None:
    model, X = fitted(constructor)
    columns, nodes, proba = (
        all_columns(model, X),
        model.apply(X),
        model.predict_proba(X),
    )
    paths, n_built = model.tree_.paths(), 0
    for row in range(0, len(X), 9):
        explanation = model.explain(X, row)
        top = explanation.parts[0]
        assert explanation.label == model.predict(X)[row]
        assert explanation.probability == top.probability == proba[row].max()
        assert len(top.tests) == paths[nodes[row]].nnz - 1
        for test in top.tests:
            if test.condition.operator in ("<=", ">"):
                value = columns[test.condition.attribute][row]
                assert test.value == value
                below = value <= test.condition.value
                assert below == (test.condition.operator == "<=")
            n_built += test.source is not None
    assert n_built > 10


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_the_models_asked_for_are_explained_and_no_others(constructor: Any) -> None:
    model, X = fitted(constructor)
    columns = all_columns(model, X)
    for row in range(0, len(X), 9):
        parts = model.explain(X, row).parts
        asked = {(part.learner, part.label): part for part in parts[1:]}
        raised = {
            reason.source
            for part in parts
            for reason in (*part.tests, *part.terms)
            if reason.source is not None
        }
        assert raised == set(asked)
        for (learner, label), part in asked.items():
            assert part.probability == columns[f"{learner}:P({label})"][row]


def test_terms_add_up_to_the_log_odds() -> None:
    model, X = fitted("bayes+discriminant")
    columns, n_parts = all_columns(model, X), 0
    for row in range(0, len(X), 9):
        for part in model.explain(X, row).parts[1:]:
            rival = columns[f"{part.learner}:P({part.rival})"][row]
            if min(rival, part.probability) > 1e-3:  # they are rounded
                expected = math.log(part.probability / rival)
                assert part.total == pytest.approx(expected, abs=1e-9)
                n_parts += 1
    assert n_parts > 40


def test_deeper_models_come_first_and_a_foreign_one_says_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(300, 2))
    y = (np.hypot(*X.T) < 1).astype(int)
    model = LocalCascadeClassifier([KNeighborsClassifier(15)], confidence=0.5).fit(X, y)
    depths = model.tree_.depths
    for row in range(30):
        _, *below = model.explain(X, row).parts
        nodes = [int(part.learner.removeprefix("KNN@")) for part in below]
        assert nodes == sorted(nodes, reverse=True)
        assert [part.level for part in below] == [depths[node] for node in nodes]
        assert all(part.kind == "unexplained" for part in below)


def test_a_row_that_does_not_exist_is_refused() -> None:
    model, X = fitted("bayes")
    assert model.explain(X, -1) == model.explain(X, 399)
    with pytest.raises(ValueError, match=r"no row 400: X has 400"):
        model.explain(X, 400)


def test_a_missing_value_ends_the_way() -> None:
    monks = load_dataset("monks-1")
    model = LocalCascadeClassifier("discriminant").fit(monks.X, monks.y)
    nothing = np.full((1, 6), None)
    explanation = model.explain(nothing)
    assert explanation.parts[0].tests == ()
    assert explanation.probability == 0.5


# Exports


def test_text_shows_the_models_at_their_nodes() -> None:
    balance = load_dataset("balance-scale")
    model = LocalCascadeClassifier("discriminant").fit(balance.X, balance.y)
    lines = export_text(model, decimals=3).splitlines()
    assert lines[0] == (
        "[Discrim@0: DiscriminantClassifier on 4 attributes, training error 0.1232]"
    )
    plane = model.constructions_[0].model
    assert lines[1].startswith(
        f"[  H(B) = {plane.intercept_[0]:.4g} {plane.coef_[0, 0]:+.4g} left-weight "
    )
    assert lines[4].startswith("Discrim@0:P(L) <= 0.1")
    assert lines[-2] == f"Number of leaves: {model.n_leaves_}"


def test_text_indents_the_models_of_deeper_nodes_and_cuts_long_planes() -> None:
    monks = load_dataset("monks-2")
    model = LocalCascadeClassifier().fit(monks.X, monks.y)
    text = export_text(model)
    for construction in model.constructions_:
        indent = "|   " * int(model.tree_.depths[construction.node])
        assert f"\n{indent}[{construction.name}: " in f"\n{text}"
    assert " and 2 more]" in text
    assert "[NB@" not in export_text(model, max_depth=0)


def test_rules_and_graphs_name_the_built_attributes() -> None:
    balance = load_dataset("balance-scale")
    model = LocalCascadeClassifier("bayes").fit(balance.X, balance.y)
    assert 'label="NB@1:P(B)"' in export_graphviz(model)
    conditions = [c.attribute for rule in export_rules(model) for c in rule.conditions]
    assert set(conditions) == {"NB@0:P(L)", "NB@1:P(B)"}
