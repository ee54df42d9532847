import numpy as np
from numpy.typing import NDArray

def sort_column(
    column: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]: ...
def next_apart(
    values: NDArray[np.float64], gap: float
) -> tuple[int, NDArray[np.int32] | None]: ...
def code_whole(
    columns: list[NDArray[np.float64]], most: int
) -> list[tuple[NDArray[np.float64], NDArray[np.int32]] | None]: ...
def write_codes(
    codes: NDArray[np.unsignedinteger],
    column: int,
    order: NDArray[np.int32],
    ranks: NDArray[np.int32],
    missing: int,
) -> None: ...
def write_labels(
    codes: NDArray[np.unsignedinteger],
    columns: list[NDArray[np.int32]],
    places: NDArray[np.intp],
    missing: NDArray[np.int32],
) -> None: ...
