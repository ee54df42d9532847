"""The parts of a page that come from saved predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.metrics import error_correlation, kohavi_wolpert, pairwise_disagreement
from dissensus.report._tables import cell, make_table, number_text, percent

Floats = NDArray[np.float64]
Part = dict[str, Any]
N_BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
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


def gather(results: Any) -> list[Answers]:
    """Read the predictions of each data set, for rows that all learners have done."""
    found = (_gather(results, dataset) for dataset in results.datasets)
    return [answers for answers in found if answers is not None]


def _gather(results: Any, dataset: str) -> Answers | None:
    content = results.spec
    fraction, noise = max(content["fractions"]), min(content["noise"])
    frames = []
    for learner in results.learners:
        frame = results.predictions(dataset, learner)
        if not len(frame):
            return None
        chosen = frame.filter(
            (frame["fraction"] == fraction) & (frame["noise"] == noise)
        )
        frames.append(chosen.sort("repeat", "row"))
    keys = [
        frame["repeat"].to_numpy().astype(np.int64) << 32 | frame["row"].to_numpy()
        for frame in frames
    ]
    common = keys[0]
    for key in keys[1:]:
        common = np.intersect1d(common, key)
    if not len(common):
        return None
    frames = [
        frame[np.searchsorted(key, common)]
        for frame, key in zip(frames, keys, strict=True)
    ]
    labels, codes = _codes(frames)
    return Answers(
        dataset,
        common >> 32,
        common & (2**32 - 1),
        codes[0],
        codes[1:],
        np.array([_confidence(frame, labels) for frame in frames]),
    )


def _codes(frames: Sequence[Any]) -> tuple[list[str], NDArray[np.int64]]:
    """Return all labels, and the codes of the truth and of each prediction."""
    texts = [frames[0]["truth"], *(frame["prediction"] for frame in frames)]
    labels = sorted({label for series in texts for label in series.unique().to_list()})
    code = {label: number for number, label in enumerate(labels)}
    codes = [[code[label] for label in series.to_list()] for series in texts]
    return labels, np.array(codes, dtype=np.int64)


def _confidence(frame: Any, labels: Sequence[str]) -> Floats:
    """Return the probability of each predicted class, NaN without probabilities."""
    found = np.full(len(frame), np.nan)
    predicted = frame["prediction"].to_numpy()
    for label in labels:
        if f"p({label})" in frame.columns:
            chosen = predicted == label
            found[chosen] = frame[f"p({label})"].to_numpy()[chosen]
    return found


def bias_variance_part(
    gathered: Sequence[Answers], learners: Sequence[str]
) -> Part | None:
    """Return bias and variance over the repeats of the cross-validation."""
    tables = [_bias_variance(answers) for answers in gathered]
    found = [table for table in tables if table is not None]
    if not found:
        return None
    means = np.mean([table for table, _ in found], axis=0)
    n_models = min(n for _, n in found)
    rows = [
        {"learner": learner, "part": part, "value": float(means[a, number])}
        for a, learner in enumerate(learners)
        for number, part in enumerate(("bias", "variance"))
    ]
    where = "" if len(found) == 1 else f", mean over {len(found)} data sets"
    return {
        "id": "bias-variance",
        "title": "Bias and variance",
        "sentence": (
            "The error of each learner taken apart by Kohavi and Wolpert's rule: what "
            "its models get wrong together (bias), and where they differ from each "
            f"other (variance), over the {n_models} cross-validations{where}."
        ),
        "table": make_table(
            ["learner", "error", "bias", "variance"],
            [
                [learner, *(cell(v, percent(v)) for v in (b + s, b, s))]
                for learner, (b, s) in zip(learners, means.tolist(), strict=True)
            ],
            "Bias and variance",
        ),
        "chart": {"kind": "bias-variance", "rows": rows},
    }


def _bias_variance(answers: Answers) -> tuple[Floats, int] | None:
    """Return bias and variance of each learner, and the number of models."""
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
        found = kohavi_wolpert(truth, predicted[complete][order].reshape(shape))
        parts.append([found.bias, found.variance])
    return np.array(parts), len(repeats)


def _mean_matrix(gathered: Sequence[Answers], function: Any) -> Floats:
    """Return a matrix over pairs of learners, mean over data sets where defined."""
    matrices = np.array([function(a.truth, a.predictions) for a in gathered])
    with np.errstate(invalid="ignore"):
        total: Floats = np.nansum(matrices, axis=0) / (~np.isnan(matrices)).sum(axis=0)
    return total


def diversity_part(gathered: Sequence[Answers], learners: Sequence[str]) -> Part | None:
    """Return disagreement against error, for each pair of learners."""
    if len(learners) < 2 or not gathered:
        return None
    disagreement = _mean_matrix(gathered, pairwise_disagreement)
    errors = np.mean(
        [(a.predictions != a.truth).mean(axis=1) for a in gathered], axis=0
    )
    rows: list[dict[str, Any]] = [
        {
            "pair": f"{learners[j]} and {learners[i]}",
            "disagreement": float(disagreement[i, j]),
            "error": float(errors[i] + errors[j]) / 2,
        }
        for i in range(len(learners))
        for j in range(i)
    ]
    rows.sort(key=lambda row: row["error"])
    return {
        "id": "diversity",
        "title": "Diversity against error",
        "sentence": (
            "Each point is a pair of learners: how often just one of them is right, "
            "and their mean error. Pairs to the lower right err little and seldom "
            "together: good partners in a committee."
        ),
        "table": make_table(
            ["pair", "disagreement", "mean error"],
            [
                [
                    row["pair"],
                    cell(row["disagreement"], percent(row["disagreement"])),
                    cell(row["error"], percent(row["error"])),
                ]
                for row in rows
            ],
            "Diversity against error",
        ),
        "chart": {"kind": "diversity", "rows": rows},
    }


def correlation_part(
    gathered: Sequence[Answers], learners: Sequence[str]
) -> Part | None:
    """Return how often two learners make the same error where one errs."""
    if len(learners) < 2 or not gathered:
        return None
    matrix = _mean_matrix(gathered, error_correlation)
    rows = [
        {"first": first, "second": second, "value": float(matrix[i, j])}
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
        ),
        "table": make_table(
            ["learner", *learners],
            [
                [
                    first,
                    *(
                        ""
                        if i == j
                        else cell(
                            float(matrix[i, j]),
                            number_text(round(float(matrix[i, j]), 3)),
                        )
                        for j in range(len(learners))
                    ),
                ]
                for i, first in enumerate(learners)
            ],
            "Error correlation",
        ),
        "chart": {"kind": "correlation", "rows": rows, "learners": list(learners)},
    }


def calibration_part(
    gathered: Sequence[Answers], learners: Sequence[str]
) -> Part | None:
    """Return how often learners are right when they are so sure."""
    rows, errors = [], []
    for number, learner in enumerate(learners):
        confidence = np.concatenate([a.confidence[number] for a in gathered] or [[]])
        right = np.concatenate(
            [a.predictions[number] == a.truth for a in gathered] or [[]]
        )
        known = ~np.isnan(confidence)
        if not known.any():
            continue
        bins = _bins(confidence[known], right[known])
        rows += [{"learner": learner, **line} for line in bins]
        total = sum(line["count"] for line in bins)
        gap = sum(line["count"] * abs(line["right"] - line["sure"]) for line in bins)
        errors.append([learner, cell(gap / total, percent(gap / total))])
    if not rows:
        return None
    return {
        "id": "calibration",
        "title": "Calibration",
        "sentence": (
            "How often a learner is right when it gives its answer so much "
            "probability. On the dotted line it is as sure as it should be; below it, "
            "too sure. The table has the mean distance from the line."
        ),
        "table": make_table(["learner", "calibration error"], errors, "Calibration"),
        "chart": {"kind": "calibration", "rows": rows},
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
