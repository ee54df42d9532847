"""Cascade Generalization, run again: its specifications, numbers and analyses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dissensus.papers import find_paper, reproduce
from dissensus.papers.cascade._errors import Errors
from dissensus.papers.cascade._tables import (
    COMPONENTS,
    PAIRS,
    RANKED,
    RANKED_LOCAL,
)
from dissensus.papers.framework._comparison import beside_value
from dissensus.papers.framework._paper import Scale

SMALL = ("iris", "monks-2")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run every part on two small data sets, by two folds."""
    store = tmp_path_factory.mktemp("cascade") / "cascade.sqlite"
    scale = Scale("small", repeats=1, folds=2, datasets=SMALL)
    return reproduce("cascade", scale, store=store, workers=1)


def test_every_part_runs_and_nothing_fails(run: Any) -> None:
    names = [report.part.name for report in run.parts]
    assert names == [part.name for part in find_paper("cascade").parts]
    assert run.n_failed == 0


def test_a_study_that_several_parts_look_at_is_counted_once(run: Any) -> None:
    counted = {report.part.name: report.n_cells for report in run.parts}
    assert counted["effort"] == counted["correlation"] == 0
    n_learners = len(learners_of("tables"))
    assert counted["tables"] == n_learners * len(SMALL) * 2


def test_every_claim_has_numbers_and_all_but_one_are_judged(run: Any) -> None:
    assert len(run.claims) > 20
    open_ones = [claim.text for claim in run.claims if claim.held is None]
    assert open_ones == ["With Dis/Bay the distance between classes almost doubles"]
    for claim in run.claims:
        assert any(letter.isdigit() for letter in claim.numbers)


def test_on_monks_2_the_cascade_asks_naive_bayes_first(run: Any) -> None:
    held = {claim.text: claim.held for claim in run.claims}
    assert held["The root of the cascade's tree tests a probability of naive Bayes"]


def test_the_tree_of_the_walk_through_is_listed(run: Any) -> None:
    listings = dict(run.parts[1].section.listings)
    assert listings["Monks-2: the tree of C4/Bay, on all rows"].startswith("NB:P(0) <=")
    assert "|   " in listings["Monks-2: the tree of CGBLtree, on all rows"]


def test_means_over_fewer_data_sets_say_so_and_are_not_judged(run: Any) -> None:
    means = [c for c in run.comparisons if c.what.startswith("arithmetic mean")]
    assert len(means) == 21
    assert all("ours over 2 sets" in c.what and c.within is None for c in means)


def test_distances_are_measured_where_all_attributes_are_numeric(run: Any) -> None:
    report = next(r for r in run.parts if r.part.name == "distances")
    rows = report.section.tables[0].frame["dataset"].to_list()
    assert sorted(rows) == ["iris", "median"]


# The specifications and the published numbers


def learners_of(name: str) -> dict[str, str]:
    learners: Any = find_paper("cascade").specification(name).learners
    return {one["name"]: one["learner"] for one in learners}


def test_the_studies_have_the_26_data_sets_of_the_paper() -> None:
    paper = find_paper("cascade")
    names = [
        item if isinstance(item, str) else item["name"]
        for study in ("tables", "large")
        for item in paper.specification(study).datasets
    ]
    assert len(set(names)) == len(names) == 26
    assert paper.specification("tables").repeats == 10
    assert paper.specification("large").repeats == 1


def test_both_studies_have_the_learners_of_all_tables() -> None:
    learners = learners_of("tables")
    assert learners_of("large") == learners
    wanted = {*RANKED, *RANKED_LOCAL, *(name for pair in PAIRS for name in pair)}
    assert wanted <= set(learners)


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_cascade_is_built_of_its_components_the_last_of_which_decides(
    name: str,
) -> None:
    learners = learners_of("tables")
    short = {"C4": "C4.5", "Bay": "Bayes", "Dis": "Discrim"}
    parts = [learners[short[part]] for part in reversed(name.split("/"))]
    assert learners[name] == f"cascade({', '.join(parts)})"


def test_published_numbers_are_about_learners_and_data_sets_that_are_run() -> None:
    published = find_paper("cascade").published()
    learners = set(learners_of("tables"))
    for number in published.values():
        kind, _, rest = number.key.partition(" ")
        if kind in ("arithmetic", "geometric", "rank", "top", "time"):
            assert rest in learners
        if kind == "cell":
            assert rest.partition(" ")[2] in learners
            assert number.deviation is not None
    assert published["arithmetic C4/Bay"].value == 13.44
    assert beside_value(published["rank C4.5"], 9.83, 0.0).within


# Errors over data sets


def errors_of(means: list[list[float]], runs: Any, *, whole: bool = True) -> Errors:
    n_sets = len(means)
    return Errors(
        tuple(f"set {n}" for n in range(n_sets)),
        ("a", "b"),
        np.array(means),
        [np.array(run, dtype=np.float64) for run in runs],
        [whole] * n_sets,
        0,
        0,
    )


def test_geometric_means_have_a_floor_of_a_hundredth_of_a_point() -> None:
    found = errors_of([[0.0, 4.0], [1.0, 9.0]], [[[0.0], [4.0]], [[1.0], [9.0]]])
    assert found.geometric("a") == pytest.approx(0.1)
    assert found.geometric("b") == pytest.approx(6.0)
    assert found.never_perfect().tolist() == [False, True]
    assert found.geometric("a", kept=found.never_perfect()) == pytest.approx(1.0)
    assert found.ranks(["a", "b"]) == {"a": 1.0, "b": 2.0}


def test_marks_say_which_differences_are_significant() -> None:
    low = [1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 1.0]
    high = [value + 5 + 0.1 * (n % 3) for n, value in enumerate(low)]
    found = errors_of([[1.0, 6.1], [6.1, 6.0]], [[low, high], [high, high[::-1]]])
    assert found.mark(0, "a", "b") == "+"
    assert found.mark(0, "b", "a") == "-"
    assert found.mark(1, "a", "b") == ""
    assert str(found.significant("a", "b")) == "1-1-0"
    assert str(found.wins("a", "b")) == "1-0-1"


def test_the_deviation_of_folds_is_that_of_their_mean() -> None:
    runs = [[[1.0, 3.0], [2.0, 2.0]]]
    whole = errors_of([[2.0, 2.0]], runs, whole=True)
    folds = errors_of([[2.0, 2.0]], runs, whole=False)
    assert whole.spread(0, "a") == pytest.approx(np.sqrt(2))
    assert folds.spread(0, "a") == pytest.approx(1.0)
    assert whole.uncertainty(0, "a") == folds.uncertainty(0, "a") == pytest.approx(1.0)


def test_the_papers_folder_holds_every_specification_that_its_parts_name() -> None:
    paper = find_paper("cascade")
    for part in paper.parts:
        for name in (*part.specs, *part.data):
            assert paper.specification(name).title
    folder = Path(__file__).parents[2] / "src/dissensus/papers/cascade"
    named = {name for part in paper.parts for name in (*part.specs, *part.data)}
    assert {path.stem for path in folder.glob("*.toml")} == {*named, "published"}
