"""Class probabilities as new attributes of a table: the paper's operator Phi."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.table import Attribute, Column, Schema, Table
from dissensus.utils._memory_limit import check_memory

# What a learner is called in the names of its attributes, as in "NB:P(yes)".
SHORT_NAMES = {
    "AdaBoostM1Classifier": "Boost",
    "BaggingClassifier": "Bag",
    "CascadeClassifier": "Cascade",
    "DiscriminantClassifier": "Discrim",
    "KNeighborsClassifier": "KNN",
    "LocalCascadeClassifier": "CGTree",
    "NaiveBayesClassifier": "NB",
    "StackedGeneralizationClassifier": "Stack",
}


def short_name(learner: Any) -> str:
    """Return a short name for the kind of a learner.

    Examples
    --------
    >>> from dissensus.tree import C45Classifier
    >>> short_name(C45Classifier())
    'C45'
    """
    steps = getattr(learner, "steps", None)
    if steps:  # a pipeline is called by its classifier
        return short_name(steps[-1][1])
    kind = type(learner).__name__
    return SHORT_NAMES.get(kind, kind.removesuffix("Classifier"))


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it if it is taken.

    Examples
    --------
    >>> unique_name("NB", ["C45", "NB"])
    'NB_2'
    """
    used, number, unique = set(taken), 1, name
    while unique in used:
        number += 1
        unique = f"{name}_{number}"
    return unique


def check_built(n_rows: int, n_built: int) -> None:
    """Raise an error if the attributes that learners build would not fit in memory.

    Each is there twice: among a learner's answers, and as a column.
    """
    check_memory(
        2 * 8 * n_rows * n_built,
        f"{n_built:,} new attributes of {n_rows:,} rows, one for each learner and "
        "class,",
        "Take fewer learners, or put classes together.",
    )


def extend(
    table: Table, proba: NDArray[np.float64], name: str, labels: Sequence[Any]
) -> Table:
    """Return the table with a learner's class probabilities behind its columns.

    Parameters
    ----------
    table : Table
        The rows.
    proba : ndarray of shape (n_rows, n_classes)
        The probabilities that a learner gives them.
    name : str
        What the learner is called.
    labels : sequence
        The classes.

    Returns
    -------
    Table
        With new attributes like ``NB:P(yes)``; ``NB_2:P(yes)`` if a column of `table`
        is called so already.
    """
    owners = (taken.rpartition(":P(")[0] for taken in table.schema.names)
    owner = unique_name(name, owners)
    columns = [
        Column(Attribute(f"{owner}:P({label})", "numeric"), np.ascontiguousarray(p))
        for label, p in zip(labels, proba.T, strict=True)
    ]
    attributes = tuple(column.attribute for column in columns)
    return table.append(Table(Schema(attributes, table.schema.named), columns))
