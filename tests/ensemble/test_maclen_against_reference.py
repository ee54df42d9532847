"""MaclenClassifier against the plain version, on random nominal data."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from dissensus.ensemble import MaclenClassifier
from dissensus.tree import C45Classifier
from tests.oracles import assert_close
from tests.reference import maclen
from tests.reference.random_data import Case, make_case, make_frame

N_CASES = 120
BLOCK = 20


def nominal(case: Case) -> Case:
    """Return the case with whole numbers in place of real ones, declared nominal."""
    kinds, columns, test = [], [], []
    for kind, column, more in zip(case.kinds, case.columns, case.test, strict=True):
        known = np.unique(column[~np.isnan(column)])
        if kind > 0:
            kinds.append(kind)
            columns.append(column)
            test.append(np.where(more < kind, more, np.nan))
            continue
        kinds.append(max(1, len(known)))
        columns.append(_places(known, column))
        test.append(_places(known, np.where(np.isin(more, known), more, np.nan)))
    return Case(kinds, columns, case.y, case.weight, test, case.options)


def _places(known: np.ndarray, column: np.ndarray) -> np.ndarray:
    places = np.searchsorted(known, column).astype(np.float64)
    return np.where(np.isnan(column), np.nan, places)


@pytest.mark.parametrize("block", range(0, N_CASES, BLOCK))
def test_votes_equal_those_of_the_plain_version(block: int) -> None:
    for seed in range(block, block + BLOCK):
        case = nominal(make_case(seed))
        rule = "marginal" if seed % 4 == 0 else "conditional"
        labels = "full" if seed % 3 == 0 else "observed"
        data = case.data()
        members = maclen.fit(data, maclen.tree_learner(case.options), labels)
        rows = [list(row) for row in zip(*case.test, strict=True)]
        expected = [
            [maclen.vote(member, row, data.n_classes, rule) for member in members]
            for row in rows
        ]
        model = MaclenClassifier(
            C45Classifier(**asdict(case.options)), rule=rule, labels=labels
        )
        model.fit(make_frame(case.kinds, case.columns), case.y, case.weight)
        X = make_frame(case.kinds, case.test)
        assert_close(model.member_votes(X), expected, f"seed {seed}, votes")
        mean = [maclen.average(members, row, data.n_classes, rule) for row in rows]
        assert_close(model.predict_proba(X), mean, f"seed {seed}, mean")
