"""Cross-validated accuracy of our learners beside that of Weka's, on the same folds.

Run it from the root of the repository, with the outputs of Weka in `../shared/oracles`
(or where DISSENSUS_SHARED points)::

    python -m benchmarks.reference_cv --jobs 2
    python -m benchmarks.reference_cv --curve --schemes J48 Decorate15 --seeds 5
    python -m benchmarks.reference_cv --sets iris labor --schemes Bagging15 --markdown

The ensembles are random, so results can agree in distribution only: a difference of the
means is compared with twice its standard error over the runs. J48 is not random and
shows that data, folds and the training sets of the curve are the same. The rows of the
curve's training sets are Weka's where Java and `weka.jar` are installed, and otherwise
drawn by the same rule.
"""

import argparse
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone

from benchmarks._reference import (
    FOLDS,
    Orders,
    Reference,
    Rows,
    load,
    own_orders,
    prefix,
    read_folds,
    read_reference,
    weka_orders,
)
from benchmarks._report import markdown_table
from benchmarks._weka import find_weka
from dissensus import (
    AdaBoostM1Classifier,
    BaggingClassifier,
    C45Classifier,
    DecorateClassifier,
)

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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Means over runs, ours and Weka's, and twice the error of their difference."""

    reference: Reference
    ours: NDArray[np.float64]
    members: float

    @property
    def mean(self) -> float:
        """Our mean accuracy, in per cent."""
        return float(self.ours.mean())

    @property
    def theirs(self) -> float:
        """Weka's mean accuracy, in per cent."""
        return float(np.mean(self.reference.accuracies))

    @property
    def difference(self) -> float:
        """Ours less Weka's, in points."""
        return self.mean - self.theirs

    @property
    def equal_runs(self) -> int:
        """How many runs have the very accuracy of the reference."""
        pairs = zip(self.ours, self.reference.accuracies, strict=False)
        return sum(abs(ours - theirs) < 1e-3 for ours, theirs in pairs)

    @property
    def is_within(self) -> bool:
        """Whether the difference may be chance; the reference has four decimals."""
        return abs(self.difference) <= self.limit + 1e-4

    @property
    def limit(self) -> float:
        """Twice the standard error of the difference."""
        parts = [
            np.var(runs, ddof=1) / len(runs) if len(runs) > 1 else 0.0
            for runs in (self.ours, self.reference.accuracies)
        ]
        return 2 * float(np.sqrt(sum(parts)))


def make_learner(scheme: str, seed: int, classes: Rows | None) -> Any:
    """Return a learner with its seed and, if it has a place for them, all classes."""
    learner = clone(LEARNERS[scheme])
    given = {"random_state": seed, "classes": classes}
    known = learner.get_params(deep=False)
    return learner.set_params(**{k: v for k, v in given.items() if k in known})


def run_accuracy(
    name: str, scheme: str, run: int, seed: int, training: list[Rows], *, declare: bool
) -> tuple[float, float]:
    """Cross-validate once; return the accuracy in per cent and the mean members."""
    table, y = load(name)
    folds = read_folds(name)[run]
    correct, members = 0, []
    for fold, train in enumerate(training):
        classes = np.unique(y) if declare else None
        model = make_learner(scheme, 1000 * seed + 100 * run + fold, classes)
        with warnings.catch_warnings():
            # scikit-learn wonders whether five rows of four classes are a regression
            warnings.simplefilter("ignore", UserWarning)
            model.fit(table.take(train), y[train])
        test = np.flatnonzero(folds == fold)
        correct += int((model.predict(table.take(test)) == y[test]).sum())
        members.append(len(getattr(model, "estimators_", [model])))
    return 100 * correct / len(y), float(np.mean(members))


@cache
def training_orders(name: str, runs: int) -> Orders:
    """Return the orders whose prefixes are the training sets of the curve."""
    weka = find_weka()
    return weka_orders(weka, name, runs) if weka else own_orders(name, runs)


def training_sets(reference: Reference, run: int) -> list[Rows]:
    """Return the training rows of each fold of a run."""
    name, percent = reference.data, reference.percent
    if percent == 100:
        folds = read_folds(name)[run]
        return [np.flatnonzero(folds != fold) for fold in range(FOLDS)]
    orders = training_orders(name, len(read_folds(name)))
    return [np.sort(prefix(orders[run, fold], percent)) for fold in range(FOLDS)]


def compare(
    reference: Reference, seeds: int, pool: Any, *, declare: bool
) -> Comparison:
    """Repeat the runs of the reference and put ours beside it."""
    seeds = seeds if "random_state" in LEARNERS[reference.scheme].get_params() else 1
    results = pool(
        delayed(run_accuracy)(
            reference.data,
            reference.scheme,
            run,
            seed,
            training_sets(reference, run),
            declare=declare,
        )
        for seed in range(seeds)
        for run in range(len(reference.accuracies))
    )
    accuracies, members = zip(*results, strict=True)
    return Comparison(reference, np.array(accuracies), float(np.mean(members)))


def print_line(comparison: Comparison) -> None:
    """Print one comparison."""
    reference = comparison.reference
    print(
        f"{reference.scheme:14} {reference.percent:>3}% {reference.data:10}"
        f" ours {comparison.mean:6.2f} [{comparison.members:4.1f}]"
        f" Weka {comparison.theirs:6.2f} [{reference.members:4.1f}]"
        f" difference {comparison.difference:+z6.2f}"
        f" limit {comparison.limit:5.2f} within {verdict(comparison)}"
        f" equal runs {comparison.equal_runs}",
        file=sys.stderr,
        flush=True,
    )


def verdict(comparison: Comparison) -> str:
    """Say whether the difference may be chance."""
    return "yes" if comparison.is_within else "no"


def as_table(comparisons: Iterable[Comparison]) -> str:
    """Return every comparison as a line of a table."""
    headings = (
        "learner",
        "rows",
        "data",
        "ours",
        "Weka",
        "difference",
        "2 se",
        "within",
    )
    return markdown_table(
        headings,
        (
            (
                c.reference.scheme,
                f"{c.reference.percent} %",
                c.reference.data,
                f"{c.mean:.2f}",
                f"{c.theirs:.2f}",
                f"{c.difference:+z.2f}",
                f"{c.limit:.2f}",
                verdict(c),
            )
            for c in comparisons
        ),
        slice(3, 7),
    )


def as_summary(comparisons: Iterable[Comparison]) -> str:
    """Return, for each learner and size, the means over sets and how many agree."""
    groups: dict[tuple[str, int], list[Comparison]] = {}
    for comparison in comparisons:
        key = comparison.reference.scheme, comparison.reference.percent
        groups.setdefault(key, []).append(comparison)
    headings = (
        "learner",
        "rows",
        "ours",
        "Weka",
        "mean difference",
        "sets within 2 se",
    )
    lines = [
        (
            scheme,
            f"{percent} %",
            f"{np.mean([c.mean for c in members]):.2f}",
            f"{np.mean([c.theirs for c in members]):.2f}",
            f"{np.mean([c.difference for c in members]):+z.2f}",
            f"{sum(c.is_within for c in members)} of {len(members)}",
        )
        for (scheme, percent), members in sorted(groups.items())
    ]
    return markdown_table(headings, lines, slice(2, 5))


def main(arguments: list[str]) -> None:
    """Compare what the command line asks for."""
    options = parse_arguments(arguments)
    percents = CURVE if options.curve else (100,)
    wanted = read_reference(options.schemes, percents, options.sets)
    comparisons = []
    with Parallel(n_jobs=options.jobs) as pool:
        for reference in wanted:
            found = compare(
                reference, options.seeds, pool, declare=not options.observed
            )
            comparisons.append(found)
            print_line(found)
    print(as_table(comparisons), as_summary(comparisons), sep="\n\n")


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reference_cv")
    parser.add_argument("--schemes", nargs="+", choices=LEARNERS, default=[*LEARNERS])
    parser.add_argument("--sets", nargs="+", help="data sets; all by default")
    parser.add_argument("--curve", action="store_true", help="small training sets")
    parser.add_argument(
        "--seeds", type=int, default=1, help="how often to repeat the runs"
    )
    parser.add_argument(
        "--observed",
        action="store_true",
        help="do not tell DECORATE the classes that its training set lacks",
    )
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
