"""What a case may end with: an answer that is sound, or a refusal in words."""

from __future__ import annotations

import linecache
import traceback
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sklearn

import dissensus
from tests.campaign.cases import Case

TOLERANCE = 1e-9
HOMES = [str(Path(str(p.__file__)).parent) for p in (dissensus, sklearn)]
# Where kernels refuse what they cannot have.
KERNELS = "dissensus/_core/common/_memory.pyx"
ANSWERED, REFUSED, FAULT = "answered", "refused", "fault"


@dataclass(frozen=True)
class Outcome:
    """How a fit or a question ended, and for a fault in which way."""

    end: str
    detail: str = ""


def try_case(estimator: Any, case: Case) -> list[Outcome]:
    """Fit the estimator and ask it; return how the fit and each question ended."""
    if "categorical_features" in estimator.get_params():
        estimator.set_params(categorical_features=case.categorical_features)
    is_pipeline = hasattr(estimator, "steps")
    weighted = case.sample_weight is not None and not is_pipeline
    arguments = {"sample_weight": case.sample_weight} if weighted else {}
    fitted = attempt(lambda: estimator.fit(case.X, case.y, **arguments))
    if fitted.end != ANSWERED:
        return [fitted]
    questions = [partial(check_answer, estimator, X) for X in (case.X, *case.asked)]
    return [fitted, *map(attempt, questions)]


def attempt(work: Any) -> Outcome:
    """Do the work; an error must be in words, and no warning of numpy may escape."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            work()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is judged
            return judge_error(error)
    for warning in caught:
        if issubclass(warning.category, RuntimeWarning):
            where = f"{Path(warning.filename).name}:{warning.lineno}"
            return Outcome(FAULT, f"warning: {warning.message} ({where})")
    return Outcome(ANSWERED)


def judge_error(error: BaseException) -> Outcome:
    """Tell a refusal, which somebody wrote down as such, from an accident."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    words = str(error)
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    ours, theirs = (frame.filename.startswith(home) for home in HOMES)
    ours = ours and line.startswith("raise")
    raised = ours or theirs or frame.filename.endswith(KERNELS) or _is_checked(error)
    # A refusal for want of memory must say so in a sentence of ours.
    kinds = (ValueError, TypeError, MemoryError)
    if isinstance(error, kinds) and raised and len(words.split()) > 3:
        return Outcome(REFUSED, words[:150])
    return Outcome(FAULT, f"{type(error).__name__}: {words[:150]!r} ({where})")


def _is_checked(error: BaseException) -> bool:
    """Whether scikit-learn's own check of arrays has handed on what numpy says."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.name == "check_array" for frame in frames)


class UnsoundAnswerError(AssertionError):
    """An answer that is no distribution, or not about the rows that were asked."""


def check_answer(estimator: Any, X: Any) -> None:
    """Ask the fitted estimator about the rows; raise unless the answer is sound."""
    if not hasattr(estimator, "predict_proba"):
        estimator.transform(X)
        return
    proba = estimator.predict_proba(X)
    if proba.ndim != 2 or proba.shape[1] != len(estimator.classes_):
        raise UnsoundAnswerError(f"shape {proba.shape}")
    if not np.isfinite(proba).all():
        raise UnsoundAnswerError("a probability is not finite")
    if (proba < 0).any():
        raise UnsoundAnswerError(f"a probability is {proba.min()}")
    if (np.abs(proba.sum(axis=1) - 1) > TOLERANCE).any():
        raise UnsoundAnswerError(f"sums are {np.unique(proba.sum(axis=1))[:3]}")
    labels = estimator.predict(X)
    if len(labels) != len(proba) or not np.isin(labels, estimator.classes_).all():
        raise UnsoundAnswerError("a label is not among the classes")
