"""The encoding of some rows of a table, derived from the encoding of all of them.

A bootstrap of a table that is encoded costs a tenth of what sorting it again would
(see the bagging cases in `benchmarks/bench_ensembles.py`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dissensus._core.encode._encode import next_apart
from dissensus._core.encode._take import change_codes, mark_codes, take_sorted
from dissensus.table._encoded import SMALLEST_GAP, Encoded


def is_ascending(rows: NDArray[np.intp]) -> bool:
    """Whether the rows come in the order of the table, repeated or not."""
    return len(rows) == 0 or bool(rows[0] >= 0 and (rows[1:] >= rows[:-1]).all())


def encode_taken(encoded: Encoded, rows: NDArray[np.intp]) -> Encoded:
    """Encode the table of these rows, given in ascending order.

    Which attributes are coded and which sorted stays as it was; trees come out the
    same either way.
    """
    taken = replace(
        encoded,
        n_rows=len(rows),
        n_values=encoded.n_values.copy(),
        reach=encoded.reach.copy(),
        next_apart=list(encoded.next_apart),
        values=list(encoded.values),
        codes=np.take(encoded.codes, rows, axis=0),
        orders=list(encoded.orders),
        ranks=list(encoded.ranks),
    )
    if len(taken.sorted):
        _take_sorted(taken, _starts(rows, encoded.n_rows))
    _forget_absent_codes(taken)
    return _by_number_of_values(taken)


def _starts(rows: NDArray[np.intp], n_rows: int) -> NDArray[np.int32]:
    """Return the first copy of each old row, and the number of copies at the end."""
    starts = np.zeros(n_rows + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=starts[1:])
    return starts


def _take_sorted(taken: Encoded, starts: NDArray[np.int32]) -> None:
    """Sort the sorted attributes again."""
    attributes = taken.sorted.tolist()
    columns = [
        (taken.values[a], taken.orders[j], taken.ranks[j], taken.next_apart[a])
        for j, a in enumerate(attributes)
    ]
    found = take_sorted(columns, starts)
    for j, a in enumerate(attributes):
        taken.values[a], taken.orders[j], taken.ranks[j] = found[j][:3]
        taken.reach[a], taken.next_apart[a] = found[j][3:]
        taken.n_values[a] = len(found[j][0])


def _forget_absent_codes(taken: Encoded) -> None:
    """Number the values of the coded numeric attributes without gaps."""
    if taken.is_nominal[taken.coded].all():
        return
    widths = taken.n_values[taken.coded] + 1
    offsets = np.concatenate([[0], np.cumsum(widths)]).astype(np.intp)
    marks = np.zeros(offsets[-1], dtype=np.uint8)
    mark_codes(taken.codes, offsets, marks)
    for j, attribute in enumerate(taken.coded):
        present = marks[offsets[j] : offsets[j + 1] - 1] == 1  # the last is "missing"
        if taken.is_nominal[attribute] or present.all():
            continue
        new_codes = np.zeros(len(present) + 1, dtype=np.int32)
        np.cumsum(present, out=new_codes[1:])
        change_codes(taken.codes, j, new_codes)
        _keep_values(taken, attribute, np.flatnonzero(present))


def _keep_values(taken: Encoded, attribute: int, kept: NDArray[np.integer]) -> None:
    values = taken.values[attribute]
    assert values is not None
    left = values[kept]
    taken.values[attribute] = left
    taken.n_values[attribute] = len(left)
    if taken.next_apart[attribute] is not None:  # else all lie apart, and still do
        apart = next_apart(left, SMALLEST_GAP)
        taken.reach[attribute], taken.next_apart[attribute] = apart


def _by_number_of_values(taken: Encoded) -> Encoded:
    """Put the coded attributes in ascending order of their number of values again."""
    n_values = taken.n_values[taken.coded]
    if (n_values[1:] >= n_values[:-1]).all():
        return taken
    places = np.argsort(n_values, kind="stable")
    codes = np.ascontiguousarray(taken.codes[:, places])
    return replace(taken, codes=codes, coded=taken.coded[places])
