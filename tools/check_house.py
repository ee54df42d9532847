"""Check that packages use each other through their front doors.

What another package may import stands in a package's `__init__.py`. An import of one of
its private modules from outside would make every move of a file a change elsewhere.
`_core` and `utils` have no front door: their modules are the interface.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "dissensus"
WITHOUT_DOOR = ("_core", "utils")


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the line and the dotted name of everything that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from ((node.lineno, name) for name in names)


def is_back_way(name: str, home: str) -> bool:
    """Whether a module of the package `home` may not import this name."""
    first, *rest = name.split(".")
    if first != "dissensus" or not rest or rest[0] in (home, *WITHOUT_DOOR):
        return False
    return any(part.startswith("_") and part != "__version__" for part in rest[1:])


def main() -> None:
    """Print every import by a back way, and fail if there is one."""
    found = 0
    for path in sorted(SOURCE.rglob("*.py")):
        home = path.relative_to(SOURCE).parts[0]
        for line, name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            if is_back_way(name, home):
                print(f"{path.relative_to(SOURCE)}:{line}: {name} is private.")
                found += 1
    if found:
        sys.exit(f"{found} imports of private modules of other packages. Export them.")


if __name__ == "__main__":
    main()
