"""A study as one plain dict: everything that its page says and shows."""

from __future__ import annotations

from typing import Any

from dissensus.report._answers import (
    Part,
    bias_variance_part,
    calibration_part,
    correlation_part,
    diversity_part,
    gather,
)
from dissensus.report._scores import (
    curves_part,
    failures_part,
    ranks_part,
    scores_part,
    times_part,
    win_draw_loss_part,
)
from dissensus.report._verdict import judge

MEASURES = ("accuracy", "log_loss")


def summarize(results: Any, *, title: str = "", command: str = "") -> dict[str, Any]:
    """Return all parts of a page, in the order in which they are read."""
    gathered = gather(results)
    learners = results.learners
    parts: list[Part | None] = [
        *(scores_part(results, measure) for measure in MEASURES),
        win_draw_loss_part(results) if len(learners) > 1 else None,
        ranks_part(results),
        curves_part(results),
        bias_variance_part(gathered, learners),
        diversity_part(gathered, learners),
        correlation_part(gathered, learners),
        calibration_part(gathered, learners),
        times_part(results),
        failures_part(results),
    ]
    return {
        "title": title or results.spec["title"] or "Comparison of learners",
        "command": command,
        "verdict": judge(results),
        "parts": [part for part in parts if part is not None],
    }
