"""The trees of MTForest as plain as possible: C4.5 with a second gain added.

The task is one float column of codes, NaN where missing. What C4.5 offers at a node
stays: its thresholds, its single values, and whether there is a candidate at all. The
gain of each candidate becomes its own plus `task_weight` times the gain that the same
branches have for the task, and the ratio follows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.reference.growing import Grower, gain_of, ratio_of
from tests.reference.nodes import Data, Floats, Node, Options, Split
from tests.reference.pruning import Pruner, collapse


class TaskGrower(Grower):
    """Grows an unpruned tree for the class and a task."""

    def __init__(
        self, data: Data, options: Options, task: Floats, task_weight: float
    ) -> None:
        super().__init__(data, options)
        self.task = task
        self.task_weight = task_weight

    def candidate(self, attribute: int, node: Node) -> Split | None:
        """Return what C4.5 offers, its gain raised by that of the task."""
        split = super().candidate(attribute, node)
        if split is None:
            return None
        branch = split.branch_of(self.data.columns[attribute][node.rows])
        task = self.task[node.rows]
        known = branch >= 0
        sizes = np.zeros(split.n_branches)
        np.add.at(sizes, branch[known], node.weight[known])
        both = known & ~np.isnan(task)
        total = float(node.counts.sum())
        gain = split.gain
        if both.any():
            codes = task[both].astype(int)
            branches = np.zeros((split.n_branches, int(codes.max()) + 1))
            np.add.at(branches, (branch[both], codes), node.weight[both])
            gain += self.task_weight * gain_of(branches, total)
        return replace(
            split,
            gain=gain,
            ratio=ratio_of(sizes.astype(float)[:, np.newaxis], total, gain),
        )


def build(data: Data, options: Options, task: Floats, task_weight: float) -> Node:
    """Grow a tree for the class and a task; collapse and prune it by the class."""
    grower = TaskGrower(data, options, task, task_weight)
    root = grower.grow(np.arange(data.n_rows), data.weight)
    root.empty = False
    if options.collapse:
        collapse(root)
    if options.prune:
        Pruner(data, options).prune(root)
    return root
