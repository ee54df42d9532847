import numpy as np
from numpy.typing import NDArray

def sort_column(
    column: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]: ...
def next_apart(
    values: NDArray[np.float64], gap: float
) -> tuple[int, NDArray[np.int32] | None]: ...
def code_whole(
    column: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float64], NDArray[np.uint16]] | None: ...
def write_codes(
    codes: NDArray[np.unsignedinteger],
    column: int,
    order: NDArray[np.int32],
    ranks: NDArray[np.int32],
    missing: int,
) -> None: ...
