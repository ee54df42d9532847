"""What the tests of the table layer share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dissensus.io import Dataset, read_table

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Return the folder of shared data, or skip where there is none."""
    folder = Path(os.environ.get("DISSENSUS_SHARED", ROOT.parent / "shared"))
    if not (folder / "data" / "datasets.json").is_file():
        pytest.skip("needs the shared data folder (set DISSENSUS_SHARED)")
    return folder


Reader = Callable[..., Dataset]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Return a function that writes a text to a file and reads it as a data set."""

    def write_and_read(
        text: str | bytes, name: str = "t.arff", **options: object
    ) -> Dataset:
        content = text.encode() if isinstance(text, str) else text
        path = tmp_path / name
        path.write_bytes(content)
        return read_table(path, **options)  # type: ignore[arg-type]

    return write_and_read
