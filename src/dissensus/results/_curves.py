"""Learning curves of a study, and how much of the data a learner needs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dissensus.evaluation import LearningCurve, share_needed
from dissensus.results._cube import Cube
from dissensus.results._tables import ResultTable
from dissensus.table import import_polars
from dissensus.utils._typing import Floats

Cubes = Mapping[float, Cube]  # by fraction, ascending


def curves_table(measure: str, cubes: Cubes) -> ResultTable:
    """Return the means with a row for each data set and fraction."""
    pl = import_polars()
    parts = [
        cube.by_dataset("", cube.means()).frame.insert_column(
            1, pl.lit(fraction).alias("fraction")
        )
        for fraction, cube in cubes.items()
    ]
    frame = pl.concat(parts).sort("dataset", "fraction", maintain_order=True)
    title = f"{measure} by fraction of the training fold, mean"
    return ResultTable(title, frame, *_gaps(cubes))


def shares_table(measure: str, cubes: Cubes, rival: int) -> ResultTable:
    """Return the fraction at which each learner reaches the rival with all its data."""
    last = list(cubes.values())[-1]
    means = np.array([cube.means() for cube in cubes.values()])
    shares = np.array(
        [
            [
                _share(list(cubes), means[:, dataset, learner], measure, target)
                for learner in range(len(last.learners))
            ]
            for dataset, target in enumerate(means[-1, :, rival])
        ]
    )
    title = (
        f"{measure}, fraction of the training fold from which on a learner is as good "
        f"as {last.learners[rival]} at {list(cubes)[-1]:g}"
    )
    found = last.by_dataset(title, shares)
    return ResultTable(title, found.frame, *_gaps(cubes), found.notes)


def _share(fractions: list[float], means: Floats, measure: str, target: float) -> float:
    curve = LearningCurve(
        np.array(fractions),
        np.zeros((1, len(fractions)), dtype=np.intp),
        means[np.newaxis],
        measure,
    )
    return share_needed(curve, float(target))


def _gaps(cubes: Cubes) -> tuple[int, int]:
    return (
        sum(cube.n_failed for cube in cubes.values()),
        sum(cube.n_missing for cube in cubes.values()),
    )
