"""Tables of giant shapes: each is tried once with each estimator as it comes.

They are no part of the tests, for some take minutes: `python -m
tests.campaign.giants 0 200 60` prints how each ended that had not taken more than 60 s.
A process may have 6 GiB.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

from tests.campaign.cases import Case
from tests.campaign.estimators import BY_CLASS, NAMES
from tests.campaign.judge import try_case
from tests.campaign.worker import Report, Worker, serve

MEMORY = 6 << 30


def _labels(n_rows: int, n_values: int) -> Any:
    values = [f"v{value}" for value in range(n_values)]
    return pd.Categorical.from_codes(np.arange(n_rows) % n_values, values)


def _one_attribute(rng: Generator, n_values: int) -> Any:
    return pd.DataFrame({"id": _labels(n_values, n_values), "x": rng.random(n_values)})


def _nominal_columns(_: Generator) -> Any:
    return pd.DataFrame({f"c{i}": _labels(300, 300) for i in range(2000)})


SHAPES: dict[str, tuple[Callable[[Generator], Any], int]] = {
    "50,000 values of one attribute": (lambda rng: _one_attribute(rng, 50_000), 2),
    "1,000,000 values of one attribute": (lambda rng: _one_attribute(rng, 10**6), 2),
    "100,000 columns": (lambda rng: rng.normal(size=(20, 10**5)), 2),
    "300 classes, 30,000 rows": (lambda rng: rng.normal(size=(30_000, 10)), 300),
    "2,000 attributes of 300 values": (_nominal_columns, 3),
    "1,000,000 rows": (lambda rng: rng.normal(size=(10**6, 3)), 2),
}
GIANTS = list(product(SHAPES, [name for name in NAMES if name != "Pipeline"]))


def try_giant(place: int) -> Report:
    """Fit one estimator on one giant table, and ask it about the same rows."""
    shape, name = GIANTS[place]
    make, n_classes = SHAPES[shape]
    rng = np.random.default_rng(0)
    X = make(rng)
    y = rng.integers(0, n_classes, len(X))
    estimator = type(BY_CLASS[name][0])()
    outcomes = try_case(estimator, Case(X, y, None, []))
    return {"outcomes": [[outcome.end, outcome.detail] for outcome in outcomes]}


def main() -> None:
    """Try each giant once, in a process of its own, and print a line for it."""
    if "--serve" in sys.argv:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        serve(try_giant)
        return
    command = [sys.executable, "-m", "tests.campaign.giants", "--serve"]
    first, last, limit = (int(argument) for argument in sys.argv[1:4])
    for place in range(first, min(last, len(GIANTS))):
        worker = Worker(0, limit, command)
        report = worker.ask(place)
        worker.close()
        shape, name = GIANTS[place]
        end, detail = max(report["outcomes"], key=lambda outcome: len(outcome[1]))
        print(f"| {shape} | {name} | {end} {detail} |", flush=True)


if __name__ == "__main__":
    main()
