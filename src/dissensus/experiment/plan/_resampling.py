"""How a study draws training and test sets: folds, a given test set, or samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dissensus.datasets import Loaded
from dissensus.evaluation import SAMPLING_PROTOCOLS
from dissensus.experiment.plan._seeds import seed_of
from dissensus.experiment.plan._splits import Split, given_folds, make_folds
from dissensus.store import FOLDS, TEST


@dataclass(frozen=True, slots=True)
class SplitRequest:
    """Which splits are asked for.

    Attributes
    ----------
    seed : int
        Seed of the study.
    dataset : str
        Name of the data set.
    repeat : int
        Number of the repeat.
    n_folds : int
        Number of folds.
    """

    seed: int
    dataset: str
    repeat: int
    n_folds: int


def _folds(data: Loaded, request: SplitRequest) -> list[Split]:
    if data.folds is not None:
        return given_folds(data.folds[request.repeat])
    seed = seed_of("folds", request.seed, request.dataset, request.repeat)
    return make_folds(data.y, request.n_folds, seed, data.groups)


def _test_set(data: Loaded, _: SplitRequest) -> list[Split]:
    rows = np.arange(len(data.y))
    return [(rows[: -data.n_test], rows[-data.n_test :])]


def _samples(protocol: str) -> Callable[[Loaded, SplitRequest], list[Split]]:
    """Return the splits of a bias-variance protocol: one pool, a sample each time."""
    plan = SAMPLING_PROTOCOLS[protocol]

    def split(data: Loaded, request: SplitRequest) -> list[Split]:
        where = (request.seed, request.dataset)
        rng = np.random.default_rng(seed_of("pool", *where))
        pool, test = plan.split(data.y.astype(np.intp), rng)
        rng = np.random.default_rng(seed_of("sample", *where, request.repeat))
        return [(plan.sample(pool, rng), np.sort(test))]

    return split


# What is drawn -> the splits of one repeat.
RESAMPLING: dict[str, Callable[[Loaded, SplitRequest], list[Split]]] = {
    FOLDS: _folds,
    TEST: _test_set,
    **{protocol: _samples(protocol) for protocol in SAMPLING_PROTOCOLS},
}
