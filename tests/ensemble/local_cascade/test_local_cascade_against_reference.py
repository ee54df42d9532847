"""LocalCascadeClassifier against the plain Python version, on random data sets.

Set DISSENSUS_RANDOM_TREES to compare more trees than the few of every run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dissensus import (
    C45Classifier,
    DiscriminantClassifier,
    LocalCascadeClassifier,
    NaiveBayesClassifier,
)
from dissensus.ensemble.local_cascade._constructor import gama_bayes
from dissensus.table import Attribute, Column, Schema, Table
from tests.oracles import assert_close, assert_same_nodes, nested
from tests.reference import j48
from tests.reference.local_cascade import Constructor, Learner, LocalCascade, Model
from tests.reference.random_data import (
    COLUMNS,
    MISSING_RATES,
    Case,
    make_case,
    make_frame,
)

Floats = NDArray[np.float64]

N_TREES = int(os.environ.get("DISSENSUS_RANDOM_TREES", "100"))
BLOCK = 25


def table_of(kinds: list[int], columns: list[Floats]) -> Table:
    """Return columns of the plain version as a table; undeclared values are unseen."""
    made = []
    for number, (kind, column) in enumerate(zip(kinds, columns, strict=True)):
        values = tuple(f"v{value}" for value in range(kind))
        attribute = Attribute(f"a{number}", "nominal" if kind else "numeric", values)
        data: Any = column
        if kind:
            unseen = np.where(column < kind, column, -2)
            data = np.where(np.isnan(column), -1, unseen).astype(np.int32)
        made.append(Column(attribute, data))
    return Table(Schema(tuple(column.attribute for column in made)), made)


def plain_learner(make: Callable[[], Any]) -> Learner:
    """Return a learner of the package in the form of the plain version."""

    def learn(
        kinds: list[int],
        columns: list[Floats],
        y: NDArray[np.intp],
        weight: Floats,
        n_classes: int,
    ) -> Model:
        model = make()
        model._fit_table(
            table_of(kinds, columns), y.astype(np.int32), n_classes, weight
        )

        def proba(columns: list[Floats]) -> Floats:
            return np.asarray(model._proba_table(table_of(kinds, columns)))

        return proba

    return learn


BAYES = plain_learner(gama_bayes)
DISCRIMINANT = plain_learner(DiscriminantClassifier)
CONSTRUCTORS: list[tuple[Any, dict[str, Any], list[tuple[Learner, str]]]] = [
    ("bayes", {}, [(BAYES, "all")]),
    ("discriminant", {}, [(DISCRIMINANT, "numeric")]),
    ("bayes+discriminant", {}, [(BAYES, "nominal"), (DISCRIMINANT, "numeric")]),
    (
        "bayes+discriminant",
        {"bayes_on": "all"},
        [(BAYES, "all"), (DISCRIMINANT, "numeric")],
    ),
    (
        [C45Classifier(), NaiveBayesClassifier(numeric="gaussian")],
        {},
        [
            (plain_learner(C45Classifier), "all"),
            (plain_learner(lambda: NaiveBayesClassifier(numeric="gaussian")), "all"),
        ],
    ),
]


def draw_case(seed: int) -> Case:
    """Draw a case: every second one has more rows and something linear to learn."""
    case = make_case(seed)
    case = replace(case, options=replace(case.options, actual_thresholds=True))
    if seed % 2:
        return case
    rng = np.random.default_rng([seed, 2])
    n, n_classes = int(rng.choice([60, 120, 200])), int(rng.choice([2, 2, 3]))
    drawn = [COLUMNS[i](rng, n) for i in rng.integers(len(COLUMNS), size=4)]
    height = np.zeros(n)
    for _, column in drawn:
        spread = column.std()
        height += rng.normal() * (column - column.mean()) / (spread if spread else 1.0)
        column[rng.random(n) < rng.choice(MISSING_RATES[:6])] = np.nan
    turned = rng.random(n) < 0.3  # a tree can find out where: another sign there
    height[drawn[0][1] > np.nanmedian(drawn[0][1])] *= -1
    cuts = np.quantile(height, np.arange(1, n_classes) / n_classes)
    y = np.searchsorted(cuts, height)
    y[turned] = rng.integers(0, n_classes, turned.sum())
    weight = np.ones(n) if rng.random() < 0.6 else rng.integers(1, 9, n) / 4
    return replace(
        case,
        kinds=[kind for kind, _ in drawn],
        columns=[column for _, column in drawn],
        y=np.unique(y, return_inverse=True)[1],
        weight=weight,
        test=[column[rng.permutation(n)[:20]] for _, column in drawn],
    )


def draw_constructor(seed: int) -> tuple[Any, dict[str, Any], Constructor]:
    """Draw a constructor and rules that let it work on few rows."""
    rng = np.random.default_rng([seed, 1])
    constructor, extra, steps = CONSTRUCTORS[rng.integers(len(CONSTRUCTORS))]
    rules: dict[str, Any] = {
        "max_constructor_depth": int(rng.choice([0, 1, 2, 5, 5, 5])),
        "min_class_ratio": float(rng.choice([0.0, 0.3, 0.3, 1.0, 3.0])),
        "max_constructor_error": float(rng.choice([0.0, 0.2, 0.5, 0.5, 1.0])),
        "counted_attributes": str(rng.choice(["all", "all", "original"])),
    }
    return constructor, {**rules, **extra}, Constructor(steps, **rules)


def fit_both(seed: int) -> tuple[Case, LocalCascadeClassifier, LocalCascade]:
    """Fit the estimator and the plain version on the same random data."""
    case = draw_case(seed)
    constructor, rules, plain_rules = draw_constructor(seed)
    plain = LocalCascade(case.data(), case.options, plain_rules)
    options = asdict(case.options)
    del options["smoothing"], options["actual_thresholds"]
    model = LocalCascadeClassifier(constructor, **rules, **options)
    model.fit(make_frame(case.kinds, case.columns), case.y, sample_weight=case.weight)
    return case, model, plain


def with_one_number(tree: dict[str, Any], n_inputs: int) -> dict[str, Any]:
    """Call all built attributes by one number: both sides count them in other ways."""
    if "s" not in tree:
        return tree
    children = [with_one_number(child, n_inputs) for child in tree["s"]]
    return {**tree, "a": min(tree["a"], n_inputs), "s": children}


@pytest.mark.parametrize("block", range(0, N_TREES, BLOCK))
def test_trees_equal_those_of_the_plain_version(block: int) -> None:
    for seed in range(block, min(block + BLOCK, N_TREES)):
        case, model, plain = fit_both(seed)
        n_inputs = len(case.kinds)
        assert_same_nodes(
            with_one_number(nested(model.tree_), n_inputs),
            with_one_number(j48.nested(plain.root), n_inputs),
            f"seed {seed}, root",
        )
        for columns in (case.columns, case.test):
            dist = model.predict_proba(make_frame(case.kinds, columns))
            expected = plain.distributions(case.kinds, columns)
            assert_close(dist, expected, f"seed {seed}, distributions")


def test_the_random_data_sets_reach_every_rule() -> None:
    """Guard the generator: a change must not make it tame."""
    reached = dict.fromkeys(("no model", "deep", "raised", "few classes", "test"), 0)
    for seed in range(100):
        _, model, plain = fit_both(seed)
        constructions, depths = model.constructions_, model.tree_.depths
        names = [construction.name for construction in constructions]
        reached["no model"] += not plain.models
        reached["deep"] += any(depths[c.node] > 0 for c in constructions)
        reached["raised"] += any(name.endswith("_2") for name in names)
        reached["few classes"] += any(
            len(c.classes) < len(model.classes_) for c in constructions
        )
        reached["test"] += bool(constructions)
    assert min(reached.values()) >= 1, reached
