"""A tree put together of pieces, and the rows on their way to its branches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.tree import MULTIWAY, NUMERIC
from dissensus.utils._typing import Floats

Numbers = NDArray[np.intp]
Piece = dict[str, Any]

# What a leaf takes over from the root of the piece that is grafted there. Its weights
# and its parent it has already.
TEST = (
    *("attribute", "kind", "threshold", "first_child", "n_children"),
    *("gain", "gain_ratio"),
)
# What a piece has beside an array for each node.
CLASS_WEIGHTS = ("n_classes", "classes", "weights")
# J48's tolerance: a branch with a smaller share of the known rows gets no others.
SMALLEST_SHARE = 1e-6


class Grafts:
    """Pieces of a tree, each grown in the place of a leaf of those before it."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, Piece]] = []
        self._n_nodes = 1

    def add(self, leaf: int, piece: Piece) -> int:
        """Graft a piece; return the number that its node 1 gets in the whole tree.

        Parameters
        ----------
        leaf : int
            The node that the root of the piece replaces. The first piece replaces 0.
        piece : dict
            Nodes as `grow` returns them. They are numbered anew, in place.
        """
        shift = self._n_nodes - 1
        inner = piece["first_child"] >= 0
        piece["first_child"][inner] += shift
        below_root = piece["parent"] == 0
        piece["parent"] += shift
        piece["parent"][below_root] = leaf
        self._pieces.append((leaf, piece))
        self._n_nodes += len(piece["kind"]) - 1
        return shift + 1

    def joined(self) -> Piece:
        """Return the whole tree; children have larger numbers than their parents."""
        (_, first), *grafts = self._pieces
        first["parent"][0] = -1
        before = 0
        for _, piece in self._pieces:
            piece["start"] += before
            before += len(piece["weights"])
        tree = {
            name: np.concatenate([values, *(piece[name][1:] for _, piece in grafts)])
            for name, values in first.items()
            if name not in CLASS_WEIGHTS
        }
        for name in ("classes", "weights"):
            tree[name] = np.concatenate([piece[name] for _, piece in self._pieces])
        tree["n_classes"] = first["n_classes"]
        for leaf, piece in grafts:
            for name in TEST:
                tree[name][leaf] = piece[name][0]
        return tree


def class_weights_of(piece: Piece, node: int) -> Floats:
    """Return the weight of each class at a node of a piece."""
    start = int(piece["start"][node])
    here = slice(start, start + int(piece["n_present"][node]))
    values = np.zeros(piece["n_classes"])
    values[piece["classes"][here]] = piece["weights"][here]
    return values


def branch_of(kind: int, threshold: float, data: NDArray[Any]) -> Numbers:
    """Return the branch of each row at a test, -1 where the value is missing."""
    if kind == NUMERIC:
        return np.where(np.isnan(data), -1, data > threshold).astype(np.intp)
    if kind == MULTIWAY:
        return np.maximum(data, -1).astype(np.intp)
    return np.where(data < 0, -1, data != threshold).astype(np.intp)


def share_out(
    branch: Numbers, weights: Floats | None, n_branches: int
) -> Iterator[tuple[Numbers, Floats | None]]:
    """Give positions and weights of the rows of each branch.

    A row whose value is missing goes down every branch, with the share of its weight
    that the branch has in the weight of the other rows.
    """
    missing = branch < 0
    if not missing.any():
        for number in range(n_branches):
            here = np.flatnonzero(branch == number)
            yield here, None if weights is None else weights[here]
        return
    weights = np.ones(len(branch)) if weights is None else weights
    known = np.bincount(
        branch[~missing], weights=weights[~missing], minlength=n_branches
    )
    shares = known / sum(known.tolist())
    for number, share in enumerate(shares.tolist()):
        goes = branch == number
        if share > SMALLEST_SHARE:
            goes |= missing
        here = np.flatnonzero(goes)
        part = weights[here]
        part[missing[here]] *= share
        yield here, part
