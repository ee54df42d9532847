"""Trees for many classes, most of which a node deep in the tree has no row of."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from dissensus.tree import C45Classifier
from tests.oracles import assert_same_nodes, nested
from tests.reference import j48
from tests.reference.nodes import Options
from tests.reference.random_data import Case, make_frame


def _nominal_case(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    n, kinds = 90, [int(kind) for kind in rng.integers(2, 6, 5)]
    columns = [rng.integers(0, kind, n).astype(float) for kind in kinds]
    for column in columns:
        column[rng.random(n) < rng.choice([0.0, 0.0, 0.2])] = np.nan
    known = [np.nan_to_num(column, nan=0.0).astype(np.intp) for column in columns]
    y = known[0] * 6 + known[1] + rng.integers(0, 3, n)
    weight = rng.choice([0.5, 1.0, 2.0], n) if seed % 3 == 0 else np.ones(n)
    options = Options(binary_splits=seed % 2 == 1, prune=seed % 5 != 0)
    y = np.unique(y, return_inverse=True)[1]
    return Case(kinds, columns, y, weight, columns, options)


@pytest.mark.parametrize("seed", range(30))
def test_trees_for_many_classes_equal_those_of_the_plain_version(seed: int) -> None:
    case = _nominal_case(seed)
    assert case.y.max() >= 4
    model = C45Classifier(**asdict(case.options))
    X = make_frame(case.kinds, case.columns)
    model.fit(X, case.y, sample_weight=case.weight)
    tree = j48.build(case.data(), case.options)
    assert_same_nodes(nested(model.tree_), j48.nested(tree), f"seed {seed}, root")
