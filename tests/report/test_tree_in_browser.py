"""The picture of a tree in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dissensus import C45Classifier, load_dataset
from dissensus.report import export_html
from tests.report.conftest import THEMES, WIDTHS, Visit

SHOWN = '[role="treeitem"]:visible'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = load_dataset("tic-tac-toe")
    path = tmp_path_factory.mktemp("tree") / "tree.html"
    export_html(C45Classifier().fit(data.X, data.y), path, title="Noughts and crosses")
    return path


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_page_is_quiet_and_accessible(
    page: Path, visit: Callable[..., Visit], width: int, theme: str
) -> None:
    found = visit(page, width, theme)
    assert found.violations() == []
    assert found.messages == []
    assert found.requests == [page.as_uri()]
    # Nothing but the picture itself may be wider than the window.
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width


def expanded(node: Any) -> Any:
    """Return whether a box is unfolded."""
    return node.get_attribute("aria-expanded")


def test_branches_fold_by_mouse(page: Path, visit: Callable[..., Visit]) -> None:
    window = visit(page).page
    before = window.locator(SHOWN).count()
    root = window.locator('[role="treeitem"]').first
    root.click()
    assert (expanded(root), window.locator(SHOWN).count()) == ("false", 1)
    root.click()
    assert (expanded(root), window.locator(SHOWN).count()) == ("true", before)
    window.get_by_role("button", name="Unfold all").click()
    assert window.locator(SHOWN).count() == window.locator('[role="treeitem"]').count()
    window.get_by_role("button", name="Fold all", exact=True).click()
    assert window.locator(SHOWN).count() == 4


def test_branches_fold_by_keyboard(page: Path, visit: Callable[..., Visit]) -> None:
    window = visit(page).page
    root = window.locator('[role="treeitem"]').first
    root.focus()

    def focused() -> str:
        return str(window.evaluate("document.activeElement.getAttribute('aria-label')"))

    window.keyboard.press("ArrowRight")
    first_child = focused()
    assert first_child != root.get_attribute("aria-label")
    window.keyboard.press("ArrowLeft")  # folds the child, or goes to the root
    window.keyboard.press("ArrowLeft")
    assert focused() == root.get_attribute("aria-label")
    window.keyboard.press("ArrowLeft")
    assert expanded(root) == "false"
    window.keyboard.press("Enter")
    assert expanded(root) == "true"
    window.keyboard.press("ArrowDown")
    assert focused() == first_child
    window.keyboard.press("End")
    last = focused()
    window.keyboard.press("ArrowUp")
    assert focused() != last
    window.keyboard.press("Home")
    assert focused() == root.get_attribute("aria-label")


@pytest.mark.parametrize("width", WIDTHS)
def test_boxes_do_not_overlap_however_they_are_folded(
    page: Path, visit: Callable[..., Visit], width: int
) -> None:
    window = visit(page, width).page
    window.get_by_role("button", name="Unfold all").click()
    boxes = [box.bounding_box() for box in window.locator(f"{SHOWN} .box").all()]
    columns: dict[float, list[float]] = {}
    for box in boxes:
        columns.setdefault(box["x"], []).append(box["y"])
    for tops in columns.values():
        below = [b - a for a, b in zip(sorted(tops), sorted(tops)[1:], strict=False)]
        assert all(distance >= 44 for distance in below)


def test_button_changes_the_theme(page: Path, visit: Callable[..., Visit]) -> None:
    window = visit(page).page
    colour = "getComputedStyle(document.body).backgroundColor"
    light = window.evaluate(colour)
    window.get_by_role("button", name="Dark").click()
    assert window.evaluate(colour) != light
    window.get_by_role("button", name="Light").click()
    assert window.evaluate(colour) == light
