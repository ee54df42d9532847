"""CascadeClassifier.explain: reasons that add up to the probabilities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

from dissensus import load_dataset
from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import CascadeClassifier, LearnerExplanation, after
from dissensus.linear import DiscriminantClassifier, LeastSquaresClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem

TREE, NB, LINE = C45Classifier(), NaiveBayesClassifier(), DiscriminantClassifier()


def frame(missing: float = 0.06) -> tuple[Any, Any]:
    cells, y = make_problem(missing=missing)
    return as_pandas(cells), np.array(["no", "perhaps", "yes"])[y]


def log_odds(part: LearnerExplanation, proba: Any, labels: Any) -> float:
    by_label = dict(zip(labels, proba, strict=True))
    return math.log(by_label[part.label] / by_label[part.rival])


@pytest.mark.parametrize(
    "learner",
    [
        NB,
        NaiveBayesClassifier(numeric="gaussian"),
        NaiveBayesClassifier("m-estimate", numeric="equal-width", missing="value"),
        LINE,
        DiscriminantClassifier(encode="onehot"),
        DiscriminantClassifier(encode="ordinal"),
    ],
)
def test_terms_add_up_to_the_log_odds(learner: Any) -> None:
    X, y = frame(missing=0.2)
    cascade = CascadeClassifier([learner]).fit(X, y)
    proba = cascade.predict_proba(X)
    for row in range(0, 150, 11):
        (part,) = cascade.explain(X, row).parts
        assert part.kind == "log-odds"
        assert part.label == cascade.predict(X)[row]
        assert part.probability == proba[row].max()
        expected = log_odds(part, proba[row], cascade.classes_)
        assert part.total == pytest.approx(expected, abs=1e-9)
        sizes = [abs(term.amount) for term in part.terms]
        assert sizes == sorted(sizes, reverse=True)


def test_terms_add_up_to_the_output_of_a_regression() -> None:
    X, y = frame()
    cascade = CascadeClassifier([LeastSquaresClassifier(encode="onehot")]).fit(X, y)
    model = cascade.estimators_[0]
    scores = model._scores(Table.from_any(X))
    for row in range(0, 150, 11):
        (part,) = cascade.explain(X, row).parts
        code = ["no", "perhaps", "yes"].index(part.label)
        assert part.kind == "output"
        assert part.total == pytest.approx(scores[row, code], abs=1e-9)


def test_tests_are_those_on_the_rows_way_down_the_tree() -> None:
    X, y = frame(missing=0.0)
    cascade = CascadeClassifier([TREE]).fit(X, y)
    tree = cascade.estimators_[0].tree_
    for row in range(0, 150, 7):
        (part,) = cascade.explain(X, row).parts
        nodes = cascade.estimators_[0].decision_path(X)[row].indices
        assert len(part.tests) == len(nodes) - 1
        for test, node in zip(part.tests, sorted(nodes)[:-1], strict=True):
            assert test.condition.attribute == X.columns[tree.attribute[node]]
            assert test.value == X.iloc[row][test.condition.attribute]
            if test.condition.operator in ("<=", ">"):
                assert test.condition.value == tree.threshold[node]
                assert (test.value <= test.condition.value) == (
                    test.condition.operator == "<="
                )


def test_learners_are_asked_for_the_probabilities_that_decided() -> None:
    X, y = frame()
    cascade = after(TREE, LINE, NB).fit(X, y)
    wide = cascade.transform(X)
    n_asked = 0
    for row in range(0, 150, 5):
        explanation = cascade.explain(X, row)
        assert [p.level for p in explanation.parts] == sorted(
            (p.level for p in explanation.parts), reverse=True
        )
        asked = {(p.learner, p.label): p for p in explanation.parts[1:]}
        raised = {
            reason.source
            for part in explanation.parts
            for reason in (*part.tests, *part.terms)
            if reason.source is not None
        }
        assert raised == set(asked)
        for (learner, label), part in asked.items():
            assert part.probability == wide[f"{learner}:P({label})"].iloc[row]
        n_asked += len(asked)
    assert n_asked > 30


def test_an_attribute_tested_twice_is_explained_once() -> None:
    monks = load_dataset("monks-2")
    cascade = after(TREE, NB).fit(monks.X, monks.y)
    n_tests = []
    for row in range(0, 432, 20):
        top, *below = cascade.explain(monks.X, row).parts
        asked = [(part.learner, part.label) for part in below]
        assert len(asked) == len(set(asked))
        n_tests.append(sum(test.source is not None for test in top.tests))
    assert max(n_tests) > 2


def test_with_carry_previous_only_the_level_below_is_asked() -> None:
    X, y = frame()
    cascade = after(TREE, LINE, NB, carry="previous").fit(X, y)
    wide = cascade.transform(X)
    for row in range(0, 150, 5):
        top, *below = cascade.explain(X, row).parts
        for test in top.tests:
            assert test.source is None or test.source[0] == "Discrim"
        for part in below:
            if part.level == 1:
                name = f"Discrim:P({part.label})"
                assert part.probability == wide[name].iloc[row]


def test_missing_values_are_named_as_such() -> None:
    X, y = frame(missing=0.0)
    cascade = CascadeClassifier([TREE]).fit(X, y)
    X.loc[3] = [None, None, np.nan, np.nan]
    (part,) = cascade.explain(X, 3).parts
    assert all(test.value is None for test in part.tests)
    assert "is missing; the heaviest branch is" in str(part)
    bayes = CascadeClassifier([NB]).fit(X, y)
    assert bayes.explain(X, 3).parts[0].terms == ()
    valued = NaiveBayesClassifier(missing="value")
    (part,) = CascadeClassifier([valued]).fit(*frame(0.2)).explain(X, 3).parts
    assert all(term.value is None for term in part.terms)
    assert "is missing" in str(part)


def test_a_learner_that_cannot_be_explained_hands_the_question_down() -> None:
    X, y = frame(missing=0.0)
    numbers = X[["length", "count"]]
    explanation = (
        after(KNeighborsClassifier(), [NB, LINE]).fit(numbers, y).explain(numbers, 4)
    )
    top, *below = explanation.parts
    assert top.kind == "unexplained"
    assert "no explanation exists" in str(top)
    assert {(part.learner, part.label) for part in below} == {
        ("NB", explanation.label),
        ("Discrim", explanation.label),
    }


def test_text_names_attributes_thresholds_and_probabilities() -> None:
    X = pd.DataFrame({"size": np.arange(40.0), "noise": np.tile([0.0, 1.0], 20)})
    y = np.where(X["size"] < 20, "small", "large")
    text = str(after(TREE, NB).fit(X, y).explain(X, 39))
    assert text.splitlines() == [
        "The answer is large (probability 1).",
        "level 1, C45: P(large) = 1 after these tests",
        "    NB:P(large) = 0.9545 > 0.04545",
        "level 0, NB: P(large) = 0.9545, log-odds against small +3.045",
        "    +0.000  for any row",
        "    +3.045  size = 39 in (19.5, inf)",
    ]
    labels = pd.DataFrame({"colour": ["red", "blue"] * 20, "size": X["size"]})
    text = str(CascadeClassifier([TREE]).fit(labels, labels["colour"]).explain(labels))
    assert text.splitlines()[-1] == "    colour = red"
    part = CascadeClassifier([LINE]).fit(X, y).explain(X, 0).parts[0]
    assert part.text(max_terms=1).endswith("1 more attribute")
    assert part.text(max_terms=0).endswith("2 more attributes")


def test_close_numbers_are_printed_in_full() -> None:
    X = pd.DataFrame({"a": np.repeat([1.00001, 1.00005], 10)})
    explanation = CascadeClassifier([TREE]).fit(X, np.repeat([0, 1], 10)).explain(X, 19)
    assert "a = 1.00005 > 1.00001" in str(explanation)


def test_one_class_and_a_single_leaf_are_explained() -> None:
    X, y = frame()
    (part,) = CascadeClassifier([TREE]).fit(X, ["a"] * len(y)).explain(X).parts
    assert "(a single leaf)" in str(part)
    (part,) = CascadeClassifier([NB]).fit(X, ["a"] * len(y)).explain(X).parts
    assert part.kind == "unexplained"


def test_a_row_that_is_not_there_is_refused() -> None:
    X, y = frame()
    cascade = after(TREE, NB).fit(X, y)
    with pytest.raises(ValueError, match="There is no row 150: X has 150"):
        cascade.explain(X, 150)
