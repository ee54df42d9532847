from typing import Any

import numpy as np
from numpy.typing import NDArray

def kept_weights(
    nodes: dict[str, Any],
    old: NDArray[np.intp],
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    empty: NDArray[np.bool_],
) -> tuple[NDArray[np.intp], NDArray[np.int32], NDArray[np.float64], bool]: ...
def fill_rows(
    begin: NDArray[np.intp],
    end: NDArray[np.intp],
    classes: NDArray[np.int32],
    weights: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def sum_up(
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    starts: NDArray[np.intp],
    value: NDArray[np.float64],
) -> None: ...
