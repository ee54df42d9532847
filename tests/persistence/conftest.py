"""What tests of model files share."""

from __future__ import annotations

from pathlib import Path

import pytest

from dissensus import C45Classifier
from dissensus.persistence import save_model
from tests.estimator_data import as_pandas, make_problem


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a good file of a small tree."""
    cells, y = make_problem()
    path = tmp_path / "model.skops"
    save_model(C45Classifier().fit(as_pandas(cells), y), path)
    return path
