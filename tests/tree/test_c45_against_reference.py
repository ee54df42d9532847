"""C45Classifier against the plain Python version, on random data sets.

Set DISSENSUS_RANDOM_TREES to compare more trees than the few of every run.
"""

from __future__ import annotations

import os
from dataclasses import asdict

import numpy as np
import pytest

from dissensus.tree import C45Classifier
from tests.oracles import assert_close, assert_same_nodes, nested
from tests.reference import j48
from tests.reference.random_data import make_case, make_frame

N_TREES = int(os.environ.get("DISSENSUS_RANDOM_TREES", "300"))
BLOCK = 25


@pytest.mark.parametrize("block", range(0, N_TREES, BLOCK))
def test_trees_equal_those_of_the_plain_version(block: int) -> None:
    for seed in range(block, min(block + BLOCK, N_TREES)):
        case = make_case(seed)
        tree = j48.build(case.data(), case.options)
        model = C45Classifier(**asdict(case.options))
        X = make_frame(case.kinds, case.columns)
        model.fit(X, case.y, sample_weight=case.weight)
        where = f"seed {seed}, root"
        assert_same_nodes(nested(model.tree_), j48.nested(tree), where)

        dist = model.predict_proba(make_frame(case.kinds, case.test))
        expected = j48.distributions(tree, case.kinds, case.test, case.options)
        assert_close(dist, expected, f"seed {seed}, distributions")


def test_the_random_data_sets_reach_every_rule() -> None:
    """Guard the generator: a change must not make it tame."""
    reached = {"le": 0, "in": 0, "eq": 0, "empty": 0, "leaf only": 0, "fraction": 0}
    for seed in range(100):
        case = make_case(seed)
        root = j48.build(case.data(), case.options)
        reached["leaf only"] += root.split is None
        for node in j48.walk(root):
            if node.split is not None:
                reached[node.split.kind] += 1
            reached["empty"] += node.empty
            whole = np.isin(node.weight, case.weight).all()
            reached["fraction"] += not whole
    assert min(reached.values()) >= 5, reached
