"""Eight threads share one table and one model, and get what one thread gets.

Kernels let go of the GIL, and a table makes its encodings when they are first asked
for: both are used by all threads at once here, with the interpreter switching between
them as often as it can. `DISSENSUS_RACES=100` repeats each test as often; under the
thread sanitizer (`make races`) the kernels' own accesses are watched as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from dissensus.table import Table
from tests.estimator_checks import answers
from tests.estimator_data import as_pandas, make_problem
from tests.test_common import ESTIMATORS, label

N_THREADS = 8
REPEATS = int(os.environ.get("DISSENSUS_RACES", "1"))


@pytest.fixture(autouse=True)
def _restless_interpreter() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(work: Callable[[], Any]) -> list[Any]:
    """Return what each thread gets when all start at the same moment."""
    barrier = Barrier(N_THREADS)

    def wait_and_work(_: int) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(wait_and_work, range(N_THREADS)))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=label)
def test_threads_that_share_a_table_fit_the_same_model(estimator: Any) -> None:
    cells, y = make_problem(300)
    frame = as_pandas(cells)
    expected = answers(clone(estimator).fit(frame, y), frame)
    weight = np.ones(len(y))
    for _ in range(REPEATS):
        table = Table.from_any(frame)  # fresh: nothing is encoded yet
        for result in at_once(
            lambda table=table: answers(
                clone(estimator).fit(table, y, sample_weight=weight), table
            )
        ):
            assert_array_equal(result, expected)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=label)
def test_threads_that_share_a_model_get_the_same_answers(estimator: Any) -> None:
    cells, y = make_problem(300)
    frame = as_pandas(cells)
    expected = answers(clone(estimator).fit(frame, y), frame)
    for _ in range(REPEATS):
        model = clone(estimator).fit(frame, y)  # fresh: nothing was asked of it yet
        table = Table.from_any(frame)
        for result in at_once(lambda model=model, table=table: answers(model, table)):
            assert_array_equal(result, expected)
