"""The cases of the benchmark of naive Bayes and AODE: what, on what, and its target."""

from collections.abc import Callable
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


def count_pairs(problem: Problem) -> Counts:
    """Count all pairs by our kernel, from the columns of codes of a table."""
    n_rows, n_columns = problem.codes.shape
    n_values = [int(column.max()) + 1 for column in problem.codes.T]
    columns = [problem.codes[:, j].astype(np.int32) for j in range(n_columns)]
    codes = pack(columns, n_values, n_rows)
    n_classes = int(problem.y.max()) + 1
    counts = Counts.zeros(codes.n_values, n_classes, with_pairs=True)
    counts.add(codes, problem.y.astype(np.int32))
    return counts


def bincount_pairs(problem: Problem) -> list[NDArray[np.intp]]:
    """Count all pairs by `np.bincount`, one pair of columns after the other."""
    columns = [np.ascontiguousarray(column) for column in problem.codes.T]
    n_values = [int(column.max()) + 1 for column in columns]
    n_classes = int(problem.y.max()) + 1
    found = []
    for i, first in enumerate(columns):
        base = problem.y * n_values[i] + first
        for j in range(i + 1, len(columns)):
            n_cells = n_classes * n_values[i] * n_values[j]
            cells = base * n_values[j] + columns[j]
            found.append(np.bincount(cells, minlength=n_cells))
    return found


def run_pairs(name: str, setup: Setup) -> Outcome:
    """Compare counting the pairs of all columns, conversions included."""
    problem = setup.problem(name)
    comparison = compare(
        sampler(lambda: count_pairs(problem)),
        sampler(lambda: bincount_pairs(problem)),
        repeat=setup.repeat,
    )
    pairs = count_pairs(problem).pairs
    total = float(sum(counts.sum() for counts in bincount_pairs(problem)))
    n_columns = problem.codes.shape[1]
    assert pairs is not None
    assert pairs.sum() == 2 * total + n_columns * len(problem.y)
    return outcome(comparison, f"{n_columns * (n_columns - 1) // 2} pairs")


def run_threads(name: str, setup: Setup) -> Outcome:
    """Compare counting in two threads at once with one after the other."""
    problem = setup.problem(name)
    comparison = thread_throughput(lambda: count_pairs(problem), repeat=setup.repeat)
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
