"""Specifications: read from TOML or Python, checked whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from dissensus.datasets import load_dataset
from dissensus.exceptions import SpecError
from dissensus.experiment import DatasetSpec, ExperimentSpec, LearnerSpec
from dissensus.tree import C45Classifier
from tests.experiment.learners import Constant

MIXED = np.array(["a", 1], dtype=object)


def mistakes(*arguments: Any, **options: Any) -> tuple[str, ...]:
    """Return what `check` complains about."""
    with pytest.raises(SpecError) as error:
        ExperimentSpec(*arguments, **options).check()
    return error.value.mistakes


def test_jobs_are_the_product_of_all_lists() -> None:
    spec = ExperimentSpec(
        ["iris", "wine"],
        ["c45", "majority", "dtree"],
        repeats=2,
        folds=5,
        fractions=[1, 0.1],
        noise=[0.05, 0],
    )
    jobs = spec.check().jobs
    assert len(jobs) == len(set(jobs)) == 2 * 3 * 2 * 5 * 2 * 2
    assert {job.task.fraction for job in jobs} == {0.1, 1.0}


def test_the_work_left_is_like_the_work_done() -> None:
    jobs = ExperimentSpec(["iris", "wine"], ["c45", "majority"]).check().jobs
    first = {(job.learner, job.task.dataset) for job in jobs[:4]}
    assert len(first) == 4


def test_all_mistakes_are_listed_at_once() -> None:
    found = mistakes(
        ["iris", "no-such-set.csv", DatasetSpec("wine", drop=["alcool"])],
        ["c45", "baging", "c45(confidence=7)", "c45(prune=maybe)", 5],
        repeats=0,
        folds=1,
        fractions=[0.5, 2],
        noise="much",
        protocol="honestly",
        measures=["accurasy"],
        seed=-1,
        title=3,
    )
    words = "\n".join(found)
    for expected in (
        "repeats is 0. It must be a whole number from 1.",
        "folds is 1. It must be a whole number from 2.",
        "seed is -1",
        "fractions has 2. Each must be above 0 and at most 1",
        "noise is 'much'. It must be a list.",
        "protocol is 'honestly'. Did you mean 'honest'?",
        "measures has 'accurasy', which is no measure. Did you mean 'accuracy'",
        "title is 3. It must be text.",
        "no learner 'baging'. Did you mean 'bagging'?",
        "learner 'c45(confidence=7)': The 'confidence' parameter of C45Classifier must",
        "'c45(prune=maybe)': The 'prune' parameter",
        "learner 5: it must be a text or a classifier",
        "data set 'no-such-set.csv': no-such-set.csv: there is no such file",
        "data set 'wine': drop: there is no column 'alcool'. Did you mean 'alcohol'?",
    ):
        assert expected in words
    assert len(found) == 14
    assert f"The specification has {len(found)} mistakes:\n- " in str(SpecError(found))


def test_whole_numbers_may_be_those_of_numpy() -> None:
    plain = ExperimentSpec(["iris"], ["c45"], repeats=2, folds=3, seed=5)
    two, three, five = np.array([2, 3, 5])
    other = ExperimentSpec(["iris"], ["c45"], repeats=two, folds=three, seed=five)
    assert other.check().spec == plain.check().spec
    assert "folds is np.True_" in mistakes(["iris"], ["c45"], folds=np.bool_(1))[0]


def test_a_seed_must_fit_into_the_store() -> None:
    ExperimentSpec(["iris"], ["c45"], seed=2**63 - 1).check()
    assert "from 0 to 9223372036854775807" in mistakes(["iris"], ["c45"], seed=2**63)[0]


def test_groups_may_have_names_of_several_kinds() -> None:
    X, y = np.arange(8.0).reshape(8, 1), [0, 1] * 4
    names = np.array([1, 1, "a", "a", "b", "b", 2, 2], dtype=object)
    data = DatasetSpec("g", X=X, y=y, groups=names)
    plan = ExperimentSpec([data], ["c45"], repeats=1, folds=2).check()
    groups = plan.data[0].groups
    assert groups is not None
    assert len(set(groups.tolist())) == 4


def test_folds_must_fit_the_rows_and_groups() -> None:
    data = DatasetSpec("few", X=[[1.0], [2.0], [3.0]], y=[0, 1, 0])
    assert "10 folds cannot be made" in mistakes([data], ["c45"])[0]
    X = np.arange(20.0).reshape(20, 1)
    grouped = DatasetSpec("g", X=X, y=[0, 1] * 10, groups=[0, 0, 1, 1] * 5)
    assert "cannot be made" in mistakes([grouped], ["c45"], folds=3)[0]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            DatasetSpec("a", X=[[1.0], [2.0]], y=["x", "x"]),
            "all rows have the label 'x'",
        ),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=["x"]), "X has 2 rows"),
        (
            DatasetSpec("a", X=[[1.0], [2.0]], y="x"),
            "y is the text 'x'. Give the labels",
        ),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=["x", None]), "no label in row 1"),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=[np.nan, 1]), "no label in row 0"),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=["x", pd.NA]), "no label in row 1"),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=MIXED), "several types: int, str"),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=[0.5, 1.0]), "such as 0.5, which are no"),
        (DatasetSpec("a", X=[[1.0]]), "X and y must be given together"),
        (DatasetSpec("a", X=[[1.0]], y=[1], target="b"), "is for files"),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=[0, 1], groups=[1]), "groups must have"),
        (
            DatasetSpec("a", X=[[1.0], [2.0]], y=[0, 1], groups=["g", None]),
            "row 1 has no group",
        ),
        (DatasetSpec("a", X=[[1.0], [2.0]], y=[0, 1], folds=[[0]]), "must have one"),
        (
            DatasetSpec("a", X=[[1], [2]], y=[0, 1], folds=[[0, 1]]),
            "own folds are 1 x 2",
        ),
        (
            DatasetSpec("a", X=[[1], [2]], y=[0, 1], folds=[[0, 1], [0, 2]]),
            "folds of repeat 1 are [0, 2]. They must be all numbers from 0 to 1",
        ),
        (DatasetSpec("iris", folds=[[0, 1]]), "one entry for each of the 150 rows"),
        (DatasetSpec("a", X=[[1], [2]], y=[0, 1], folds=[[0, -1]]), "whole numbers"),
        (DatasetSpec("iris", group="colour"), "No attribute 'colour'"),
        ({"name": "iris", "droop": ["x"]}, "no key 'droop'. Did you mean 'drop'"),
        ({"drop": ["x"]}, "it needs a name"),
        (3, "it must be a name, a path"),
    ],
)
def test_a_data_set_that_cannot_be_used_is_a_mistake(data: Any, words: str) -> None:
    found = mistakes([data], ["c45"], repeats=2, folds=2)
    assert words in found[0]


@pytest.mark.parametrize(
    ("learners", "words"),
    [
        ("c45", "It must be a list with at least one learner"),
        ([], "It must be a list with at least one learner"),
        (["c45", "c45()"], "two learners 'c45'"),
        ({"a": "c45", "b": C45Classifier()}, "learner 'c45' is there twice"),
        ([{"name": "x"}], "the key 'learner' is missing"),
        ([{"learner": "c45", "namee": "x"}], "no key 'namee'. Did you mean 'name'?"),
        ([C45Classifier], "it must be a text or a classifier"),
        ([LogisticRegression(C=-1.0)], "The 'C' parameter of LogisticRegression"),
        (
            ["logistic(C=-1)"],
            "'logistic(C=-1)': The 'C' parameter of LogisticRegression",
        ),
    ],
)
def test_a_learner_that_cannot_be_used_is_a_mistake(learners: Any, words: str) -> None:
    assert words in mistakes(["iris"], learners)[0]


def test_datasets_must_be_a_list_with_different_names() -> None:
    assert mistakes("iris", ["c45"]) == ("datasets is 'iris'. It must be a list.",)
    assert mistakes([], ["c45"]) == ("datasets is empty. It needs at least one.",)
    assert "two data sets 'iris'" in mistakes(["iris", "iris"], ["c45"])[0]


def test_learners_may_be_named_in_every_form() -> None:
    spec = ExperimentSpec(
        ["iris"],
        ["c45", {"name": "tree", "learner": "dtree"}, LearnerSpec(Constant(), "mine")],
    )
    labels = [learner.label for learner in spec.check().study.learners.values()]
    assert labels == ["c45", "tree", "mine"]


def test_a_text_and_an_object_are_the_same_learner() -> None:
    text = ExperimentSpec(["iris"], ["c45(confidence=0.1)"]).check()
    thing = ExperimentSpec(["iris"], [C45Classifier(0.1)]).check()
    assert text.study.key(text.jobs[0]) == thing.study.key(thing.jobs[0])


def test_a_data_set_from_a_file_and_by_name_have_the_same_content() -> None:
    by_name = ExperimentSpec(["monks-1"], ["c45"]).check().study.data["monks-1"]
    loaded = ExperimentSpec([load_dataset("monks-1")], ["c45"]).check()
    assert loaded.study.data["monks-1"].fingerprint == by_name.fingerprint


TOML = """
title = "Two sets"
seed = 7
repeats = 1
folds = 3
fractions = [0.5, 1.0]
measures = ["accuracy", "auc"]
datasets = ["iris", { path = "own.csv", target = "kind", drop = ["id"] }]
learners = ["c45", { name = "Dtree", learner = "dtree(min_samples_leaf=5)" }]
"""
CSV = "id,size,kind\n" + "\n".join(f"{i},{i % 7},{'ab'[i % 2]}" for i in range(30))


def test_a_toml_file_is_a_specification(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(CSV)
    (tmp_path / "study.toml").write_text(TOML)
    plan = ExperimentSpec.from_toml(tmp_path / "study.toml").check()
    assert len(plan.jobs) == 2 * 2 * 3 * 2
    assert list(plan.study.data) == ["iris", "own"]
    assert plan.data[1].table.schema.names == ("size",)
    assert plan.study.measures == ("accuracy", "auc")
    assert json.loads(plan.spec)["title"] == "Two sets"


def test_a_data_folder_is_taken_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "own.csv").write_text(CSV)
    content = {"datasets": ["own"], "learners": ["c45"], "data_dir": "data", "folds": 3}
    spec = ExperimentSpec.from_dict(content, folder=tmp_path)
    assert spec.check().data[0].table.n_rows == 30


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("datasets = [", "it is no TOML"),
        ("learners = ['c45']", "datasets is missing."),
        ("datasets = ['iris']\nlearnes = ['c45']", "Did you mean 'learners'?"),
        (None, "there is no such file"),
    ],
)
def test_a_file_that_is_no_specification_is_refused(
    tmp_path: Path, text: str | None, words: str
) -> None:
    path = tmp_path / "study.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SpecError, match=words):
        ExperimentSpec.from_toml(path)
