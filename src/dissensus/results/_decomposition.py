"""Bias and variance from the saved answers of a study that drew samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from dissensus.evaluation import SAMPLING_PROTOCOLS
from dissensus.exceptions import ExperimentError
from dissensus.metrics import BiasVariance, kohavi_wolpert
from dissensus.results._tables import ResultTable
from dissensus.table import import_polars


def decompose(results: Any, dataset: str, learner: str) -> BiasVariance | None:
    """Return bias and variance of one learner; None without two whole answers."""
    if results.resampling not in SAMPLING_PROTOCOLS:
        raise ExperimentError(
            f"The study has {results.resampling!r} as its resampling, not samples of "
            "one pool. Run it with resampling= one of "
            f"{', '.join(sorted(SAMPLING_PROTOCOLS))}."
        )
    frame = results.predictions(dataset, learner)
    if not len(frame):
        return None
    content = results.spec
    frame = frame.filter(
        (frame["fraction"] == max(content["fractions"]))
        & (frame["noise"] == min(content["noise"]))
    ).sort("repeat", "row")
    n_models = frame["repeat"].n_unique()
    if n_models < 2:
        return None
    truth = frame["truth"].to_numpy().reshape(n_models, -1)[0]
    answers = frame["prediction"].to_numpy().reshape(n_models, -1)
    form = SAMPLING_PROTOCOLS[results.resampling].form
    return kohavi_wolpert(truth, np.asarray(answers), form=form)


def decomposition_table(results: Any) -> ResultTable:
    """Return error, bias and variance of each learner on each data set."""
    names = ("error", "bias", "variance")
    rows = []
    for dataset in results.datasets:
        for learner in results.learners:
            found = decompose(results, dataset, learner)
            parts = [None if found is None else getattr(found, n) for n in names]
            rows.append([dataset, learner, *parts])
    pl = import_polars()
    schema = {"dataset": pl.String, "learner": pl.String}
    schema |= dict.fromkeys(names, pl.Float64)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    models = f"{results.spec['repeats']} models"
    title = f"bias and variance, {models} ({results.resampling})"
    return ResultTable(title, frame, results.n_failed, results.n_missing)
