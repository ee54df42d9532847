"""Seeds, keys and splits: the same everywhere, and different where they should be."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import dissensus
from dissensus.exceptions import ExperimentError, SpecError
from dissensus.experiment import DatasetSpec, ExperimentSpec
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.plan._seeds import digest, seed_of
from dissensus.io import read_table
from dissensus.store import Job, Task


def study(datasets: Any = ("iris",), learners: Any = ("c45",), **options: Any) -> Study:
    return ExperimentSpec(list(datasets), list(learners), **options).check().study


def test_seeds_are_the_same_on_every_machine() -> None:
    assert seed_of("folds", 0, "iris", 3) == 1434569020
    assert seed_of("folds", 0, "iris", 4) != seed_of("folds", 0, "iris", 3)
    assert seed_of("a", "bc") != seed_of("ab", "c")


def test_a_digest_counts_all_digits_of_a_number() -> None:
    assert digest(0.1 + 0.2) != digest(0.3)
    assert digest(1) != digest("1")


CELL = Job("c45", Task("iris", 0, 0))


@pytest.mark.parametrize(
    "other",
    [
        Job("c45(prune=False)", Task("iris", 0, 0)),
        Job("c45", Task("wine", 0, 0)),
        Job("c45", Task("iris", 1, 0)),
        Job("c45", Task("iris", 0, 1)),
        Job("c45", Task("iris", 0, 0, fraction=0.5)),
        Job("c45", Task("iris", 0, 0, noise=0.05)),
    ],
)
def test_every_part_of_a_cell_changes_its_key_and_seed(other: Job) -> None:
    here = study(["iris", "wine"], ["c45", "c45(prune=False)"])
    assert here.key(CELL) == here.key(Job("c45", Task("iris", 0, 0)))
    assert here.key(CELL) != here.key(other)
    assert here.learner_seed(CELL) != here.learner_seed(other)


def test_everything_that_determines_a_result_is_in_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = [
        study(**options).key(CELL)
        for options in ({}, {"seed": 1}, {"folds": 5}, {"protocol": "paper"})
    ]
    changed = study()
    changed.data = {"iris": replace(changed.data["iris"], fingerprint="other")}
    keys.append(changed.key(CELL))
    newer = study()
    newer.learners = {"c45": replace(newer.learners["c45"], versions=("x==2",))}
    keys.append(newer.key(CELL))
    monkeypatch.setattr(dissensus, "__version__", "99.0")
    keys.append(study().key(CELL))
    assert len(set(keys)) == len(keys)


def test_names_and_measures_do_not_change_a_key() -> None:
    first = study(learners=["c45"]).key(CELL)
    named = study(learners=[{"name": "tree", "learner": "c45"}], measures=["auc"])
    assert named.key(CELL) == first


def test_folds_part_the_rows_and_differ_between_repeats_and_data_sets() -> None:
    here = study(["iris", "wine"])
    folds = here.splits("iris", 0)
    np.testing.assert_array_equal(
        np.sort(np.concatenate([test for _, test in folds])), np.arange(150)
    )
    for train, test in folds:
        assert len(np.intersect1d(train, test)) == 0
        assert len(train) + len(test) == 150
        assert np.bincount(here.load("iris").y[test]).tolist() == [5, 5, 5]
    again = study(["iris"], ["majority"]).splits("iris", 0)
    np.testing.assert_array_equal(again[0][1], folds[0][1])
    assert not np.array_equal(here.splits("iris", 1)[0][1], folds[0][1])


def test_groups_stay_together() -> None:
    X = np.arange(60.0).reshape(60, 1)
    groups = np.repeat(np.arange(12), 5)
    data = DatasetSpec("g", X=X, y=[0, 1] * 30, groups=groups)
    for train, test in study([data], folds=4).splits("g", 0):
        assert not set(groups[train]) & set(groups[test])


def test_a_group_column_of_a_file_is_no_input(tmp_path: Any) -> None:
    path = tmp_path / "g.csv"
    rows = "\n".join(f"{i},p{i // 4},{'ab'[i % 2]}" for i in range(40))
    path.write_text(f"x,patient,class\n{rows}\n")
    data = DatasetSpec("g", path, group="patient")
    here = study([data], folds=4)
    assert here.load("g").table.schema.names == ("x",)
    for train, test in here.splits("g", 0):
        assert not set(train // 4) & set(test // 4)


@pytest.mark.parametrize("groups", [["p", "q", "?", "r"], ["1", "2", "?", "3"]])
def test_a_row_of_a_file_without_a_group_is_refused(
    groups: list[str], tmp_path: Any
) -> None:
    path = tmp_path / "g.csv"
    rows = "\n".join(f"{i},{group},{'ab'[i % 2]}" for i, group in enumerate(groups))
    path.write_text(f"x,patient,class\n{rows}\n")
    with pytest.raises(SpecError, match="row 2 has no group"):
        study([DatasetSpec("g", path, group="patient")], folds=2)


def test_given_folds_are_used_as_they_are() -> None:
    folds = np.array([[0, 1] * 5, [0] * 5 + [1] * 5])
    data = DatasetSpec("f", X=np.zeros((10, 1)), y=[0, 1] * 5, folds=folds)
    here = study([data], repeats=2, folds=2)
    assert here.splits("f", 0)[1][1].tolist() == [1, 3, 5, 7, 9]
    assert here.splits("f", 1)[1][1].tolist() == [5, 6, 7, 8, 9]


def test_fractions_are_nested_and_the_same_for_all_learners() -> None:
    here = study(["wine"], ["c45", "majority"])
    parts = [
        set(here.material(Task("wine", 0, 2, fraction)).train.tolist())
        for fraction in (0.05, 0.2, 0.5, 1.0)
    ]
    assert all(small < large for small, large in pairwise(parts))
    assert len(parts[1]) == 32


def test_noise_changes_the_said_share_of_training_labels_only() -> None:
    here = study(["iris"])
    plain = here.material(Task("iris", 0, 0))
    noisy = here.material(Task("iris", 0, 0, noise=0.2))
    assert (plain.y != noisy.y).sum() == 27
    np.testing.assert_array_equal(plain.test, noisy.test)
    again = here.material(Task("iris", 0, 0, noise=0.2))
    np.testing.assert_array_equal(noisy.y, again.y)


def test_classes_have_their_declared_order(tmp_path: Any) -> None:
    path = tmp_path / "o.arff"
    path.write_text(
        "@relation o\n@attribute x numeric\n@attribute class {z, none, b, a}\n@data\n"
        + "1,a\n2,z\n3,b\n" * 4
    )
    loaded = study([read_table(path)], folds=2).load("o")
    assert loaded.classes == ("z", "b", "a")
    assert loaded.y[:3].tolist() == [2, 0, 1]


def test_the_paper_protocol_discretises_the_whole_file() -> None:
    honest, paper = study().load("iris"), study(protocol="paper").load("iris")
    assert honest.table.schema.all_numeric
    assert [a.n_values for a in paper.table.schema] == [3, 3, 3, 3]


def test_a_study_travels_without_its_data() -> None:
    here = study(["iris"])
    here.splits("iris", 0)
    content = pickle.dumps(here)
    assert len(content) < 2000
    there = pickle.loads(content)
    assert there.key(CELL) == here.key(CELL)
    np.testing.assert_array_equal(
        there.splits("iris", 0)[0][1], here.splits("iris", 0)[0][1]
    )


def test_data_in_memory_travel_with_their_study() -> None:
    data = DatasetSpec("m", X=[[1.0, "a"], [2.0, "b"]] * 5, y=[0, 1] * 5)
    there = pickle.loads(pickle.dumps(study([data], folds=2)))
    assert there.load("m").table.n_rows == 10


def test_a_file_with_another_content_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "d.csv"
    rows = "\n".join(f"{i},{'ab'[i % 2]}" for i in range(30))
    path.write_text(f"x,class\n{rows}\n")
    there = pickle.loads(pickle.dumps(study([path], folds=2)))
    path.write_text(f"x,class\n{rows}\n99,a\n")
    with pytest.raises(ExperimentError, match="another content here"):
        there.load("d")


def test_another_machine_finds_a_file_in_its_own_folder(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    rows = "\n".join(f"{i},{'ab'[i % 2]}" for i in range(30))
    (here / "d.csv").write_text(f"x,class\n{rows}\n")
    monkeypatch.setenv("DISSENSUS_DATA", str(here))
    content = pickle.dumps(study(["d"], folds=2))
    (here / "d.csv").rename(there / "d.csv")
    monkeypatch.setenv("DISSENSUS_DATA", str(there))
    assert pickle.loads(content).load("d").table.n_rows == 30
