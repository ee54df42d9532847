"""How often values occur: with each class, and in pairs with each class.

All that naive Bayes, AODE and their relatives learn from a table are these counts. They
add up: the counts of two tables are the counts of the table that has the rows of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dissensus._core.counts._counts import count_classes, mirror
from dissensus.bayes._codes import Codes
from dissensus.bayes._pairs import add_pairs, add_values
from dissensus.utils._typing import Floats


@dataclass(frozen=True, slots=True)
class Counts:
    """Weights of the rows that have a class, a value, or a pair of values.

    The values of all attributes stand side by side on one axis: value `v` of attribute
    `i` has the place `starts[i] + v`, and `place(i)` is the slice of all values of `i`.

    A row counts for a value only if it has one. So the weight of the rows of a class
    where attribute `i` is known is `values[c, place(i)].sum()`, and the weight of those
    with value `u` where attribute `j` is known too is `pairs[c, u, place(j)].sum()`.

    Attributes
    ----------
    n_values : ndarray of shape (n_attributes,), int32
        Number of values of each attribute, those without a row included.
    classes : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    values : ndarray of shape (n_classes, n_places)
        Weight of the rows of each class with each value.
    pairs : ndarray of shape (n_classes, n_places, n_places) or None
        Weight of the rows of each class with each pair of values; symmetric. A value
        occurs with itself as often as it occurs, and never with another value of its
        own attribute. None if pairs are not counted.

    Notes
    -----
    For a learner of the product labels (class, value of attribute `i`), the label
    `(c, a)` has the weight `values[c, starts[i] + a]`, and the value at place `u` of
    another attribute has the weight `pairs[c, starts[i] + a, u]` under this label.
    """

    n_values: NDArray[np.int32]
    classes: Floats
    values: Floats
    pairs: Floats | None

    @classmethod
    def zeros(
        cls, n_values: NDArray[np.int32], n_classes: int, *, with_pairs: bool
    ) -> Counts:
        """Return the counts of no row."""
        n_places = int(n_values.sum())
        shape = (n_classes, n_places, n_places)
        pairs = np.zeros(shape) if with_pairs else None
        return cls(n_values, np.zeros(n_classes), np.zeros(shape[:2]), pairs)

    @property
    def starts(self) -> NDArray[np.intp]:
        """The place of the first value of each attribute, and the number of places."""
        return np.concatenate([[0], np.cumsum(self.n_values, dtype=np.intp)])

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return len(self.classes)

    def place(self, attribute: int) -> slice:
        """Return where the values of an attribute stand."""
        start, end = self.starts[attribute : attribute + 2]
        return slice(int(start), int(end))

    def known(self) -> Floats:
        """Return, for each class and attribute, the weight of rows that have a value.

        The shape is (n_classes, n_attributes).
        """
        whole = np.zeros((self.n_classes, len(self.n_values)))
        for attribute in range(len(self.n_values)):
            whole[:, attribute] = self.values[:, self.place(attribute)].sum(axis=1)
        return whole

    def add(
        self,
        codes: Codes,
        y: NDArray[np.int32],
        sample_weight: Floats | None = None,
        *,
        n_jobs: int | None = None,
    ) -> None:
        """Count some rows, in place; the number of threads does not change a bit."""
        y = np.ascontiguousarray(y, dtype=np.int32)
        if sample_weight is None:
            count_classes(y, self.classes)
        else:
            self.classes[:] += np.bincount(y, sample_weight, self.n_classes)
        if self.pairs is None:
            add_values(codes, y, sample_weight, self.values)
            return
        add_pairs(codes, y, sample_weight, self.values, self.pairs, n_jobs=n_jobs)
        mirror(self.pairs, self.values)

    def merge(self, other: Counts) -> None:
        """Add the counts of other rows, in place."""
        self.classes[:] += other.classes
        self.values[:] += other.values
        if self.pairs is not None and other.pairs is not None:
            self.pairs[:] += other.pairs
