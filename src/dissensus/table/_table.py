"""The one data structure that every learner learns from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dissensus.exceptions import TableError
from dissensus.table._column import Column
from dissensus.table._encoded import (
    Encoded,
    append_codes,
    encode as encode_columns,
    hide,
)
from dissensus.table._encoded_rows import encode_taken, is_ascending
from dissensus.table._from_any import FROM_DTYPE, convert, encode
from dissensus.table._from_values import to_raw
from dissensus.table._schema import Schema, check_same_attributes, numeric_schema
from dissensus.table._to_frame import to_pandas, to_polars

FrameKind = Literal["pandas", "polars"]

# The kernels number rows in 32 bits.
MOST_ROWS = 2**31 - 2


class Table:
    """Columns of numbers and of codes, with a schema that says what they mean.

    A table is never changed: every operation returns a new one, which shares memory
    and encodings with the old one where it can.

    Parameters
    ----------
    schema : Schema
        The attributes.
    columns : sequence of Column
        One per attribute, of equal length.
    n_rows : int, default=None
        The number of rows; only a table without columns needs it.

    See Also
    --------
    Table.from_any : Make a table of an array or a frame.

    Examples
    --------
    >>> import numpy as np
    >>> from dissensus.table import Table
    >>> X = np.array([["red", 1.5], ["blue", None], ["red", 2.0]], dtype=object)
    >>> table = Table.from_any(X)
    >>> table.nominal.ravel()
    array([1, 0, 1], dtype=int32)
    >>> table.numeric.ravel()
    array([1.5, nan, 2. ])
    >>> table.schema[0].categories
    ('blue', 'red')
    """

    __slots__ = (
        "_columns",
        "_encoded",
        "_matrix",
        "_n_rows",
        "_nominal",
        "_numeric",
        "_schema",
        "_source",
    )

    def __init__(
        self, schema: Schema, columns: Sequence[Column], n_rows: int | None = None
    ) -> None:
        self._schema = schema
        self._columns: tuple[Column, ...] | None = tuple(columns)
        self._matrix: NDArray[np.float64] | None = None
        self._numeric: NDArray[np.float64] | None = None
        self._nominal: NDArray[np.int32] | None = None
        self._encoded: Encoded | None = None
        # How to make the encoding of that of a larger table, and of which part.
        self._source: tuple[Callable[..., Encoded], Table, Any] | None = None
        self._n_rows = _checked_rows(len(columns[0]) if columns else n_rows or 0)

    @classmethod
    def from_matrix(
        cls, matrix: NDArray[np.float64], schema: Schema | None = None
    ) -> Table:
        """Make a numeric table of a checked float64 matrix, if aligned without a copy.

        Parameters
        ----------
        matrix : ndarray of shape (n_rows, n_attributes)
            C-contiguous float64, NaN for missing, nothing infinite. It is trusted.
        schema : Schema, default=None
            The attributes; `x0`, `x1`, ... if None.

        Returns
        -------
        Table
            A table whose `matrix` is the given one.

        Examples
        --------
        >>> import numpy as np
        >>> from dissensus.table import Table
        >>> Table.from_matrix(np.zeros((3, 2))).schema.names
        ('x0', 'x1')
        """
        if schema is None:
            schema = numeric_schema(matrix.shape[1])
        table = cls(schema, (), matrix.shape[0])
        table._columns = None  # made when asked for
        table._matrix = matrix if matrix.flags.aligned else matrix.copy()
        return table

    @classmethod
    def from_any(
        cls,
        X: Any,
        categorical_features: Any = FROM_DTYPE,
        schema: Schema | None = None,
    ) -> Table:
        """Make a table of an array, a list of rows, a frame or a table.

        Parameters
        ----------
        X : array, list of rows, pandas or polars frame, or Table
            The data. Columns of strings, booleans and categories are nominal; numbers
            are numeric.
        categorical_features : "from_dtype" or list, default="from_dtype"
            Further columns that are nominal although they hold numbers: names,
            positions, or one boolean per column.
        schema : Schema, default=None
            The attributes that the table shall have (those of the training set).
            Columns are matched by name when both sides have names, by position
            otherwise; further columns are ignored. A label that the schema does not
            declare becomes the code -2.

        Returns
        -------
        Table
            The data with one column per attribute.

        Raises
        ------
        TableError
            If X is not a table, has infinite numbers, dates, or lacks a column.

        Notes
        -----
        A C-contiguous float64 array is kept as it is. The declared values of pandas
        categories and polars Enums keep their order; other labels are sorted.

        Examples
        --------
        >>> from dissensus.table import Table
        >>> train = Table.from_any([["a", 1], ["b", 2]])
        >>> test = Table.from_any([["c", 3], [None, 4]], schema=train.schema)
        >>> test.nominal.ravel()
        array([-2, -1], dtype=int32)
        """
        if isinstance(X, Table):
            return X._adapted(categorical_features, schema)
        found, data = convert(X, categorical_features, schema)
        if isinstance(data, np.ndarray):
            return cls.from_matrix(data, found)
        return cls(found, data)

    def _adapted(self, categorical_features: Any, schema: Schema | None) -> Table:
        """Return this table with another schema, or with more nominal columns."""
        if schema is None and isinstance(categorical_features, str | None):
            return self
        if schema is self._schema or schema == self._schema:
            return self
        names = self._schema.names if self._schema.named else None
        raws = [to_raw(column) for column in self.columns]
        found, columns = encode(names, raws, categorical_features, schema)
        return Table(found, tuple(columns))

    @property
    def schema(self) -> Schema:
        """The attributes."""
        return self._schema

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._n_rows

    @property
    def n_attributes(self) -> int:
        """Number of columns."""
        return len(self._schema)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of attributes."""
        return self.n_rows, self.n_attributes

    @property
    def matrix(self) -> NDArray[np.float64] | None:
        """The C-ordered matrix that the table was made of, or None."""
        return self._matrix

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, one per attribute; those of a matrix are views of it."""
        if self._columns is None:
            matrix = self._matrix
            assert matrix is not None
            self._columns = tuple(
                Column(attribute, matrix[:, position])
                for position, attribute in enumerate(self._schema)
            )
        return self._columns

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """The numbers and codes of the columns, without their attributes."""
        return [column.data for column in self.columns]

    @property
    def encoded(self) -> Encoded:
        """What the tree kernels read; made when first asked for."""
        if self._encoded is None:
            source = self._source  # read once: another thread may get here first
            if source is None:
                self._encoded = encode_columns(self.columns, self._n_rows)
            else:
                derive, whole, part = source
                self._encoded = derive(whole.encoded, part)
            self._source = None
        return self._encoded

    @property
    def numeric(self) -> NDArray[np.float64]:
        """The numeric columns side by side, in column-major order."""
        if self._numeric is None:
            if self._matrix is not None:
                self._numeric = np.asfortranarray(self._matrix)
            else:
                self._numeric = self._stack(False, np.float64)
        return self._numeric

    @property
    def nominal(self) -> NDArray[np.int32]:
        """The codes of the nominal columns side by side, in column-major order."""
        if self._nominal is None:
            self._nominal = self._stack(True, np.int32)
        return self._nominal

    def _stack(self, nominal: bool, dtype: type[Any]) -> NDArray[Any]:
        chosen = [c for c in self.columns if c.attribute.is_nominal is nominal]
        stacked = np.empty((self._n_rows, len(chosen)), dtype=dtype, order="F")
        for position, column in enumerate(chosen):
            stacked[:, position] = column.data
        return stacked

    def __len__(self) -> int:
        return self._n_rows

    def __repr__(self) -> str:
        nominal = sum(attribute.is_nominal for attribute in self._schema)
        return (
            f"<Table: {self._n_rows} rows, {len(self._schema) - nominal} numeric and "
            f"{nominal} nominal attributes>"
        )

    def column(self, attribute: str | int) -> Column:
        """Return one column by name or position."""
        return self.columns[self._schema.locate(attribute)]

    def take(self, rows: ArrayLike) -> Table:
        """Return the table of these rows, in this order.

        Parameters
        ----------
        rows : array of int or of bool
            Row numbers, repeated at will, or a mask.

        Returns
        -------
        Table
            The chosen rows.

        Examples
        --------
        >>> from dissensus.table import Table
        >>> Table.from_any([[1.0], [2.0], [3.0]]).take([2, 0]).numeric.ravel()
        array([3., 1.])
        """
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        chosen = chosen.astype(np.intp, copy=False)
        if self._matrix is not None:
            rows_of_matrix = np.take(self._matrix, chosen, axis=0)
            taken = Table.from_matrix(rows_of_matrix, self._schema)
        else:
            columns = [column.take(chosen) for column in self.columns]
            taken = Table(self._schema, columns, len(chosen))
        shared = self._encoded is not None or self._source is not None
        if shared and is_ascending(chosen):
            taken._source = encode_taken, self, chosen
        return taken

    def drop(self, attribute: str | int) -> Table:
        """Return the table without one column, given by name or position.

        Examples
        --------
        >>> from dissensus.table import Table
        >>> Table.from_any([[1.0, 2.0], [3.0, 4.0]]).drop("x0").schema.names
        ('x1',)
        """
        position = self._schema.locate(attribute)
        columns = self.columns[:position] + self.columns[position + 1 :]
        rest = Table(_schema_of(columns, self._schema.named), columns, self._n_rows)
        pending = self._source is not None and self._source[0] is hide
        if not (pending or (self._encoded is not None and self._encoded.n_hidden)):
            rest._source = hide, self, position  # one hidden column is enough
        return rest

    def append(self, other: Table) -> Table:
        """Return the table with the columns of another behind its own.

        Examples
        --------
        >>> from dissensus.table import Attribute, Column, Schema, Table
        >>> import numpy as np
        >>> table = Table.from_any([[1.0], [2.0]])
        >>> more = Column(Attribute("p", "numeric"), np.array([0.1, 0.9]))
        >>> wider = table.append(Table(Schema((more.attribute,)), (more,)))
        >>> wider.schema.names
        ('x0', 'p')
        """
        if other.n_rows != self._n_rows:
            raise TableError(
                f"Cannot append columns of {other.n_rows} rows to a table of "
                f"{self._n_rows} rows. Both must have the same rows."
            )
        twice = set(self._schema.names).intersection(other.schema.names)
        if twice:
            raise TableError(
                f"Cannot append a second column {min(twice)!r}. Rename it first."
            )
        columns = self.columns + other.columns
        named = self._schema.named and other.schema.named
        return Table(_schema_of(columns, named), columns, self._n_rows)

    def concat(self, other: Table) -> Table:
        """Return the table with the rows of another of the same schema below its own.

        Examples
        --------
        >>> from dissensus.table import Table
        >>> table = Table.from_any([[1.0], [2.0]])
        >>> table.concat(table).n_rows
        4
        """
        check_same_attributes(self._schema, other.schema)
        if self._matrix is not None:
            below = other.numeric if other.matrix is None else other.matrix
            return Table.from_matrix(
                np.concatenate([self._matrix, below]), self._schema
            )
        pairs = zip(self.columns, other.columns, strict=True)
        columns = [upper.concat(lower) for upper, lower in pairs]
        whole = Table(self._schema, columns, self._n_rows + other.n_rows)
        encoded = self._encoded
        if encoded is not None and encoded.n_hidden == 0 and encoded.is_nominal.all():
            whole._source = append_codes, self, other.columns
        return whole

    def to_frame(self, kind: FrameKind = "polars") -> Any:
        """Return the table as a data frame.

        Parameters
        ----------
        kind : {"polars", "pandas"}, default="polars"
            Nominal columns become polars Enums or pandas categoricals, with all
            declared values. (Labels that are not strings, which an Enum cannot hold,
            become a plain polars column.) Missing and unseen labels become null.

        Returns
        -------
        DataFrame
            One column per attribute.

        Examples
        --------
        >>> from dissensus.table import Table
        >>> Table.from_any([["a", 1], ["b", 2]]).to_frame("polars").columns
        ['x0', 'x1']
        """
        if kind == "polars":
            return to_polars(self.columns)
        if kind == "pandas":
            return to_pandas(self.columns, self._schema.names)
        raise TableError(f"kind is {kind!r}. It must be 'pandas' or 'polars'.")


def _schema_of(columns: Sequence[Column], named: bool) -> Schema:
    return Schema(tuple(column.attribute for column in columns), named)


def _checked_rows(n_rows: int) -> int:
    """Return the number of rows, unless it is too large for the kernels."""
    if n_rows > MOST_ROWS:
        raise TableError(
            f"A table of {n_rows:,} rows is too long: {MOST_ROWS:,} are the most. Fit "
            "on a sample of the rows, or predict them in chunks."
        )
    return n_rows
