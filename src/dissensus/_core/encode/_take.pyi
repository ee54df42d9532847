import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ranks = NDArray[np.int32]

def take_sorted(
    columns: list[tuple[Floats, Ranks, Ranks, Ranks | None]], starts: Ranks
) -> list[tuple[Floats, Ranks, Ranks, int, Ranks | None]]: ...
def mark_codes(
    codes: NDArray[np.unsignedinteger],
    offsets: NDArray[np.intp],
    marks: NDArray[np.uint8],
) -> None: ...
def change_codes(
    codes: NDArray[np.unsignedinteger], column: int, new_codes: NDArray[np.int32]
) -> None: ...
