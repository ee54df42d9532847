"""A study as one plain dict: everything that its page says and shows."""

from __future__ import annotations

from typing import Any

from dissensus.report._answers import (
    bias_variance_part,
    calibration_part,
    correlation_part,
    diversity_part,
    read_predictions,
)
from dissensus.report._contests import ranks_part, win_draw_loss_part
from dissensus.report._effort import curves_part, failures_part, times_part
from dissensus.report._facts import data_table, headline_facts, learner_table, settings
from dissensus.report._scores import Part, scores_part
from dissensus.report._tree_part import tree_part
from dissensus.results import judge

MEASURES = ("accuracy", "log_loss")
# What a part may have beside its id, title, sentence, chart and table.
DEFAULTS: Part = {"captions": [], "tree": None, "text": "", "open": False}


def summarize(results: Any, *, title: str = "", command: str = "") -> dict[str, Any]:
    """Return all parts of a page, in the order in which they are read.

    Parameters
    ----------
    results : Results
        The study.
    title : str, default=""
        The heading.
    command : str, default=""
        The command that made the study.
    """
    return {
        "title": title or results.spec["title"] or _title(results),
        "facts": headline_facts(results),
        "verdict": judge(results),
        "parts": [{**DEFAULTS, **part} for part in _parts(results) if part],
        "settings": settings(results, command),
        "data": data_table(results),
        "learners": learner_table(results),
    }


def _title(results: Any) -> str:
    names, learners = results.datasets, results.learners
    what = learners[0] if len(learners) == 1 else f"{len(learners)} learners"
    return f"{what} on {names[0] if len(names) == 1 else f'{len(names)} data sets'}"


def _parts(results: Any) -> list[Part | None]:
    predictions = read_predictions(results)
    return [
        *(scores_part(results, measure) for measure in MEASURES),
        win_draw_loss_part(results),
        ranks_part(results),
        curves_part(results, "fraction"),
        curves_part(results, "noise"),
        bias_variance_part(predictions, results.resampling),
        diversity_part(predictions),
        correlation_part(predictions),
        tree_part(results),
        calibration_part(predictions),
        times_part(results),
        failures_part(results),
    ]
