"""Eight threads share one table and one model, and get what one thread gets.

Kernels let go of the GIL, and a table makes its encodings when they are first asked
for: both are used by all threads at once here, with the interpreter switching between
them as often as it can. `DISSENSUS_RACES=100` repeats each test as often;
`tests/races.py` is the form for the thread sanitizer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from dissensus.table import Table
from tests.estimator_checks import answers
from tests.estimator_data import as_pandas, make_problem
from tests.races import at_once
from tests.test_common import ESTIMATORS, label

REPEATS = int(os.environ.get("DISSENSUS_RACES", "1"))


@pytest.fixture(autouse=True)
def _restless_interpreter() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def fit_and_answer(estimator: Any, table: Table, y: Any) -> Any:
    """Return the answers of a model that this thread has fitted itself."""
    return answers(clone(estimator).fit(table, y), table)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=label)
def test_threads_that_share_a_table_fit_the_same_model(estimator: Any) -> None:
    cells, y = make_problem(300)
    frame = as_pandas(cells)
    expected = answers(clone(estimator).fit(frame, y), frame)
    for _ in range(REPEATS):
        table = Table.from_any(frame)  # fresh: nothing is encoded yet
        for result in at_once(partial(fit_and_answer, estimator, table, y)):
            assert_array_equal(result, expected)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=label)
def test_threads_that_share_a_model_get_the_same_answers(estimator: Any) -> None:
    cells, y = make_problem(300)
    frame = as_pandas(cells)
    expected = answers(clone(estimator).fit(frame, y), frame)
    for _ in range(REPEATS):
        model = clone(estimator).fit(frame, y)  # fresh: nothing was asked of it yet
        table = Table.from_any(frame)
        for result in at_once(partial(answers, model, table)):
            assert_array_equal(result, expected)
