"""Values of nominal attributes grouped by what they tell about the class."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dissensus.base import TableTransformer, check_labels
from dissensus.table import Attribute, Column, Schema, Table
from dissensus.utils._memory_limit import check_memory
from dissensus.utils._sklearn import Interval, fit_context

Groups = list[list[int]]

# Losses of information, in nats per row, that differ by less differ by rounding only.
TIE = 1e-12
# So many values are compared with each other; of more, those that are alike are united
# first.
MOST_PAIRED = 1000
# A group's name spells out so many of its values.
NAMED = 4


class ValueGrouper(TableTransformer):
    """Group the values of many-valued nominal attributes into a few.

    The two values whose union loses least of the mutual information with the class
    become one, again and again, until there are no more than `max_values`.

    Parameters
    ----------
    max_values : int, default=10
        Largest number of values that an attribute keeps.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Columns that are nominal although they hold numbers: names, positions, or one
        boolean per column. Columns of strings, booleans and categories always are.

    Attributes
    ----------
    groups_ : list of list of tuple, or None
        For each attribute that was changed the labels of its groups; None for an
        attribute that is numeric or has few values.
    schema_ : Schema
        The attributes of the training set.
    schema_out_ : Schema
        The attributes after the transformation.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes. Defined only if the training set had names.

    See Also
    --------
    MDLDiscretizer : Cut numeric attributes into intervals.

    Notes
    -----
    Of several unions that lose as little, the first is made: the one with the first
    value in declared order, then the first partner. A group stands at the place of its
    first value. Declared values that no row has cost nothing to unite. Missing values
    count nowhere and stay missing; so does a value that was not declared in training.
    Numeric columns are left as they are.

    A frame in gives a frame of the same kind out, in which a group is called
    ``{red, blue}``; of a large group only the first values are spelt out, with the
    number of the others. An array in gives an array out: names of groups, or, where
    the labels are numbers, the numbers of the groups, counted from 0.

    MACLEN [1]_ pairs the class with every value of an attribute, and advises to cluster
    the values of attributes that have many; the measure is our choice. Memory is
    O(v^2) for v values, time O(v^2 classes) and, at worst, O(v^3); of more than 1000
    values only those count that differ in their shares of classes. More than half of
    the memory that is available is refused.

    References
    ----------
    .. [1] Q. Wang and L. Zhang, "Ensemble Learning Based on Multi-Task Class Labels",
       PAKDD 2010, LNAI 6119, 464-475.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.preprocessing import ValueGrouper
    >>> X = np.array([["a"], ["a"], ["b"], ["b"], ["c"], ["c"]], dtype=object)
    >>> y = [0, 1, 0, 0, 0, 1]
    >>> grouper = ValueGrouper(max_values=2).fit(X, y)
    >>> grouper.groups_
    [[('a', 'c'), ('b',)]]
    >>> grouper.transform(X).ravel().tolist()
    ['{a, c}', '{a, c}', 'b', 'b', '{a, c}', '{a, c}']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TableTransformer._parameter_constraints,
        "max_values": [Interval(Integral, 1, None, closed="left")],
    }

    groups_: list[list[tuple[Any, ...]] | None]

    def __init__(
        self, max_values: int = 10, *, categorical_features: Any = "from_dtype"
    ) -> None:
        self.max_values = max_values
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the groups.

        Parameters
        ----------
        X : array, frame or Table of shape (n_samples, n_features)
            The training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Row weights; None is 1 for each.

        Returns
        -------
        self : ValueGrouper
            The fitted transformer.
        """
        y = validate_data(self, y=y)
        check_labels(y)
        check_classification_targets(y)
        classes, y_codes = np.unique(y, return_inverse=True)
        table, kept_codes, weight = self._read_training(X, y_codes, sample_weight)
        return self._fit_table(table, kept_codes, len(classes), weight)

    def _fit_table(
        self,
        table: Table,
        y_codes: NDArray[np.intp] | None = None,
        n_classes: int = 0,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        assert y_codes is not None
        self._codes: list[NDArray[np.int32] | None] = []
        self.groups_ = []
        attributes = []
        for column in table.columns:
            attribute = column.attribute
            codes = groups = None
            if attribute.n_values > self.max_values:
                _check_size(attribute, 5 * attribute.n_values * n_classes)
                counts = _value_counts(column, y_codes, n_classes, sample_weight)
                alike = unite_alike(counts, self.max_values)
                _check_size(attribute, len(alike) ** 2)
                found = merge_values(counts, self.max_values, alike)
                codes = _group_codes(found, attribute.n_values)
                groups = [tuple(attribute.categories[v] for v in g) for g in found]
                attribute = Attribute(attribute.name, "nominal", group_names(groups))
            self._codes.append(codes)
            self.groups_.append(groups)
            attributes.append(attribute)
        schema_out = Schema(tuple(attributes), table.schema.named)
        self._set_schemas(table.schema, schema_out)
        return self

    def _transform_table(self, table: Table) -> Table:
        parts = zip(self.schema_out_, table.columns, self._codes, strict=True)
        columns = [
            column if codes is None else Column(attribute, codes[column.data])
            for attribute, column, codes in parts
        ]
        return Table(self.schema_out_, columns)

    def _plain_table(self, table: Table) -> Table:
        """Return the table with the numbers of groups of numbers."""
        columns = [
            column if groups is None or not _all_numbers(groups) else _numbered(column)
            for column, groups in zip(table.columns, self.groups_, strict=True)
        ]
        attributes = tuple(column.attribute for column in columns)
        return Table(Schema(attributes, table.schema.named), columns)

    def __sklearn_tags__(self) -> Any:
        """Say, besides, that classes are needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _check_size(attribute: Attribute, n_numbers: int) -> None:
    """Raise an error if there is no memory for so many numbers."""
    check_memory(
        8 * n_numbers,
        f"Grouping the {attribute.n_values:,} values of attribute {attribute.name!r}",
        "Drop it if it is a name, or put its values in groups of your own.",
    )


def _value_counts(
    column: Column,
    y_codes: NDArray[np.intp],
    n_classes: int,
    sample_weight: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return the weight of each pair of a value and a class."""
    known = column.data >= 0
    pairs = column.data[known].astype(np.intp) * n_classes + y_codes[known]
    weight = None if sample_weight is None else sample_weight[known]
    n_values = column.attribute.n_values
    counts = np.bincount(pairs, weight, n_values * n_classes)
    return counts.reshape(n_values, n_classes).astype(np.float64)


def unite_alike(counts: NDArray[np.float64], max_values: int) -> Groups:
    """Unite values that have the same shares of classes, until few are left.

    Such unions lose nothing, so that `merge_values` would make them first, and in the
    same order. Here they need no table of all pairs: names, with a row each, become as
    many groups as there are classes. Values without a row are like the first that has
    one. Not many values are left as they are.
    """
    n_values = len(counts)
    if n_values <= MOST_PAIRED:
        return [[value] for value in range(n_values)]
    total = counts.sum(axis=1)
    shares = counts / np.where(total > 0, total, 1.0)[:, np.newaxis]
    shares[total == 0] = shares[np.argmax(total > 0)]
    _, firsts, kinds = np.unique(shares, axis=0, return_index=True, return_inverse=True)
    leader = firsts[kinds.ravel()]  # the first value of the same kind
    order = np.lexsort([np.arange(n_values), leader])
    unions = order[leader[order] != order][: max(0, n_values - max_values)]
    group_of = np.arange(n_values)
    group_of[unions] = leader[unions]
    members = np.argsort(group_of, kind="stable")
    starts = np.flatnonzero(np.diff(group_of[members])) + 1
    return [group.tolist() for group in np.split(members, starts)]


def merge_values(
    counts: NDArray[np.float64], max_values: int, groups: Groups | None = None
) -> Groups:
    """Unite values until few are left, each time those whose union loses least.

    Parameters
    ----------
    counts : ndarray of shape (n_values, n_classes)
        Weight of the rows of each value and class.
    max_values : int
        Largest number of groups.
    groups : list of list of int, default=None
        Groups to begin with, by their first value; None: every value is one.

    Returns
    -------
    groups : list of list of int
        Numbers of the values in each group, ascending, groups by their first value.

    Examples
    --------
    >>> import numpy as np
    >>> merge_values(np.array([[3.0, 1.0], [0.0, 2.0], [6.0, 2.0]]), 2)
    [[0, 2], [1]]
    """
    if groups is None:
        groups = [[value] for value in range(len(counts))]
    counts = np.array([counts[group].sum(axis=0) for group in groups])
    counts /= max(float(counts.sum()), 1e-300)
    losses = np.full((len(counts), len(counts)), np.inf)  # above the diagonal
    for value in range(len(counts) - 1):
        losses[value, value + 1 :] = _loss(counts[value], counts[value + 1 :])
    least = losses.min(axis=1)  # of each row, so that few rows are read again
    for _ in range(len(counts) - max_values):
        limit = least.min() + TIE
        first = int(np.argmax(least <= limit))
        second = int(np.argmax(losses[first] <= limit))
        groups[first] = sorted(groups[first] + groups[second])
        groups[second] = []
        counts[first] += counts[second]
        _forget(losses, least, first, second)
        rest = np.array([value for value, group in enumerate(groups) if group])
        above, below = rest[rest < first], rest[rest > first]
        losses[above, first] = _loss(counts[first], counts[above])
        losses[first, below] = _loss(counts[first], counts[below])
        least[above] = np.minimum(least[above], losses[above, first])
        least[first] = losses[first].min()
    return [group for group in groups if group]


def _forget(
    losses: NDArray[np.float64], least: NDArray[np.float64], first: int, second: int
) -> None:
    """Take both values out of the losses, and find the least of the rows again."""
    gone = np.minimum(losses[:, first], losses[:, second])
    losses[:, [first, second]] = np.inf
    losses[[first, second]] = np.inf
    least[[first, second]] = np.inf
    stale = np.flatnonzero(np.isfinite(least) & (gone <= least))
    least[stale] = losses[stale].min(axis=1)


def _loss(one: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the union of one value with each other loses, in nats."""
    return _disorder(one + others) - _disorder(one) - _disorder(others)


def _disorder(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weight times class entropy."""
    total = counts.sum(axis=-1)
    disorder: NDArray[np.float64] = xlogy(total, total) - xlogy(counts, counts).sum(-1)
    return disorder


def _group_codes(groups: Groups, n_values: int) -> NDArray[np.int32]:
    """Return the number of each value's group, and two places for missing ones."""
    codes = np.full(n_values + 2, -1, dtype=np.int32)
    for number, group in enumerate(groups):
        codes[group] = number
    codes[-2:] = [-2, -1]  # unseen and missing are the indices -2 and -1
    return codes


def group_names(groups: list[tuple[Any, ...]]) -> tuple[str, ...]:
    """Return a name for each group of labels; a label alone keeps its own.

    Examples
    --------
    >>> group_names([("red",), ("green", "blue")])
    ('red', '{green, blue}')
    >>> group_names([tuple(range(100)), (100,)])
    ('{0, 1, 2, 3, 96 more}', '100')
    """
    names = tuple(_group_name([str(label) for label in group]) for group in groups)
    if len(set(names)) < len(names):  # labels with commas or braces in them
        names = tuple(_group_name([repr(label) for label in group]) for group in groups)
    return names


def _group_name(words: list[str]) -> str:
    if len(words) == 1:
        return words[0]
    if len(words) > NAMED + 1:  # one more word would be no shorter than the label
        words = [*words[:NAMED], f"{len(words) - NAMED} more"]
    return f"{{{', '.join(words)}}}"


def _all_numbers(groups: list[tuple[Any, ...]]) -> bool:
    return all(
        isinstance(label, int | float) and not isinstance(label, bool)
        for group in groups
        for label in group
    )


def _numbered(column: Column) -> Column:
    numbers = np.where(column.data < 0, np.nan, column.data)
    return Column(Attribute(column.attribute.name, "numeric"), numbers)
