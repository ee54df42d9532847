"""Product labels: the class of a row together with its value of one attribute.

A member that tells such pairs apart answers with their joint probability P(c, a). The
class is read off it by one of two rules,

    marginal     P(c) = sum over a of P(c, a)
    conditional  P(c) = P(c, v) / sum over c* of P(c*, v),  v the row's own value,

the second one where it is defined: it needs the value, and a denominator above 0.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dissensus.utils._memory_limit import check_memory
from dissensus.utils._typing import Floats

Codes = NDArray[np.int32]

NO_LABEL = -1
# Of a pair of a class and a value, in `labels_where`: whether it is a label, its
# number, and where it is among all pairs.
BYTES_OF_PAIR = 1 + 4 + 16


@dataclass(frozen=True, slots=True, eq=False)
class ProductLabels:
    """The pairs of a class and a value that one member tells apart.

    Attributes
    ----------
    class_of : ndarray of shape (n_labels,), int32
        The class of each label, ascending.
    label_of : ndarray of shape (n_values, n_classes), int32
        The label of each pair, -1 if there is none.
    """

    class_of: Codes
    label_of: Codes

    @property
    def n_labels(self) -> int:
        """Number of pairs that are labels."""
        return len(self.class_of)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.label_of.shape[1]

    def codes(self, y: Codes, values: Codes) -> Codes:
        """Return the label of each row, given its class and its value."""
        # One index is found three times as fast as two. In 32 bits it would wrap.
        return self.label_of.ravel().take(values * np.int64(self.n_classes) + y)

    def class_votes(self, proba: Floats, values: Codes, *, conditional: bool) -> Floats:
        """Return the probability of every class of rows, from that of every label.

        Parameters
        ----------
        proba : ndarray of shape (n_rows, n_labels)
            A member's answers.
        values : ndarray of shape (n_rows,)
            The rows' own values; unseen ones are negative, or `n_values` and above.
        conditional : bool
            Whether to use the conditional rule where it is defined.
        """
        if not conditional:
            return self._marginal(proba)
        joint = self._joint(proba, values)
        total = joint.sum(axis=1)
        undefined = np.flatnonzero(total <= 0.0)
        total[undefined] = 1.0
        votes: Floats = joint / total[:, np.newaxis]
        if len(undefined):
            votes[undefined] = self._marginal(proba[undefined])
        return votes

    def _joint(self, proba: Floats, values: Codes) -> Floats:
        """Return the probability of each class with the row's own value, 0 without."""
        n_values = len(self.label_of)
        known = (values >= 0) & (values < n_values)
        labels = self.label_of[np.where(known, values, 0)]
        exists = (labels != NO_LABEL) & known[:, np.newaxis]
        found = np.take_along_axis(proba, np.where(exists, labels, 0), axis=1)
        return np.where(exists, found, 0.0)

    def _marginal(self, proba: Floats) -> Floats:
        """Add up the probabilities of the labels of each class."""
        ends = np.searchsorted(self.class_of, np.arange(self.n_classes + 1))
        votes = np.empty((len(proba), self.n_classes))
        for c in range(self.n_classes):
            votes[:, c] = proba[:, ends[c] : ends[c + 1]].sum(axis=1)
        return votes

    def __reduce__(self) -> tuple[type[ProductLabels], tuple[Codes, ...]]:
        """Pickle as the plain arrays."""
        return ProductLabels, tuple(getattr(self, field.name) for field in fields(self))


def product_labels(
    y: Codes, values: Codes, n_classes: int, n_values: int, *, full: bool
) -> ProductLabels:
    """Return the pairs that are labels: those of the rows, or all of them.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([0, 0, 1], dtype=np.int32)
    >>> values = np.array([0, 1, 1], dtype=np.int32)
    >>> labels = product_labels(y, values, 2, 2, full=False)
    >>> labels.class_of
    array([0, 0, 1], dtype=int32)
    >>> labels.codes(y, values)
    array([0, 1, 2], dtype=int32)
    """
    check_memory(
        BYTES_OF_PAIR * n_classes * n_values,
        f"Product labels of {n_classes:,} classes and {n_values:,} values",
        "Group the values (max_values), or drop the attribute.",
    )
    is_label = np.full(n_classes * n_values, full)
    is_label[y * np.int64(n_values) + values] = True
    return labels_where(is_label.reshape(n_classes, n_values))


def labels_where(is_label: NDArray[np.bool_]) -> ProductLabels:
    """Return the pairs that are labels, given as a table [class, value]."""
    n_classes, n_values = is_label.shape
    classes, values = np.nonzero(is_label)
    label_of = np.full((n_values, n_classes), NO_LABEL, dtype=np.int32)
    label_of[values, classes] = np.arange(len(classes))
    return ProductLabels(classes.astype(np.int32), label_of)
