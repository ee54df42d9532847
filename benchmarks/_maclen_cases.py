"""The cases of the benchmark of MACLEN: what is measured, on what, its target."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from benchmarks._problems import Problem
from benchmarks._report import Outcome, Target
from benchmarks._timing import compare, sampler
from benchmarks._tree_cases import Case, Setup, cost, outcome
from dissensus.bayes import AODEClassifier, NaiveBayesClassifier
from dissensus.ensemble import MaclenClassifier, MTForestClassifier
from dissensus.ensemble.maclen._product_labels import product_labels
from dissensus.preprocessing import MDLDiscretizer
from dissensus.table import Table
from dissensus.tree import C45Classifier

BAYES_PROBLEMS = ("splice", "nursery", "letter", "nominal-20k", "nominal-200k")
TREE_PROBLEMS = ("kr-vs-kp", "waveform-5000", "letter", "numeric-20k", "nominal-20k")
GENERAL_PROBLEMS = ("splice", "nursery", "nominal-20k")
LARGE = ("numeric-20k", "nominal-20k", "nominal-200k")
TITLES = {
    "bayes-fit": "MACLEN with naive Bayes, fitting (time / AODE's)",
    "bayes-predict": "MACLEN with naive Bayes, predicting (time / AODE's)",
    "general-fit": "Fitting (time with `CategoricalNB` inside / from counts)",
    "general-predict": "Predicting (time with `CategoricalNB` inside / from counts)",
    "trees": "MACLEN with C4.5 (time / growing the members, tables encoded before)",
    "threads": "MACLEN with C4.5 (wall time of one thread / of two)",
    "mtforest": "MTForest (time / as many trees without an extra task)",
}


def all_cases(*, quick: bool = False) -> list[Case]:
    """Return the cases; `quick` leaves out the largest tables."""
    cases = []
    for name in _some(BAYES_PROBLEMS, quick):
        fit, predict = partial(run_bayes_fit, name), partial(run_bayes_predict, name)
        cases.append(Case("bayes-fit", name, Target("<=", 1.3), fit))
        cases.append(Case("bayes-predict", name, Target("<=", 1.3), predict))
    for name in _some(GENERAL_PROBLEMS, quick):
        fit = partial(run_general_fit, name)
        predict = partial(run_general_predict, name)
        cases.append(Case("general-fit", name, Target(">=", 10), fit))
        cases.append(Case("general-predict", name, Target(">=", 10), predict))
    for name in _some(TREE_PROBLEMS, quick):
        trees, threads = partial(run_trees, name), partial(run_threads, name)
        cases.append(Case("trees", name, Target("<=", 1.2), trees))
        cases.append(Case("threads", name, Target(">=", 1.7), threads))
        cases.append(Case("mtforest", name, None, partial(run_mtforest, name)))
    return cases


def _some(names: tuple[str, ...], quick: bool) -> list[str]:
    return [name for name in names if not (quick and name in LARGE)]


def counted() -> MaclenClassifier:
    """Return MACLEN with naive Bayes, from counts."""
    return MaclenClassifier(NaiveBayesClassifier())


def general() -> MaclenClassifier:
    """Return MACLEN with scikit-learn's naive Bayes, fitted member by member."""
    return MaclenClassifier(CategoricalNB())


def run_bayes_fit(name: str, setup: Setup) -> Outcome:
    """Compare with fitting AODE on the same table."""
    problem = setup.problem(name)
    X, y = Table.from_any(problem.X), problem.y
    return cost(
        lambda: AODEClassifier().fit(X, y), lambda: counted().fit(X, y), setup.repeat
    )


def run_bayes_predict(name: str, setup: Setup) -> Outcome:
    """Compare with predicting by AODE."""
    problem = setup.problem(name)
    X = Table.from_any(problem.X)
    aode = AODEClassifier().fit(X, problem.y)
    maclen = counted().fit(X, problem.y)
    return cost(
        lambda: aode.predict_proba(X), lambda: maclen.predict_proba(X), setup.repeat
    )


def as_codes(problem: Problem) -> Table:
    """Return a nominal problem as a table whose labels are whole numbers."""
    return Table.from_any(problem.codes, range(problem.codes.shape[1]))


def run_general_fit(name: str, setup: Setup) -> Outcome:
    """Compare fitting with members of scikit-learn and from counts."""
    problem = setup.problem(name)
    X, y = as_codes(problem), problem.y
    comparison = compare(
        sampler(lambda: counted().fit(X, y)),
        sampler(lambda: general().fit(X, y)),
        repeat=setup.repeat,
    )
    return outcome(comparison)


def run_general_predict(name: str, setup: Setup) -> Outcome:
    """Compare predicting with members of scikit-learn and from counts."""
    problem = setup.problem(name)
    X, y = as_codes(problem), problem.y
    ours, theirs = counted().fit(X, y), general().fit(X, y)
    comparison = compare(
        sampler(lambda: ours.predict_proba(X)),
        sampler(lambda: theirs.predict_proba(X)),
        repeat=setup.repeat,
    )
    return outcome(comparison)


def member_tables(problem: Problem) -> list[tuple[Table, Any, int]]:
    """Return for each member its table, encoded, and its labels."""
    table, y = Table.from_any(problem.X), problem.y.astype(np.int32)
    n_classes = int(y.max()) + 1
    if not problem.is_nominal:
        cutter = MDLDiscretizer()._fit_table(table, problem.y, n_classes)
        table = cutter._transform_table(table)
    members = []
    for position, column in enumerate(table.columns):
        n_values = column.attribute.n_values
        labels = product_labels(y, column.data, n_classes, n_values, full=False)
        rest = table.drop(position)
        assert rest.encoded.n_rows == len(y)  # encoded here, and not below
        members.append((rest, labels.codes(y, column.data), labels.n_labels))
    return members


def run_trees(name: str, setup: Setup) -> Outcome:
    """Compare MACLEN, from a matrix or frame, with growing its trees alone.

    Both keep all trees, which takes memory: 400 MB of class weights on letter.
    """
    problem = setup.problem(name)
    members = member_tables(problem)

    def grow() -> list[C45Classifier]:
        return [
            C45Classifier()._fit_table(table, labels, n_labels)
            for table, labels, n_labels in members
        ]

    def fit() -> None:
        MaclenClassifier().fit(problem.X, problem.y)

    found = cost(grow, fit, setup.repeat)
    return replace(found, note=f"{len(members)} members")


def run_threads(name: str, setup: Setup) -> Outcome:
    """Compare the wall time of two threads with that of one."""
    problem = setup.problem(name)
    two, one = (
        sampler(
            partial(MaclenClassifier(n_jobs=n_jobs).fit, problem.X, problem.y),
            clock=time.perf_counter,
            shortest=0.2,
        )
        for n_jobs in (2, 1)
    )
    return outcome(compare(two, one, repeat=setup.repeat), "wall time")


def run_mtforest(name: str, setup: Setup) -> Outcome:
    """Compare MTForest with plain trees on the same tables."""
    problem = setup.problem(name)
    members = member_tables(problem)
    y = problem.y.astype(np.int32)
    n_classes = int(y.max()) + 1

    def grow() -> list[C45Classifier]:
        return [
            C45Classifier()._fit_table(table, y, n_classes) for table, _, _ in members
        ]

    def fit() -> None:
        MTForestClassifier().fit(problem.X, problem.y)

    return cost(grow, fit, setup.repeat)
