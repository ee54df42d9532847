"""What is written about the package is true: snippets run, docstrings fit."""

import doctest
import importlib
import inspect
import io
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numpydoc.validate import validate

import dissensus

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [
    module.name for module in pkgutil.walk_packages(dissensus.__path__, "dissensus.")
]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
IGNORED = set(
    tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["numpydoc_validation"][
        "checks"
    ]
) - {"all"}
# numpydoc's codes for a section that is missing, and the section.
SECTIONS = {"PR01": "Parameters\n---", "RT01": "Returns\n---"}


def run_examples(test: doctest.DocTest) -> dict[str, Any]:
    """Run the examples of one docstring or snippet; return the names they made."""
    words = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    if runner.run(test, out=words.write, clear_globs=False).failed:
        pytest.fail(words.getvalue(), pytrace=False)
    return test.globs


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        run_examples(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_snippets_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    text = page.read_text()
    for match in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        line = text.count("\n", 0, match.start(1))
        if ">>>" in match[1]:
            examples = doctest.DocTestParser().get_doctest(
                match[1], names, page.name, str(page), line
            )
            names = run_examples(examples)
        else:
            exec(compile("\n" * line + match[1], str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def public_objects() -> Iterator[str]:
    """Name every public class, function and method of the subpackages."""
    for module in pkgutil.iter_modules(dissensus.__path__, "dissensus."):
        package = importlib.import_module(module.name)
        for name in getattr(package, "__all__", []):
            value = getattr(package, name)
            if not callable(value):
                continue
            yield f"{module.name}.{name}"
            if inspect.isclass(value):
                yield from public_methods(f"{module.name}.{name}", value)


def public_methods(prefix: str, owner: type) -> Iterator[str]:
    """Name the public methods and properties that a class defines itself."""
    for name, member in vars(owner).items():
        plain = getattr(member, "__func__", getattr(member, "fget", member))
        module = getattr(plain, "__module__", "") or ""
        if not name.startswith("_") and callable(plain) and "dissensus" in module:
            yield f"{prefix}.{name}"


def complaints(name: str) -> list[str]:
    """List what numpydoc finds wrong, with two liberties.

    A method may leave a section out where its summary or scikit-learn's contract says
    enough, and a record may describe its fields as attributes; the sections that are
    there are held to all rules.
    """
    found = validate(name)
    ignored = set(IGNORED)
    inherits = name.startswith("dissensus.exceptions.")  # the root has the parameters
    if name.count(".") > 2 or "Attributes\n---" in found["docstring"] or inherits:
        ignored |= {
            code for code, title in SECTIONS.items() if title not in found["docstring"]
        }
    return [
        f"{code}: {words}" for code, words in found["errors"] if code not in ignored
    ]


@pytest.mark.parametrize("name", list(public_objects()))
def test_docstring_agrees_with_its_object(name: str) -> None:
    assert complaints(name) == []


@pytest.mark.parametrize(
    "name", [name for name in dissensus.__all__ if name != "__version__"]
)
def test_docstring_of_a_leading_name_has_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(dissensus, name)) or "")
