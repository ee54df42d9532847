"""The cases of the benchmark of ensembles: what is measured, on what, its target."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from benchmarks._problems import Problem
from benchmarks._report import Outcome, Target
from benchmarks._timing import compare, sampler
from benchmarks._tree_cases import (
    Case,
    CaseSkippedError,
    Setup,
    cost,
    outcome,
    warm_up,
)
from benchmarks._weka import find_weka, weka_server
from dissensus.ensemble import BaggingClassifier, DecorateClassifier
from dissensus.table import Table
from dissensus.tree import C45Classifier

N_TREES = 15
LETTER_ROWS = 2000
BAGGING_PROBLEMS = ("letter", "waveform-5000", "segment", "nursery", "numeric-20k")
DECORATE_PROBLEMS = ("segment", "soybean", "letter")
TITLES = {
    "bagging": "Bagging of 15 trees (time / growing the trees, tables encoded before)",
    "bagging-fit": "Bagging of 15 trees (time / fitting 15 trees on the bootstraps)",
    "bagging-threads": "Bagging of 15 trees (wall time of one thread / of two)",
    "decorate-iris": "DECORATE on iris (milliseconds)",
    "decorate-cost": "DECORATE (time / fitting as many trees on its doubled data)",
    "decorate-weka": "DECORATE, 15 members tried (time of Weka's `Decorate` / ours)",
}


def all_cases(*, quick: bool = False) -> list[Case]:
    """Return the cases; `quick` leaves out the largest table."""
    cases = [Case("decorate-iris", "iris", Target("<=", 60), run_iris)]
    for name in BAGGING_PROBLEMS[:-1] if quick else BAGGING_PROBLEMS:
        growth, fit = partial(run_bagging, name), partial(run_bagging_fit, name)
        threads = partial(run_threads, name)
        cases += [
            Case("bagging", name, Target("<=", 1.2), growth),
            Case("bagging-fit", name, Target("<=", 1.2), fit),
            Case("bagging-threads", name, Target(">=", 1.7), threads),
        ]
    for name in DECORATE_PROBLEMS:
        doubled, weka = partial(run_cost, name), partial(run_weka, name)
        cases.append(Case("decorate-cost", name, Target("<=", 2.5), doubled))
        cases.append(Case("decorate-weka", name, Target(">=", 10), weka))
    return cases


def bagging(**parameters: Any) -> BaggingClassifier:
    """Return the bagging that is measured."""
    return BaggingClassifier(n_estimators=N_TREES, random_state=0, **parameters)


def decorate() -> DecorateClassifier:
    """Return a committee that tries as many members as it should have.

    How many it would try to get them is a matter of luck, and so is Weka's number.
    """
    return DecorateClassifier(n_estimators=N_TREES, max_iter=N_TREES, random_state=0)


def bootstraps(n_rows: int) -> list[Any]:
    """Draw the rows of the bootstraps that bagging is compared with."""
    rng = np.random.default_rng(0)
    return [np.sort(rng.integers(n_rows, size=n_rows)) for _ in range(N_TREES)]


def take(X: Any, rows: Any) -> Any:
    """Return some rows of a matrix or frame."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def run_bagging(name: str, setup: Setup) -> Outcome:
    """Compare bagging, from a matrix or frame, with growing its trees alone."""
    problem = setup.problem(name)
    table, y = Table.from_any(problem.X), problem.y.astype(np.int32)
    n_classes = int(y.max()) + 1
    samples = [(table.take(rows), y[rows]) for rows in bootstraps(len(y))]
    for sample, _ in samples:
        assert sample.encoded.n_rows == len(y)  # encoded here, and not below

    def grow() -> list[C45Classifier]:
        return [
            C45Classifier()._fit_table(sample, labels, n_classes)
            for sample, labels in samples
        ]

    return cost(grow, lambda: bagging().fit(problem.X, problem.y), setup.repeat)


def run_bagging_fit(name: str, setup: Setup) -> Outcome:
    """Compare bagging with fitting a tree on each bootstrap."""
    problem = setup.problem(name)
    samples = [
        (take(problem.X, rows), problem.y[rows]) for rows in bootstraps(len(problem.y))
    ]

    def fit() -> None:
        for X, y in samples:
            C45Classifier().fit(X, y)

    return cost(fit, lambda: bagging().fit(problem.X, problem.y), setup.repeat)


def run_threads(name: str, setup: Setup) -> Outcome:
    """Compare the wall time of two threads with that of one."""
    problem = setup.problem(name)
    two, one = (
        sampler(
            partial(bagging(n_jobs=n_jobs).fit, problem.X, problem.y),
            clock=time.perf_counter,
            shortest=0.2,
        )
        for n_jobs in (2, 1)
    )
    comparison = compare(two, one, repeat=setup.repeat)
    return outcome(comparison, "wall time")


def run_iris(setup: Setup) -> Outcome:
    """Measure a whole committee on a small table."""
    X, y = load_iris(return_X_y=True)
    model = DecorateClassifier(random_state=0)
    comparison = compare(
        sampler(lambda: model.fit(X, y)),
        sampler(lambda: C45Classifier().fit(X, y)),
        repeat=setup.repeat,
    )
    note = f"{len(model.estimators_)} members, {model.n_iter_} tried; other: one tree"
    milliseconds = comparison.first * 1e3
    return Outcome(
        ours=milliseconds,
        other=comparison.second * 1e3,
        unit="ms",
        figure=milliseconds,
        note=note,
    )


def run_cost(name: str, setup: Setup) -> Outcome:
    """Compare DECORATE with fitting trees on the very rows that its members saw."""
    problem = decorate_problem(name, setup)
    seen: list[tuple[Table, Any]] = []

    class Watched(C45Classifier):
        def _fit_table(self, table: Table, y: Any, k: int, w: Any = None) -> Any:
            seen.append((table, y))
            return super()._fit_table(table, y, k, w)

    model = decorate()
    decorate().set_params(estimator=Watched()).fit(problem.X, problem.y)
    data = [
        (t.matrix if t.matrix is not None else t.to_frame("pandas"), y) for t, y in seen
    ]

    def fit() -> None:
        for X, y in data:
            C45Classifier().fit(X, y)

    found = cost(fit, lambda: model.fit(problem.X, problem.y), setup.repeat)
    return replace(found, note=f"{len(data)} trees, {len(model.estimators_)} kept")


def run_weka(name: str, setup: Setup) -> Outcome:
    """Compare with Weka's Decorate in a virtual machine that has been warmed up."""
    weka = find_weka() if setup.weka else None
    if weka is None:
        raise CaseSkippedError("java, javac or weka.jar not found (set WEKA_JAR)")
    problem = decorate_problem(name, setup)
    options = f"-E {N_TREES} -I {N_TREES} -R 1.0 -S 1"
    model = decorate()
    with weka_server(weka, "DecorateBench", problem) as server:
        members = warm_up(server, options)
        comparison = compare(
            sampler(lambda: model.fit(problem.X, problem.y)),
            lambda: server.ask(options)[0],
            repeat=setup.repeat,
        )
    return outcome(comparison, f"members {len(model.estimators_)} / {members}")


def decorate_problem(name: str, setup: Setup) -> Problem:
    """Load a problem; of letter, 2,000 rows spread over the file."""
    problem = setup.problem(name)
    if name != "letter":
        return problem
    rows = np.linspace(0, len(problem.y) - 1, LETTER_ROWS).astype(np.intp)
    return replace(
        problem, X=problem.X[rows], codes=problem.codes[rows], y=problem.y[rows]
    )
