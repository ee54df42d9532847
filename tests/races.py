"""Eight threads at once on one table and one model: `python -m tests.races`.

For the thread sanitizer (`make races`). polars dies under it while it is imported, so
here are neither frames nor pytest, only each estimator as it comes, on one array.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
from numpy.random import default_rng

import dissensus
from dissensus.table import Table

N_THREADS = 8


def at_once(work: Callable[[], Any]) -> list[Any]:
    """Return what each thread gets when all start at the same moment."""
    barrier = Barrier(N_THREADS)

    def wait_and_work(_: int) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(wait_and_work, range(N_THREADS)))


def answer(model: Any, table: Table) -> Any:
    """Return probabilities, or the codes and numbers of a transformed table."""
    if hasattr(model, "predict_proba"):
        return model.predict_proba(table)
    return np.column_stack(
        [data.astype(float) for data in model.transform(table).arrays]
    )


def check(kind: type[Any]) -> None:
    """Raise an error unless eight threads get what one gets."""
    rng = default_rng(0)
    cells = rng.integers(0, 5, (300, 4)).astype(float)
    y = (cells[:, 0] > 2) + (rng.random(300) < 0.2)
    state = {"random_state": 0} if "random_state" in kind().get_params() else {}

    def fresh() -> Table:
        return Table.from_any(cells, categorical_features=[0, 1])

    def fit(table: Table) -> Any:
        return kind(**state).fit(table, y)

    expected = answer(fit(fresh()), fresh())
    shared, model, asked = fresh(), fit(fresh()), fresh()
    for result in at_once(lambda: answer(fit(shared), shared)):
        np.testing.assert_array_equal(result, expected)
    for result in at_once(lambda: answer(model, asked)):
        np.testing.assert_array_equal(result, expected)


def main() -> None:
    """Check every estimator of the package."""
    sys.setswitchinterval(1e-6)
    kinds = [getattr(dissensus, name) for name in dissensus.__all__]
    kinds = [kind for kind in kinds if hasattr(kind, "fit")]
    for kind in kinds:
        check(kind)
    print(f"{len(kinds)} estimators, {N_THREADS} threads: the same as one thread")


if __name__ == "__main__":
    main()
