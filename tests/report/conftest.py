"""A real browser for the pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

WIDTHS = (1440, 390)
THEMES = ("light", "dark")


class Visit:
    """A page that is open in the browser, and what it said and asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.messages: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def violations(self) -> list[str]:
        """Return what axe-core finds wrong with the page."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return Debian's chromium, or skip where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium here (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # In a container there is no user namespace for the sandbox.
        running = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """Open a file in the browser, at some width and in light or dark."""
    pages = []

    def opened(path: Path, width: int = 1440, theme: str = "light") -> Visit:
        page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme=theme
        )
        pages.append(page)
        found = Visit(page)
        page.goto(path.as_uri())
        return found

    yield opened
    for page in pages:
        page.close()
