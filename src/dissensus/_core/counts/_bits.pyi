import numpy as np
from numpy.typing import NDArray

def rows_by_class(
    y: NDArray[np.int32], n_classes: int
) -> tuple[NDArray[np.int32], NDArray[np.intp], NDArray[np.intp]]: ...
def write_sets(
    codes: NDArray[np.uint8],
    rows: NDArray[np.int32],
    row_ends: NDArray[np.intp],
    n_values: NDArray[np.int32],
    places: NDArray[np.intp],
    sets: NDArray[np.uint64],
    values: NDArray[np.int32],
    totals: NDArray[np.int64],
    out: NDArray[np.float64],
    first: int,
    step: int,
) -> None: ...
def set_pair_counts(
    sets: NDArray[np.uint64],
    values: NDArray[np.int32],
    totals: NDArray[np.int64],
    word_ends: NDArray[np.intp],
    n_values: NDArray[np.int32],
    places: NDArray[np.intp],
    out: NDArray[np.float64],
    first: int,
    step: int,
) -> None: ...
