"""Hostile training sets, drawn from one number each.

A case is mostly hostile in what it holds: numbers at the edge of what doubles can say,
labels with NUL in them, weights far apart, arrays in odd places. In one case of four
something is added that has to be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from tests.campaign.columns import NOMINAL, NUMERIC, ODD, SMALLEST
from tests.campaign.containers import (
    MATRICES,
    MIXED,
    ODD_MATRICES,
    read_only,
    unaligned,
)

ROWS = (1, 2, 3, 5, 12, 40, 120, 350)
COLUMNS = (1, 2, 3, 6, 20)

Vector = Callable[[Generator, int], Any]


@dataclass
class Case:
    """One training set, what is asked of the fitted model, and what is odd about it."""

    X: Any
    y: Any
    sample_weight: Any
    asked: list[Any]
    categorical_features: Any = "from_dtype"
    traits: list[str] = field(default_factory=list)


def pick(rng: Generator, choices: dict[str, Any], traits: list[str]) -> Any:
    """Draw one of the choices, and note its name."""
    name = str(rng.choice(list(choices)))
    traits.append(name)
    return choices[name]


def draw_case(rng: Generator) -> Case:
    """Draw a training set and the rows to answer for, until one can be built."""
    while True:
        try:
            return _draw(rng)
        except (UnicodeError, TypeError, ValueError, OverflowError):
            continue  # pandas, polars or pyarrow did not let it through


def _draw(rng: Generator) -> Case:
    traits: list[str] = []
    n_rows, n_columns = int(rng.choice(ROWS)), int(rng.choice(COLUMNS))
    if n_rows == 1:
        traits.append("one row")
    is_odd = rng.random() < 0.25
    y = pick(rng, LABELS, traits)(rng, n_rows)
    weight = pick(rng, WEIGHTS, traits)(rng, n_rows) if rng.random() < 0.5 else None
    draw = _matrices if rng.random() < 0.6 else _columns
    X, asked = draw(rng, n_rows, n_columns, traits)
    case = Case(X, y, weight, asked, traits=traits)
    if rng.random() < 0.15:
        case.categorical_features = pick(rng, DECLARED, traits)
    if is_odd:
        pick(rng, SPOILERS, traits)(case, rng, n_rows)
    return case


def _matrices(
    rng: Generator, n_rows: int, n_columns: int, traits: list[str]
) -> tuple[Any, list[Any]]:
    """Draw numbers in some container, and other rows with the same columns."""
    makers = [pick(rng, NUMERIC, traits) for _ in range(min(n_columns, 4))]
    makers = [makers[i % len(makers)] for i in range(n_columns)]
    contain = pick(rng, MATRICES, traits)

    def make(n: int) -> NDArray[Any]:
        return np.column_stack([maker(rng, n) for maker in makers])

    cells, others = make(n_rows), make(int(rng.choice(ROWS)))
    extreme = rng.choice([1e308, -1e308, 0.0, -0.0, SMALLEST, np.nan], others.shape)
    return contain(cells), [contain(others), extreme, contain(cells[:, :-1])]


def _columns(
    rng: Generator, n_rows: int, n_columns: int, traits: list[str]
) -> tuple[Any, list[Any]]:
    """Draw numbers and labels side by side, and rows with labels never seen."""
    both = NUMERIC | NOMINAL
    makers = [pick(rng, NOMINAL, traits)]
    makers += [pick(rng, both, traits) for _ in range(n_columns - 1)]
    contain = pick(rng, MIXED, traits)
    columns = [maker(rng, n_rows) for maker in makers]
    n_others = int(rng.choice(ROWS))
    others = [maker(rng, n_others) for maker in makers]
    unseen = [_unseen(rng, column) for column in others]
    asked = [contain(others), contain(unseen), contain(others[::-1])]
    return contain(columns), [*asked, contain([*columns, columns[0]])]


def _unseen(rng: Generator, column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype != object:
        return column
    changed = column.copy()
    changed[rng.random(len(column)) < 0.5] = "never seen"
    return changed


# Labels


def _many_classes(rng: Generator, n: int) -> NDArray[Any]:
    return rng.permutation(np.arange(n) % 300)


def _text(rng: Generator, n: int) -> NDArray[Any]:
    return rng.choice(np.array(["a\0", "a", "b\0c", ""], dtype=object), n)


LABELS: dict[str, Vector] = {
    "300 classes": _many_classes,
    "big-endian labels": lambda rng, n: rng.integers(0, 3, n).astype(">i4"),
    "boolean labels": lambda rng, n: rng.random(n) < 0.5,
    "categories as labels": lambda rng, n: pd.Categorical.from_codes(
        rng.integers(0, 2, n), ["no", "yes", "never"]
    ),
    "far labels": lambda rng, n: rng.choice([-(2**63), 2**63 - 1, 0], n),
    "labels as text": _text,
    "one class": lambda _, n: np.zeros(n, dtype=int),
    "read-only labels": lambda rng, n: read_only(rng.integers(0, 3, n)),
    "unaligned labels": lambda rng, n: unaligned(rng.integers(0, 3, n)),
    "three classes": lambda rng, n: rng.integers(0, 3, n),
    "two classes": lambda rng, n: rng.integers(0, 2, n),
    "whole floats as labels": lambda rng, n: rng.choice([-0.0, 1e300, 1.0], n),
}

# Weights


def _few_positive(rng: Generator, n: int) -> NDArray[Any]:
    weights = np.zeros(n)
    weights[rng.integers(0, n)] = 1.0
    return weights


def drawn_weights(*values: float) -> Vector:
    """Return a maker of weights that draw from a few numbers."""
    return lambda rng, n: rng.choice(np.array(values), n)


WEIGHTS: dict[str, Vector] = {
    "big-endian weights": lambda rng, n: rng.random(n).astype(">f8"),
    "denormal weights": drawn_weights(SMALLEST, 1e-310, 1e-320),
    "every other weight": lambda rng, n: rng.random(2 * n)[::2],
    "huge weights": drawn_weights(1e300, 1e290),
    "one positive weight": _few_positive,
    "ordinary weights": lambda rng, n: rng.random(n) + 0.1,
    "read-only weights": lambda rng, n: read_only(rng.random(n)),
    "some weights zero": drawn_weights(0.0, 1.0, 2.0),
    "tiny weights": drawn_weights(1e-300, 1e-290, 1e-305),
    "unaligned weights": lambda rng, n: unaligned(rng.random(n)),
    "weights far apart": lambda rng, n: 10 ** rng.uniform(-300, 300, n),
    "weights of 1e308": lambda _, n: np.full(n, 1e308),
    "whole weights": lambda rng, n: rng.integers(0, 5, n),
}

# What is declared nominal, whatever its type

DECLARED: dict[str, Any] = {
    "column beyond the last": [999],
    "declared by mask": [True],
    "declared by negative place": [-1],
    "declared by unknown name": ["absent"],
    "first column declared nominal": [0],
    "nothing declared": None,
}

# What has to be refused


def _spoil_columns(case: Case, rng: Generator, n: int) -> None:
    columns = [pick(rng, ODD, case.traits)(rng, n), NUMERIC["normal"](rng, n)]
    case.X = pick(rng, MIXED, case.traits)(columns)
    case.asked = [case.X]


def _spoil_container(case: Case, rng: Generator, n: int) -> None:
    cells = rng.normal(size=(n, 3))
    case.X = pick(rng, ODD_MATRICES, case.traits)(cells)
    case.asked = [cells]


def _spoil_cell(case: Case, rng: Generator, n: int) -> None:
    cells = rng.normal(size=(n, 2))
    cells[rng.integers(0, n), 0] = rng.choice([np.inf, -np.inf])
    case.X = pick(rng, MATRICES, case.traits)(cells)
    case.asked = [cells]


def _spoil_labels(case: Case, rng: Generator, n: int) -> None:
    case.y = pick(rng, ODD_LABELS, case.traits)(rng, n)


def _spoil_weights(case: Case, rng: Generator, n: int) -> None:
    case.sample_weight = pick(rng, ODD_WEIGHTS, case.traits)(rng, n)


def _spoil_question(case: Case, rng: Generator, _: int) -> None:
    cells = rng.normal(size=(4, 3))
    case.asked = [pick(rng, ODD_MATRICES, case.traits)(cells)]


SPOILERS: dict[str, Callable[[Case, Generator, int], None]] = {
    "infinite cell": _spoil_cell,
    "odd columns": _spoil_columns,
    "odd container": _spoil_container,
    "odd labels": _spoil_labels,
    "odd question": _spoil_question,
    "odd weights": _spoil_weights,
}

ODD_LABELS: dict[str, Vector] = {
    "continuous labels": lambda rng, n: rng.normal(size=n),
    "infinite labels": lambda rng, n: rng.choice([np.inf, 1.0], n),
    "labels of several types": lambda rng, n: rng.choice(
        np.array([1, "1", None, 2.5], dtype=object), n
    ),
    "labels too many": lambda rng, n: rng.integers(0, 2, n + 1),
    "missing labels": lambda rng, n: rng.choice([np.nan, 1.0], n),
    "no labels": lambda *_: None,
    "objects as labels": lambda rng, n: rng.choice(np.array([len, {}], object), n),
    "two columns of labels": lambda rng, n: rng.integers(0, 2, (n, 2)),
}

ODD_WEIGHTS: dict[str, Vector] = {
    "infinite weights": drawn_weights(np.inf, 1.0),
    "missing weights": drawn_weights(np.nan, 1.0),
    "negative weights": drawn_weights(-1.0, 1.0),
    "text as weights": lambda rng, n: rng.choice(["1", "heavy"], n),
    "two columns of weights": lambda rng, n: rng.random((n, 2)),
    "weights all zero": lambda _, n: np.zeros(n),
    "weights too many": lambda rng, n: rng.random(n + 1),
}
