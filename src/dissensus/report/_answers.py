"""The parts of a page that come from saved predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.evaluation import SAMPLING_PROTOCOLS
from dissensus.metrics import (
    Form,
    error_correlation,
    kohavi_wolpert,
    pairwise_disagreement,
)
from dissensus.report._scores import Part
from dissensus.report._tables import cell, make_table
from dissensus.results import enough
from dissensus.utils._format import joined, percent
from dissensus.utils._typing import Floats

N_BINS = 10
FRONT, BEHIND = "no pair is better in both", "another pair is better in both"


@dataclass(frozen=True, slots=True, eq=False)
class DatasetPredictions:
    """What all learners said about the same test rows of one data set.

    Attributes
    ----------
    dataset : str
        The data set.
    repeat, row : ndarray of int
        The cross-validation and the row of the data set of each answer.
    truth : ndarray of int
        The true class codes.
    predictions : ndarray of shape (n_learners, n_answers)
        The predicted class codes.
    confidence : ndarray of shape (n_learners, n_answers)
        The probability of the predicted class; NaN without probabilities.
    """

    dataset: str
    repeat: NDArray[np.int64]
    row: NDArray[np.int64]
    truth: NDArray[np.int64]
    predictions: NDArray[np.int64]
    confidence: Floats


@dataclass(frozen=True, slots=True, eq=False)
class StudyPredictions:
    """The answers on all data sets, of learners that have enough of them.

    Attributes
    ----------
    learners : tuple of str
        Their names.
    answers : list of DatasetPredictions
        One for each data set that all of them have done, at least in part.
    note : str
        A sentence on learners that are not among them; empty if all are.
    """

    learners: tuple[str, ...]
    answers: list[DatasetPredictions]
    note: str


def read_predictions(results: Any) -> StudyPredictions:
    """Read the predictions of each data set, for rows that all learners have done."""
    found = {
        dataset: {
            learner: _columns(cells)
            for learner in results.learners
            if (cells := results.answers(dataset, learner))
        }
        for dataset in results.datasets
    }
    done = [
        [name in columns for name in results.learners] for columns in found.values()
    ]
    learners = tuple(results.learners[a] for a in enough(np.array(done)))
    absent = [learner for learner in results.learners if learner not in learners]
    answers = [
        together
        for dataset, columns in found.items()
        if learners
        and all(learner in columns for learner in learners)
        and (together := _together(dataset, [columns[name] for name in learners]))
    ]
    note = f" Not here, for want of predictions: {joined(absent)}." if absent else ""
    return StudyPredictions(learners, answers, note)


def _together(dataset: str, columns: Sequence[Any]) -> DatasetPredictions | None:
    """Return the answers to rows that all learners have; None if there is none."""
    common = columns[0][0]
    for keys, *_ in columns[1:]:
        common = np.intersect1d(common, keys)
    if not len(common):
        return None
    places = [np.searchsorted(keys, common) for keys, *_ in columns]
    truth, predictions, confidence = (
        np.array([c[part][place] for c, place in zip(columns, places, strict=True)])
        for part in (1, 2, 3)
    )
    return DatasetPredictions(
        dataset,
        common >> 32,
        common & (2**32 - 1),
        truth[0],
        predictions,
        confidence,
    )


def _columns(cells: Sequence[tuple[int, Any]]) -> tuple[NDArray[Any], ...]:
    """Return keys of repeat and row, ascending; truth, prediction and confidence."""
    keys = np.concatenate(
        [np.int64(repeat) << 32 | answers.rows for repeat, answers in cells]
    )
    order = np.argsort(keys, kind="stable")
    others = (
        np.concatenate([answers.truth for _, answers in cells]),
        np.concatenate([answers.predictions for _, answers in cells]),
        np.concatenate([_confidence(answers) for _, answers in cells]),
    )
    return keys[order], *(other[order] for other in others)


def _confidence(answers: Any) -> Floats:
    """Return the probability of each predicted class, NaN without probabilities."""
    found = np.full(len(answers.rows), np.nan)
    if answers.proba is not None:
        found[:] = answers.proba[np.arange(len(found)), answers.predictions]
    return found


def bias_variance_part(predictions: StudyPredictions, resampling: str) -> Part | None:
    """Return bias and variance over the repeats of the study."""
    learners, answers = predictions.learners, predictions.answers
    drawn = (
        resampling in SAMPLING_PROTOCOLS
    )  # samples of one pool, in the form of that protocol
    form: Form = SAMPLING_PROTOCOLS[resampling].form if drawn else "plug-in"
    runs = "training sets" if drawn else "cross-validations"
    tables = [_bias_variance(one, form) for one in answers]
    found = [table for table in tables if table is not None]
    if not found:
        return None
    means = np.mean([table for table, _ in found], axis=0)
    n_models = min(n for _, n in found)
    order = np.argsort(means[:, 2], kind="stable").tolist()
    rows = [
        {
            "learner": learners[a],
            "part": part,
            "value": 100 * float(means[a, number]),
            "text": percent(float(means[a, number])),
        }
        for a in order
        for number, part in enumerate(("bias", "variance"))
    ]
    corrected = (
        " The bias is corrected for the number of models, as Weka does it: the parts "
        "then add up to a little less than the error."
        if form == "weka"
        else ""
    )
    where = "" if len(found) == 1 else f", mean over {len(found)} data sets"
    return {
        "id": "bias-variance",
        "title": "Bias and variance",
        "sentence": (
            "The error of each learner taken apart by Kohavi and Wolpert's rule: what "
            "its models get wrong together (bias), and where they differ from each "
            f"other (variance), over {n_models} {runs}{where}.{corrected}"
            f"{predictions.note}"
        ),
        "table": make_table(
            ["learner", "error", "bias", "variance"],
            [
                [learners[a], *(cell(v, percent(v)) for v in means[a, [2, 0, 1]])]
                for a in order
            ],
        ),
        "chart": {
            "kind": "bias-variance",
            "rows": rows,
            "order": [learners[a] for a in order],
            "title": "error, % of rows",
            "most": None,
        },
    }


def _bias_variance(
    answers: DatasetPredictions, form: Form
) -> tuple[Floats, int] | None:
    """Return bias, variance and error of each learner, and the number of models."""
    repeats = np.unique(answers.repeat)
    if len(repeats) < 2:
        return None
    rows, counts = np.unique(answers.row, return_counts=True)
    complete = np.isin(answers.row, rows[counts == len(repeats)])
    order = np.lexsort((answers.row[complete], answers.repeat[complete]))
    shape = (len(repeats), -1)
    truth = answers.truth[complete][order].reshape(shape)[0]
    if not len(truth):
        return None
    parts = []
    for predicted in answers.predictions:
        found = kohavi_wolpert(
            truth, predicted[complete][order].reshape(shape), form=form
        )
        parts.append([found.bias, found.variance, found.error])
    return np.array(parts), len(repeats)


def _mean_matrix(answers: Sequence[DatasetPredictions], function: Any) -> Floats:
    """Return a matrix over pairs of learners, mean over data sets where defined."""
    matrices = np.array([function(a.truth, a.predictions) for a in answers])
    with np.errstate(invalid="ignore"):
        total: Floats = np.nansum(matrices, axis=0) / (~np.isnan(matrices)).sum(axis=0)
    return total


def diversity_part(predictions: StudyPredictions) -> Part | None:
    """Return disagreement against error, for each pair of learners."""
    learners, answers = predictions.learners, predictions.answers
    if len(learners) < 2 or not answers:
        return None
    disagreement = _mean_matrix(answers, pairwise_disagreement)
    errors = np.mean([(a.predictions != a.truth).mean(axis=1) for a in answers], axis=0)
    pairs = [
        (f"{learners[j]} and {learners[i]}", float(disagreement[i, j]), error)
        for i in range(len(learners))
        for j in range(i)
        for error in [float(errors[i] + errors[j]) / 2]
    ]
    pairs.sort(key=lambda pair: pair[2])
    front = _front(pairs)
    named = [f"{name} ({percent(apart)})" for name, apart, _ in front[:3]]
    return {
        "id": "diversity",
        "title": "Diversity against error",
        "sentence": (
            "Each point is a pair of learners: how often just one of them is right, "
            "and their mean error. Pairs to the lower right err little and seldom "
            "together: good partners in a committee. No pair is better in both "
            f"respects than {joined(named)}.{predictions.note}"
        ),
        "table": make_table(
            ["pair", "just one is right", "mean error"],
            [
                [name, cell(apart, percent(apart)), cell(error, percent(error))]
                for name, apart, error in pairs
            ],
        ),
        "chart": {
            "kind": "diversity",
            "rows": [
                {
                    "pair": pair[0],
                    "x": 100 * pair[1],
                    "y": 100 * pair[2],
                    "apart": percent(pair[1]),
                    "error": percent(pair[2]),
                    "standing": FRONT if pair in front else BEHIND,
                }
                for pair in pairs
            ],
        },
    }


def _front(pairs: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """Return the pairs, of ascending error, that no other has less error and more."""
    found, most = [], -1.0
    for pair in pairs:
        if pair[1] > most:
            found.append(pair)
            most = pair[1]
    return found


def correlation_part(predictions: StudyPredictions) -> Part | None:
    """Return how often two learners make the same error where one errs."""
    learners, answers = predictions.learners, predictions.answers
    if len(learners) < 2 or not answers:
        return None
    matrix = _mean_matrix(answers, error_correlation)
    rows: list[dict[str, Any]] = [
        {
            "first": first,
            "second": second,
            "value": float(matrix[i, j]),
            "text": f"{matrix[i, j]:.2f}",
        }
        for i, first in enumerate(learners)
        for j, second in enumerate(learners)
        if i != j and not np.isnan(matrix[i, j])
    ]
    return {
        "id": "error-correlation",
        "title": "Error correlation",
        "sentence": (
            "Where at least one of two learners errs, the share of rows on which both "
            "make the same error. The smaller, the more they have to offer each other."
            f"{predictions.note}"
        ),
        "table": make_table(
            ["learner", *learners],
            [
                [
                    first,
                    *(
                        ""
                        if i == j
                        else cell(float(matrix[i, j]), f"{matrix[i, j]:.3f}")
                        for j in range(len(learners))
                    ),
                ]
                for i, first in enumerate(learners)
            ],
        ),
        "chart": {
            "kind": "correlation",
            "rows": rows,
            "learners": list(learners),
            "most": max((row["value"] for row in rows), default=0.0) or 1.0,
        },
    }


def calibration_part(predictions: StudyPredictions) -> Part | None:
    """Return how often learners are right when they are so sure."""
    learners, answers = predictions.learners, predictions.answers
    rows, errors, known = [], [], []
    for number, learner in enumerate(learners):
        confidence = np.concatenate([a.confidence[number] for a in answers] or [[]])
        right = np.concatenate(
            [a.predictions[number] == a.truth for a in answers] or [[]]
        )
        answered = ~np.isnan(confidence)
        if not answered.any():
            continue
        bins = _bins(confidence[answered], right[answered])
        total = sum(line["count"] for line in bins)
        gap = sum(line["count"] * abs(line["right"] - line["sure"]) for line in bins)
        surplus = sum(line["count"] * (line["sure"] - line["right"]) for line in bins)
        known.append(learner)
        rows += [_calibration_row(learner, line) for line in bins]
        errors.append(
            [
                learner,
                cell(gap / total, percent(gap / total)),
                cell(surplus / total, f"{100 * surplus / total:+.1f} %"),
            ]
        )
    if not rows:
        return None
    return {
        "id": "calibration",
        "title": "Calibration",
        "sentence": (
            "How often a learner is right when it gives its answer so much "
            "probability. On the dotted line it is as sure as it should be; below it, "
            "too sure. The larger a point, the more answers it stands for. The table "
            "has the mean distance from the line, and by how much the probabilities "
            f"are too high.{predictions.note}"
        ),
        "table": make_table(["learner", "calibration error", "too sure by"], errors),
        "captions": known,
        "chart": {
            "kind": "calibration",
            "rows": rows,
            "learners": known,
        },
    }


def _calibration_row(learner: str, line: dict[str, float]) -> dict[str, Any]:
    return {
        "learner": learner,
        "sure": 100 * line["sure"],
        "right": 100 * line["right"],
        "sure_text": percent(line["sure"]),
        "right_text": percent(line["right"]),
        "count": line["count"],
    }


def _bins(confidence: Floats, right: NDArray[np.bool_]) -> list[dict[str, float]]:
    """Return the mean confidence and the share of right answers of each tenth."""
    places = np.minimum((confidence * N_BINS).astype(int), N_BINS - 1)
    return [
        {
            "sure": float(confidence[places == place].mean()),
            "right": float(right[places == place].mean()),
            "count": int((places == place).sum()),
        }
        for place in range(N_BINS)
        if (places == place).any()
    ]
