"""MaclenClassifier against the plain version, on random nominal data."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from dissensus.ensemble import MaclenClassifier
from dissensus.tree import C45Classifier
from tests.oracles import assert_close
from tests.reference import maclen
from tests.reference.nominal_data import make_nominal_case
from tests.reference.random_data import make_frame

N_CASES = 120
BLOCK = 20


@pytest.mark.parametrize("block", range(0, N_CASES, BLOCK))
def test_votes_equal_those_of_the_plain_version(block: int) -> None:
    for seed in range(block, block + BLOCK):
        case = make_nominal_case(seed)
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
