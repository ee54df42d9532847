import numpy as np
from numpy.typing import NDArray

def pack_codes(
    columns: list[NDArray[np.int32]],
    n_declared: NDArray[np.int32],
    more: int,
    out: NDArray[np.unsignedinteger],
) -> None: ...
def count_classes(y: NDArray[np.int32], out: NDArray[np.float64]) -> None: ...
def class_value_counts(
    codes: NDArray[np.unsignedinteger],
    y: NDArray[np.int32],
    sample_weight: NDArray[np.float64] | None,
    n_values: NDArray[np.int32],
    places: NDArray[np.intp],
    out: NDArray[np.float64],
) -> None: ...
def pair_counts(
    codes: NDArray[np.unsignedinteger],
    y: NDArray[np.int32],
    sample_weight: NDArray[np.float64] | None,
    n_values: NDArray[np.int32],
    places: NDArray[np.intp],
    n_done: int,
    out: NDArray[np.float64],
    first: int,
    step: int,
) -> None: ...
def mirror(out: NDArray[np.float64], diagonal: NDArray[np.float64]) -> None: ...
