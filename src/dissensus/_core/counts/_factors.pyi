import numpy as np
from numpy.typing import NDArray

def fill_factors(
    counts: NDArray[np.float64],
    n_values: NDArray[np.int32],
    pseudo: NDArray[np.float64],
    out: NDArray[np.float64],
) -> int: ...
def fill_joint(
    counts: NDArray[np.float64],
    n_values: NDArray[np.int32],
    pseudo: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def multiply_values(
    codes: NDArray[np.unsignedinteger],
    n_values: NDArray[np.int32],
    factors: NDArray[np.float64],
    stride: int,
    scores: NDArray[np.float64],
    steps: NDArray[np.int32],
) -> None: ...
def multiply_rows(
    factors: NDArray[np.float64],
    scores: NDArray[np.float64],
    steps: NDArray[np.int32],
) -> None: ...
def parent_scores(
    codes: NDArray[np.unsignedinteger],
    n_values: NDArray[np.int32],
    parents: NDArray[np.int32],
    joint: NDArray[np.float64],
    factors: NDArray[np.float64],
    stride: int,
    normalize: bool,
    scores: NDArray[np.float64],
    steps: NDArray[np.int32],
) -> None: ...
def normalize_scores(
    scores: NDArray[np.float64], otherwise: NDArray[np.float64]
) -> int: ...
