"""Our own battery: what every estimator promises beyond scikit-learn's checks.

A check takes an unfitted estimator, which it may change, and raises an error unless
the promise is kept. `own_checks` tells which checks an estimator has to pass.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from dissensus.table import Table
from dissensus.tree import C45Classifier
from tests.classifier_checks import CLASSIFIERS, Check
from tests.estimator_data import (
    NAMES,
    NOMINAL,
    as_objects,
    as_pandas,
    as_polars,
    make_problem,
    numbers,
)


def own_checks(estimator: Any) -> Iterator[Check]:
    """Give the checks that are meant for an estimator."""
    for check in EVERY_ESTIMATOR:
        # Where missing is a value, an unseen value is none.
        is_apart = check is check_unseen_values_count_as_missing
        if not (is_apart and missing_is_value(estimator)):
            yield check
    yield from CLASSIFIERS if is_classifier(estimator) else TRANSFORMERS


def missing_is_value(estimator: Any) -> bool:
    """Whether the estimator, or a learner inside it, takes "missing" for a value."""
    learners = estimator._learners() if hasattr(estimator, "_learners") else []
    return any(getattr(e, "missing", None) == "value" for e in [estimator, *learners])


def is_classifier(estimator: Any) -> bool:
    """Whether the estimator answers with probabilities; otherwise it transforms."""
    return hasattr(estimator, "predict_proba")


def answers(estimator: Any, X: Any) -> NDArray[np.float64]:
    """Return what a fitted estimator makes of the rows, as numbers."""
    if is_classifier(estimator):
        return np.asarray(estimator.predict_proba(X))
    return numbers(estimator.transform(X))


# Weights


def check_integer_weights_equal_repetition(estimator: Any) -> None:
    # J48 counts rows, not weights, where it asks whether a numeric attribute may be
    # split, so classifiers get nominal attributes only.
    cells, y = make_problem()
    if is_classifier(estimator):
        cells = cells[:, NOMINAL]
    X = as_pandas(cells, NAMES[: cells.shape[1]])
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    whole, again = clone(estimator), clone(estimator)
    if "cv" in estimator.get_params():
        whole.set_params(cv=halves(np.arange(len(y))))
        again.set_params(cv=halves(rows))
    weighted = whole.fit(X, y, sample_weight=weight)
    repeated = again.fit(X.iloc[rows], y[rows])
    assert_allclose(answers(weighted, X), answers(repeated, X), rtol=1e-12)


def halves(rows: NDArray[np.intp]) -> list[Any]:
    """Return two folds that do not divide the repetitions of a row."""
    parts = np.flatnonzero(rows % 2 == 0), np.flatnonzero(rows % 2)
    return [parts, parts[::-1]]


def check_weight_zero_rows_are_ignored(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(y))
    kept = weight > 0
    # Nothing about these rows may matter: neither numbers nor classes.
    X.loc[~kept, "length"] = 1e9
    y[~kept] = 9
    weighted = clone(estimator).fit(X, y, sample_weight=weight)
    without = clone(estimator).fit(X[kept], y[kept], sample_weight=weight[kept])
    assert_array_equal(answers(weighted, X), answers(without, X))


def check_weights_of_one_are_no_weights(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    weighted = clone(estimator).fit(X, y, sample_weight=np.ones(len(y)))
    without = clone(estimator).fit(X, y)
    assert_array_equal(answers(weighted, X), answers(without, X))


def check_sample_weights_can_be_routed(estimator: Any) -> None:
    cells, y = make_problem()
    X, weight = as_pandas(cells), np.arange(1.0, len(y) + 1)
    expected = answers(clone(estimator).fit(X, y, sample_weight=weight), X)
    with config_context(enable_metadata_routing=True):
        asking = clone(estimator).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(asking)
        pipeline.fit(X, y, sample_weight=weight)
        assert_array_equal(answers(pipeline, X), expected)


# Missing and unseen values


def check_every_way_to_say_missing_is_the_same(estimator: Any) -> None:
    cells, y = make_problem(missing=0.3)
    X = as_pandas(cells)
    expected = answers(clone(estimator).fit(X, y), X)
    for absent in (None, np.nan, pd.NA):
        frame = pd.DataFrame(as_objects(cells, absent), columns=NAMES)
        for column in ("colour", "size"):  # with their labels in the same order
            frame[column] = frame[column].astype(X[column].dtype)
        assert_array_equal(answers(clone(estimator).fit(frame, y), frame), expected)


def check_all_values_may_be_missing(estimator: Any) -> None:
    cells, y = make_problem()
    nothing = as_pandas(np.full((3, 4), np.nan))
    rows = answers(clone(estimator).fit(as_pandas(cells), y), nothing)
    assert_array_equal(rows, rows[[0, 0, 0]])

    cells[:, [0, 2]] = np.nan
    X = as_pandas(cells)
    rows = answers(clone(estimator).fit(X, y), X)
    assert len(rows) == len(y)


def check_unseen_values_count_as_missing(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = clone(estimator).fit(X, y)
    X["colour"] = "mauve"
    X["size"] = X["size"].cat.rename_categories({"l": "large"})
    cells[:, 0] = np.nan
    cells[cells[:, 1] == 2, 1] = np.nan
    assert_array_equal(answers(model, X), answers(model, as_pandas(cells)))


# Forms of the input


def check_all_containers_give_the_same(estimator: Any) -> None:
    cells, y = make_problem()
    given = clone(estimator).set_params(categorical_features=NOMINAL)
    expected = answers(clone(given).fit(cells, y), cells)
    for X in (as_pandas(cells), as_polars(cells), Table.from_any(as_pandas(cells))):
        assert_array_equal(answers(clone(estimator).fit(X, y), X), expected)
    for X in (cells.tolist(), np.asfortranarray(cells)):
        assert_array_equal(answers(clone(given).fit(X, y), X), expected)
    for chosen in (np.array(NOMINAL), [True, True, False, False], [-4, 1]):
        given.set_params(categorical_features=chosen)
        assert_array_equal(answers(clone(given).fit(cells, y), cells), expected)
    whole = as_pandas(cells).assign(colour=cells[:, 0], size=cells[:, 1])
    named = clone(estimator).set_params(categorical_features=["colour", "size"])
    assert_array_equal(answers(named.fit(whole, y), whole), expected)


def check_fitted_on_one_container_answers_for_another(estimator: Any) -> None:
    cells, y = make_problem()
    pandas, polars = as_pandas(cells), as_polars(cells)
    model = clone(estimator).fit(pandas, y)
    expected = answers(model, pandas)
    assert_array_equal(answers(model, polars), expected)
    objects = model.predict_proba if is_classifier(model) else model.transform
    assert len(objects(as_objects(cells))) == len(y)
    assert_array_equal(answers(clone(estimator).fit(polars, y), pandas), expected)


def check_columns_are_matched_by_name(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = clone(estimator).fit(X, y)
    assert_array_equal(model.feature_names_in_, NAMES)
    expected = answers(model, X)
    backwards = X[X.columns[::-1]].assign(further="ignored")
    assert_array_equal(answers(model, backwards), expected)
    other_order = as_polars(cells).select(["count", "size", "colour", "length"])
    assert_array_equal(answers(model, other_order), expected)
    with pytest.raises(ValueError, match="'size' is missing"):
        answers(model, X.drop(columns="size"))
    with pytest.raises(ValueError, match=r"3 features, but .* is expecting 4"):
        answers(model, as_objects(cells)[:, :3])


def check_the_type_of_labels_does_not_matter(estimator: Any) -> None:
    cells, y = make_problem()
    X, y = as_pandas(cells), y > 0
    expected = answers(clone(estimator).fit(X, y), X)
    for labels in (
        np.array([3, 40]),
        np.array([-1.0, 0.0]),
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype=object),
    ):
        target = labels[y.astype(int)]
        for form in (target, pd.Series(target), pl.Series(target), target.tolist()):
            model = clone(estimator).fit(X, form)
            assert_array_equal(answers(model, X), expected)
            if is_classifier(model):
                assert_array_equal(model.classes_, labels)
                assert set(model.predict(X)) == set(labels)


# Results that depend on nothing else


def check_repeated_fits_give_the_same(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = clone(estimator).fit(X, y)
    expected = answers(model, X)
    assert_array_equal(answers(model, X), expected)
    assert_array_equal(answers(clone(estimator).fit(X, y), X), expected)
    # What an earlier fit has left behind does not matter either.
    model.fit(cells[:, 2:], y[::-1])
    assert not hasattr(model, "feature_names_in_")
    assert_array_equal(answers(model.fit(X, y), X), expected)


def check_two_threads_at_once_give_the_same(estimator: Any) -> None:
    problems = [make_problem(600, seed=seed) for seed in range(4)]
    shared = Table.from_any(as_pandas(problems[0][0]))

    def work(job: int) -> NDArray[np.float64]:
        cells, y = problems[job % 4]
        X = as_pandas(cells) if job % 4 else shared
        return answers(clone(estimator).fit(X, y), X)

    jobs = [0, 0, 1, 2, 3, 0, 1, 2, 3]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(work, jobs))
    for job, result in zip(jobs, together, strict=True):
        assert_array_equal(result, work(job))


def check_pickle_and_clone(estimator: Any) -> None:
    cells, y = make_problem()
    X = as_pandas(cells)
    model = clone(estimator).fit(X, y)
    expected = answers(model, X)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(answers(again, X), expected)
    assert again.schema_ == model.schema_
    assert repr(again.get_params()) == repr(model.get_params())
    fresh = clone(model)
    assert repr(fresh.get_params()) == repr(estimator.get_params())
    assert not hasattr(fresh, "schema_")
    assert_array_equal(answers(fresh.fit(X, y), X), expected)


def check_inputs_are_not_changed(estimator: Any) -> None:
    cells, y = make_problem()
    weight = np.random.default_rng(0).choice([0.0, 1.0, 2.0], len(y))
    given = clone(estimator).set_params(categorical_features=NOMINAL)
    before = cells.copy(), y.copy(), weight.copy()
    for array in (cells, y, weight):
        array.flags.writeable = False
    answers(given.fit(cells, y, sample_weight=weight), cells)
    for array, old in zip((cells, y, weight), before, strict=True):
        assert_array_equal(array, old)

    frames = as_pandas(cells), as_polars(cells)
    copies = frames[0].copy(), frames[1].clone()
    for X in frames:
        answers(clone(estimator).fit(X, y, sample_weight=weight), X)
    pd.testing.assert_frame_equal(frames[0], copies[0])
    assert frames[1].equals(copies[1])


def check_rows_are_answered_one_by_one(estimator: Any) -> None:
    cells, y = make_problem(missing=0.2)
    given = clone(estimator).set_params(categorical_features=NOMINAL).fit(cells, y)
    one_by_one = [answers(given, row[np.newaxis]) for row in cells]
    assert_array_equal(np.concatenate(one_by_one), answers(given, cells))

    X = as_pandas(cells)
    model = clone(estimator).fit(X, y)
    one_by_one = [answers(model, X.iloc[i : i + 1]) for i in range(40)]
    assert_array_equal(np.concatenate(one_by_one), answers(model, X)[:40])


# Transformers


def check_before_a_classifier(estimator: Any) -> None:
    cells, y = make_problem()
    for X in (as_pandas(cells), as_polars(cells), cells):
        pipeline = make_pipeline(clone(estimator), C45Classifier())
        scores = cross_val_score(pipeline, X, y, cv=2, error_score="raise")
        assert scores.mean() > 0.4
        names = pipeline.fit(X, y)[0].get_feature_names_out()
        assert len(names) == len(NAMES)


EVERY_ESTIMATOR: list[Check] = [
    check_integer_weights_equal_repetition,
    check_weight_zero_rows_are_ignored,
    check_weights_of_one_are_no_weights,
    check_sample_weights_can_be_routed,
    check_every_way_to_say_missing_is_the_same,
    check_all_values_may_be_missing,
    check_unseen_values_count_as_missing,
    check_all_containers_give_the_same,
    check_fitted_on_one_container_answers_for_another,
    check_columns_are_matched_by_name,
    check_the_type_of_labels_does_not_matter,
    check_repeated_fits_give_the_same,
    check_two_threads_at_once_give_the_same,
    check_pickle_and_clone,
    check_inputs_are_not_changed,
    check_rows_are_answered_one_by_one,
]
TRANSFORMERS: list[Check] = [check_before_a_classifier]
