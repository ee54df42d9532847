"""Objects given as learners, and the words that are their identity."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from dissensus.ensemble import BaggingClassifier, CascadeClassifier
from dissensus.exceptions import LearnerError
from dissensus.learners import parse_learner
from dissensus.learners._describe import describe, pickled, versions_of
from dissensus.tree import C45Classifier
from tests.experiment.learners import Constant, Unpicklable


def test_a_learner_of_ours_has_the_text_of_the_registry() -> None:
    assert describe(C45Classifier()) == "c45"
    assert (
        describe(C45Classifier(0.1, prune=False)) == "c45(confidence=0.1, prune=False)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "bagging(c45(confidence=0.1), n_estimators=25)",
        "cascade(nb, lda, c45)",
        "stacking(nb, c45, final_estimator=leastsquares)",
        "maclen(nb(smoothing=m-estimate))",
        "decorate(maclen(c45))",
    ],
)
def test_learners_within_learners_are_described_too(text: str) -> None:
    assert describe(parse_learner(text).build()) == text


def test_what_no_text_can_say_is_described_by_its_class() -> None:
    words = describe(BaggingClassifier(LogisticRegression()))
    assert words.startswith("dissensus.ensemble._bagging.BaggingClassifier(estimator=")
    pair = CascadeClassifier([("first", C45Classifier()), C45Classifier()])
    assert describe(pair).startswith(
        "dissensus.ensemble.cascade._classifier.CascadeClassifier("
    )


def test_parameters_at_their_defaults_do_not_count() -> None:
    assert describe(C45Classifier(confidence=0.25)) == "c45"


def test_another_learner_is_named_with_its_changed_parameters() -> None:
    name = "sklearn.linear_model._logistic.LogisticRegression"
    assert describe(LogisticRegression(C=3.0)) == f"{name}(C=3.0)"


def test_parts_of_a_pipeline_count() -> None:
    first = make_pipeline(StandardScaler(), LogisticRegression())
    second = make_pipeline(StandardScaler(with_mean=False), LogisticRegression())
    assert describe(first) != describe(second)
    assert "StandardScaler(with_mean=False)" in describe(second)


def test_arrays_and_functions_count_by_their_content() -> None:
    ones, twos = np.ones(3), np.full(3, 2.0)
    assert describe(ones) == describe(np.ones(3)) != describe(twos)
    log = FunctionTransformer(np.log)
    assert describe(log) != describe(FunctionTransformer(np.exp))


def test_versions_of_other_packages_are_known() -> None:
    assert versions_of(C45Classifier()) == ()
    assert versions_of(make_pipeline(StandardScaler(), C45Classifier())) == (
        f"scikit-learn=={sklearn.__version__}",
    )


def test_what_cannot_be_sent_to_another_process_is_refused() -> None:
    with pytest.raises(LearnerError, match="cannot be sent to another process"):
        pickled(Unpicklable(what=(n for n in range(3))))


SCRIPT = """
import sys
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.experiment.learners import Constant
from dissensus.learners._describe import describe, pickled

class Mine(Constant):
    pass

print(describe(make_pipeline(StandardScaler(), LogisticRegression(C=2.0))), flush=True)
sys.stdout.buffer.write(pickled(Mine(seconds=0.5)))
"""


def test_another_process_agrees_and_sends_classes_of_its_main_program(
    project_root: Path,
) -> None:
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        cwd=project_root,
        check=True,
    ).stdout
    words, _, content = said.partition(b"\n")
    here = describe(make_pipeline(StandardScaler(), LogisticRegression(C=2.0)))
    assert words.decode() == here
    model = pickle.loads(content)
    assert type(model).__name__ == "Mine"
    assert isinstance(model, Constant)
    assert model.seconds == 0.5
