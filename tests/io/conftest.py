"""What the tests of the readers share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dissensus.io import Dataset, read_table

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
