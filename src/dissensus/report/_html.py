"""Templates and what they are rendered with. The only place that knows Jinja2."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from dissensus.exceptions import ReportError
from dissensus.utils._files import write_whole

EXTRA = 'pip install "dissensus[report]"'


def render(template: str, **content: Any) -> str:
    """Return a template of this package, filled in; all content is escaped."""
    return str(_environment().get_template(template).render(**content))


def write_page(path: str | os.PathLike[str], page: str) -> None:
    """Write a page to a file; the file system's refusals become our error."""
    try:
        with write_whole(path, "w", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise _unwritable(path, error) from None


def check_page(path: str | os.PathLike[str]) -> None:
    """Raise an error unless a page can be written there, before work is done for it."""
    page = Path(path)
    try:
        if page.exists():
            page.open("r+b").close()
        else:
            page.open("xb").close()
            page.unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str | os.PathLike[str], error: OSError) -> ReportError:
    return ReportError(
        f"{os.fspath(path)}: the page cannot be written ({error.strerror}). Check the "
        "folder and its permissions."
    )


def missing_package(name: str) -> ReportError:
    """Return the error that tells how to install what pages are made with."""
    return ReportError(f"Pages need {name}, which is not installed: {EXTRA}")


@cache
def _environment() -> Any:
    try:
        import jinja2
    except ImportError:
        raise missing_package("Jinja2") from None
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
