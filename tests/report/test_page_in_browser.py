"""The page of a study in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dissensus.report import write_report
from dissensus.results import Results
from tests.report import studies
from tests.report.conftest import THEMES, WIDTHS, Visit

DRAWN = """[...document.querySelectorAll(".chart")].every(
    (chart) => chart.querySelector("svg[aria-hidden]"))"""
PRINTED = """
addEventListener("afterprint", () => (window.printed = true));
addEventListener("beforeprint", () => (window.paper = document.body.clientWidth));
"""
TEXTS = """[...document.querySelectorAll(".chart svg text")].map((text) => {
    const box = text.getBoundingClientRect();
    return [text.textContent, box.left, box.right];
}).filter(([text]) => text)"""
POINTS = "#curves .mark-symbol.role-mark path"
MOVED = f"""(before) => [...document.querySelectorAll("{POINTS}")].map(
    (point) => point.getAttribute("transform")).join() !== before"""


def written(results: Results, folder: Path) -> Path:
    """Write the page of a study."""
    path = folder / "page.html"
    write_report(results, path, command="dissensus run study.toml")
    return path


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(studies.several(), tmp_path_factory.mktemp("several"))


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(studies.one(), tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(studies.evil(), tmp_path_factory.mktemp("evil"))


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(studies.tested(), tmp_path_factory.mktemp("tested"))


@pytest.fixture
def look(visit: Callable[..., Visit]) -> Callable[..., Visit]:
    """Open a page and wait for its charts."""

    def looked(path: Path, width: int = 1440, theme: str = "light") -> Visit:
        found = visit(path, width, theme)
        found.page.wait_for_function(DRAWN)
        return found

    return looked


@pytest.mark.parametrize(
    ("study", "theme", "width"),
    [
        *(("several", theme, width) for theme in THEMES for width in WIDTHS),
        *(("one", *look) for look in zip(THEMES, WIDTHS, strict=True)),
        ("tested", *THEMES[:1], *WIDTHS[1:]),
        *(("evil", *look) for look in zip(THEMES, reversed(WIDTHS), strict=True)),
    ],
)
def test_page_is_quiet_fits_and_is_accessible(
    look: Callable[..., Visit],
    request: pytest.FixtureRequest,
    study: str,
    theme: str,
    width: int,
) -> None:
    path = request.getfixturevalue(study)
    found = look(path, width, theme)
    for details in found.page.locator("details").all():
        details.locator("summary").first.click()
    assert found.violations() == []
    assert found.messages == []
    assert found.requests == [path.as_uri()]
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("study", ["several", "one", "evil"])
def test_charts_stay_within_the_window(
    look: Callable[..., Visit], request: pytest.FixtureRequest, study: str, width: int
) -> None:
    window = look(request.getfixturevalue(study), width).page
    texts = window.evaluate(TEXTS)
    assert len(texts) > 50
    outside = [
        (t, left, right) for t, left, right in texts if left < 0 or right > width
    ]
    assert outside == []


def column(window: Any, part: str, number: int) -> list[str]:
    """Return the texts of a column of a part's table."""
    cells = window.locator(f"#{part} tbody tr > :nth-child({number})")
    return [" ".join(text.split()) for text in cells.all_text_contents()]


def test_tables_are_sorted_by_their_headings(
    look: Callable[..., Visit], one: Path
) -> None:
    window = look(one).page
    names = column(window, "scores-accuracy", 1)
    heading = window.locator("#scores-accuracy thead th").first
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column(window, "scores-accuracy", 1) == sorted(names, key=str.lower)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(window, "scores-accuracy", 1) == sorted(names, key=str.lower)[::-1]


def test_numbers_are_sorted_by_the_keyboard_and_as_numbers(
    look: Callable[..., Visit], several: Path
) -> None:
    window = look(several).page
    window.locator("#times summary").click()
    heading = window.locator("#times thead th").nth(1)
    heading.get_by_role("button").focus()
    window.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    cells = window.locator("#times tbody tr > :nth-child(2)").all()
    numbers = [float(cell.get_attribute("data-sort")) for cell in cells]
    assert numbers == sorted(numbers)
    window.keyboard.press("Space")
    assert heading.get_attribute("aria-sort") == "descending"
    other = window.locator("#times thead th").nth(2)
    other.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") is None


def test_empty_cells_stay_at_the_end_and_the_mean_at_the_foot(
    look: Callable[..., Visit], several: Path
) -> None:
    window = look(several).page
    headings = window.locator("#scores-accuracy thead th")
    names = [" ".join(text.split()) for text in headings.all_text_contents()]
    place = names.index("stubborn")
    for _ in range(2):
        headings.nth(place).get_by_role("button").click()
        values = column(window, "scores-accuracy", place + 1)
        assert values.count("-") > 1
        assert all(value == "-" for value in values[values.index("-") :])
    foot = window.locator("#scores-accuracy tfoot th").text_content()
    assert foot.startswith("mean of")


def test_hovering_shows_the_numbers_of_a_point(
    look: Callable[..., Visit], several: Path
) -> None:
    window = look(several).page
    tooltip = window.locator("#vg-tooltip-element")
    assert not tooltip.is_visible()
    bar = window.locator("#bias-variance .mark-rect path").first
    bar.scroll_into_view_if_needed()
    bar.hover(force=True)
    tooltip.wait_for(state="visible")
    words = tooltip.text_content()
    assert "learner" in words
    assert "%" in words


def test_names_in_charts_and_tooltips_are_texts(
    look: Callable[..., Visit], evil: Path
) -> None:
    found = look(evil)
    window = found.page
    bar = window.locator("#bias-variance .mark-rect path").first
    bar.scroll_into_view_if_needed()
    bar.hover(force=True)
    window.locator("#vg-tooltip-element").wait_for(state="visible")
    assert window.locator("img").count() == 0
    assert found.messages == []


def test_another_data_set_is_chosen_for_the_curves(
    look: Callable[..., Visit], several: Path
) -> None:
    window = look(several).page
    points = window.locator(POINTS).all()
    before = [point.get_attribute("transform") for point in points]
    window.locator("#curves select").select_option("data 3")
    window.wait_for_function(MOVED, arg=",".join(before))


def test_colours_of_charts_follow_the_theme(
    look: Callable[..., Visit], one: Path
) -> None:
    window = look(one).page
    label = window.locator("#scores-accuracy .role-axis-label text").first
    colour = "(element) => getComputedStyle(element).fill"
    light = label.evaluate(colour)
    window.get_by_role("button", name="Dark").click()
    assert label.evaluate(colour) != light


def test_links_lead_to_the_parts(look: Callable[..., Visit], several: Path) -> None:
    window = look(several).page
    window.get_by_role("link", name="Calibration").click()
    window.wait_for_function("scrollY > 0")
    assert window.evaluate("location.hash") == "#calibration"
    assert window.locator("#calibration").bounding_box()["y"] < 900


def test_charts_are_drawn_anew_for_paper(
    look: Callable[..., Visit], several: Path, tmp_path: Path
) -> None:
    window = look(several).page
    window.evaluate(PRINTED)
    wide = window.locator("#times svg").bounding_box()["width"]
    pdf = window.pdf(path=tmp_path / "page.pdf", format="A4")
    assert pdf.startswith(b"%PDF")
    assert window.evaluate("window.printed")
    assert window.evaluate("window.paper") < 700 < wide


def test_branches_of_the_tree_fold(look: Callable[..., Visit], one: Path) -> None:
    window = look(one).page
    root = window.locator('#tree [role="treeitem"]').first
    root.click()
    assert root.get_attribute("aria-expanded") == "false"
