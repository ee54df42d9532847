"""Which mode of a cascade errs least: paper, crossfit or guarded.

Run it from the root of the repository, with names of data sets or paths of files whose
inputs are numbers without gaps (it takes minutes)::

    python -m benchmarks.study_cascade_modes wine wdbc path/to/sonar.arff

Every line is a pair of learners; the numbers are per cent of errors in one five-fold
cross-validation. The last lines are means by the learner that decides.
"""

import sys
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from dissensus import load_dataset
from dissensus.bayes import NaiveBayesClassifier
from dissensus.ensemble import after
from dissensus.linear import DiscriminantClassifier
from dissensus.tree import C45Classifier

BELOW = {
    "NB": NaiveBayesClassifier(),
    "Discrim": DiscriminantClassifier(),
    "C4.5": C45Classifier(),
    "1-NN": KNeighborsClassifier(1),
    "5-NN": KNeighborsClassifier(5),
}
ABOVE = {
    "C4.5": C45Classifier(),
    "forest": RandomForestClassifier(20, random_state=0),
    "NB": NaiveBayesClassifier(),
}
MODES: dict[str, dict[str, Any]] = {
    "paper": {},
    "crossfit": {"mode": "crossfit"},
    "crossfit x3": {"mode": "crossfit", "n_repeats": 3},
    "guarded": {"mode": "guarded"},
    "guarded x3": {"mode": "guarded", "n_repeats": 3},
}
FOLDS = StratifiedKFold(5, shuffle=True, random_state=1)


def errors(above: Any, below: Any, X: Any, y: Any) -> list[float]:
    """Return the error of each mode, in per cent."""
    wrong = np.zeros(len(MODES))
    for train, test in FOLDS.split(X, y):
        for number, options in enumerate(MODES.values()):
            cascade = after(above, below, random_state=0, **options)
            cascade.fit(X[train], y[train])
            wrong[number] += np.count_nonzero(cascade.predict(X[test]) != y[test])
    return [float(error) for error in 100 * wrong / len(y)]


def main(names: list[str]) -> None:
    """Print the errors of every pair of learners, and their means."""
    means: dict[str, list[list[float]]] = {name: [] for name in ABOVE}
    print(f"{'':36}" + "".join(f"{mode:>13}" for mode in MODES))
    for name in names:
        data = load_dataset(name)
        X, y = np.asarray(data.X, dtype=np.float64), np.asarray(data.y)
        for decider, above in ABOVE.items():
            for first, below in BELOW.items():
                found = errors(above, below, X, y)
                means[decider].append(found)
                pair = f"{data.name}: {decider} after {first}"
                print(f"{pair:36}" + "".join(f"{e:13.1f}" for e in found), flush=True)
    for decider, rows in means.items():
        mean = np.mean(rows, axis=0)
        print(f"{'mean, ' + decider:36}" + "".join(f"{e:13.2f}" for e in mean))


if __name__ == "__main__":
    main(sys.argv[1:])
