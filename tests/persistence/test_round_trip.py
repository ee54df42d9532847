"""A model that is saved and opened again is the same model, to the last bit."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)
from sklearn.svm import SVC

from dissensus import C45Classifier, MDLDiscretizer, MissingValueReplacer
from dissensus.exceptions import ModelError
from dissensus.learners import parse_learner
from dissensus.learners._registry import LEARNERS
from dissensus.persistence import load_model, read_card, save_model
from dissensus.table import Table
from tests.estimator_checks import answers
from tests.estimator_data import NAMES, as_pandas, make_problem
from tests.test_common import ESTIMATORS, label

NUMERIC = ["length", "count"]
NOMINAL = ["colour", "size"]


def encoder() -> Any:
    """Return what turns the problem's frame into numbers."""
    return make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), NUMERIC),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), NOMINAL),
    )


COMPOSITIONS: list[Any] = [
    make_pipeline(MissingValueReplacer(), MDLDiscretizer(), C45Classifier()),
    make_pipeline(MissingValueReplacer(), C45Classifier(smoothing="laplace")),
    BaggingClassifier(C45Classifier(), n_estimators=3, random_state=0),
    CalibratedClassifierCV(C45Classifier(), cv=2),
    CalibratedClassifierCV(C45Classifier(), cv=2, method="isotonic"),
    VotingClassifier(
        [("a", C45Classifier()), ("b", C45Classifier(0.1))], voting="soft"
    ),
    make_pipeline(encoder(), LogisticRegression()),
    make_pipeline(encoder(), PCA(3), GaussianNB()),
    make_pipeline(
        make_column_transformer(
            (OrdinalEncoder(encoded_missing_value=-1), NOMINAL), remainder="passthrough"
        ),
        HistGradientBoostingClassifier(max_iter=5, random_state=0),
    ),
    make_pipeline(
        encoder(), RandomForestClassifier(5, random_state=np.random.RandomState(3))
    ),
    make_pipeline(encoder(), ExtraTreesClassifier(5, random_state=0)),
    make_pipeline(encoder(), GradientBoostingClassifier(n_estimators=5)),
    make_pipeline(encoder(), AdaBoostClassifier(n_estimators=5)),
    make_pipeline(encoder(), LinearDiscriminantAnalysis()),
    make_pipeline(encoder(), SVC()),
    make_pipeline(encoder(), SGDClassifier(loss="log_loss")),
    make_pipeline(encoder(), MLPClassifier((5,), max_iter=5)),
    make_pipeline(encoder(), KNeighborsClassifier(algorithm="brute")),
    make_pipeline(
        encoder(), make_union(StandardScaler(), MinMaxScaler()), LogisticRegression()
    ),
    make_pipeline(
        encoder(),
        StackingClassifier([("a", C45Classifier()), ("b", GaussianNB())], cv=2),
    ),
]


def bits(model: Any, X: Any) -> bytes:
    """Return the answers of a model as bytes."""
    if hasattr(model, "predict_proba") or hasattr(model, "transform"):
        return np.ascontiguousarray(answers(model, X)).tobytes()
    return np.ascontiguousarray(model.decision_function(X)).tobytes()


def fitted(estimator: Any) -> tuple[Any, Any]:
    """Return a fitted copy, and the rows that it has seen."""
    cells, y = make_problem(missing=0.1)
    X = as_pandas(cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five rounds of a network do not converge
        return clone(estimator).fit(X, np.array(["no", "maybe", "yes", "never"])[y]), X


def short(estimator: Any) -> str:
    """Return the names of an estimator's classes, without their parameters."""
    return "-".join(re.findall(r"[A-Z]\w+(?=\()", label(estimator)))


# The learners of the registry, alone and in each other.
TEXTS = [
    *(name for name in LEARNERS if name != "stacking"),
    "adaboost(nb)",
    "bagging(maclen(nb))",
    "cascade(nb, lda, c45)",
    "cascade(nb, forest(n_estimators=3))",
    "maclen(aode)",
    "decorate(maclen(nb), n_estimators=2)",
    "local(constructor=bayes)",
    "maclen(bagging(c45))",
    "stacking(nb, c45)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_learner_of_the_registry_gives_the_same_bits(text: str, tmp_path: Path) -> None:
    model, X = fitted(parse_learner(text).build())
    save_model(model, tmp_path / "model.skops")
    assert bits(load_model(tmp_path / "model.skops"), X) == bits(model, X)


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *COMPOSITIONS], ids=short)
def test_opened_model_gives_the_same_bits(estimator: Any, tmp_path: Path) -> None:
    model, X = fitted(estimator)
    save_model(model, tmp_path / "model.skops")
    opened = load_model(tmp_path / "model.skops")
    assert bits(opened, X) == bits(model, X)
    assert clone(opened).get_params().keys() == model.get_params().keys()
    if hasattr(model, "classes_"):
        assert opened.predict(X).tolist() == model.predict(X).tolist()
    # It is a whole model: it can be fitted again, and saved again.
    save_model(opened, tmp_path / "again.skops")
    assert bits(load_model(tmp_path / "again.skops"), X) == bits(model, X)


def test_opened_model_can_be_fitted_again(tmp_path: Path) -> None:
    model, X = fitted(C45Classifier(confidence=0.1))
    save_model(model, tmp_path / "model.skops")
    y = model.predict(X)
    again = load_model(tmp_path / "model.skops").fit(X, y)
    assert bits(again, X) == bits(clone(model).fit(X, y), X)


def test_declared_values_of_every_type_survive(tmp_path: Path) -> None:
    X = np.array([[1, True, 2.5, "a"], [0, False, -0.0, "b"]] * 4, dtype=object)
    model = C45Classifier(categorical_features=[0, 2]).fit(X, [1, 2] * 4)
    save_model(model, tmp_path / "model.skops")
    opened = load_model(tmp_path / "model.skops")
    for old, new in zip(model.schema_, opened.schema_, strict=True):
        assert new == old
        assert [type(v) for v in new.categories] == [type(v) for v in old.categories]
    assert read_card(tmp_path / "model.skops").schema == model.schema_


def test_card_tells_what_the_model_is(tmp_path: Path) -> None:
    model, _ = fitted(C45Classifier())
    path = tmp_path / "model.skops"
    save_model(model, path, target="answer", learner="c45", source="a test")
    card = read_card(tmp_path / "model.skops")
    assert (card.target, card.learner, card.source) == ("answer", "c45", "a test")
    assert card.kind == "C45Classifier"
    assert card.classes == tuple(model.classes_.tolist())
    assert card.schema is not None
    assert card.schema.names == NAMES
    assert set(card.versions) >= {"python", "dissensus", "scikit-learn", "numpy"}


def test_card_of_a_pipeline_has_the_attributes_of_its_first_step(
    tmp_path: Path,
) -> None:
    model, X = fitted(make_pipeline(MissingValueReplacer(), C45Classifier()))
    save_model(model, tmp_path / "ours.skops")
    assert read_card(tmp_path / "ours.skops").schema == Table.from_any(X).schema
    other, _ = fitted(make_pipeline(encoder(), GaussianNB()))
    save_model(other, tmp_path / "theirs.skops")
    assert read_card(tmp_path / "theirs.skops").schema is None
    save_model(other, tmp_path / "theirs.skops", schema=Table.from_any(X).schema)
    assert read_card(tmp_path / "theirs.skops").schema == Table.from_any(X).schema


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (np.log1p, "log1p"),
        (str.upper, "method_descriptor"),
        (lambda x: x, "lambda"),
        ("".join, "join"),
    ],
)
def test_callable_is_refused_when_saving(
    function: Any, name: str, tmp_path: Path
) -> None:
    model = C45Classifier().fit([[0.0], [1.0]], [0, 1])
    model.callback_ = function
    with pytest.raises(ModelError, match=name) as caught:
        save_model(model, tmp_path / "model.skops")
    assert "the model.callback_" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_function_in_a_pipeline_is_refused_with_its_place(tmp_path: Path) -> None:
    model = make_pipeline(FunctionTransformer(np.abs), GaussianNB())
    model.fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(
        ModelError, match="the model.steps.*func is .*absolute, which can"
    ):
        save_model(model, tmp_path / "model.skops")


def test_search_is_refused_and_its_best_estimator_is_not(tmp_path: Path) -> None:
    search = GridSearchCV(C45Classifier(), {"confidence": [0.1, 0.3]}, cv=2)
    search.fit([[0.0], [1.0], [0.5], [2.0]], [0, 1, 0, 1])
    with pytest.raises(ModelError, match="search.skops: .* best_estimator_"):
        save_model(search, tmp_path / "search.skops")
    save_model(search.best_estimator_, tmp_path / "best.skops")


class Foreign(BaseEstimator):
    """An estimator that nobody knows."""

    def __init__(self) -> None:
        self.fitted_ = True

    def fit(self, X: Any, y: Any) -> Foreign:
        """Do nothing."""
        return self


def test_class_of_another_package_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"type .*Foreign\. Model files hold no code"):
        save_model(Foreign(), tmp_path / "model.skops")


def test_unfitted_model_is_refused(tmp_path: Path) -> None:
    for model in (C45Classifier(), "no model"):
        with pytest.raises(ModelError, match="is not a fitted model"):
            save_model(model, tmp_path / "model.skops")


def test_old_file_stays_when_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    good = C45Classifier().fit([[0.0], [1.0]], [0, 1])
    save_model(good, path)
    before = path.read_bytes()
    good.callback_ = len
    with pytest.raises(ModelError):
        save_model(good, path)
    assert path.read_bytes() == before
    with pytest.raises(ModelError, match=r"cannot be written \(No such file"):
        save_model(C45Classifier().fit([[0.0]], [0]), tmp_path / "absent" / "m.skops")


def test_labels_that_json_lacks_are_refused_in_words(tmp_path: Path) -> None:
    model = C45Classifier().fit(np.array([[b"a"], [b"b"]], dtype=object), [0, 1])
    with pytest.raises(ModelError, match="class label or declared value cannot"):
        save_model(model, tmp_path / "model.skops")
