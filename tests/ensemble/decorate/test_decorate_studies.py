"""The studies of the DECORATE paper as library calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from dissensus.datasets import load_dataset
from dissensus.ensemble import (
    DecorateClassifier,
    DiversityStudy,
    committee_size_study,
    diversity_study,
)
from dissensus.table import Table
from tests.estimator_data import as_pandas, as_polars, make_problem

CELLS, Y = make_problem(n=120)


def test_diversity_is_studied_for_every_ratio_and_fold() -> None:
    study = diversity_study(CELLS, Y, ratios=(0.1, 1.0), cv=3, random_state=0)
    assert_array_equal(study.artificial_ratio, [0.1, 1.0] * 3)
    assert (study.diversity >= 0).all()
    few, many = study.diversity[::2].mean(), study.diversity[1::2].mean()
    assert few < many


def test_diversity_goes_with_the_gain_over_the_members() -> None:
    data = load_dataset("balance-scale")
    study = diversity_study(data.X[::3], data.y[::3], cv=3, random_state=0)
    assert len(study.diversity) == 30
    assert study.correlations()["ensemble"] > 0.3


def test_correlations_are_those_of_pearson() -> None:
    x = np.array([0.1, 0.2, 0.4])
    study = DiversityStudy(x, x, 3 * x - 1, np.zeros(3))
    assert study.correlations()["ensemble"] == pytest.approx(1.0)
    assert np.isnan(study.correlations()["base"])


def test_the_sizes_of_one_committee_are_studied_in_one_fit() -> None:
    folds = KFold(3, shuffle=True, random_state=1)
    study = committee_size_study(
        CELLS, Y, sizes=(1, 3, 8), train_share=1.0, cv=folds, random_state=0
    )
    assert study.accuracy.shape == (3, 3)
    assert (study.reached <= 8).all()
    # Committees of each size, fitted by themselves with the seeds of the study.
    first = np.random.RandomState(0).randint(2**31 - 1)
    rng = np.random.default_rng(first)
    for fold, (train, test) in enumerate(folds.split(CELLS)):
        rng.permutation(len(train))
        seed = int(rng.integers(2**31 - 1))
        for place, size in enumerate((1, 3, 8)):
            model = DecorateClassifier(
                n_estimators=size, max_iter=32, random_state=seed
            ).fit(CELLS[train], Y[train])
            found = model.score(CELLS[test], Y[test])
            assert study.accuracy[fold, place] == pytest.approx(found)


def test_the_share_of_the_training_fold_is_learned_from() -> None:
    study = committee_size_study(
        np.arange(60.0)[:, None], np.arange(60) // 30, sizes=(1,), cv=3, random_state=0
    )
    assert study.accuracy.mean() > 0.7
    tiny = committee_size_study(
        CELLS, Y, sizes=(1,), train_share=1e-9, cv=3, random_state=0
    )
    shares = np.bincount(Y) / len(Y)
    assert tiny.accuracy.max() <= shares.max() + 0.05  # a single row says one class


@pytest.mark.parametrize("make", [as_pandas, as_polars, lambda c: c, Table.from_any])
def test_any_form_of_input_and_any_learner_can_be_studied(make: Any) -> None:
    cells, y = make_problem(n=60, missing=0.0)
    X = make(cells)
    given: dict[str, Any] = {"cv": 2, "random_state": 0}
    study = diversity_study(X, y, ratios=(1.0,), n_estimators=3, **given)
    again = diversity_study(X, y, ratios=(1.0,), n_estimators=3, **given)
    assert_allclose(study.diversity, again.diversity)
    sizes = committee_size_study(
        cells, y, estimator=GaussianNB(), sizes=(1, 2), train_share=0.9, **given
    )
    assert sizes.accuracy.shape == (2, 2)
