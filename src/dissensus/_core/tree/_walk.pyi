from typing import Any

import numpy as np
from numpy.typing import NDArray

def find_leaves(
    tree: Any, arrays: list[NDArray[Any]], n_rows: int, stop: bool
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]: ...
def add_answers(
    tree: Any,
    arrays: list[NDArray[Any]],
    stop: bool,
    answers: Any,
    total: NDArray[np.float64],
) -> NDArray[np.intp]: ...
def spread(
    tree: Any,
    arrays: list[NDArray[Any]],
    rows: NDArray[np.intp],
    answers: Any,
) -> NDArray[np.float64]: ...
