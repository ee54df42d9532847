"""Random nominal data, made of the mixed data of `random_data`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.reference.random_data import Case, make_case

Floats = NDArray[np.float64]


def make_nominal_case(seed: int) -> Case:
    """Draw a case whose numeric columns have become nominal, a code for each value."""
    case = make_case(seed)
    kinds, columns, test = [], [], []
    for kind, column, more in zip(case.kinds, case.columns, case.test, strict=True):
        if kind > 0:
            kinds.append(kind)
            columns.append(column)
            test.append(np.where(more < kind, more, np.nan))
            continue
        known = np.unique(column[~np.isnan(column)])
        kinds.append(max(1, len(known)))
        columns.append(_places(known, column))
        test.append(_places(known, np.where(np.isin(more, known), more, np.nan)))
    return Case(kinds, columns, case.y, case.weight, test, case.options)


def _places(known: Floats, column: Floats) -> Floats:
    places = np.searchsorted(known, column).astype(np.float64)
    return np.where(np.isnan(column), np.nan, places)
