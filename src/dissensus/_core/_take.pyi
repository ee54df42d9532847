import numpy as np
from numpy.typing import NDArray

def take_orders(
    orders: list[NDArray[np.int32]],
    ranks: list[NDArray[np.int32]],
    n_values: NDArray[np.int32],
    starts: NDArray[np.int32],
) -> list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]]: ...
def mark_codes(
    codes: NDArray[np.unsignedinteger],
    offsets: NDArray[np.intp],
    marks: NDArray[np.uint8],
) -> None: ...
def change_codes(
    codes: NDArray[np.unsignedinteger], column: int, new_codes: NDArray[np.int32]
) -> None: ...
