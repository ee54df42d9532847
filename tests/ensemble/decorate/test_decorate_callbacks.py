"""scikit-learn's callbacks in the fit of DecorateClassifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.callback import ScoringMonitor
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from dissensus.ensemble import BaggingClassifier, DecorateClassifier
from dissensus.tree import C45Classifier

X, Y = load_iris(return_X_y=True)
LABELS = np.array(["setosa", "versicolor", "virginica"])[Y]


class Recorder:
    """Writes down what it is told; stops the fit after a number of members."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.events: list[str] = []
        self.scores: list[float] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.events.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(
        self,
        estimator: Any,
        context: Any,
        *,
        X: Any = None,
        y: Any = None,
        fitted_estimator: Any = None,
    ) -> bool:
        self.events.append(f"end {context.task_name}")
        if fitted_estimator is not None:  # a foreign member may have none to show
            self.scores.append(fitted_estimator.score(X, y))
        return context.task_id + 1 == self.stop_after


class Travelling(Recorder):
    """A recorder that is handed on to members."""

    max_propagation_depth = None


def test_a_callback_is_told_of_every_member() -> None:
    recorder = Recorder()
    model = DecorateClassifier(n_estimators=4, random_state=0)
    model.set_callbacks(recorder).fit(X, LABELS)
    member = ["begin fit-member", "end fit-member"]
    assert recorder.events == [
        "setup",
        "begin fit",
        *(member * model.n_iter_),
        "end fit",
        "teardown",
    ]


def test_a_callback_sees_the_committee_of_that_moment() -> None:
    recorder = Recorder()
    model = DecorateClassifier(n_estimators=6, random_state=0)
    model.set_callbacks(recorder).fit(X, LABELS)
    errors = 1 - np.array(recorder.scores[:-1])
    assert_allclose(errors, model.trace_["committee_error"], atol=1e-12)
    assert recorder.scores[-1] == model.score(X, LABELS)


def test_a_callback_can_end_the_fit() -> None:
    full = DecorateClassifier(random_state=0).fit(X, Y)
    for wanted in (1, 3):
        model = DecorateClassifier(random_state=0).set_callbacks(Recorder(wanted))
        model.fit(X, Y)
        assert model.n_iter_ == wanted
        assert len(model.trace_["accepted"]) == wanted
        kept = int(full.trace_["accepted"][:wanted].sum())
        assert len(model.estimators_) == kept
        assert_array_equal(
            model.estimators_[-1].predict_proba(X),
            full.estimators_[kept - 1].predict_proba(X),
        )


def test_a_callback_changes_no_number() -> None:
    plain = DecorateClassifier(random_state=0).fit(X, Y)
    watched = DecorateClassifier(random_state=0).set_callbacks(Recorder()).fit(X, Y)
    assert_array_equal(watched.predict_proba(X), plain.predict_proba(X))


def test_a_monitor_of_scikit_learn_follows_the_scores() -> None:
    monitor = ScoringMonitor(scoring="accuracy")
    model = DecorateClassifier(n_estimators=5, random_state=0).set_callbacks(monitor)
    model.fit(X, Y)
    log = monitor.get_logs()
    accuracies = [row["accuracy"] for row in log.data if row["task_name"] != "fit"]
    assert_allclose(accuracies, 1 - model.trace_["committee_error"])


def test_callbacks_are_handed_on_to_members_that_support_them() -> None:
    travelling = Travelling()
    member = DecorateClassifier(n_estimators=2, max_iter=2)
    model = DecorateClassifier(member, n_estimators=2, max_iter=2, random_state=0)
    model.set_callbacks(travelling).fit(X, Y)
    # The inner fits merge with the outer tasks, and have two members each.
    assert travelling.events.count("begin fit-member") == 4
    assert travelling.events.count("setup") == 1
    assert travelling.events[-1] == "teardown"
    assert not any(hasattr(m, "_parent_callback_ctx") for m in model.estimators_)


def test_callbacks_reach_foreign_members_that_support_them() -> None:
    travelling = Travelling()
    member = LogisticRegression(max_iter=50, tol=0.1)
    scaled = StandardScaler().fit_transform(X)
    model = DecorateClassifier(member, n_estimators=2, max_iter=2, random_state=0)
    model.set_callbacks(travelling).fit(scaled, Y)
    assert any("lbfgs" in event for event in travelling.events)


@pytest.mark.parametrize("member", [C45Classifier(), BaggingClassifier(n_estimators=2)])
def test_members_without_callbacks_are_left_alone(member: Any) -> None:
    travelling = Travelling()
    model = DecorateClassifier(member, n_estimators=2, max_iter=2, random_state=0)
    model.set_callbacks(travelling).fit(X, Y)  # a warning would be an error
    assert travelling.events.count("end fit-member") == 2


def test_a_callback_is_torn_down_when_the_fit_fails() -> None:
    recorder = Recorder()

    def broken(X: Any, y: Any, n: int, rng: Any) -> Any:
        raise RuntimeError("no rows today")

    model = DecorateClassifier(generator=broken).set_callbacks(recorder)
    with pytest.raises(RuntimeError, match="no rows today"):
        model.fit(X, Y)
    assert recorder.events[-1] == "teardown"
    assert not hasattr(model, "_callback_fit_ctx")


def test_a_copy_keeps_the_callbacks() -> None:
    recorder = Recorder(2)
    model = clone(DecorateClassifier(random_state=0).set_callbacks(recorder))
    assert model.fit(X, Y).n_iter_ == 2
