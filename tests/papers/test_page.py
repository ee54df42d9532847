"""A paper, run again, as a page of Markdown."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from dissensus.papers import Paper, Reproduction, Scale, write_reproduction
from dissensus.papers.framework._page import markdown_table, reproduction_markdown
from dissensus.papers.framework._paper import Claim, Comparison, Part, Section
from dissensus.papers.framework._run import PartReport
from dissensus.results import ResultTable


def analyse(_: object) -> Section:
    """Stand in for an analysis."""
    return Section()


@pytest.fixture
def run() -> Reproduction:
    """Return a paper with one part that was run and one that was not."""
    done = Part("done", "What was done", analyse, beyond=False)
    more = Part("more", "What was added", analyse, beyond=True)
    left = Part("left", "What was left", analyse)
    paper = Paper("mine", "A title", "Someone 2001", (done, more, left), ("A note.",))
    frame = pl.DataFrame({"dataset": ["a|b"], "mean": [0.123456]})
    section = Section(
        tables=[ResultTable("means", frame, n_failed=2)],
        comparisons=[Comparison("rank", "2.22", "2.50", "+0.28", "0.40", True)],
        claims=[Claim("it is better", False, "3-1")],
        notes=["Read this."],
    )
    question = Section(claims=[Claim("more is better", None, "nothing")])
    parts = (
        PartReport(done, section, 1200, 2, 90.0),
        PartReport(more, question, 1, 0, 1.0),
    )
    scale = Scale("full", repeats=5, without=("letter",))
    return Reproduction(paper, scale, parts, "2026-01-02T03:04:05+00:00")


def test_the_page_tells_what_was_run_and_what_was_not(run: Reproduction) -> None:
    page = reproduction_markdown(run, command="dissensus reproduce mine")
    assert "$ dissensus reproduce mine" in page
    assert "Finished 2026-01-02" in page
    assert (
        "full: the published protocol; 5 of the repeats only; without letter." in page
    )
    assert "1,201 cells and measurements, 2 failed" in page
    assert "- A note.\n- Not in this run: the parts left." in page


def test_claims_and_published_numbers_stand_before_the_tables(
    run: Reproduction,
) -> None:
    page = reproduction_markdown(run)
    places = [
        page.index(words)
        for words in (
            "| it is better | **not held** | 3-1 |",
            "| more is better | not judged | nothing |",
            "| rank | 2.22 | 2.50 | +0.28 | 0.40 | yes |",
            "## What was done\n",
            "Read this.",
            "**Means**",
            "| a\\|b | 0.1235 |",
            "Not in the numbers: 2 cells failed.",
            "## What was added (beyond the paper)",
        )
    ]
    assert places == sorted(places)


def test_numbers_are_aligned_to_the_right() -> None:
    text = markdown_table(["name", "n"], [["a", 1], ["b", None]], right=[1])
    assert text == "| name | n |\n| --- | ---: |\n| a | 1 |\n| b |  |"


def test_the_page_is_written_to_a_file(run: Reproduction, tmp_path: Path) -> None:
    write_reproduction(run, tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text().startswith("# A title\n")
