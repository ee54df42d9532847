"""Trees that are split for the class and an extra task, against the plain version."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from dissensus.table import Table
from dissensus.tree import C45Classifier
from dissensus.tree._growing import ExtraTask
from tests.oracles import assert_same_nodes, nested
from tests.reference import j48, mtforest
from tests.reference.random_data import make_case, make_frame

N_TREES = 240
BLOCK = 20


def draw_task(seed: int, n_rows: int) -> tuple[np.ndarray, int, float]:
    """Draw the codes of a task, some missing, with their number and a weight."""
    rng = np.random.default_rng([seed, 1])
    n_values = int(rng.choice([1, 2, 3, 5, 20]))
    task = rng.integers(0, n_values, n_rows).astype(np.float64)
    task[rng.random(n_rows) < rng.choice([0.0, 0.0, 0.2, 1.0])] = np.nan
    return task, n_values, float(rng.choice([0.0, 0.5, 1.0, 1.0, 3.0]))


@pytest.mark.parametrize("block", range(0, N_TREES, BLOCK))
def test_trees_equal_those_of_the_plain_version(block: int) -> None:
    for seed in range(block, block + BLOCK):
        case = make_case(seed)
        data = case.data()
        task, n_values, weight = draw_task(seed, data.n_rows)
        tree = mtforest.build(data, case.options, task, weight)
        model = C45Classifier(**asdict(case.options))
        codes = np.nan_to_num(task, nan=-1 - seed % 2).astype(np.int32)
        model._grow(
            Table.from_any(make_frame(data.kinds, data.columns)),
            data.y.astype(np.int32),
            data.n_classes,
            None if (data.weight == 1).all() else data.weight,
            ExtraTask(codes, n_values, weight),
        )
        where = f"seed {seed}, root"
        assert_same_nodes(nested(model.tree_), j48.nested(tree), where)


def test_the_task_has_a_say_in_many_of_these_trees() -> None:
    different = 0
    for seed in range(100):
        case = make_case(seed)
        task, _, weight = draw_task(seed, case.data().n_rows)
        plain = j48.nested(j48.build(case.data(), case.options))
        other = j48.nested(mtforest.build(case.data(), case.options, task, weight))
        different += plain != other
    assert different > 20


@pytest.mark.parametrize("n_declared", [1, 300, 70_000])
def test_codes_of_every_width_are_read(
    n_declared: int, rng: np.random.Generator
) -> None:
    n = 300
    kinds = [4, 3, n_declared]
    columns = [rng.integers(0, kind, n).astype(float) for kind in (4, 3, 1)]
    y, task = rng.integers(0, 2, n), rng.integers(0, 4, n)
    options = j48.Options(prune=False, min_samples_leaf=1)
    data = j48.Data(kinds[:2], columns[:2], y, np.ones(n), 2)
    tree = mtforest.build(data, options, task.astype(float), 1.0)
    model = C45Classifier(**asdict(options))._grow(
        Table.from_any(make_frame(kinds, columns)),
        y.astype(np.int32),
        2,
        None,
        ExtraTask(task.astype(np.int32), 4, 1.0),
    )
    assert_same_nodes(nested(model.tree_), j48.nested(tree), "root")
