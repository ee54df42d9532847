"""The cases of the tree benchmark: what is measured, on what, and its target."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from benchmarks._problems import (
    Problem,
    load_problem,
    non_unit_weights,
    with_missing,
    with_rows,
)
from benchmarks._report import Outcome, Target
from benchmarks._timing import (
    Comparison,
    can_measure_memory,
    compare,
    peak_extra_memory,
    sampler,
    thread_throughput,
)
from benchmarks._weka import Weka, WekaServer, find_weka, weka_server
from dissensus.table import Table
from dissensus.tree import C45Classifier

PREDICT_ROWS = 20_000
IRIS_RUNS = 200
WARM_UP_RUNS, WARM_UP_SECONDS = 4, 1.0
"""J48 on nursery fell from 51 ms to 14 after 4 trees, and to 6 ms after a second."""

PROBLEMS = (
    "letter",
    "waveform-5000",
    "nursery",
    "numeric-20k",
    "nominal-20k",
    "numeric-200k",
    "nominal-200k",
)
GROWTH_TARGETS = {
    "letter": Target(">=", 3.5, stretch=5),
    "waveform-5000": Target(">=", 7, stretch=10),
    "numeric-20k": Target(">=", 7, stretch=10),
    "numeric-200k": Target(">=", 7, stretch=10),
    "nominal-20k": Target(">=", 20),
    "nominal-200k": Target(">=", 20),
}
WEKA_TARGETS = {
    "letter": Target(">=", 15),
    "waveform-5000": Target(">=", 10),
    "nursery": Target(">=", 7),
    "numeric-20k": Target(">=", 15),
    "nominal-20k": Target(">=", 7),
}
TITLES = {
    "fit": "Growing a tree (scikit-learn's time / ours)",
    "predict": "Predicting 20,000 rows or more (scikit-learn's time / ours)",
    "missing": "Growing with 10 % of the cells missing (scikit-learn's time / ours)",
    "weights": "Growing with weights from 0.5 to 1.5 (scikit-learn's time / ours)",
    "prune": "Growing and pruning with subtree raising (time / growing alone)",
    "threads": "Two threads, two trees (wall time one by one / at once)",
    "memory": "Peak extra memory of a fit (multiple of the bytes of X)",
    "small": "A fit on a small table (milliseconds more than scikit-learn)",
    "weka-grow": "Growing a tree (time of Weka's `J48 -U` / ours)",
    "weka-prune": "Growing and pruning (time of Weka's `J48` / ours)",
}


class CaseSkippedError(Exception):
    """A case cannot be measured here; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the command line decides: where files are, how often, whether with Weka."""

    folder: Path
    repeat: int = 5
    weka: bool = True

    def problem(self, name: str) -> Problem:
        """Load a problem, or skip the case when its file is not there."""
        try:
            return load_problem(name, self.folder)
        except FileNotFoundError as error:
            raise CaseSkippedError(
                f"{name}.arff is not in the data folder; give --data-dir"
            ) from error


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the benchmark, measured when `run` is called."""

    group: str
    problem: str
    target: Target | None
    run: Callable[[Setup], Outcome]

    @property
    def name(self) -> str:
        """What `--only` is matched with."""
        return f"{self.group}/{self.problem}"


def all_cases(*, quick: bool = False) -> list[Case]:
    """Return the cases problem by problem; `quick` leaves out those of 200,000 rows."""
    cases = [Case("small", "iris", Target("<=", 0.5), run_small)]
    for name in PROBLEMS:
        if quick and name.endswith("200k"):
            continue
        cases += _problem_cases(name)
    return cases


def _problem_cases(name: str) -> list[Case]:
    growth = GROWTH_TARGETS.get(name)
    part = 1 / 2 if name.startswith(("nursery", "nominal")) else 1 / 3
    eased = Target(">=", growth.value * part) if growth else None
    cases = [
        Case("fit", name, growth, partial(run_fit, name)),
        Case("predict", name, Target(">=", 1), partial(run_predict, name)),
        Case("missing", name, eased, partial(run_fit, name, missing=True)),
        Case("weights", name, eased, partial(run_fit, name, weighted=True)),
        Case("prune", name, Target("<=", 1.3), partial(run_prune, name)),
    ]
    if not name.endswith("200k"):
        two_threads = partial(run_threads, name)
        cases.append(Case("threads", name, Target(">=", 1.7), two_threads))
    if name == "numeric-200k":
        cases.append(Case("memory", name, Target("<=", 5), partial(run_memory, name)))
    if name in WEKA_TARGETS:
        target = WEKA_TARGETS[name]
        grow = partial(run_weka, name, prune=False)
        prune = partial(run_weka, name, prune=True)
        cases.append(Case("weka-grow", name, target, grow))
        cases.append(Case("weka-prune", name, target, prune))
    return cases


def ours(*, prune: bool = False) -> Any:
    """Return our tree, by default only grown, as the growth targets are meant."""
    return C45Classifier(prune=prune)


def theirs() -> DecisionTreeClassifier:
    """Return scikit-learn's tree that comes nearest to ours."""
    return DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=2, random_state=0
    )


def outcome(comparison: Comparison, note: str = "") -> Outcome:
    """Turn seconds into an outcome in milliseconds."""
    return Outcome(
        ours=comparison.first * 1e3,
        other=comparison.second * 1e3,
        unit="ms",
        figure=comparison.ratio,
        low=comparison.low,
        high=comparison.high,
        note=note,
    )


def run_fit(
    name: str, setup: Setup, *, missing: bool = False, weighted: bool = False
) -> Outcome:
    """Compare growing a tree, the encoding of the table included."""
    problem = setup.problem(name)
    if missing:
        problem = with_missing(problem)
    weights = non_unit_weights(problem) if weighted else None
    # Estimators made here, so that the leaves can be counted afterwards; a second fit
    # of scikit-learn's or of our estimator starts from nothing.
    our_tree, their_tree = ours(), theirs()
    comparison = compare(
        sampler(lambda: our_tree.fit(problem.X, problem.y, sample_weight=weights)),
        sampler(lambda: their_tree.fit(problem.codes, problem.y, weights)),
        repeat=setup.repeat,
    )
    leaves = f"leaves {our_tree.n_leaves_} / {their_tree.get_n_leaves()}"
    return outcome(comparison, leaves)


def run_predict(name: str, setup: Setup) -> Outcome:
    """Compare predicting labels, with rows drawn to make at least 20,000."""
    problem = setup.problem(name)
    our_tree = ours().fit(problem.X, problem.y)
    their_tree = theirs().fit(problem.codes, problem.y)
    rows = with_rows(problem, PREDICT_ROWS)
    comparison = compare(
        sampler(lambda: our_tree.predict(rows.X)),
        sampler(lambda: their_tree.predict(rows.codes)),
        repeat=setup.repeat,
    )
    return outcome(comparison, f"{len(rows.y)} rows")


def run_prune(name: str, setup: Setup) -> Outcome:
    """Compare our pruned tree with our unpruned one; the figure is the added cost."""
    problem = setup.problem(name)
    pruned, grown = ours(prune=True), ours()
    comparison = compare(
        sampler(lambda: grown.fit(problem.X, problem.y)),
        sampler(lambda: pruned.fit(problem.X, problem.y)),
        repeat=setup.repeat,
    )
    result = outcome(comparison, f"leaves {pruned.n_leaves_} / {grown.n_leaves_}")
    return replace(result, ours=result.other, other=result.ours)


def run_threads(name: str, setup: Setup) -> Outcome:
    """Compare two trees grown by two threads at once with one after the other."""
    problem = setup.problem(name)
    comparison = thread_throughput(
        lambda: ours().fit(problem.X, problem.y), repeat=setup.repeat
    )
    return outcome(comparison, "wall time")


def run_small(setup: Setup) -> Outcome:
    """Compare single fits on iris; the figure is the difference in milliseconds."""
    X, y = load_iris(return_X_y=True)
    comparison = compare(
        sampler(lambda: ours().fit(X, y), shortest=0),
        sampler(lambda: theirs().fit(X, y), shortest=0),
        repeat=max(IRIS_RUNS, setup.repeat),
    )
    return Outcome(
        ours=comparison.first * 1e3,
        other=comparison.second * 1e3,
        unit="ms",
        figure=(comparison.first - comparison.second) * 1e3,
        note=f"median of {IRIS_RUNS}",
    )


def run_memory(name: str, setup: Setup) -> Outcome:
    """Measure by how many times the bytes of X one fit raises the memory in use."""
    if not can_measure_memory():
        raise CaseSkippedError("the peak of memory is measured on Linux only")
    problem = setup.problem(name)
    n_bytes = problem.X.nbytes
    with TemporaryDirectory() as folder:
        # Read from a file, so that making the data leaves no freed memory behind.
        path = Path(folder, "problem.npz")
        np.savez(path, X=problem.X, y=problem.y)
        peaks = [
            peak_extra_memory(partial(_load_and_warm, path, make), partial(_fit, make))
            for make in (ours, theirs)
        ]
    return Outcome(
        ours=peaks[0] / 1e6,
        other=peaks[1] / 1e6,
        unit="MB",
        figure=peaks[0] / n_bytes,
        note=f"X: {n_bytes / 1e6:.0f} MB",
    )


def _load_and_warm(path: Path, make: Callable[[], Any]) -> tuple[Any, Any]:
    with np.load(path) as arrays:
        X, y = arrays["X"], arrays["y"]
    make().fit(X[:200], y[:200])
    return X, y


def _fit(make: Callable[[], Any], data: tuple[Any, Any]) -> Any:
    return make().fit(*data)


def run_weka(name: str, setup: Setup, *, prune: bool) -> Outcome:
    """Compare with Weka's J48 in a virtual machine that has been warmed up."""
    if not setup.weka:
        raise CaseSkippedError("turned off")
    weka = find_weka()
    if weka is None:
        raise CaseSkippedError("java, javac or weka.jar not found (set WEKA_JAR)")
    problem = setup.problem(name)
    return _against_j48(weka, problem, setup.repeat, prune=prune)


def _against_j48(weka: Weka, problem: Problem, repeat: int, *, prune: bool) -> Outcome:
    """Compare from tables that are read: Weka's Instances, and our Table.

    Ours is encoded anew in every run, as J48 sorts in every run.
    """
    tree, options = ours(prune=prune), "" if prune else "-U"
    y, n_classes = problem.y.astype(np.int32), int(problem.y.max()) + 1
    table = Table.from_any(problem.X)

    def grow() -> None:
        again = (
            Table(table.schema, table.columns)
            if table.matrix is None
            else Table.from_matrix(table.matrix, table.schema)
        )
        tree._fit_table(again, y, n_classes)

    public = sampler(lambda: tree.fit(problem.X, problem.y))
    with weka_server(weka, "J48Bench", problem) as server:
        leaves = warm_up(server, options)
        comparison = compare(
            sampler(grow), lambda: server.ask(options)[0], repeat=repeat
        )
    kind = "a frame" if problem.is_nominal else "a matrix"
    note = f"leaves {tree.n_leaves_} / {leaves}; {public() * 1e3:.3g} ms from {kind}"
    return outcome(comparison, note)


def warm_up(server: WekaServer, request: str) -> int:
    """Let the virtual machine compile what it runs; return the number it answers."""
    spent, runs, number = 0.0, 0, 0
    while runs < WARM_UP_RUNS or spent < WARM_UP_SECONDS:
        seconds, number = server.ask(request)
        spent, runs = spent + seconds, runs + 1
    return number
