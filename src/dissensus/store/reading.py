"""The cells of one study, read from a store."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dissensus.exceptions import ExperimentError, StoreError
from dissensus.metrics import compute_measures
from dissensus.store._predictions import CellPredictions, unpack
from dissensus.store._records import FOLDS, regime
from dissensus.store._store import Store
from dissensus.table import import_polars
from dissensus.utils._names import suggest

# Columns of the frame of cells, as they are in the store.
COLUMNS = (
    *("id", "dataset", "text", "repeat", "fold", "fraction", "noise"),
    *("failure", "n_train", "n_test", "n_correct"),
    *("fit_seconds", "predict_seconds", "leaves", "members"),
)
TEXTS = {"dataset", "text", "failure", "learner", "error", "details", "notes"}
REALS = {"fraction", "noise", "fit_seconds", "predict_seconds"}

TASK = ("repeat", "fold", "fraction", "noise")

# The store may hold several studies; this is one. Lists are given as JSON.
OF_STUDY = """
FROM cells WHERE seed = :seed AND protocol = :protocol AND folds = :folds
AND version = :version AND repeat < :repeats
AND dataset || '|' || fingerprint IN (SELECT value FROM json_each(:datasets))
AND text || '|' || versions IN (SELECT value FROM json_each(:learners))
"""


@dataclass(frozen=True, slots=True, eq=False)
class StudyRecord:
    """What the store knows about one study.

    Attributes
    ----------
    content : mapping
        The specification.
    version : str
        Version of the package.
    started : str
        Time at which it was first run.
    """

    content: Mapping[str, Any]
    version: str
    started: str

    @property
    def labels(self) -> dict[str, str]:
        """The names of the learners in tables, by identity."""
        return {
            learner["text"]: label
            for label, learner in self.content["learners"].items()
        }

    @property
    def resampling(self) -> str:
        """How training and test sets were drawn."""
        # Stores of the first versions do not say: they had folds only.
        return str(self.content.get("resampling", FOLDS))

    def parameters(self) -> dict[str, Any]:
        """Return what `OF_STUDY` is to be asked with."""
        content = self.content
        learners = content["learners"].values()
        datasets = content["datasets"].items()
        return {
            **{name: content[name] for name in ("seed", "folds", "repeats")},
            "protocol": regime(content["protocol"], self.resampling),
            "version": self.version,
            "datasets": json.dumps([f"{n}|{d['fingerprint']}" for n, d in datasets]),
            "learners": json.dumps([f"{e['text']}|{e['versions']}" for e in learners]),
        }


def read_study(store: Store) -> StudyRecord:
    """Return the study that was run last."""
    rows = store.read(
        "SELECT spec, version, started FROM runs ORDER BY id DESC LIMIT 1"
    )
    if not rows:
        raise StoreError(f"{store.name}: no study was ever run with this store.")
    spec, version, started = rows[0]
    return StudyRecord(json.loads(spec), version, started)


def read_cells(store: Store, study: StudyRecord) -> Any:
    """Return a polars frame with a row for each saved cell of a study.

    They are in the order of the study, whatever the order in which they were run.
    """
    pl = import_polars()
    rows = store.read(f"SELECT {', '.join(COLUMNS)} {OF_STUDY}", study.parameters())
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(COLUMNS)
    frame = pl.DataFrame(
        [
            pl.Series(name, column, dtype=_dtype(pl, name))
            for name, column in zip(COLUMNS, columns, strict=True)
        ]
    )
    wanted = [study.content["fractions"], study.content["noise"]]
    frame = frame.filter(
        pl.col("fraction").is_in(wanted[0]) & pl.col("noise").is_in(wanted[1])
    )
    labels = study.labels
    frame = frame.with_columns(
        pl.col("text").replace_strict(labels, return_dtype=pl.String).alias("learner")
    )
    places = [
        pl.col(name).cast(pl.Enum(list(study.content[f"{name}s"])))
        for name in ("dataset", "learner")
    ]
    return frame.sort(*places, *TASK)


def _dtype(pl: Any, name: str) -> Any:
    if name in TEXTS:
        return pl.String
    return pl.Float64 if name in REALS else pl.Int64


def read_scores(store: Store, measure: str) -> tuple[list[int], list[float]]:
    """Return the cells that have a score by this measure, and the scores."""
    rows = store.read("SELECT cell, value FROM scores WHERE measure = ?", (measure,))
    if not rows:
        return [], []
    cells, values = zip(*rows, strict=True)
    return list(cells), [np.nan if value is None else value for value in values]


def read_failures(store: Store, study: StudyRecord) -> Any:
    """Return a polars frame with the errors of the cells that failed."""
    pl = import_polars()
    names = ("dataset", "text", *TASK, "failure", "error", "details")
    rows = store.read(
        f"SELECT {', '.join(names)} {OF_STUDY} AND failure != ''", study.parameters()
    )
    schema = {name: _dtype(pl, name) for name in names}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    labels = study.labels
    return frame.with_columns(
        pl.col("text").replace_strict(labels, return_dtype=pl.String)
    ).rename({"text": "learner"})


def read_answers(store: Store, cell: int) -> CellPredictions | None:
    """Return the predictions of one cell; None if it failed."""
    rows = store.read(
        "SELECT packed, n_test, json_array_length(classes) FROM answers "
        "JOIN cells ON cells.id = cell JOIN datasets USING (fingerprint) "
        "WHERE cell = ?",
        (cell,),
    )
    return unpack(*rows[0]) if rows else None


def read_right(
    store: Store, cells: Any, datasets: Sequence[str], learners: Sequence[str]
) -> tuple[Any, ...]:
    """Return for each data set which test rows each learner gets right."""
    parts = [cells.filter(cells["dataset"] == dataset) for dataset in datasets]
    return tuple(_right(store, part, learners) for part in parts)


def _right(store: Store, cells: Any, learners: Sequence[str]) -> Any:
    """Return 1 where a learner is right, 0 where it is wrong, NaN without answers."""
    found = {
        learner: read_answers(store, cell)
        for learner, cell in cells.select("learner", "id").iter_rows()
    }
    answers = [found.get(learner) for learner in learners]
    n_rows = max((len(a.truth) for a in answers if a is not None), default=0)
    right = np.full((len(answers), n_rows), np.nan)
    for line, a in zip(right, answers, strict=True):
        if a is not None:
            line[:] = a.predictions == a.truth
    return right


def read_classes(store: Store, study: StudyRecord, dataset: str) -> list[str]:
    """Return the class labels of a data set, in the order of their codes."""
    described = study.content["datasets"].get(dataset)
    if described is None:
        raise ExperimentError(
            f"There is no data set {dataset!r}. "
            f"{suggest(dataset, study.content['datasets'])}"
        )
    rows = store.read(
        "SELECT classes FROM datasets WHERE fingerprint = ?",
        (described["fingerprint"],),
    )
    labels: list[str] = json.loads(rows[0][0])
    return labels


def read_described(store: Store, study: StudyRecord) -> Any:
    """Return a polars frame with the size and the digest of each data set."""
    sizes = {
        row[0]: row[1:]
        for row in store.read(
            "SELECT fingerprint, n_rows, n_numeric, n_nominal, "
            "json_array_length(classes) FROM datasets"
        )
    }
    rows = [
        (name, *sizes[described["fingerprint"]], described["fingerprint"])
        for name, described in study.content["datasets"].items()
    ]
    names = ("dataset", "rows", "numeric", "nominal", "classes", "fingerprint")
    return import_polars().DataFrame(rows, schema=names, orient="row")


def answers_frame(answers: CellPredictions | None, labels: list[str], task: Any) -> Any:
    """Return the predictions of one cell as a polars frame."""
    pl = import_polars()
    assert answers is not None
    names = np.array(labels)
    columns: dict[str, Any] = {
        name: [value] * len(answers.rows)
        for name, value in zip(TASK, task, strict=True)
    }
    columns["row"] = answers.rows
    columns["truth"] = names[answers.truth]
    columns["prediction"] = names[answers.predictions]
    if answers.proba is not None:
        for label, column in zip(labels, answers.proba.T, strict=True):
            columns[f"p({label})"] = np.ascontiguousarray(column)
    return pl.DataFrame(columns)


def compute_scores(store: Store, cells: list[int], measure: str) -> list[float]:
    """Compute a measure from saved predictions; NaN where there are none."""
    scores = []
    for cell in cells:
        answers = read_answers(store, cell)
        if answers is None:
            scores.append(float("nan"))
            continue
        found = compute_measures(
            answers.truth,
            predictions=answers.predictions,
            proba=answers.proba,
            names=[measure],
        )
        scores.append(found[measure])
    return scores
