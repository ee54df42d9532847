"""Types of arrays and of estimators, each named once.

scikit-learn has no types of its own: what we ask of its estimators is written here.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int32]
Labels: TypeAlias = NDArray[Any]

# What callers may hand over for labels and weights.
VectorLike: TypeAlias = ArrayLike

RandomStateLike: TypeAlias = int | np.random.RandomState | np.random.Generator | None


class SupportsShape(Protocol):
    """A frame of pandas or polars, or a Table: rows and columns."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        ...


# What callers may hand over for inputs: an array, nested lists, a frame or a Table.
MatrixLike: TypeAlias = ArrayLike | SupportsShape

# The parameter `categorical_features` of every estimator: "from_dtype", names, indices
# or a mask.
CategoricalFeatures: TypeAlias = str | ArrayLike | None


class Estimator(Protocol):
    """What every estimator of scikit-learn's kind can do."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters."""
        ...

    def set_params(self, **params: Any) -> Self:
        """Set parameters."""
        ...


class Classifier(Estimator, Protocol):
    """A classifier, ours or scikit-learn's."""

    classes_: Labels

    def fit(self, X: MatrixLike, y: VectorLike) -> Self:
        """Learn from rows with labels."""
        ...

    def predict(self, X: MatrixLike) -> Labels:
        """Return a label for each row."""
        ...

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the probability of every class for each row."""
        ...
