"""Cross-validated accuracies that Weka's learners reached, and their training sets."""

import csv
import gzip
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks._weka import Weka, run_weka
from dissensus.io import read_table
from dissensus.table import Table

SHARED = Path(os.environ.get("DISSENSUS_SHARED", Path(__file__).parents[2] / "shared"))
FOLDS = 10

Rows = NDArray[np.intp]
Orders = dict[tuple[int, int], Rows]
"""The training rows of each (run, fold), in an order whose prefixes are stratified."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What Weka reached with one learner at one size of the training set."""

    data: str
    scheme: str
    percent: int
    accuracies: tuple[float, ...]
    members: float


def read_reference(
    schemes: Sequence[str], percents: Sequence[int], sets: Sequence[str] | None
) -> list[Reference]:
    """Read Weka's accuracies; DECORATE with its check lifted counts as DECORATE."""
    with (SHARED / "oracles" / "cv-reference.csv").open(encoding="utf-8") as file:
        everything = [
            Reference(
                row["data"],
                row["scheme"].removesuffix("any"),
                int(row["percent"]),
                tuple(float(a) for a in row["run_accs"].split()),
                float(row["members_mean"] or "nan"),
            )
            for row in csv.DictReader(file)
        ]
    return [
        reference
        for reference in everything
        if reference.scheme in schemes
        and reference.percent in percents
        and (not sets or reference.data in sets)
    ]


def describe(name: str) -> dict[str, Any]:
    """Return what is known about a data set: its file, class and identifiers."""
    listed = json.loads((SHARED / "data" / "datasets.json").read_text())["datasets"]
    return {entry["name"]: entry for entry in listed}[name]


@cache
def load(name: str) -> tuple[Table, Rows]:
    """Read a data set without its identifiers, classes as codes in declared order."""
    entry = describe(name)
    data = read_table(
        SHARED / "data" / entry["file"],
        target=entry["class_attribute"],
        drop=entry["identifier_attributes"],
    )
    order = {label: c for c, label in enumerate(entry["class_labels_declared"])}
    y = np.array([order[str(label)] for label in data.y])
    return Table.from_any(data.X), np.unique(y, return_inverse=True)[1]


@cache
def read_folds(name: str) -> list[Rows]:
    """Return, for each run, the test fold of every row."""
    with gzip.open(SHARED / "oracles" / "cv-folds.json.gz", "rt") as file:
        return [np.array([int(c) for c in run]) for run in json.load(file)[name]]


def prefix(order: Rows, percent: int) -> Rows:
    """Return the training rows of a point of the learning curve, rounded up."""
    return order[: math.ceil(len(order) * percent / 100)]


def weka_orders(weka: Weka, name: str, runs: int) -> Orders:
    """Have Weka itself shuffle: with these rows J48 is the same tree as in the file."""
    entry = describe(name)
    arff = str(SHARED / "data" / entry["file"])
    text = run_weka(weka, "TrainingOrders", arff, entry["class_attribute"], str(runs))
    orders: Orders = {}
    for line in text.splitlines():
        run, fold, *rows = map(int, line.split())
        orders[run, fold] = np.array(rows)
    return orders


def own_orders(name: str, runs: int) -> Orders:
    """Shuffle without Weka: the same rule, other rows."""
    _, y = load(name)
    orders: Orders = {}
    for run in range(runs):
        folds = read_folds(name)[run]
        for fold in range(FOLDS):
            rng = np.random.default_rng([run, fold])
            shuffled = rng.permutation(np.flatnonzero(folds != fold))
            orders[run, fold] = shuffled[np.argsort(_progress(y[shuffled]))]
    return orders


def _progress(y: Rows) -> NDArray[np.float64]:
    """Return how far within its class each row stands, from 0 to 1."""
    progress = np.empty(len(y))
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        progress[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
    return progress
