"""What the columns of a table mean: names, kinds and declared values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from dissensus.exceptions import TableError
from dissensus.utils._names import suggest

Kind = Literal["numeric", "nominal"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column's name, kind and declared values.

    Parameters
    ----------
    name : str
        The name of the column.
    kind : {"numeric", "nominal"}
        Whether the values are numbers or labels.
    categories : tuple, default=()
        The declared labels of a nominal attribute, in order, as the caller's own
        objects; some may occur in no row.

    Examples
    --------
    >>> from dissensus.table import Attribute
    >>> colour = Attribute("colour", "nominal", ("red", "blue"))
    >>> colour.is_nominal, colour.n_values
    (True, 2)
    """

    name: str
    kind: Kind
    categories: tuple[Any, ...] = ()

    @property
    def is_nominal(self) -> bool:
        """Whether the values are labels."""
        return self.kind == "nominal"

    @property
    def n_values(self) -> int:
        """Number of declared labels; 0 for a numeric attribute."""
        return len(self.categories)


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in order.

    Parameters
    ----------
    attributes : tuple of Attribute
        One per column; their names are distinct.
    named : bool, default=True
        Whether the caller gave the names. Columns are matched by name only then;
        the names `x0`, `x1`, ... of a plain array stand for positions.

    Examples
    --------
    >>> from dissensus.table import Attribute, Schema
    >>> schema = Schema((Attribute("age", "numeric"), Attribute("sex", "nominal")))
    >>> len(schema), schema.names, schema.index("sex")
    (2, ('age', 'sex'), 1)
    """

    attributes: tuple[Attribute, ...]
    named: bool = True

    def __len__(self) -> int:
        return len(self.attributes)

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __getitem__(self, position: int) -> Attribute:
        return self.attributes[position]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The attributes' names, in order."""
        return tuple(attribute.name for attribute in self.attributes)

    @cached_property
    def all_numeric(self) -> bool:
        """Whether no attribute is nominal."""
        return not any(attribute.is_nominal for attribute in self.attributes)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Return the position of the attribute called `name`."""
        position = self._positions.get(name)
        if position is None:
            raise TableError(f"No attribute {name!r}. {suggest(name, self.names)}")
        return position

    def locate(self, attribute: str | int) -> int:
        """Return the position of an attribute given by name or by position."""
        if isinstance(attribute, str):
            return self.index(attribute)
        n_attributes = len(self)
        if not -n_attributes <= attribute < n_attributes:
            raise TableError(
                f"No attribute {attribute}: the table has {n_attributes}, numbered "
                "from 0."
            )
        return attribute % n_attributes


@lru_cache(maxsize=64)
def numeric_schema(n_attributes: int) -> Schema:
    """Return the schema of a plain numeric matrix: `x0`, `x1`, ..."""
    names = (f"x{position}" for position in range(n_attributes))
    return Schema(tuple(Attribute(name, "numeric") for name in names), named=False)


def check_same_attributes(schema: Schema, other: Schema) -> None:
    """Raise an error that names the first difference, unless there is none."""
    mine, theirs = schema.attributes, other.attributes
    if mine is theirs or mine == theirs:
        return
    if len(mine) != len(theirs):
        raise TableError(
            f"Cannot join rows of {len(theirs)} attributes to a table of {len(mine)}. "
            "Use Table.from_any(other, schema=table.schema) first."
        )
    pairs = zip(mine, theirs, strict=True)
    own, foreign = next(pair for pair in pairs if pair[0] != pair[1])
    raise TableError(
        f"Cannot join rows: attribute {own.name!r} is declared as {own}, in the other "
        f"table as {foreign}. Use Table.from_any(other, schema=table.schema) first."
    )
