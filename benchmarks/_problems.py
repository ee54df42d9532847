"""The tables that the benchmarks learn from."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import make_classification

from dissensus.io import read_table
from dissensus.table import Table

DEFAULT_DATA_DIR = Path(__file__).parents[2] / "shared" / "data"
N_FEATURES = 50
N_VALUES = 10
SEED = 20240
# How to read a file, where the target is not called "class" or a column is a name.
READING: dict[str, dict[str, Any]] = {
    "splice": {"target": "Class", "drop": ["Instance_name"]},
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One learning problem as each library wants it.

    `X` is what dissensus gets: a float64 matrix, or a pandas frame of categoricals.
    `codes` is what scikit-learn gets: the same matrix, or the integer codes of the
    categories (floats with NaN when cells are missing).
    """

    name: str
    X: Any
    codes: NDArray[Any]
    y: NDArray[np.int64]

    @property
    def is_nominal(self) -> bool:
        """Whether the attributes are nominal (all are of one kind)."""
        return isinstance(self.X, pd.DataFrame)


def data_dir(given: Path | None) -> Path:
    """Return the folder of files: as given, from DISSENSUS_DATA, or the default."""
    return given or Path(os.environ.get("DISSENSUS_DATA", DEFAULT_DATA_DIR))


@lru_cache(maxsize=1)
def load_problem(name: str, folder: Path) -> Problem:
    """Make or read the problem called `name`; files are looked for in `folder`."""
    if name in SYNTHETIC:
        return SYNTHETIC[name](name)
    path = folder / f"{name}.arff"
    if not path.is_file():
        raise FileNotFoundError(path)
    dataset = read_table(path, **READING.get(name, {"target": "class"}))
    frame = Table.from_any(dataset.X, schema=dataset.schema).to_frame("pandas")
    y = np.unique(np.asarray(dataset.y), return_inverse=True)[1].astype(np.int64)
    if all(attribute.is_nominal for attribute in dataset.schema):
        return Problem(name, frame, _codes(frame), y)
    X = np.ascontiguousarray(frame.to_numpy(dtype=np.float64))
    return Problem(name, X, X, y)


def numeric_problem(name: str, n_rows: int) -> Problem:
    """Make continuous attributes, 15 of 50 informative, a tenth of labels random."""
    X, y = make_classification(
        n_samples=n_rows,
        n_features=N_FEATURES,
        n_informative=15,
        n_redundant=0,
        n_classes=4,
        flip_y=0.1,
        random_state=SEED,
    )
    X = np.ascontiguousarray(X)
    return Problem(name, X, X, y.astype(np.int64))


def nominal_problem(name: str, n_rows: int) -> Problem:
    """Cut the numeric problem at its deciles and shuffle the names of the values."""
    numeric = numeric_problem(name, n_rows)
    rng = np.random.default_rng(SEED)
    values = np.array([f"v{value}" for value in range(N_VALUES)])
    columns = {}
    for index, column in enumerate(numeric.codes.T):
        cuts = np.quantile(column, np.arange(1, N_VALUES) / N_VALUES)
        codes = rng.permutation(N_VALUES)[np.searchsorted(cuts, column)]
        columns[f"a{index}"] = pd.Categorical.from_codes(codes, categories=values)
    frame = pd.DataFrame(columns)
    return Problem(name, frame, _codes(frame), numeric.y)


SYNTHETIC: dict[str, Callable[[str], Problem]] = {
    "numeric-20k": partial(numeric_problem, n_rows=20_000),
    "numeric-200k": partial(numeric_problem, n_rows=200_000),
    "nominal-20k": partial(nominal_problem, n_rows=20_000),
    "nominal-200k": partial(nominal_problem, n_rows=200_000),
}


def with_missing(problem: Problem, share: float = 0.1) -> Problem:
    """Return the problem with this share of its cells missing."""
    holes = np.random.default_rng(SEED).random(problem.codes.shape) < share
    codes = np.where(holes, np.nan, problem.codes)
    return replace(
        problem, X=problem.X.mask(holes) if problem.is_nominal else codes, codes=codes
    )


def with_rows(problem: Problem, n_rows: int) -> Problem:
    """Return the problem with at least `n_rows` rows, more of them drawn if needed."""
    if len(problem.y) >= n_rows:
        return problem
    rows = np.random.default_rng(SEED).integers(len(problem.y), size=n_rows)
    X = problem.X.iloc[rows] if problem.is_nominal else problem.X[rows]
    return replace(problem, X=X, codes=problem.codes[rows], y=problem.y[rows])


def non_unit_weights(problem: Problem) -> NDArray[np.float64]:
    """Draw one weight per row, from 0.5 to 1.5."""
    return np.random.default_rng(SEED).uniform(0.5, 1.5, size=len(problem.y))


def _codes(frame: pd.DataFrame) -> NDArray[np.int64]:
    return np.column_stack(
        [frame[column].cat.codes.to_numpy(np.int64) for column in frame]
    )
