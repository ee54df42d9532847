"""Ask an opened model about a few rows that it must be able to answer.

What is checked before keeps compiled code inside its arrays. What is left are
attributes that make Python itself stumble; a model that has them says so when it is
opened, not when it is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dissensus.base import TableClassifier, TableTransformer
from dissensus.persistence._walk import expect
from dissensus.table import Attribute, Column, Schema, Table

N_ROWS = 16
TOLERANCE = 1e-6


def check_answers(model: Any) -> None:
    """Raise an error unless a model of this package answers rows of its attributes."""
    if isinstance(model, TableTransformer):
        table = _rows(model.schema_)
        expect(model._transform_table(table).n_rows == N_ROWS, "transformed rows")
    if not isinstance(model, TableClassifier):
        return
    table = _rows(model.schema_)
    n_classes = len(model.classes_)
    with np.errstate(all="ignore"):
        proba = model.predict_proba(table)
        labels = model.predict(table)
    expect(len(labels) == N_ROWS, "its answers")
    check_probabilities(proba, (N_ROWS, n_classes))


def check_probabilities(proba: Any, shape: tuple[int, int]) -> None:
    """Raise an error unless these are probabilities of classes."""
    sound = isinstance(proba, np.ndarray) and proba.shape == shape
    expect(sound and np.isfinite(proba).all(), "its answers, which are no numbers")
    expect((proba >= -TOLERANCE).all(), "its answers, which are negative")
    expect(
        (abs(proba.sum(axis=1) - 1) < TOLERANCE).all(),
        "its answers, which do not add up",
    )


def _rows(schema: Schema) -> Table:
    """Return rows of many values; the last has none at all."""
    rng = np.random.default_rng(0)
    columns = [Column(a, _values(a, rng)) for a in schema]
    return Table(schema, columns, N_ROWS)


def _values(attribute: Attribute, rng: np.random.Generator) -> NDArray[Any]:
    if attribute.is_nominal:
        codes = rng.integers(-1, max(attribute.n_values, 1), N_ROWS).astype(np.int32)
        codes = np.minimum(codes, np.int32(attribute.n_values - 1))
        codes[-1] = -1
        return codes
    values = rng.normal(size=N_ROWS) * 10.0 ** rng.integers(-2, 4, N_ROWS)
    values[0], values[-1] = 0.0, np.nan
    return values
