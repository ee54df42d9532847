"""Bias and variance by the protocols of the papers."""

from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from dissensus.evaluation import bias_variance
from dissensus.evaluation._bias_variance import Protocol
from dissensus.evaluation._fitting import ask_about_rows, fit_on_rows, read_trial_data
from dissensus.metrics import kohavi_wolpert
from dissensus.tree import C45Classifier
from tests.evaluation.inputs import KINDS, small_table
from tests.oracles import SHARED, load_oracle, needs_oracles, read_json
from tests.reference.java_random import JavaRandom

PROTOCOLS: list[Protocol] = ["maclen", "bootstrap"]
both = pytest.mark.parametrize("protocol", PROTOCOLS)


class Recorder(GaussianNB):
    """A learner that tells the test what it was given."""

    seen: list[Any] = []  # noqa: RUF012 - shared on purpose: estimators are copied

    def fit(self, X: Any, y: Any) -> Any:
        """Note the numbers of the training rows."""
        self.seen.append(X[:, 0].astype(int).tolist())
        return super().fit(X, y)

    def predict(self, X: Any) -> Any:
        """Note the numbers of the test rows."""
        self.seen.append(X[:, 0].astype(int).tolist())
        return super().predict(X)


def recorded(protocol: Protocol, n: int, **kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Return the training and the test rows of each model."""
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 3
    Recorder.seen.clear()
    bias_variance(Recorder(), X, y, protocol=protocol, rng=0, **kwargs)
    return Recorder.seen[::2], Recorder.seen[1::2]


@pytest.mark.parametrize(("n", "pool", "train"), [(150, 75, 37), (217, 108, 54)])
def test_maclen_trains_on_halves_of_a_half(n: int, pool: int, train: int) -> None:
    trains, tests = recorded("maclen", n)
    assert len(trains) == 50
    assert {len(rows) for rows in trains} == {train}
    assert all(len({*rows}) == train for rows in trains)
    assert {tuple(rows) for rows in tests} == {tuple(tests[0])}
    assert len({*tests[0]}) == n - pool
    assert not {*tests[0]} & {row for rows in trains for row in rows}
    # Each row of the pool is in half of the samples: it would be a wonder if one
    # were in none of 50.
    assert len({row for rows in trains for row in rows}) == pool
    assert len({tuple(sorted(rows)) for rows in trains}) == 50


def test_bootstrap_trains_on_replicates_of_two_thirds() -> None:
    trains, tests = recorded("bootstrap", 90)
    assert len(trains) == 10
    assert {len(rows) for rows in trains} == {60}
    assert all(25 < len({*rows}) < 50 for rows in trains)
    assert {tuple(rows) for rows in tests} == {tuple(tests[0])}
    assert not {*tests[0]} & {row for rows in trains for row in rows}
    # Stratified: ten rows of each class.
    assert np.bincount(np.array(tests[0]) % 3).tolist() == [10, 10, 10]


@both
def test_decomposition_is_that_of_the_predictions(protocol: Protocol) -> None:
    X, y = small_table("array")
    found = bias_variance(C45Classifier(), X, y, protocol=protocol, rng=0)
    form = {"maclen": "weka", "bootstrap": "plug-in"}[protocol]
    expected = kohavi_wolpert(found.y_true, found.predictions, form=form)  # type: ignore[arg-type]
    assert found.decomposition == expected
    assert found.protocol == protocol
    assert found.decomposition.variance > 0


@both
@pytest.mark.parametrize("kind", KINDS)
def test_every_form_of_table_gives_the_same_result(
    kind: str, protocol: Protocol
) -> None:
    X, y = small_table(kind)
    plain, _ = small_table("array")
    found, expected = (
        bias_variance(C45Classifier(), inputs, y, protocol=protocol, n_models=3, rng=5)
        for inputs in (X, plain)
    )
    assert found.decomposition == expected.decomposition
    assert found.predictions.tolist() == expected.predictions.tolist()


@both
def test_the_number_of_jobs_does_not_matter_nor_does_the_call(
    protocol: Protocol,
) -> None:
    X, y = small_table("array")

    def predictions(n_jobs: int | None) -> Any:
        forest = RandomForestClassifier(2)  # without a seed of its own
        kwargs: dict[str, Any] = {"protocol": protocol, "n_models": 4, "rng": 3}
        with parallel_config(backend="threading"):
            found = bias_variance(forest, X, y, n_jobs=n_jobs, **kwargs)
        return found.predictions.tolist()

    assert predictions(None) == predictions(None) == predictions(2)


@both
def test_a_constant_has_bias_and_no_variance(protocol: Protocol) -> None:
    X, y = np.zeros((40, 1)), np.array(["a", "b"] * 20)
    constant = DummyClassifier(strategy="constant", constant="a")
    found = bias_variance(constant, X, y, protocol=protocol, n_models=5, rng=0)
    truth = found.decomposition
    assert truth.variance == 0.0
    assert truth.bias == truth.error == np.mean(found.y_true == "b")


@needs_oracles
@pytest.mark.parametrize("name", ["balance-scale", "glass", "iris", "vote"])
def test_j48_on_the_samples_of_weka_has_its_predictions_bias_and_variance(
    name: str,
) -> None:
    content = read_json(SHARED / "oracles" / f"bv-{name}.json.gz")
    oracle = load_oracle(name)
    key = "weka.classifiers.trees.J48 -C 0.25 -M 2"
    run = content["schemes"][key][0]
    # Codes in the order of the header, where a class may have no row.
    declared = oracle.content["attributes"][-1][1]
    y = [declared.index(str(label)) for label in oracle.labels]
    study = read_trial_data(oracle.X, y)

    random, rows = JavaRandom(run["seed"]), list(range(len(y)))
    random.shuffle(rows)
    pool, test = rows[: content["pool"]], np.array(rows[content["pool"] :])
    assert (len(pool), content["train"]) == (len(y) // 2, len(y) // 2 // 2)
    predictions = []
    for _ in range(content["iterations"]):
        random.shuffle(pool)
        train = np.array(pool[: content["train"]])
        fitted = fit_on_rows(C45Classifier(), study, train)
        codes = ask_about_rows(fitted, study, test).predictions
        predictions.append(study.classes[codes].tolist())

    assert study.y[test].tolist() == run["truth"]
    assert predictions == run["pred"]
    found = kohavi_wolpert(study.y[test], predictions, form="weka")
    assert found.bias == pytest.approx(run["bias"], abs=1e-9)
    assert found.variance == pytest.approx(run["variance"], abs=1e-9)


def test_three_rows_are_too_few() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        bias_variance(C45Classifier(), np.zeros((3, 1)), [0, 1, 1])


@both
def test_four_rows_are_enough(protocol: Protocol) -> None:
    found = bias_variance(
        C45Classifier(), np.zeros((4, 1)), [0, 1, 1, 0], protocol=protocol, rng=0
    )
    assert 0.0 <= found.decomposition.error <= 1.0


def test_unknown_protocol_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="bootstrap, maclen"):
        bias_variance(C45Classifier(), [[0]] * 4, [0] * 4, protocol="loo")  # type: ignore[arg-type]


def test_one_model_has_no_variance() -> None:
    with pytest.raises(ValueError, match="n_models is 1"):
        bias_variance(C45Classifier(), [[0]] * 4, [0] * 4, n_models=1)
