"""Files that once killed the process, or kept it busy, are refused."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier as SklearnBagging,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    StackingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC

from dissensus import C45Classifier, LocalCascadeClassifier, MaclenClassifier
from dissensus.exceptions import ModelError
from dissensus.persistence import load_model, save_model
from dissensus.tree import Tree
from dissensus.tree._class_weights import from_matrix
from tests.estimator_data import as_pandas, make_problem
from tests.persistence.files import rewrite

Model = Any


def opened(model: Model, path: Path) -> Any:
    """Save a model without a look at it, and open it."""
    save_model(model, path)
    return load_model(path)


def refuse(model: Model, words: str, tmp_path: Path) -> None:
    """Check that a model is refused when it is opened."""
    with pytest.raises(ModelError, match=words):
        opened(model, tmp_path / "model.skops")


def fitted(model: Model, n_rows: int = 150) -> Any:
    """Fit a model of ours."""
    cells, y = make_problem(n_rows, missing=0)
    return model.fit(as_pandas(cells), y)


def fitted_on_numbers(model: Model) -> Any:
    """Fit a model of scikit-learn."""
    cells, y = make_problem(missing=0)
    return model.fit(cells, y)


def test_leaf_that_asks_for_an_attribute_is_refused(tmp_path: Path) -> None:
    model = fitted(C45Classifier())
    model.tree_.attribute[-1] = 10_000
    refuse(model, "a test of a leaf", tmp_path)


def test_tree_of_no_nodes_is_refused(tmp_path: Path) -> None:
    model = fitted(C45Classifier())
    arrays = {
        f.name: getattr(model.tree_, f.name)[:0]
        for f in dataclasses.fields(Tree)
        if f.name != "class_weights"
    }
    arrays["class_weights"] = np.zeros((0, 2))
    model.tree_ = Tree(**arrays)
    refuse(model, "a tree of no nodes", tmp_path)


def test_nodes_that_share_children_are_refused(tmp_path: Path) -> None:
    """Forty of them are a million million ways for a row without a value."""
    n_inner = 40
    n_nodes = 2 * n_inner + 1
    inner = np.arange(n_nodes) < n_inner
    tree = Tree(
        attribute=np.where(inner, 0, -1).astype(np.int32),
        kind=inner.astype(np.uint8),
        threshold=np.where(inner, 0.5, np.nan),
        first_child=np.where(inner, np.arange(n_nodes) + 1, -1).astype(np.int32),
        n_children=np.where(inner, 2, 0).astype(np.int32),
        parent=np.maximum(np.arange(n_nodes) - 1, -1).astype(np.int32),
        class_weights=from_matrix(np.ones((n_nodes, 2))),
        branch_weight=np.ones(n_nodes),
        empty=np.zeros(n_nodes, dtype=bool),
        gain=np.zeros(n_nodes),
        gain_ratio=np.zeros(n_nodes),
    )
    model = C45Classifier().fit([[0.0], [1.0]] * 4, [0, 1] * 4)
    model.tree_ = tree
    refuse(model, "children before parents", tmp_path)


def test_inner_tree_of_a_local_cascade_is_checked(tmp_path: Path) -> None:
    constructor = [C45Classifier()]
    model = fitted(LocalCascadeClassifier(constructor, min_class_ratio=0), 600)
    assert model.constructions_
    tree = model.constructions_[0].model.tree_
    tree.first_child[0] = 0
    refuse(model, "children before parents", tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"inputs": np.array([10_000])},
        {"first": 3},
        {"classes": np.array([0, 99])},
        {"node": 10**6},
    ],
)
def test_model_at_a_node_that_reads_what_is_not_there_is_refused(
    change: dict[str, Any], tmp_path: Path
) -> None:
    model = fitted(LocalCascadeClassifier(), 600)
    first, *rest = model.constructions_
    model.constructions_ = [dataclasses.replace(first, **change), *rest]
    refuse(model, "of a model|that are built", tmp_path)


@pytest.mark.parametrize("change", [{"attribute": 99}, {"attribute": -1}, {"view": 7}])
def test_task_of_no_attribute_is_refused(
    change: dict[str, int], tmp_path: Path
) -> None:
    model = fitted(MaclenClassifier())
    first, *rest = model.tasks_
    model.tasks_ = [dataclasses.replace(first, **change), *rest]
    refuse(model, "of a task", tmp_path)


def test_member_of_other_attributes_is_refused(tmp_path: Path) -> None:
    model = fitted(MaclenClassifier())
    model._members = model._members[::-1]
    refuse(model, "of a member", tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("is_categorical", 2),
        ("is_categorical", 1),
        ("is_leaf", 2),
        ("left", 0),
        ("feature_idx", -1),
    ],
)
def test_node_of_histogram_boosting_is_checked(
    field: str, value: int, tmp_path: Path
) -> None:
    model = fitted_on_numbers(HistGradientBoostingClassifier(max_iter=2))
    model._predictors[0][0].nodes[field][0] = value
    words = "nodes of a tree|children|an attribute|categories"
    refuse(model, words, tmp_path)


def _more_outputs(model: Any) -> None:
    model.estimators_ = model.estimators_[:, :1]


def _class_beyond(model: Any) -> None:
    model._y[0] = 1000


def _fewer_vectors(model: Any) -> None:
    model.support_vectors_ = model.support_vectors_[:3]


def _uneven_vectors(model: Any) -> None:
    model._n_support[0] += 1


def _bad_indices(model: Any) -> None:
    model.sparsify()
    model.coef_.indices[0] = 10**6


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (GradientBoostingClassifier(n_estimators=2), _more_outputs),
        (KNeighborsClassifier(algorithm="brute"), _class_beyond),
        (SVC(), _fewer_vectors),
        (SVC(), _uneven_vectors),
        (LogisticRegression(), _bad_indices),
    ],
    ids=["boosting", "neighbours", "few vectors", "uneven vectors", "sparse weights"],
)
def test_arrays_of_scikit_learn_that_do_not_fit_are_refused(
    model: Any, change: Callable[[Any], None], tmp_path: Path
) -> None:
    model = fitted_on_numbers(model)
    opened(model, tmp_path / "sound.skops")
    change(model)
    refuse(model, "inconsistent", tmp_path)


def test_encoder_that_makes_too_few_columns_is_refused(tmp_path: Path) -> None:
    model = OneHotEncoder().fit([["a"], ["b"], ["c"]])
    model._n_features_outs = [1]
    refuse(model, "columns", tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X_min_", np.float64(-1.0)),
        ("X_max_", np.float64(np.nan)),
        ("out_of_bounds", "nan"),
        ("X_thresholds_", np.array([0.0, 5e-324])),
    ],
)
def test_calibration_that_answers_beyond_its_ends_is_refused(
    name: str, value: Any, tmp_path: Path
) -> None:
    """Its answers were NaN."""
    model = fitted(CalibratedClassifierCV(C45Classifier(), cv=2, method="isotonic"))
    for calibrator in model.calibrated_classifiers_[0].calibrators:
        if name == "X_thresholds_":
            calibrator.X_min_, calibrator.X_max_ = value
            calibrator.y_thresholds_ = np.array([0.0, 1.0])
        setattr(calibrator, name, value)
    refuse(model, "calibrators|step function", tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("_fit_dtype", 3), ("statistics_", np.zeros(7, dtype="S4"))],
)
def test_imputer_of_no_known_type_is_refused(
    name: str, value: Any, tmp_path: Path
) -> None:
    model = SimpleImputer().fit(np.eye(7))
    setattr(model, name, value)
    refuse(model, "missing values|a type of columns", tmp_path)


def test_decider_with_labels_of_its_own_is_refused(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    model = StackingClassifier([("nb", GaussianNB())], cv=2).fit(X, y)
    model.final_estimator_.classes_ = np.array([b"0", b"1", b"2"])
    refuse(model, "a decider", tmp_path)


def test_kernel_that_grows_with_the_distance_is_refused(tmp_path: Path) -> None:
    model = SVC().fit(*load_iris(return_X_y=True))
    model._gamma = -1e308
    refuse(model, "the width of a kernel", tmp_path)


def test_category_that_is_a_list_is_refused(tmp_path: Path) -> None:
    model = OneHotEncoder().fit(np.array([["a"], ["b"]], dtype=object))
    model.categories_[0][0] = ["a", "b"]
    refuse(model, "categories", tmp_path)


def test_attribute_that_hides_a_method_is_refused(tmp_path: Path) -> None:
    model = fitted(C45Classifier())
    vars(model)["_proba_table"] = "text"
    refuse(model, "'_proba_table' of C45Classifier, which is no attribute", tmp_path)


def test_parameter_that_no_fit_would_take_is_refused(tmp_path: Path) -> None:
    model = fitted(C45Classifier())
    model.confidence = "much"
    refuse(model, "'confidence' parameter of C45Classifier must be", tmp_path)


def test_card_that_tells_of_other_attributes_is_refused(path: Path) -> None:
    def change(content: bytes) -> bytes:
        card = json.loads(content)
        for attribute in card["attributes"]:
            attribute.update(kind="numeric", categories=[])
        return json.dumps(card).encode()

    rewrite(path, "dissensus.json", change)
    with pytest.raises(ModelError, match="attributes that the file tells of"):
        load_model(path)


def test_bagging_of_another_number_of_members_is_refused(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    model = SklearnBagging(n_estimators=2, random_state=0).fit(X, y)
    model.n_estimators = 10**30
    refuse(model, "the number of members", tmp_path)
