"""A paper is run again: planned, resumed, analysed and judged."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from dissensus.evaluation import WinDrawLoss
from dissensus.exceptions import PaperError
from dissensus.experiment import Progress
from dissensus.learners import parse_learner
from dissensus.papers import (
    MissingDataError,
    Paper,
    Scale,
    find_paper,
    reproduce,
)
from dissensus.papers._find import PAPERS
from dissensus.papers.framework._comparison import beside_value, beside_wins, surplus
from dissensus.papers.framework._paper import (
    SCALES,
    Claim,
    Context,
    Findings,
    Measurement,
    Part,
    Published,
    Section,
)
from dissensus.papers.framework._plan import plan_parts

TINY: dict[str, Any] = {"repeats": 1, "folds": 2}
ON_IRIS = Scale("tiny", datasets=("iris",), **TINY)
ON_BALANCE = Scale("tiny", datasets=("balance-scale",), **TINY)


def specs_of(paper: Paper) -> dict[str, Any]:
    """Return all specifications of a paper."""
    names = {name for part in paper.parts for name in (*part.specs, *part.data)}
    return {name: paper.specification(name) for name in sorted(names)}


# What is shipped


@pytest.mark.parametrize("name", PAPERS)
def test_every_specification_of_a_paper_names_learners_that_exist(name: str) -> None:
    for spec in specs_of(find_paper(name)).values():
        for learner in spec.learners:
            parse_learner(learner["learner"])


@pytest.mark.parametrize(
    ("name", "spec", "n_sets"),
    [("decorate", "curves", 15), ("maclen", "c45-family", 30)],
)
def test_a_paper_has_its_number_of_data_sets(name: str, spec: str, n_sets: int) -> None:
    datasets = find_paper(name).specification(spec).datasets
    named = [item if isinstance(item, str) else item["name"] for item in datasets]
    assert len(set(named)) == n_sets


def test_the_published_numbers_of_maclen_are_those_of_its_text() -> None:
    numbers = find_paper("maclen").published()
    assert numbers["c45-family/rank"].value == 2.22
    counts = {key: (n.wins, n.losses) for key, n in numbers.items() if n.of == 30}
    assert counts == {
        "c45-family/C4.5": (11, 3),
        "c45-family/Bagging": (7, 2),
        "c45-family/AdaBoost": (6, 4),
        "c45-family/RandomForest": (4, 4),
        "nb-family/MACLEN(L)/NB": (12, 1),
        "nb-family/MACLEN(M)/NB": (16, 1),
        "nb-family/MACLEN(L)/AdaBoost": (8, 5),
        "nb-family/MACLEN(M)/AdaBoost": (9, 5),
        "c45-noise/AdaBoost": (12, 1),
        "nb-noise/AdaBoost": (13, 2),
    }


def test_no_number_of_decorate_is_printed_as_published() -> None:
    assert find_paper("decorate").published() == {}


def test_the_identifiers_are_dropped() -> None:
    for name, spec in specs_of(find_paper("maclen")).items():
        dropped = {
            item["name"]: item["drop"]
            for item in spec.datasets
            if not isinstance(item, str)
        }
        assert dropped["yeast"] == ["sequence_name"], name
        assert dropped["zoo"] == ["animal"], name


# Planning


def test_all_data_sets_that_are_missing_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="--data-dir") as caught:
        reproduce("decorate", data_dir=tmp_path, store=tmp_path / "a.sqlite")
    assert len(caught.value.missing) == 14  # iris comes with the package
    assert "iris" not in caught.value.missing
    assert not (tmp_path / "a.sqlite").exists()


def test_a_part_that_is_not_there_is_named_with_the_nearest_one() -> None:
    with pytest.raises(PaperError, match="'curve'.*curves"):
        find_paper("decorate").choose(["curve"])


def test_a_paper_that_is_not_there_is_named_with_the_nearest_one() -> None:
    with pytest.raises(PaperError, match="maclen"):
        find_paper("macln")


def test_a_scale_that_is_not_there_is_refused() -> None:
    with pytest.raises(PaperError, match="quick"):
        reproduce("decorate", "quik")


def test_quick_takes_one_repeat_of_the_data_sets_below_1000_rows(
    tmp_path: Path,
) -> None:
    paper = find_paper("decorate")
    names = {
        item if isinstance(item, str) else item["name"]
        for item in paper.specification("curves").datasets
    }
    for name in names:
        n_rows = 1000 if name == "segment" else 40
        lines = [f"{row},{row % 5},{'ab'[row % 2]}" for row in range(n_rows)]
        extra = "Instance_name" if name == "splice" else "a"
        (tmp_path / f"{name}.csv").write_text(f"{extra},b,class\n" + "\n".join(lines))
    (planned,) = plan_parts(
        paper, paper.choose(["curves"]), SCALES["quick"], data_dir=tmp_path
    )
    spec = planned.specs["curves"]
    assert spec.repeats == 1
    assert len(spec.datasets) == 14
    assert "segment" not in spec.datasets


# Running


def test_decorate_is_run_and_analysed_on_a_small_set(tmp_path: Path) -> None:
    parts = ["curves", "diversity", "sizes", "bayes", "unlabelled"]
    found = reproduce(
        "decorate", ON_IRIS, parts=parts, store=tmp_path / "a.sqlite", workers=1
    )
    assert [report.part.name for report in found.parts] == parts
    assert (found.n_failed, found.parts[0].n_cells) == (0, 80)
    assert len(found.claims) == 12
    assert found.comparisons == []
    first = found.parts[0].section.tables[0].frame
    assert first["% of the data"].to_list()[0] == "1"
    assert all(
        len(report.section.tables[0].frame) for report in found.parts
    )  # no empty table
    assert found.seconds > 0


def test_maclen_is_run_and_analysed_on_a_small_set(tmp_path: Path) -> None:
    found = reproduce("maclen", ON_BALANCE, store=tmp_path / "a.sqlite", workers=1)
    assert [report.part.name for report in found.parts] == [
        part.name for part in find_paper("maclen").parts
    ]
    assert found.n_failed == 0
    published = find_paper("maclen").published()
    assert len(found.comparisons) == len(published)
    assert {c.what for c in found.comparisons} == {n.what for n in published.values()}


def test_what_is_in_the_store_is_not_run_again(tmp_path: Path) -> None:
    told: list[tuple[str, Progress]] = []
    options: dict[str, Any] = {
        "parts": ["bayes", "unlabelled"],
        "store": tmp_path / "a.sqlite",
        "workers": 1,
    }
    first = reproduce("decorate", ON_IRIS, **options)
    again = reproduce(
        "decorate", ON_IRIS, listener=lambda *words: told.append(words), **options
    )
    assert [(name, progress.job) for name, progress in told] == [("bayes", None)]
    assert again.claims == first.claims
    assert again.seconds == first.seconds


def measure(data: Any, seed: int, *, shout: bool) -> int:
    """Stand in for a measurement: the number of rows, or an error."""
    if shout:
        raise ValueError("too loud")
    return len(data.y)


def small_paper(shouts: list[bool]) -> Paper:
    """Return a paper with one part of measurements."""

    def plan(context: Context) -> list[Measurement]:
        ((source, _),) = context.datasets("curves")
        here = f"{__name__}:measure"
        return [Measurement(here, source, {"shout": shout}) for shout in shouts]

    def analyse(findings: Findings) -> Section:
        contents = [measured.content for measured in findings.measured]
        return Section(claims=[Claim("there are rows", None, str(contents))])

    part = Part("rows", "Rows", analyse, measurements=plan, data=("curves",))
    return Paper("decorate", "A title", "Someone", (part,))


def test_a_measurement_that_fails_is_counted_and_the_others_are_kept(
    tmp_path: Path,
) -> None:
    store = tmp_path / "a.sqlite"
    found = reproduce(small_paper([False, True]), ON_IRIS, store=store, workers=1)
    assert (found.n_cells, found.n_failed) == (2, 1)
    assert found.claims[0].numbers == "[150]"


def test_what_was_measured_before_ctrl_c_is_saved(tmp_path: Path) -> None:
    def stop(_name: str, progress: Progress) -> None:
        raise KeyboardInterrupt

    store = tmp_path / "a.sqlite"
    with pytest.raises(KeyboardInterrupt, match="1 of 1 measurements of 'rows'"):
        reproduce(small_paper([False]), ON_IRIS, store=store, workers=1, listener=stop)
    found = reproduce(
        small_paper([False]), ON_IRIS, store=store, workers=1, listener=stop
    )
    assert found.claims[0].numbers == "[150]"


def test_a_part_whose_measurements_all_fail_says_so(tmp_path: Path) -> None:
    found = reproduce(
        small_paper([True]), ON_IRIS, store=tmp_path / "a.sqlite", workers=1
    )
    assert "too loud" in found.parts[0].section.notes[0]


def test_a_part_without_a_data_set_is_left_out(tmp_path: Path) -> None:
    nothing = Scale("tiny", datasets=("balance-scale",), **TINY)
    with pytest.raises(PaperError, match="no data set"):
        reproduce("decorate", nothing, store=tmp_path / "a.sqlite")


# Published beside measured


def counts(wins: int, draws: int, losses: int) -> WinDrawLoss:
    """Return numbers of data sets as `win_draw_loss` does."""
    return WinDrawLoss(wins, draws, losses, 0, ())


def test_a_surplus_of_wins_is_a_mean_of_ones_and_minus_ones() -> None:
    mean, deviation = surplus(3, 1, 4)
    assert mean == 0.5
    assert deviation == pytest.approx(math.sqrt(1.0) / 2)


def test_equal_shares_of_wins_are_within_the_noise() -> None:
    published = Published("a", "wins", wins=10, losses=2, of=30)
    found = beside_wins(published, counts(5, 9, 1))
    assert (found.measured, found.difference) == ("5-1 of 15", "+0 points")
    assert found.within is True


def test_wins_that_turn_into_losses_are_outside_the_noise() -> None:
    published = Published("a", "wins", wins=25, losses=0, of=30)
    found = beside_wins(published, counts(0, 5, 25))
    assert found.difference == "-167 points"
    assert found.within is False


def test_one_data_set_tells_nothing_about_wins() -> None:
    published = Published("a", "wins", wins=25, losses=0, of=30)
    assert beside_wins(published, counts(1, 0, 0)).within is None


@pytest.mark.parametrize(("measured", "within"), [(2.4, True), (3.5, False)])
def test_a_number_is_within_two_deviations_of_both(
    measured: float, within: bool
) -> None:
    published = Published("a", "rank", value=2.22)
    found = beside_value(published, measured, 0.2)
    assert found.within is within
    assert found.noise == "0.55"
