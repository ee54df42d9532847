"""Words for attributes that have more values than a learner has memory for."""

from __future__ import annotations

from collections.abc import Iterable

from dissensus.table import Attribute

# Fewer values are not worth a word.
MANY = 20


def fewer_values(
    attributes: Iterable[Attribute],
    how: str = "group them by a ValueGrouper",
    otherwise: str = "Take fewer attributes.",
) -> str:
    """Return what to do about a table that takes too much memory.

    Parameters
    ----------
    attributes : iterable of Attribute
        Those that take it.
    how : str
        How the values of an attribute can be made fewer.
    otherwise : str
        What to do if none of them has many values.

    Examples
    --------
    >>> from dissensus.table import Attribute
    >>> fewer_values([Attribute("id", "nominal", tuple(range(5000)))])
    "Attribute 'id' has 5,000 values: group them by a ValueGrouper, or drop it."
    """
    widest = max(attributes, key=lambda attribute: attribute.n_values, default=None)
    if widest is None or widest.n_values < MANY:
        return otherwise
    return (
        f"Attribute {widest.name!r} has {widest.n_values:,} values: {how}, or drop it."
    )
