"""A column on its way in: numbers, or codes into the values that were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.exceptions import TableError, TableTypeError
from dissensus.table._column import MISSING, UNSEEN, Column
from dissensus.table._schema import Attribute

MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})
TIME_TYPES = frozenset(
    {"datetime", "date", "time", "timedelta", "Timestamp", "Timedelta"}
    | {"Period", "datetime64", "timedelta64"}
)
NUMBER_TYPES = (int, float, np.integer, np.floating, np.bool_, Decimal, Fraction)


@dataclass(frozen=True, slots=True)
class RawColumn:
    """Either `numbers`, or `codes` into `values` (-1 missing, -2 unseen).

    `declared` tells that `values` is the caller's own list, whose order counts.
    """

    numbers: NDArray[np.float64] | None = None
    codes: NDArray[np.int32] | None = None
    values: tuple[Any, ...] = ()
    declared: bool = False


def to_raw(column: Column) -> RawColumn:
    """Return the raw form of a column that is ready, to declare it anew."""
    data: Any = column.data
    if not column.attribute.is_nominal:
        return RawColumn(numbers=data)
    values = column.attribute.categories
    return RawColumn(codes=data, values=values, declared=True)


def numbers_column(name: str, values: NDArray[Any]) -> RawColumn:
    """Return a raw numeric column; infinity is refused."""
    numbers = doubles(values)
    if has_infinity(numbers):
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise TableError(
            f"Input X contains infinity: attribute {name!r}, row {row}. "
            "Replace it by a number, or by NaN for a missing value."
        )
    return RawColumn(numbers=numbers)


def doubles(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the numbers as kernels read them: side by side, at addresses for them."""
    return np.require(values, np.float64, ["C", "A", "E"])


def has_infinity(numbers: NDArray[np.float64]) -> bool:
    """Return whether any number is infinite; one sum tells for most arrays."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = numbers.sum()
    return not np.isfinite(total) and bool(np.isinf(numbers).any())


def object_column(name: str, values: Sequence[Any]) -> RawColumn:
    """Return a raw column of Python objects: numbers, booleans or labels."""
    types = {kind.__name__: kind for kind in set(map(type, values))}
    kinds = [kind for label, kind in types.items() if label not in MISSING_TYPES]
    for kind in kinds:
        if kind.__name__ in TIME_TYPES:
            raise time_error(name, kind.__name__)
        if not issubclass(kind, (str, bytes, *NUMBER_TYPES)):
            raise _bad_cell(name, kind, values)
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        codes, found = factorize(values)
        return recode(codes, found, (False, True))
    if all(issubclass(kind, NUMBER_TYPES) for kind in kinds):
        return numbers_column(name, _to_floats(name, values, types))
    codes, found = factorize(values)
    return RawColumn(codes=codes, values=found)


def _to_floats(
    name: str, values: Sequence[Any], types: dict[str, type[Any]]
) -> NDArray[np.float64]:
    if not MISSING_TYPES.isdisjoint(types):
        missing = MISSING_TYPES
        values = [np.nan if type(v).__name__ in missing else v for v in values]
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        raise TableError(
            f"Attribute {name!r} has a number too large for float64. Scale the column."
        ) from None


def _bad_cell(name: str, kind: type[Any], values: Sequence[Any]) -> TableError:
    row = next(row for row, value in enumerate(values) if type(value) is kind)
    if issubclass(kind, complex | np.complexfloating):
        return TableError(
            f"Complex data not supported: attribute {name!r}, row {row}. Give the real "
            "and the imaginary part as two columns."
        )
    return TableTypeError(
        f"Attribute {name!r} has a {kind.__name__} in row {row}: the argument must be "
        "a string or a real number. Drop or convert the column."
    )


def time_error(name: str, kind: str) -> TableError:
    """Return the error for a column of dates or times."""
    return TableTypeError(
        f"Attribute {name!r} holds dates or times ({kind}), which are neither numeric "
        "nor nominal. Turn it into a number first (for example days since a date, or "
        "the month), or drop it."
    )


class Index(dict[Any, int]):
    """Codes of values in the order in which they were first looked up."""

    def __missing__(self, value: Any) -> int:
        """Give an unknown value the next code."""
        code = self[value] = len(self)
        return code


def factorize(values: Iterable[Any]) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes and the distinct values in order of appearance; missing is -1."""
    index = Index()
    codes = np.fromiter(map(index.__getitem__, values), dtype=np.int32)
    found = [plain(value) for value in index]
    absent = np.array([is_missing(value) for value in found], dtype=bool)
    if not absent.any():
        return codes, tuple(found)
    new_code = np.where(absent, MISSING, np.cumsum(~absent) - 1).astype(np.int32)
    kept = tuple(v for v, gone in zip(found, absent, strict=True) if not gone)
    return new_code[codes], kept


def plain(value: Any) -> Any:
    """Return a numpy scalar as the Python object of the same value."""
    return value.item() if isinstance(value, np.generic) else value


def is_missing(value: Any) -> bool:
    """Return whether one cell stands for "no value": None, NaN, NA or NaT."""
    if type(value).__name__ in MISSING_TYPES:
        return True
    return isinstance(value, float) and isnan(value)


def recode(
    codes: NDArray[np.int32], values: Sequence[Any], categories: Sequence[Any]
) -> RawColumn:
    """Translate codes into `values` to codes into `categories`; others are unseen."""
    position = {value: code for code, value in enumerate(categories)}
    # Two spare places at the end serve the codes -2 and -1 as negative indices.
    table = [position.get(value, UNSEEN) for value in values] + [UNSEEN, MISSING]
    translated = np.array(table, dtype=np.int32)[codes]
    return RawColumn(codes=translated, values=tuple(categories), declared=True)


def sort_values(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the values sorted; values of mixed types by type name, then as text."""
    items = list(values)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=lambda v: (type(v).__name__, str(v))))


def as_nominal(raw: RawColumn) -> RawColumn:
    """Return the raw column with sorted or declared values; numbers become values."""
    if raw.numbers is not None:
        present = ~np.isnan(raw.numbers)
        found, inverse = np.unique(raw.numbers[present], return_inverse=True)
        codes = np.full(len(raw.numbers), MISSING, dtype=np.int32)
        codes[present] = inverse
        return RawColumn(codes=codes, values=_whole(found), declared=True)
    if raw.declared or raw.codes is None:
        return raw
    return recode(raw.codes, raw.values, sort_values(raw.values))


def _whole(found: NDArray[np.float64]) -> tuple[Any, ...]:
    """Return the numbers as Python ints when all of them are whole."""
    if np.array_equal(found, np.trunc(found)) and (np.abs(found) < 2**53).all():
        return tuple(found.astype(np.int64).tolist())
    return tuple(found.tolist())


def new_column(name: str, raw: RawColumn, nominal: bool) -> Column:
    """Return a raw column as a column with an attribute of its own."""
    if raw.numbers is not None and not nominal:
        return Column(Attribute(name, "numeric"), raw.numbers)
    raw = as_nominal(raw)
    return Column(Attribute(name, "nominal", raw.values), _codes(raw))


def matched_column(attribute: Attribute, raw: RawColumn) -> Column:
    """Return a raw column as values of an attribute that is known already."""
    if attribute.is_nominal:
        raw = as_nominal(raw)
        if raw.values == attribute.categories:
            return Column(attribute, _codes(raw))
        found = recode(_codes(raw), raw.values, attribute.categories)
        return Column(attribute, _codes(found))
    if raw.numbers is not None:
        return Column(attribute, raw.numbers)
    return Column(attribute, _numbers_of_labels(attribute, raw))


def _codes(raw: RawColumn) -> NDArray[np.int32]:
    assert raw.codes is not None
    return raw.codes


def _numbers_of_labels(attribute: Attribute, raw: RawColumn) -> NDArray[np.float64]:
    """Return labels that are numbers or booleans as numbers; others are an error."""
    for value in raw.values:
        if not isinstance(value, NUMBER_TYPES):
            raise TableError(
                f"Attribute {attribute.name!r} was numeric when the schema was made, "
                f"but now holds the {type(value).__name__} {value!r}. Convert the "
                "column to numbers."
            )
    table = np.array([*raw.values, np.nan, np.nan], dtype=np.float64)
    return np.asarray(table[_codes(raw)])
