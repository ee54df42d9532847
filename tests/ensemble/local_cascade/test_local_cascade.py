"""LocalCascadeClassifier: the rules of construction, one by one, and odd inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin

from dissensus import (
    C45Classifier,
    CascadeClassifier,
    DiscriminantClassifier,
    LocalCascadeClassifier,
    NaiveBayesClassifier,
    load_dataset,
)
from dissensus.ensemble.local_cascade import _classifier as local_module
from dissensus.ensemble.local_cascade._constructor import Rules, built_attributes
from dissensus.table import Table
from tests.ensemble.clouds import clouds
from tests.estimator_data import as_pandas, make_problem
from tests.oracles import assert_same_nodes, nested

# The tree underneath


@pytest.mark.parametrize("name", ["balance-scale", "monks-1", "iris", "wine"])
@pytest.mark.parametrize("nothing", ["max_constructor_depth", "max_constructor_error"])
def test_without_construction_it_is_dtree(name: str, nothing: str) -> None:
    # Depth 0 grows the tree in one call, error 0 node by node.
    data = load_dataset(name)
    dtree = C45Classifier(0.1, smoothing="path").fit(data.X, data.y)
    rules: dict[str, Any] = {nothing: 0}
    model = LocalCascadeClassifier("bayes", **rules).fit(data.X, data.y)
    assert model.constructions_ == []
    assert_same_nodes(nested(model.tree_), nested(dtree.tree_), "root")
    assert_array_equal(model.tree_.value, dtree.tree_.value)
    assert_array_equal(model.predict_proba(data.X), dtree.predict_proba(data.X))


@pytest.mark.parametrize("seed", range(5))
def test_node_by_node_rows_with_missing_values_are_shared_as_in_c45(seed: int) -> None:
    cells, y = make_problem(400, missing=0.2, seed=seed)
    X, weight = as_pandas(cells), np.random.default_rng(seed).uniform(0.5, 2, 400)
    for sample_weight in (None, weight):
        options: dict[str, Any] = {"confidence": 0.25, "min_samples_leaf": 1}
        dtree = C45Classifier(**options, smoothing="path").fit(X, y, sample_weight)
        model = LocalCascadeClassifier("bayes", **options, max_constructor_error=0)
        model.fit(X, y, sample_weight)
        assert_same_nodes(nested(model.tree_), nested(dtree.tree_), "root")
        assert_array_equal(model.predict_proba(X), dtree.predict_proba(X))


def test_construction_at_the_root_only_is_the_global_cascade() -> None:
    data = load_dataset("balance-scale")
    bayes = NaiveBayesClassifier(numeric="equal-width", missing="value")
    top = C45Classifier(0.1, smoothing="path")
    whole = CascadeClassifier([bayes, top]).fit(data.X, data.y)
    model = LocalCascadeClassifier("bayes", max_constructor_depth=1)
    model.fit(data.X, data.y)
    ours, theirs = model.tree_, whole.estimators_[-1].tree_
    assert_array_equal(ours.attribute, theirs.attribute)
    assert_allclose(ours.threshold, theirs.threshold, rtol=0, atol=1e-12)
    assert_array_equal(model.predict_proba(data.X), whole.predict_proba(data.X))


class Shaky(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities have rounding errors."""

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        half = np.where(X[:, :1] > 0, 0.7, 0.3) + 1e-16 * np.arange(len(X))[:, None]
        return np.hstack([half, 1 - half])


def test_rounding_errors_are_not_values_of_an_attribute() -> None:
    X, y = clouds()
    raw = Shaky().fit(X, y).predict_proba(X)
    assert len(np.unique(raw)) > 50
    proba = built_attributes(Shaky().fit(X, y), Table.from_any(X), 2, "array")
    assert np.unique(proba).tolist() == [0.3, 0.7]


# The paper's example


def test_monks_2_is_solved_with_attributes_of_the_root_and_of_a_node_below() -> None:
    monks = load_dataset("monks-2")
    model = LocalCascadeClassifier("bayes").fit(monks.X, monks.y)
    assert model.score(monks.X, monks.y) == 1.0
    assert model.n_leaves_ == 9
    assert model.schema_out_.names[6:] == (
        *("NB@0:P(0)", "NB@0:P(1)", "NB@1:P(0)", "NB@1:P(1)"),
    )
    assert C45Classifier().fit(monks.X, monks.y).n_leaves_ == 1


def test_the_discriminant_reads_what_bayes_built_at_its_node_and_above() -> None:
    monks = load_dataset("monks-2")
    model = LocalCascadeClassifier().fit(monks.X, monks.y)
    assert model.score(monks.X, monks.y) == 1.0
    assert model.n_leaves_ == 5
    by_name = {construction.name: construction for construction in model.constructions_}
    names = model.schema_out_.names
    inputs = {
        name: [names[number] for number in construction.inputs]
        for name, construction in by_name.items()
    }
    assert inputs["NB@0"] == inputs["NB@1"] == list(names[:6])
    assert inputs["Discrim@0"] == ["NB@0:P(0)", "NB@0:P(1)"]
    assert inputs["Discrim@1"] == [
        *("NB@0:P(0)", "NB@0:P(1)", "Discrim@0:P(0)", "Discrim@0:P(1)"),
        *("NB@1:P(0)", "NB@1:P(1)"),
    ]
    # An attribute of the root is tested twice, as in figure 3.
    tested = model.tree_.attribute.tolist()
    assert tested.count(names.index("NB@0:P(0)")) == 2


# When a node builds attributes


def built(X: Any, y: Any, constructor: Any = "discriminant", **rules: Any) -> Any:
    """Return the names of attributes built at the root, before any pruning."""
    options = {"max_constructor_depth": 1, "prune": False, "collapse": False}
    model = LocalCascadeClassifier(constructor, **{**options, **rules}).fit(X, y)
    return [name for name in model.schema_out_.names if "@0" in name]


def test_a_class_counts_with_more_than_three_rows_per_attribute() -> None:
    X, y = clouds()
    few = np.flatnonzero(y == 0)[:9]
    rows = np.concatenate([few, np.flatnonzero(y == 1)[:60]])
    assert built(X[rows], y[rows]) == []
    more = np.append(rows, np.flatnonzero(y == 0)[9])
    assert built(X[more], y[more]) == ["Discrim@0:P(0)", "Discrim@0:P(1)"]
    assert built(X[rows], y[rows], min_class_ratio=2.9) != []


def test_weights_count_as_rows() -> None:
    X, y = clouds()
    rows = np.concatenate([np.flatnonzero(y == 0)[:9], np.flatnonzero(y == 1)[:60]])
    model = LocalCascadeClassifier("discriminant")
    weight = np.where(y[rows] == 0, 1.2, 1.0)
    assert model.fit(X[rows], y[rows], sample_weight=weight).constructions_
    assert not model.fit(X[rows], y[rows]).constructions_


def test_a_class_that_does_not_count_is_left_out_of_the_model() -> None:
    X, y = clouds()
    y[:5] = 2
    model = LocalCascadeClassifier("discriminant", max_constructor_depth=1).fit(X, y)
    (construction,) = model.constructions_
    assert construction.classes.tolist() == [0, 1]
    taught = y < 2
    alone = DiscriminantClassifier().fit(X[taught], y[taught])
    assert_array_equal(construction.model.coef_, alone.coef_)
    # The rows of the class left out have the attributes too, and count as errors.
    assert construction.error == np.mean(alone.predict(X) != y)


def test_built_attributes_may_be_left_out_of_the_count() -> None:
    weights, numbers = np.array([13.0, 10.0, 7.0, 6.0]), np.array([0, 1, 5, 6])
    rules = Rules(max_depth=5, min_class_ratio=3, max_error=0.5, n_original=None)
    assert rules.counted(weights, numbers).tolist() == []  # one class is too few
    assert rules.counted(weights, numbers[:3]).tolist() == [0, 1]
    only_inputs = replace(rules, n_original=5)
    assert only_inputs.counted(weights, numbers).tolist() == [0, 1, 2]
    assert only_inputs.counted(weights, numbers[:0]).tolist() == []  # nothing to read


def test_the_count_of_a_node_follows_the_parameter() -> None:
    X, y = clouds(120, seed=3)
    y[np.random.default_rng(0).random(120) < 0.2] ^= 1
    deepest = {}
    for counted in ("all", "original"):
        model = LocalCascadeClassifier(
            "bayes", counted_attributes=counted, min_class_ratio=4, prune=False
        ).fit(X, y)
        deepest[counted] = max(c.node for c in model.constructions_)
    assert deepest["all"] < deepest["original"]


def test_a_model_with_too_many_rows_wrong_is_not_used() -> None:
    X, y = clouds()
    y[np.random.default_rng(0).random(200) < 0.3] ^= 1
    discriminant = DiscriminantClassifier().fit(X, y)
    error = float(np.mean(discriminant.predict(X) != y))
    assert 0.2 < error < 0.5
    assert built(X, y, max_constructor_error=error) == []
    just_above = float(np.nextafter(error, 1.0))
    assert built(X, y, max_constructor_error=just_above) != []


def test_nodes_below_the_largest_depth_build_nothing() -> None:
    X, y = clouds(600)
    y[np.random.default_rng(0).random(600) < 0.3] ^= 1
    for depth in (1, 2, 3):
        model = LocalCascadeClassifier(
            "bayes", max_constructor_depth=depth, min_class_ratio=0.5, prune=False
        ).fit(X, y)
        depths = [model.tree_.depths[c.node] for c in model.constructions_]
        assert max(depths) == depth - 1


def test_bayes_reads_the_nominal_attributes_unless_told_otherwise() -> None:
    cells, y = make_problem(400)
    X = as_pandas(cells)
    options: dict[str, Any] = {"min_class_ratio": 0.1, "max_constructor_depth": 1}
    for bayes_on, expected in (("nominal", [0, 1]), ("all", [0, 1, 2, 3])):
        model = LocalCascadeClassifier(bayes_on=bayes_on, prune=False, **options)
        first, second = model.fit(X, y).constructions_
        assert first.inputs.tolist() == expected
        assert second.inputs.tolist() == [2, 3, 4, 5, 6]


def test_without_nominal_inputs_both_constructors_are_the_discriminant() -> None:
    wine = load_dataset("wine")
    both = LocalCascadeClassifier().fit(wine.X, wine.y)
    linear = LocalCascadeClassifier("discriminant").fit(wine.X, wine.y)
    assert both.schema_out_ == linear.schema_out_
    assert_array_equal(both.predict_proba(wine.X), linear.predict_proba(wine.X))


def test_without_numeric_inputs_the_discriminant_builds_nothing() -> None:
    monks = load_dataset("monks-1")
    model = LocalCascadeClassifier("discriminant").fit(monks.X, monks.y)
    assert model.constructions_ == []


def test_with_sixty_attributes_no_class_counts() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(208, 60))
    y = (X[:, :4].sum(axis=1) > 0).astype(int)
    model = LocalCascadeClassifier("discriminant").fit(X, y)
    assert model.constructions_ == []
    dtree = C45Classifier(0.1, smoothing="path").fit(X, y)
    assert_array_equal(model.predict_proba(X), dtree.predict_proba(X))


# Odd inputs


@pytest.mark.parametrize("constructor", ["bayes", "discriminant", "bayes+discriminant"])
def test_odd_tables(constructor: str) -> None:
    model = LocalCascadeClassifier(constructor, min_class_ratio=0)
    X, y = clouds(40)
    assert (model.fit(X, np.zeros(40)).predict_proba(X) == 1).all()
    assert model.fit(X[:1], y[:1]).predict(X[:3]).tolist() == [y[0]] * 3
    constant = np.full_like(X, 2.5)
    assert model.fit(constant, y).n_leaves_ == 1
    unknown = np.full_like(X, np.nan)
    assert model.fit(unknown, y).predict_proba(unknown).shape == (40, 2)
    words = np.array([["a", "b"], ["b", None], ["a", None], ["b", "b"]] * 5, object)
    assert model.fit(words, y[:20]).predict_proba(words).shape == (20, 2)


def test_a_class_without_rows_at_a_node_has_no_attribute_there() -> None:
    # Class 2 lies apart on one side; the others are divided by a circle.
    X = np.random.default_rng(0).normal(size=(400, 2))
    y = (np.hypot(*X.T) < 1.2).astype(int)
    y[X[:, 0] > 0.5] = 2
    model = LocalCascadeClassifier("bayes").fit(X, y)
    first, *below = model.constructions_
    assert first.classes.tolist() == [0, 1, 2]
    assert [0, 1] in [construction.classes.tolist() for construction in below]
    assert model.predict_proba(X).shape == (400, 3)


def test_chunks_of_rows_are_answered_as_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells, y = make_problem(300, missing=0.1)
    X = as_pandas(cells)
    model = LocalCascadeClassifier(min_class_ratio=0.3).fit(X, y)
    expected = model.predict_proba(X)
    monkeypatch.setattr(local_module, "CHUNK", 7)
    assert_array_equal(model.predict_proba(X), expected)


def test_apply_gives_the_node_that_answers() -> None:
    monks = load_dataset("monks-2")
    model = LocalCascadeClassifier("bayes").fit(monks.X, monks.y)
    nodes = model.apply(monks.X)
    counts = np.bincount(nodes, minlength=model.tree_.n_nodes)
    assert_array_equal(counts[nodes], model.tree_.value.sum(axis=1)[nodes])


def test_what_the_fit_took_is_told() -> None:
    monks = load_dataset("monks-2")
    model = LocalCascadeClassifier("bayes").fit(monks.X, monks.y)
    assert set(model.fit_times_) == {"constructors", "splits", "pruning"}
    assert min(model.fit_times_.values()) > 0
    assert model.n_constructed_ == 4
