from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB

from dissensus.datasets import load_dataset
from dissensus.ensemble import MTForestClassifier
from dissensus.preprocessing import EqualWidthDiscretizer, MDLDiscretizer
from dissensus.tree import C45Classifier
from tests.estimator_data import as_pandas, make_problem
from tests.oracles import assert_close
from tests.reference import j48, mtforest
from tests.reference.nominal_data import make_nominal_case
from tests.reference.random_data import make_frame

N_CASES = 60
BLOCK = 20


@pytest.mark.parametrize("block", range(0, N_CASES, BLOCK))
def test_votes_equal_those_of_plain_trees(block: int) -> None:
    for seed in range(block, block + BLOCK):
        case = make_nominal_case(seed)
        data = case.data()
        weight = [1.0, 0.3][seed % 2]
        model = MTForestClassifier(
            C45Classifier(**asdict(case.options)), task_weight=weight
        )
        model.fit(make_frame(case.kinds, case.columns), case.y, case.weight)
        votes = model.member_votes(make_frame(case.kinds, case.test))
        for task in range(len(data.kinds)):
            others = [a for a in range(len(data.kinds)) if a != task]
            kinds = [data.kinds[a] for a in others]
            rest = replace(data, kinds=kinds, columns=[data.columns[a] for a in others])
            tree = mtforest.build(rest, case.options, data.columns[task], weight)
            rows = np.array(case.test).T[:, others].tolist()
            smoothing = case.options.smoothing
            expected = [j48.distribution(tree, row, smoothing) for row in rows]
            assert_close(votes[:, task], expected, f"seed {seed}, task {task}")


def test_the_answer_is_the_mean_of_the_votes() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = MTForestClassifier().fit(X, y)
    votes = model.member_votes(X)
    assert votes.shape == (len(y), 4, 3)
    assert_allclose(model.predict_proba(X), votes.mean(axis=1), rtol=1e-13)


def test_no_tree_sees_its_own_task() -> None:
    cells, y = make_problem()
    model = MTForestClassifier().fit(as_pandas(cells), y)
    names = list(model.schema_.names)
    for tree, task in zip(model.estimators_, model.tasks_, strict=True):
        rest = [name for name in names if name != task.name]
        assert list(tree.feature_names_in_) == rest


def test_without_weight_the_task_is_just_left_out() -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = MTForestClassifier(task_weight=0, features="original").fit(X, y)
    for number, task in enumerate(model.tasks_):
        rest = X.drop(columns=task.name)
        alone = C45Classifier().fit(rest, y)
        votes = model.member_votes(X)[:, number]
        assert_array_equal(votes, alone.predict_proba(rest))


def test_the_task_changes_the_trees() -> None:
    data = load_dataset("tic-tac-toe")
    models = [
        MTForestClassifier(task_weight=weight).fit(data.X, data.y) for weight in (0, 1)
    ]
    without, with_task = (model.predict_proba(data.X) for model in models)
    assert not np.allclose(with_task, without)


def test_each_discretiser_makes_another_tree_of_a_numeric_attribute() -> None:
    cells, y = make_problem()
    discretizers = [MDLDiscretizer(), EqualWidthDiscretizer(3)]
    model = MTForestClassifier(discretizers=discretizers).fit(as_pandas(cells), y)
    assert [(task.name, task.view) for task in model.tasks_] == [
        ("colour", 0),
        ("size", 0),
        ("length", 0),
        ("length", 1),
        ("count", 0),
        ("count", 1),
    ]


def test_a_single_attribute_leaves_the_frequencies_of_the_classes() -> None:
    X = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    model = MTForestClassifier().fit(X, [0, 1, 1, 1])
    assert_array_equal(model.predict_proba(X), [[0.25, 0.75]] * 4)


def test_only_trees_of_c45_can_have_a_task() -> None:
    with pytest.raises(ValueError, match="C45Classifier"):
        MTForestClassifier(GaussianNB()).fit([[1.0], [2.0]], [0, 1])


def test_the_parameters_of_the_trees_are_checked() -> None:
    with pytest.raises(ValueError, match="confidence"):
        MTForestClassifier(C45Classifier(confidence=2)).fit([[1.0], [2.0]], [0, 1])
