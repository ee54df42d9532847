import numpy as np
from numpy.typing import NDArray

def take_order(
    order: NDArray[np.int32],
    ranks: NDArray[np.int32],
    n_values: int,
    starts: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def mark_codes(
    codes: NDArray[np.unsignedinteger],
    offsets: NDArray[np.intp],
    marks: NDArray[np.uint8],
) -> None: ...
def change_codes(
    codes: NDArray[np.unsignedinteger], column: int, new_codes: NDArray[np.int32]
) -> None: ...
