"""The leaves of a fitted tree as rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, overload

from dissensus.tree._conditions import (
    Condition,
    NamedTree,
    number_text,
    plain,
    read_tree,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One leaf of a tree: what it asks of a row, and what it answers.

    Parameters
    ----------
    conditions : tuple of Condition
        All of them must hold; at most one per attribute, in the order in which the
        tree asks. Empty for a tree that is a single leaf.
    prediction : object
        The class label.
    support : float
        Weight of the training rows that reached the leaf.
    confidence : float
        Share of the predicted class in that weight. For a leaf that no training row
        reached (`support` 0), its share at the parent, which answers in its place.
    counts : dict of {object: float}
        Weight of the training rows of each class at the leaf.
    leaf : int
        Number of the leaf's node, as `apply` returns it.
    """

    conditions: tuple[Condition, ...]
    prediction: Any
    support: float
    confidence: float
    counts: dict[Any, float] = field(hash=False)
    leaf: int

    def __str__(self) -> str:
        """Return the rule as a sentence."""
        conditions = " AND ".join(map(str, self.conditions)) or "true"
        support = number_text(self.support, 2)
        percent = _percent(self.confidence)
        return f"IF {conditions} THEN {plain(self.prediction)} ({support}, {percent} %)"


@dataclass(frozen=True, slots=True, repr=False)
class RuleSet(Sequence[Rule]):
    """The rules of one tree; exactly one holds for a row without missing values.

    Parameters
    ----------
    rules : tuple of Rule
        The rules, from the tree's first leaf to its last.
    """

    rules: tuple[Rule, ...]

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        """Go through the rules."""
        return iter(self.rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> RuleSet: ...
    def __getitem__(self, index: int | slice) -> Rule | RuleSet:
        """Return one rule, or the rules of a slice."""
        if isinstance(index, slice):
            return RuleSet(self.rules[index])
        return self.rules[index]

    def __repr__(self) -> str:
        """Say how many rules there are."""
        return f"<RuleSet of {len(self)} rule{'' if len(self) == 1 else 's'}>"

    def __str__(self) -> str:
        """Return one rule per line."""
        return "\n".join(map(str, self.rules))

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rules as plain dictionaries, ready for a data frame.

        Returns
        -------
        list of dict
            Per rule `conditions` (text), `n_conditions`, `prediction`, `support`,
            `confidence`, `leaf`, and ``count_LABEL`` for each class label.
        """
        return [
            {
                "conditions": " AND ".join(map(str, rule.conditions)),
                "n_conditions": len(rule.conditions),
                "prediction": rule.prediction,
                "support": rule.support,
                "confidence": rule.confidence,
                "leaf": rule.leaf,
                **{f"count_{label}": weight for label, weight in rule.counts.items()},
            }
            for rule in self.rules
        ]

    def to_frame(self, kind: Literal["pandas", "polars"] = "pandas") -> Any:
        """Return the rules as a data frame, one row per rule.

        Parameters
        ----------
        kind : {"pandas", "polars"}, default="pandas"
            The library of the frame.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            The columns of `to_records`.
        """
        if kind not in ("pandas", "polars"):
            raise ValueError(
                f"kind must be 'pandas' or 'polars'. Got {kind!r} instead."
            )
        try:
            library = import_module(kind)
        except ImportError:
            raise ImportError(
                f"A {kind} frame needs {kind}, which is not installed: pip install "
                f"{kind}. Without it, `to_records` gives the rows as dictionaries."
            ) from None
        return library.DataFrame(self.to_records())


def export_rules(estimator: Any) -> RuleSet:
    """Return the leaves of a fitted tree as rules.

    Parameters
    ----------
    estimator : object
        A fitted `C45Classifier`, or another estimator with `tree_`, `schema_` and
        `classes_`.

    Returns
    -------
    RuleSet
        A sequence of `Rule`, one per leaf, in the order of `export_text`; `to_frame`
        and `to_records` turn it into a table.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If the estimator has no tree of this package.

    See Also
    --------
    export_text : The tree as indented text.
    export_graphviz : The tree as a drawing.

    Notes
    -----
    Tests of one attribute along a path become one condition: numeric ones an interval,
    ``x != a`` and ``x != b`` become ``x not in {a, b}``, and ``x = c`` makes them
    superfluous. Only tests that contradict each other, which a grown tree does not
    have, are kept side by side.

    Supports and counts are fractions where training rows had missing values, because
    such a row belongs to several leaves. Confidences are those of the training rows,
    without any smoothing of the estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dissensus.tree import C45Classifier, export_rules
    >>> iris = load_iris(as_frame=True)
    >>> model = C45Classifier().fit(iris.data, iris.target_names[iris.target])
    >>> rules = export_rules(model)
    >>> print(rules[:2])
    IF petal width (cm) <= 0.6 THEN setosa (50, 100 %)
    IF 0.6 < petal width (cm) <= 1.7 AND petal length (cm) <= 4.9 THEN versicolor (48, 97.9 %)
    >>> rules.to_frame()[["prediction", "support", "count_versicolor"]].head(2)
       prediction  support  count_versicolor
    0      setosa     50.0               0.0
    1  versicolor     48.0              47.0
    """  # noqa: E501 - the printed rule is a long line
    named = read_tree(estimator)
    rules = []
    # Conditions are merged on the way down: a path has few attributes but may be long.
    stack: list[tuple[int, dict[int, tuple[Condition, ...]]]] = [(0, {})]
    while stack:
        node, asked = stack.pop()
        if node > 0:
            attribute = int(named.tree.attribute[named.tree.parent[node]])
            merged = _merge(asked.get(attribute, ()), named.condition(node))
            asked = {**asked, attribute: merged}
        if named.is_leaf(node):
            conditions = tuple(each for group in asked.values() for each in group)
            rules.append(_rule(named, node, conditions))
        stack += [(child, asked) for child in reversed(named.tree.children(node))]
    return RuleSet(tuple(rules))


def _rule(named: NamedTree, leaf: int, conditions: tuple[Condition, ...]) -> Rule:
    majority = named.majority(leaf)
    weights = named.weights(leaf)
    answers = named.weights(named.answering(leaf))
    total = math.fsum(answers)
    return Rule(
        conditions=conditions,
        prediction=named.classes[majority],
        support=math.fsum(weights),
        confidence=answers[majority] / total if total > 0.0 else 0.0,
        counts=dict(zip(named.classes, weights, strict=True)),
        leaf=leaf,
    )


def _merge(before: tuple[Condition, ...], new: Condition) -> tuple[Condition, ...]:
    """Add a condition to those that the path has on the same attribute."""
    if not before:
        return (new,)
    merged = _merge_two(before[-1], new)
    return (*before, new) if merged is None else (*before[:-1], merged)


def _merge_two(old: Condition, new: Condition) -> Condition | None:
    """Return the condition that says both, or None if no single one does."""
    if new.operator in ("<=", ">"):
        return _merge_numeric(old, new)
    if old.operator == "=":
        agree = (old.value == new.value) == (new.operator == "=")
        return old if agree else None
    excluded = old.value if old.operator == "not in" else (old.value,)
    if new.operator == "=":
        return None if new.value in excluded else new
    if new.value in excluded:
        return old
    return Condition(old.attribute, "not in", (*excluded, new.value))


def _merge_numeric(old: Condition, new: Condition) -> Condition | None:
    low, high = {
        "<=": (-math.inf, old.value),
        ">": (old.value, math.inf),
        "between": old.value,
    }[old.operator]
    if new.operator == "<=":
        high = min(high, new.value)
    else:
        low = max(low, new.value)
    if low >= high:
        return None
    if low == -math.inf:
        return Condition(old.attribute, "<=", high)
    if high == math.inf:
        return Condition(old.attribute, ">", low)
    return Condition(old.attribute, "between", (low, high))


def _percent(share: float) -> str:
    """Return a share in percent, 100 only where nothing is missing."""
    if share < 1.0:
        share = min(share, 0.999)
    return number_text(100.0 * share, 1)
