"""The cases of the benchmark of naive Bayes and AODE: what, on what, and its target."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

from benchmarks._problems import Problem, with_rows
from benchmarks._report import Outcome, Target
from benchmarks._timing import compare, sampler, thread_throughput
from benchmarks._tree_cases import Case, CaseSkippedError, Setup, outcome, warm_up
from benchmarks._weka import WekaServer, find_weka, weka_server
from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.bayes._codes import pack
from dissensus.bayes._counts import Counts
from dissensus.table import Table

PREDICT_ROWS = 20_000
SYNTHETIC = ("nominal-20k", "nominal-200k")
WEKA_PROBLEMS = ("splice", "kr-vs-kp", "nursery")
TITLES = {
    "pairs": "Counting all pairs of values (time of `np.bincount` per pair / ours)",
    "pairs-threads": "Counting all pairs twice in two threads (one by one / at once)",
    "nb-fit": "Fitting naive Bayes (time of scikit-learn's `CategoricalNB` / ours)",
    "nb-predict": "Predicting with naive Bayes (time of `CategoricalNB` / ours)",
    "aode-fit": "Fitting AODE (time of Weka's `AODE` / ours)",
    "aode-predict": "Predicting with AODE (time of Weka's `AODE` / ours)",
}


def all_cases(*, quick: bool = False) -> list[Case]:
    """Return the cases problem by problem; `quick` leaves out those of 200,000 rows."""
    cases = []
    for name in SYNTHETIC[:1] if quick else SYNTHETIC:
        cases += [
            Case("pairs", name, Target(">=", 3), partial(run_pairs, name)),
            Case("pairs-threads", name, Target(">=", 1.7), partial(run_threads, name)),
            Case("nb-fit", name, Target(">=", 2), partial(run_naive_fit, name)),
            Case("nb-predict", name, Target(">=", 2), partial(run_naive_predict, name)),
        ]
    for name in WEKA_PROBLEMS:
        fit, predict = partial(run_aode_fit, name), partial(run_aode_predict, name)
        cases.append(Case("aode-fit", name, Target(">=", 5), fit))
        cases.append(Case("aode-predict", name, Target(">=", 4), predict))
    return cases


@dataclass(frozen=True, slots=True)
class Columns:
    """A nominal problem as columns of codes: ours of 32 bits, numpy's of 64."""

    ours: list[NDArray[np.int32]]
    theirs: list[NDArray[np.int64]]
    n_values: list[int]
    y: NDArray[np.int64]
    n_classes: int


def columns_of(problem: Problem) -> Columns:
    """Return the columns of a problem, each contiguous in memory."""
    theirs = [np.ascontiguousarray(column) for column in problem.codes.T]
    return Columns(
        ours=[column.astype(np.int32) for column in theirs],
        theirs=theirs,
        n_values=[int(column.max()) + 1 for column in theirs],
        y=problem.y,
        n_classes=int(problem.y.max()) + 1,
    )


def count_pairs(data: Columns) -> Counts:
    """Count all pairs by our kernels."""
    codes = pack(data.ours, data.n_values, len(data.y))
    counts = Counts.zeros(codes.n_values, data.n_classes, with_pairs=True)
    counts.add(codes, data.y.astype(np.int32))
    return counts


def bincount_pairs(data: Columns) -> list[NDArray[np.intp]]:
    """Count all pairs by `np.bincount`, one pair of columns after the other."""
    found = []
    for i, first in enumerate(data.theirs):
        base = data.y * data.n_values[i] + first
        for j in range(i + 1, len(data.theirs)):
            n_cells = data.n_classes * data.n_values[i] * data.n_values[j]
            cells = base * data.n_values[j] + data.theirs[j]
            found.append(np.bincount(cells, minlength=n_cells))
    return found


def run_pairs(name: str, setup: Setup) -> Outcome:
    """Compare counting the pairs of all columns."""
    data = columns_of(setup.problem(name))
    comparison = compare(
        sampler(lambda: count_pairs(data)),
        sampler(lambda: bincount_pairs(data)),
        repeat=setup.repeat,
    )
    pairs, n_columns = count_pairs(data).pairs, len(data.ours)
    total = float(sum(counts.sum() for counts in bincount_pairs(data)))
    assert pairs is not None
    assert pairs.sum() == 2 * total + n_columns * len(data.y)
    return outcome(comparison, f"{n_columns * (n_columns - 1) // 2} pairs")


def run_threads(name: str, setup: Setup) -> Outcome:
    """Compare counting in two threads at once with one after the other."""
    data = columns_of(setup.problem(name))
    comparison = thread_throughput(lambda: count_pairs(data), repeat=setup.repeat)
    return outcome(comparison, "wall time")


def run_naive_fit(name: str, setup: Setup) -> Outcome:
    """Compare fitting naive Bayes on pandas categoricals and on integer codes."""
    problem = setup.problem(name)
    ours, theirs = NaiveBayesClassifier(), CategoricalNB()
    comparison = compare(
        sampler(lambda: ours.fit(problem.X, problem.y)),
        sampler(lambda: theirs.fit(problem.codes, problem.y)),
        repeat=setup.repeat,
    )
    return outcome(comparison)


def run_naive_predict(name: str, setup: Setup) -> Outcome:
    """Compare predicting probabilities."""
    problem = setup.problem(name)
    ours = NaiveBayesClassifier().fit(problem.X, problem.y)
    theirs = CategoricalNB().fit(problem.codes, problem.y)
    rows = with_rows(problem, PREDICT_ROWS)
    comparison = compare(
        sampler(lambda: ours.predict_proba(rows.X)),
        sampler(lambda: theirs.predict_proba(rows.codes)),
        repeat=setup.repeat,
    )
    # The priors differ by scikit-learn's lack of smoothing there.
    same = (ours.predict(rows.X) == theirs.predict(rows.codes)).mean()
    return outcome(comparison, f"{100 * same:.2f} % of the labels equal")


def run_aode_fit(name: str, setup: Setup) -> Outcome:
    """Compare fitting AODE with Weka's, both on a table that is read and encoded."""
    problem = setup.problem(name)
    table, y, n_classes = encoded(problem)
    model = AODEClassifier()
    public = sampler(lambda: model.fit(problem.X, problem.y))

    def against(server: WekaServer) -> Outcome:
        warm_up(server, "fit")
        comparison = compare(
            sampler(lambda: model._fit_table(table, y, n_classes)),
            lambda: server.ask("fit")[0],
            repeat=setup.repeat,
        )
        return outcome(comparison, f"{public() * 1e3:.3g} ms from a frame")

    return _with_weka(problem, setup, against)


def run_aode_predict(name: str, setup: Setup) -> Outcome:
    """Compare the class distributions of all training rows, read and encoded."""
    problem = setup.problem(name)
    table, y, _ = encoded(problem)
    model = AODEClassifier().fit(problem.X, problem.y)
    public = sampler(lambda: model.predict_proba(problem.X))

    def against(server: WekaServer) -> Outcome:
        theirs = warm_up(server, "predict")
        comparison = compare(
            sampler(lambda: model._proba_table(table)),
            lambda: server.ask("predict")[0],
            repeat=setup.repeat,
        )
        correct = int((model._codes_table(table) == y).sum())
        note = f"correct {correct} / {theirs}; {public() * 1e3:.3g} ms from a frame"
        return outcome(comparison, note)

    return _with_weka(problem, setup, against)


def encoded(problem: Problem) -> tuple[Table, NDArray[np.int32], int]:
    """Return what Weka's Instances hold: the table, class codes, number of classes."""
    y = problem.y.astype(np.int32)
    return Table.from_any(problem.X), y, int(y.max()) + 1


def _with_weka(
    problem: Problem, setup: Setup, work: Callable[[WekaServer], Outcome]
) -> Outcome:
    weka = find_weka() if setup.weka else None
    if weka is None:
        raise CaseSkippedError("Weka is turned off or was not found (set WEKA_JAR)")
    with weka_server(weka, "AODEBench", problem) as server:
        return work(server)
