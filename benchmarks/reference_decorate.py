"""Cross-validated accuracy of our ensembles beside that of Weka's, on the same folds.

Run it from the root of the repository, with the outputs of Weka in `../shared/oracles`
(or where DISSENSUS_SHARED points)::

    python -m benchmarks.reference_decorate --schemes Decorate15
    python -m benchmarks.reference_decorate --schemes Decorate15 --curve
    python -m benchmarks.reference_decorate --sets iris labor --jobs 2

The ensembles are random, so results can agree in distribution only: a difference of the
means is compared with twice its standard error over the runs. J48 is not random and is
printed to show that data and folds are the same.
"""

import argparse
import csv
import gzip
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone

from dissensus import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    C45Classifier,
    DecorateClassifier,
)
from dissensus.table import Table, read_table

SHARED = Path(os.environ.get("DISSENSUS_SHARED", Path(__file__).parents[2] / "shared"))
CURVE = (1, 2, 5, 10, 20, 30, 40, 50, 75)

# The learners by the names that they have in the reference.
LEARNERS: dict[str, Any] = {
    "J48": C45Classifier(),
    "Bagging15": BaggingClassifier(n_estimators=15),
    "Bagging50": BaggingClassifier(n_estimators=50),
    "AdaBoostM1-15": AdaBoostM1Classifier(n_estimators=15),
    "AdaBoostM1-50": AdaBoostM1Classifier(n_estimators=50),
    "Decorate15": DecorateClassifier(n_estimators=15),
}


def make_learner(scheme: str, seed: int, classes: NDArray[np.intp]) -> Any:
    """Return a learner with its seed.

    Weka knows all classes of a file, also those that a small training set lacks.
    """
    learner = clone(LEARNERS[scheme])
    given = {"random_state": seed, "classes": classes}
    known = learner.get_params(deep=False)
    return learner.set_params(**{k: v for k, v in given.items() if k in known})


@dataclass(frozen=True, slots=True)
class Reference:
    """What Weka reached with one learner at one size of the training set."""

    data: str
    scheme: str
    percent: int
    accuracies: tuple[float, ...]
    members: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Means over runs, ours and Weka's, and twice the error of their difference."""

    reference: Reference
    ours: NDArray[np.float64]
    members: float

    @property
    def difference(self) -> float:
        """Ours less Weka's, in points."""
        return float(self.ours.mean() - np.mean(self.reference.accuracies))

    @property
    def limit(self) -> float:
        """Twice the standard error of the difference."""
        parts = [
            np.var(runs, ddof=1) / len(runs) if len(runs) > 1 else 0.0
            for runs in (self.ours, self.reference.accuracies)
        ]
        return 2 * float(np.sqrt(sum(parts)))


def read_reference() -> list[Reference]:
    """Read Weka's accuracies; DECORATE with its check lifted counts as DECORATE."""
    with (SHARED / "oracles" / "cv-reference.csv").open(encoding="utf-8") as file:
        return [
            Reference(
                row["data"],
                row["scheme"].removesuffix("any"),
                int(row["percent"]),
                tuple(float(a) for a in row["run_accs"].split()),
                float(row["members_mean"] or "nan"),
            )
            for row in csv.DictReader(file)
        ]


def load(name: str) -> tuple[Table, NDArray[np.intp]]:
    """Read a data set without its identifiers, classes as codes in declared order."""
    described = json.loads((SHARED / "data" / "datasets.json").read_text())["datasets"]
    entry = next(entry for entry in described if entry["name"] == name)
    data = read_table(
        SHARED / "data" / entry["file"],
        target=entry["class_attribute"],
        drop=entry["identifier_attributes"],
    )
    order = {label: c for c, label in enumerate(entry["class_labels_declared"])}
    y = np.array([order[str(label)] for label in data.y])
    return Table.from_any(data.X), np.unique(y, return_inverse=True)[1]


def read_folds(name: str) -> list[NDArray[np.intp]]:
    """Return, for each run, the test fold of every row."""
    with gzip.open(SHARED / "oracles" / "cv-folds.json.gz", "rt") as file:
        return [np.array([int(c) for c in run]) for run in json.load(file)[name]]


def stratified_prefix(
    y: NDArray[np.intp], percent: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return the first rows of an order in which all classes advance alike.

    For one generator state, the prefix of a smaller percentage is part of a larger's.
    """
    shuffled = rng.permutation(len(y))
    progress = np.empty(len(y))
    for label in np.unique(y):
        rows = shuffled[y[shuffled] == label]
        progress[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    order = shuffled[np.argsort(progress[shuffled], kind="stable")]
    return np.sort(order[: max(1, round(len(y) * percent / 100))])


def run_accuracy(name: str, scheme: str, percent: int, run: int) -> tuple[float, float]:
    """Cross-validate once; return the accuracy in per cent and the mean members."""
    table, y = load(name)
    folds = read_folds(name)[run]
    correct, members = 0, []
    for fold in range(10):
        train = np.flatnonzero(folds != fold)
        if percent < 100:
            rng = np.random.default_rng([run, fold])
            train = train[stratified_prefix(y[train], percent, rng)]
        model = make_learner(scheme, 100 * run + fold, np.unique(y))
        model.fit(table.take(train), y[train])
        test = np.flatnonzero(folds == fold)
        correct += int((model.predict(table.take(test)) == y[test]).sum())
        members.append(len(getattr(model, "estimators_", [model])))
    return 100 * correct / len(y), float(np.mean(members))


def compare(reference: Reference, runs: int, jobs: int) -> Comparison:
    """Run a learner as often as wanted and put it beside the reference."""
    cell = reference.data, reference.scheme, reference.percent
    pool = Parallel(n_jobs=jobs)
    results = pool(delayed(run_accuracy)(*cell, run) for run in range(runs))
    accuracies, members = zip(*results, strict=True)
    return Comparison(reference, np.array(accuracies), float(np.mean(members)))


def print_line(comparison: Comparison) -> None:
    """Print one comparison."""
    reference = comparison.reference
    within = "yes" if abs(comparison.difference) <= comparison.limit else "no"
    print(
        f"{reference.scheme:14} {reference.percent:>3}% {reference.data:10}"
        f" ours {comparison.ours.mean():6.2f} [{comparison.members:4.1f}]"
        f" Weka {np.mean(reference.accuracies):6.2f} [{reference.members:4.1f}]"
        f" difference {comparison.difference:+6.2f}"
        f" limit {comparison.limit:5.2f} within {within}",
        flush=True,
    )


def print_summary(comparisons: Iterable[Comparison]) -> None:
    """Print, for each learner and size, how many sets agree and the mean difference."""
    groups: dict[tuple[str, int], list[Comparison]] = {}
    for comparison in comparisons:
        key = comparison.reference.scheme, comparison.reference.percent
        groups.setdefault(key, []).append(comparison)
    for (scheme, percent), members in groups.items():
        differences = [c.difference for c in members]
        within = sum(abs(c.difference) <= c.limit for c in members)
        print(
            f"{scheme:14} {percent:>3}%: {within} of {len(members)} sets within the"
            f" limit, mean difference {np.mean(differences):+.2f} points"
        )


def main(arguments: list[str]) -> None:
    """Compare what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reference_decorate")
    parser.add_argument(
        "--schemes", nargs="+", choices=LEARNERS, default=["Decorate15"]
    )
    parser.add_argument("--sets", nargs="+", help="data sets; all by default")
    parser.add_argument("--curve", action="store_true", help="small training sets")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    percents = CURVE if options.curve else (100,)
    comparisons = []
    for reference in read_reference():
        if reference.scheme not in options.schemes or reference.percent not in percents:
            continue
        if options.sets and reference.data not in options.sets:
            continue
        comparisons.append(compare(reference, options.runs, options.jobs))
        print_line(comparisons[-1])
    print_summary(comparisons)


if __name__ == "__main__":
    main(sys.argv[1:])
