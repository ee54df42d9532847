"""The walk of many rows down a tree against the walk of one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from dissensus._core.tree._answers import majorities
from dissensus._core.tree._nodes import level_order
from dissensus._core.tree._walk import add_answers, find_leaves, spread
from dissensus.tree import C45Classifier
from dissensus.tree._class_weights import from_matrix
from dissensus.tree._tree import LEAF, MULTIWAY, NUMERIC, ONE_VALUE, Tree
from tests.reference import walk

Floats = NDArray[np.float64]

N_VALUES = [0, 3, 0, 5]  # of the attributes; 0 is numeric
SIZES = [1, 7, 8, 9, 16, 100]  # around multiples of the rows that walk side by side


def random_tree(rng: np.random.Generator, attributes: list[int], inner: int) -> Tree:
    """Grow a tree of any shape, with empty leaves and ties between branches."""
    kinds, tests, thresholds, n_children = [], [], [], []
    parent = [-1]
    for node in range(10_000):  # the nodes that are known so far are len(parent)
        if node == len(parent):
            break
        attribute = int(rng.choice(attributes))
        values = N_VALUES[attribute]
        kind = LEAF
        if node < inner and (rng.random() < 0.8 or node == len(parent) - 1):
            kind = int(rng.choice([MULTIWAY, ONE_VALUE])) if values else NUMERIC
        kinds.append(kind)
        tests.append(attribute if kind != LEAF else -1)
        code = float(rng.integers(0, values)) if values else round(rng.normal(), 1)
        thresholds.append(code if kind in (NUMERIC, ONE_VALUE) else np.nan)
        n_children.append({LEAF: 0, MULTIWAY: values}.get(kind, 2))
        parent += [node] * n_children[-1]
    n_nodes = len(parent)
    leaf = np.array(kinds) == LEAF
    value = rng.integers(0, 4, (n_nodes, 3)).astype(np.float64)
    empty = leaf & (rng.random(n_nodes) < 0.2)
    empty[0] = False
    value[empty] = 0.0
    value[~empty, 0] += 1.0
    for node in reversed(range(1, n_nodes)):
        if n_children[parent[node]]:
            value[parent[node]] += value[node]
    children = np.concatenate([[1], 1 + np.cumsum(n_children)[:-1]])
    return Tree(
        attribute=np.array(tests, np.int32),
        kind=np.array(kinds, np.uint8),
        threshold=np.array(thresholds),
        first_child=np.where(leaf, -1, children).astype(np.int32),
        n_children=np.array(n_children, np.int32),
        parent=np.array(parent, np.int32),
        class_weights=from_matrix(value),
        branch_weight=value.sum(axis=1),
        empty=empty,
        gain=np.full(n_nodes, np.nan),
        gain_ratio=np.full(n_nodes, np.nan),
    )


def random_rows(rng: np.random.Generator, n: int, missing: float) -> Floats:
    rows = np.column_stack(
        [
            rng.integers(0, values, n) if values else rng.normal(size=n).round(1)
            for values in N_VALUES
        ]
    ).astype(np.float64)
    rows[rng.random(rows.shape) < missing] = np.nan
    return rows


def as_columns(rows: Floats) -> list[NDArray[np.generic]]:
    """Return the columns of a table: codes of nominal attributes, -1 or -2 missing."""
    absent = np.where(np.arange(len(rows)) % 2, -1, -2)
    return [
        np.where(np.isnan(column), absent, column).astype(np.int32)
        if values
        else column
        for values, column in zip(N_VALUES, rows.T, strict=True)
    ]


@pytest.mark.parametrize("stop", [False, True])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("inner", [1, 5, 60])
def test_rows_of_columns_come_to_their_leaves(
    inner: int, n: int, stop: bool, rng: np.random.Generator
) -> None:
    tree = random_tree(rng, [0, 1, 2, 3], inner)
    rows = random_rows(rng, n, missing=0.1)
    leaf, lost = find_leaves(tree, as_columns(rows), n, stop)
    expected = [walk.find_leaf(tree, row, stop) for row in rows]
    assert_array_equal(leaf, [node for node, _ in expected])
    assert_array_equal(lost, [was_lost for _, was_lost in expected])


@pytest.mark.parametrize("stop", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("n", SIZES)
def test_rows_come_to_their_leaves_if_all_tests_are_numeric(
    n: int, missing: float, stop: bool, rng: np.random.Generator
) -> None:
    tree = random_tree(rng, [0, 2], 60)
    rows = random_rows(rng, n, missing)
    expected = [walk.find_leaf(tree, row, stop) for row in rows]
    # Columns of a matrix, contiguous ones, and some that are nominal.
    for arrays in (list(rows.T), list(np.asfortranarray(rows).T), as_columns(rows)):
        leaf, lost = find_leaves(tree, arrays, n, stop)
        assert_array_equal(leaf, [node for node, _ in expected])
        assert_array_equal(lost, [was_lost for _, was_lost in expected])


def test_no_rows_come_to_no_leaf(rng: np.random.Generator) -> None:
    tree = random_tree(rng, [0], 9)
    leaf, lost = find_leaves(tree, [np.zeros(0)], 0, False)
    assert len(leaf) == len(lost) == 0


def test_a_tree_without_a_test_reads_no_column() -> None:
    stump = random_tree(np.random.default_rng(0), [0], 0)
    leaf, lost = find_leaves(stump, [], 5, False)
    assert_array_equal(leaf, np.zeros(5))
    assert not lost.any()


@pytest.mark.parametrize("stop", [False, True])
@pytest.mark.parametrize("inner", [0, 40])
def test_leaves_add_their_answers_to_the_sums_of_rows_that_are_not_lost(
    inner: int, stop: bool, rng: np.random.Generator
) -> None:
    tree = random_tree(rng, [0, 1, 2, 3], inner)
    answers = rng.dirichlet([1.0, 1.0, 1.0], size=tree.n_nodes)
    arrays = as_columns(random_rows(rng, 60, missing=0.1))
    before = rng.random((60, 3))
    total = before.copy()
    lost = add_answers(tree, arrays, stop, answers, total)
    leaf, is_lost = find_leaves(tree, arrays, 60, stop)
    expected = before + answers[leaf]
    if not stop:
        expected[is_lost] = before[is_lost]
    assert_array_equal(total, expected)
    assert_array_equal(lost, np.flatnonzero(is_lost & (not stop)))


@pytest.mark.parametrize("missing", [0.3, 1.0])
def test_a_row_is_spread_over_all_branches(
    missing: float, rng: np.random.Generator
) -> None:
    tree = random_tree(rng, [0, 1, 2, 3], 40)
    answers = rng.dirichlet([1.0, 1.0, 1.0], size=tree.n_nodes)
    rows = random_rows(rng, 60, missing)
    chosen = np.flatnonzero(np.isnan(rows).any(axis=1))
    found = spread(tree, as_columns(rows), chosen, answers)
    expected = [walk.spread(tree, rows[row], answers) for row in chosen]
    assert_allclose(found, expected, rtol=1e-12)


def test_the_majority_is_the_first_class_that_no_other_clearly_beats() -> None:
    weights = [[1, 1, 0], [0, 2, 2], [0, 0, 0], [1, 1 + 1e-7, 1 + 2e-6], [3, 1, 4]]
    assert_array_equal(majorities(np.array(weights, np.float64)), [0, 1, 0, 2, 2])


def test_nodes_are_numbered_level_by_level(rng: np.random.Generator) -> None:
    tree = random_tree(rng, [0, 1, 3], 50)
    # The same tree with its families in another order, and one subtree cut off.
    families = [list(tree.children(node)) for node in range(tree.n_nodes)]
    families = [family for family in families if family]
    shuffled = [families[place] for place in rng.permutation(len(families))]
    old = np.array([0] + [node for family in shuffled for node in family])
    new = np.argsort(old)
    first = np.where(tree.first_child >= 0, new[tree.first_child], -1)
    kind = tree.kind.copy()
    cut = int(np.flatnonzero(kind)[3])
    kind[cut] = LEAF

    found, first_child, parent = level_order(
        kind[old], first[old].astype(np.int32), tree.n_children[old]
    )
    expected, above = [0], [-1]
    for number, node in enumerate(expected):  # grows while it is read
        children = tree.children(node) if kind[node] != LEAF else []
        expected += children
        above += [number] * len(children)
    assert_array_equal(old[found], expected)
    assert_array_equal(parent, above)
    for number, node in enumerate(expected):
        if kind[node] == LEAF:
            assert first_child[number] == -1
        else:
            assert expected[first_child[number]] == tree.first_child[node]


def test_value_without_a_branch_counts_as_missing() -> None:
    X = np.array([["a"], ["b"]] * 10, dtype=object)
    model = C45Classifier().fit(X, [0, 1] * 10)
    assert model.tree_.kind[0] == MULTIWAY
    codes = np.array([0, 1, 2, 2**31 - 1, -1], dtype=np.int32)
    leaves, lost = find_leaves(model.tree_, [codes], 5, False)
    assert lost.tolist() == [False, False, True, True, True]
    assert set(leaves.tolist()) == {1, 2}


def test_columns_of_another_kind_or_number_are_refused() -> None:
    model = C45Classifier().fit(
        np.array([["a"], ["b"]] * 10, dtype=object), [0, 1] * 10
    )
    for columns in ([np.zeros(3)], []):
        with pytest.raises(ValueError, match="not grown from columns such as these"):
            find_leaves(model.tree_, columns, 3, False)
