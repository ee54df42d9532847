"""How a fitted tree is put into words: shared by the exports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from dissensus.table import Schema
from dissensus.tree._tree import LEAF, NUMERIC, ONE_VALUE, Tree
from dissensus.utils._printable import printable

# A class replaces the majority, and errors are worth printing, above this weight.
_TOLERANCE = 1e-6
_ONE_LINE = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})


@dataclass(frozen=True, slots=True)
class Condition:
    """What a branch, or several branches on one attribute, ask of a row.

    Parameters
    ----------
    attribute : str
        Name of the attribute.
    operator : {"<=", ">", "between", "=", "!=", "not in"}
        How the attribute's value is compared.
    value : object
        A number for ``"<="`` and ``">"``; for ``"between"`` the pair ``(low, high)``,
        which stands for ``low < x <= high``; a declared value for ``"="`` and
        ``"!="``; a tuple of declared values for ``"not in"``.

    Examples
    --------
    >>> print(Condition("petal width", "between", (0.6, 1.7)))
    0.6 < petal width <= 1.7
    """

    attribute: str
    operator: str
    value: Any

    def __str__(self) -> str:
        """Return the condition in words, with numbers in full."""
        return self.text()

    def text(self, decimals: int | None = None) -> str:
        """Return the condition in words.

        Parameters
        ----------
        decimals : int, default=None
            Digits after the point of a number; None prints what is needed to read the
            same number back.

        Returns
        -------
        str
            For example ``petal width <= 0.6``.
        """
        if self.operator == "between":
            low, high = (number_text(number, decimals) for number in self.value)
            return f"{low} < {plain(self.attribute)} <= {high}"
        return f"{plain(self.attribute)} {self.comparison(decimals)}"

    def comparison(self, decimals: int | None = None) -> str:
        """Return the part of `text` behind the attribute's name.

        Parameters
        ----------
        decimals : int, default=None
            As for `text`.

        Returns
        -------
        str
            For example ``<= 0.6``.
        """
        if self.operator in ("<=", ">"):
            return f"{self.operator} {number_text(self.value, decimals)}"
        if self.operator == "between":
            low, high = (number_text(number, decimals) for number in self.value)
            return f"in ({low}, {high}]"
        if self.operator == "not in":
            return f"not in {{{', '.join(map(plain, self.value))}}}"
        return f"{self.operator} {plain(self.value)}"


@dataclass(frozen=True, slots=True)
class NamedTree:
    """A tree with the names of its attributes, their values and the classes.

    Parameters
    ----------
    tree : Tree
        The nodes.
    schema : Schema
        The attributes that the tree's tests count.
    classes : list
        The labels that the columns of ``tree.value`` stand for.
    notes : dict of int to list of str, default={}
        Lines about nodes, such as the models that a local cascade has there.
    """

    tree: Tree
    schema: Schema
    classes: list[Any]
    notes: dict[int, list[str]] = field(default_factory=dict)

    def condition(self, node: int) -> Condition:
        """Return what the branch from the parent to `node` asks."""
        tree = self.tree
        parent = int(tree.parent[node])
        branch = node - int(tree.first_child[parent])
        attribute = self.schema[int(tree.attribute[parent])]
        kind, threshold = tree.kind[parent], float(tree.threshold[parent])
        if kind == NUMERIC:
            return Condition(attribute.name, (">" if branch else "<="), threshold)
        if kind == ONE_VALUE:
            value = attribute.categories[int(threshold)]
            return Condition(attribute.name, ("!=" if branch else "="), value)
        return Condition(attribute.name, "=", attribute.categories[branch])

    def answering(self, node: int) -> int:
        """Return the node whose class weights answer: an empty leaf's is its parent."""
        parent = int(self.tree.parent[node])
        return parent if self.tree.empty[node] and parent >= 0 else node

    def weights(self, node: int) -> list[float]:
        """Return the weight of each class at a node."""
        return self.tree.node_weights(node).tolist()

    def majority(self, node: int) -> int:
        """Return the code of the class that a node answers with."""
        best, most = 0, 0.0
        for code, weight in enumerate(self.weights(self.answering(node))):
            if weight - most > _TOLERANCE:
                best, most = code, weight
        return best

    def answer(self, node: int) -> str:
        """Return a node's class and counts, such as ``Iris-setosa (48.0/1.0)``."""
        majority = self.majority(node)
        weights = self.weights(node)
        total = math.fsum(weights)
        errors = total - weights[majority]
        label = plain(self.classes[majority])
        if errors > _TOLERANCE:
            return f"{label} ({count_text(total)}/{count_text(errors)})"
        return f"{label} ({count_text(total)})"

    def walk(self, max_depth: int | None = None) -> Iterator[tuple[int, int, bool]]:
        """Visit the nodes depth first, branches in order.

        Parameters
        ----------
        max_depth : int, default=None
            Depth below which nothing is visited.

        Yields
        ------
        node, depth, closed : tuple of (int, int, bool)
            A node, its depth, and whether nothing below it follows.
        """
        stack = [(0, 0)]
        while stack:
            node, depth = stack.pop()
            closed = self.is_leaf(node) or depth == max_depth
            yield node, depth, closed
            if not closed:
                stack += [
                    (child, depth + 1) for child in reversed(self.tree.children(node))
                ]

    def is_leaf(self, node: int) -> bool:
        """Return whether a node has no children."""
        return bool(self.tree.kind[node] == LEAF)


def read_tree(estimator: Any) -> NamedTree:
    """Return the tree of a fitted estimator with its names.

    Parameters
    ----------
    estimator : object
        A fitted estimator with `tree_`, `schema_` and `classes_`. If it builds
        attributes for its tree, `schema_out_` has them too; `_tree_notes`, if there, is
        what it says about its nodes.

    Returns
    -------
    NamedTree
        Its tree.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If it has no tree of this package.
    """
    check_is_fitted(estimator)
    tree = getattr(estimator, "tree_", None)
    if not isinstance(tree, Tree):
        raise TypeError(
            f"{type(estimator).__name__} has no tree of dissensus to export. Pass a "
            "fitted C45Classifier or LocalCascadeClassifier: of an ensemble one of its "
            "`estimators_`, of a pipeline its last step, of a search its "
            "`best_estimator_`."
        )
    schema = getattr(estimator, "schema_out_", estimator.schema_)
    classes = np.asarray(estimator.classes_).tolist()
    return NamedTree(tree, schema, classes, getattr(estimator, "_tree_notes", {}))


def check_count(name: str, value: int | None) -> None:
    """Raise a ValueError unless `value` is None or an integer of at least 0."""
    valid = isinstance(value, Integral) and not isinstance(value, bool) and value >= 0
    if value is not None and not valid:
        raise ValueError(
            f"{name} must be None or an integer of at least 0. Got {value!r} instead."
        )


def plain(name: object) -> str:
    """Return a name on one line: line ends and the like as their escapes."""
    return printable(str(name).translate(_ONE_LINE))


def number_text(number: float, decimals: int | None = None) -> str:
    """Return a threshold: in full, or to `decimals` digits; no trailing zeros."""
    if decimals is None or not math.isfinite(number):
        return repr(float(number)).removesuffix(".0")
    text = f"{number:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").removesuffix(".")
    return "0" if text == "-0" else text


def count_text(weight: float) -> str:
    """Return a weight rounded half up to two digits, at least one digit printed."""
    return repr(math.floor(weight * 100.0 + 0.5) / 100.0)
