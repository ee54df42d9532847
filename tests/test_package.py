"""The package as a whole: version, lazy names, layout."""

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import dissensus

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "dissensus"
MODULES = [
    module.name
    for module in pkgutil.walk_packages(dissensus.__path__, "dissensus.")
    if not module.name.endswith("__main__")
]
HEAVY = ("joblib", "narwhals", "numpy", "pandas", "polars", "scipy", "sklearn")


def test_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    meson = (ROOT / "meson.build").read_text()
    assert version("dissensus") == dissensus.__version__
    assert f"\nversion: {dissensus.__version__}\n" in citation
    assert f"version: '{dissensus.__version__}'" in meson


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, dissensus; print(*(set({HEAVY}) & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.split() == []


@pytest.mark.parametrize("name", dissensus.__all__)
def test_public_name_can_be_imported(name: str) -> None:
    assert getattr(dissensus, name) is not None
    assert name in dir(dissensus)


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'C46'.*C45Classifier"):
        getattr(dissensus, "C46")  # noqa: B009 -- a type checker refuses the other way


def test_stub_declares_the_lazy_names() -> None:
    tree = ast.parse((SOURCE / "__init__.pyi").read_text())
    homes = {
        alias.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes == vars(dissensus)["_HOMES"]
    assert sorted([*homes, "__version__"]) == sorted(dissensus.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_module_can_be_imported_by_itself(name: str) -> None:
    importlib.import_module(name)


@pytest.mark.parametrize("name", [name for name in MODULES if name.count(".") == 1])
def test_all_of_a_subpackage_is_sorted_and_there(name: str) -> None:
    module = importlib.import_module(name)
    public = getattr(module, "__all__", [])
    assert public == sorted(public)
    assert all(hasattr(module, entry) for entry in public)


def private_sklearn_imports(path: Path) -> list[str]:
    """List the private names of scikit-learn that a module imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found += [name for name in names if re.match(r"sklearn\b.*\._", name)]
    return found


def test_private_names_of_sklearn_are_imported_in_one_module() -> None:
    found = {
        str(path.relative_to(SOURCE)): names
        for path in SOURCE.rglob("*.py")
        if path != SOURCE / "utils" / "_sklearn.py"
        and (names := private_sklearn_imports(path))
    }
    assert found == {}


def test_no_kernel_decides_about_its_own_checks() -> None:
    directive = re.compile(r"boundscheck|wraparound|initializedcheck|cdivision")
    found = [
        path.name
        for path in (SOURCE / "_core").glob("*.p[yx][xd]")
        if directive.search(path.read_text())
    ]
    assert found == [], "these directives belong in src/dissensus/_core/meson.build"


@pytest.mark.skipif(
    "DISSENSUS_CHECKED_KERNELS" not in os.environ,
    reason="asked only of the build with bounds checks (make kernels)",
)
def test_checked_kernels_are_the_ones_under_test() -> None:
    assert Path(dissensus.__file__).parents[1].name == "checked"
