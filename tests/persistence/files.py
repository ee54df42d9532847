"""Model files that are changed by hand."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path


def rewrite(path: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change one part of a file, with a fitting checksum."""
    with zipfile.ZipFile(path) as old:
        parts = {part: old.read(part) for part in old.namelist()}
    parts[name] = change(parts[name])
    with zipfile.ZipFile(path, "w") as new:
        for part, content in parts.items():
            new.writestr(part, content)
