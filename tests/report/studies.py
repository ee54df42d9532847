"""Small studies to make pages of."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from dissensus.experiment import DatasetSpec, ExperimentSpec, compare, run_experiment
from dissensus.results import Results

EVIL = "<img src=x onerror=alert(1)>"


class Stubborn(ClassifierMixin, BaseEstimator):  # type: ignore[misc,unused-ignore]
    """A learner that fails on all but small sets, and else says one class."""

    def fit(self, X: Any, y: Any) -> Stubborn:
        if len(y) > 33:
            raise ValueError("<b>too many</b> rows")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


def make_data(name: str, n_rows: int = 60, seed: int = 0) -> DatasetSpec:
    """Return rows whose class is mostly told by two of three columns."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n_rows)
    X = pd.DataFrame(
        {"size": rng.normal(size=n_rows), "weight": rng.normal(size=n_rows)}
    )
    X["colour"] = pd.Categorical(colour)
    told = X["size"] + (colour == "red") + 0.5 * rng.normal(size=n_rows) > 0.3
    return DatasetSpec(name, X=X, y=np.where(told, "yes", "no"))


def run(
    datasets: Any, learners: Any, *, repeats: int = 2, folds: int = 3, **rest: Any
) -> Results:
    """Run a study in this process, in memory unless a store is given."""
    store = rest.pop("store", None)
    spec = ExperimentSpec(datasets, learners, repeats=repeats, folds=folds, **rest)
    return run_experiment(spec, store, executor="serial")


LEARNERS = {
    "C4.5": "c45",
    "naive Bayes": "nb",
    "after naive Bayes": "cascade(nb, c45)",
    "majority": "majority",
}


def several(**rest: Any) -> Results:
    """Return a study of several data sets, with everything that a page can show."""
    datasets = [make_data(f"data {i}", 50 + i, i) for i in range(6)]
    options = {"fractions": (0.5, 1.0), "noise": (0.0, 0.2), "seed": 7, **rest}
    learners = {**LEARNERS, "stubborn": Stubborn()}
    return run(datasets, learners, **options)


def one(**rest: Any) -> Results:
    """Return a study of one data set that comes with the package."""
    return run(["monks-3"], LEARNERS, repeats=2, folds=5, **rest)


def tested() -> Results:
    """Return a study with one test set."""
    data, other = make_data(""), make_data("", seed=1)
    test = (other.X, other.y)
    return compare(data.X, data.y, ["c45", "nb"], test=test, executor="serial")


def evil(**rest: Any) -> Results:
    """Return a study whose names are HTML."""
    data = make_data("")
    X = data.X.rename(columns={"size": f"</script>{EVIL}"})
    y = np.array([f"{EVIL}{label}" for label in data.y])
    datasets = [
        DatasetSpec(f"{EVIL}<script>alert(2)</script>", X=X, y=y),
        DatasetSpec("b&amp;'\"", X=X, y=y),
    ]
    learners = {
        f"{EVIL}one": "c45",
        "</script><script>alert(3)</script>": "nb",
        "a.b['c']\\": "lda",
    }
    return run(datasets, learners, fractions=(0.5, 1.0), title=f"{EVIL}title", **rest)


def without_cells(store: Path, where: str) -> Results:
    """Return the study of a store after some of its cells were removed."""
    with sqlite3.connect(store) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute(f"DELETE FROM cells WHERE {where}")
    database.close()
    return Results.open(store)
